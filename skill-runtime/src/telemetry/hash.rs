//! Texts to a hash that says nothing to whoever has not its key.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use siphasher::sip128::{Hasher128, SipHasher24};

use super::HashKey;

/// Two independent keys, drawn once per process: 128 bits are too many to try.
static KEYS: LazyLock<[RandomState; 2]> =
    LazyLock::new(|| [RandomState::new(), RandomState::new()]);

/// What tells the uses of the keys apart, so that a hash of one use is worth nothing in another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use {
    Confirmation,
    Process,
}

/// The hash of these parts; each counts with its length, so `["ab", "c"]` is not `["a", "bc"]`.
pub(crate) fn keyed(purpose: Use, parts: &[&[u8]]) -> u128 {
    let half = |key: &RandomState| {
        let mut hasher = key.build_hasher();
        hasher.write_u8(purpose as u8);
        for part in parts {
            hasher.write_usize(part.len());
            hasher.write(part);
        }
        hasher.finish()
    };
    let [first, second] = &*KEYS;
    u128::from(half(first)) << 64 | u128::from(half(second))
}

/// A number that nobody can guess, another one each time.
pub(crate) fn drawn() -> u128 {
    let half = || u128::from(RandomState::new().hash_one(0));
    half() << 64 | half()
}

/// A keyed hash of the arguments of an invocation: equal arguments are equal under the same
/// [`HashKey`], and nothing else can be learned from it. It is shown as 32 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgumentsHash(u128);

impl ArgumentsHash {
    /// Versions of the library agree on it, as events are kept and compared: SipHash-2-4 of 128
    /// bits over the text.
    pub(crate) fn of(arguments: &str, key: &HashKey) -> Self {
        let mut hasher = SipHasher24::new_with_key(&key.0);
        hasher.write(arguments.as_bytes());
        Self(u128::from_be_bytes(hasher.finish128().as_bytes()))
    }
}

impl fmt::Display for ArgumentsHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
