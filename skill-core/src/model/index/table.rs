//! Keys to an open-addressing table: linear probing over positions, the same on every machine.

use std::borrow::Cow;

use super::{Key, List};

/// Keys, and slots that find them by their text.
///
/// A slot is empty, or the upper half of the hash of a text (so that a string is compared only when
/// it is all but certain to be equal) over the position of the first key with this text. Keys with
/// the same text stand side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    keys: List<Key>,
    slots: List<u64>,
}

const EMPTY_SLOT: u64 = u64::MAX;

impl Table {
    /// A table without keys.
    pub const EMPTY: Self = Self { keys: Cow::Borrowed(&[]), slots: Cow::Borrowed(&[]) };

    /// A table of the parts of one that was built. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_parts(keys: &'static [Key], slots: &'static [u64]) -> Self {
        Self { keys: Cow::Borrowed(keys), slots: Cow::Borrowed(slots) }
    }

    /// The keys. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The slots: none, or a power of two. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub fn slots(&self) -> &[u64] {
        &self.slots
    }

    /// A table with room for this many keys, to be filled by [`Table::insert`].
    pub(super) fn with_capacity(keys: usize) -> Self {
        let slots = (2 * keys).next_power_of_two();
        Self { keys: Vec::with_capacity(keys).into(), slots: vec![EMPTY_SLOT; slots].into() }
    }

    /// A table of these keys; equal texts side by side.
    pub(super) fn of_runs(keys: Vec<Key>) -> Self {
        if keys.is_empty() {
            return Self::EMPTY;
        }
        let mut table = Self::with_capacity(keys.len());
        for key in keys {
            if let Err(key) = table.insert(key) {
                table.keys.to_mut().push(key);
            }
        }
        table
    }

    /// Adds a key, or gives it back if its text is there (or the table full).
    pub(super) fn insert(&mut self, key: Key) -> Result<(), Key> {
        let Some(Slot::Free(at, tag)) = self.probe(&key.text) else {
            return Err(key);
        };
        self.slots.to_mut()[at] = tag | self.keys.len() as u64;
        self.keys.to_mut().push(key);
        Ok(())
    }

    /// The first key with this text.
    pub(super) fn get(&self, text: &str) -> Option<&Key> {
        self.keys.get(self.position(text)?)
    }

    /// The position of the first key with this text.
    pub(super) fn position(&self, text: &str) -> Option<usize> {
        match self.probe(text)? {
            Slot::Key(position) => Some(position),
            Slot::Free(..) => None,
        }
    }

    /// All keys with this text.
    pub(super) fn run(&self, text: &str) -> &[Key] {
        let Some(first) = self.position(text) else {
            return &[];
        };
        let keys = &self.keys[first..];
        let end = keys.iter().position(|key| key.text != text).unwrap_or(keys.len());
        &keys[..end]
    }

    /// Where this text is, or where it would stand; `None` in a table without slots.
    #[inline]
    fn probe(&self, text: &str) -> Option<Slot> {
        let slots = &*self.slots;
        let mask = slots.len().checked_sub(1)?;
        let hash = hash(text.as_bytes());
        let tag = hash & !u64::from(u32::MAX);
        let mut at = hash as usize & mask;
        // Ends: at most half of the slots are taken. A table of other parts is bounded too.
        for _ in 0..slots.len() {
            let slot = slots[at];
            if slot == EMPTY_SLOT {
                return Some(Slot::Free(at, tag));
            }
            if slot & !u64::from(u32::MAX) == tag {
                let position = slot as u32 as usize;
                if self.keys.get(position).is_some_and(|key| key.text == text) {
                    return Some(Slot::Key(position));
                }
            }
            at = (at + 1) & mask;
        }
        None
    }
}

enum Slot {
    /// The position of the first key with the text.
    Key(usize),
    /// The slot that is free for it, and the upper half of what to write there.
    Free(usize, u64),
}

/// A fast hash of short text by folded multiplication (the scheme of wyhash). Tables are built on
/// one machine and read on another, so it depends on neither word size nor byte order.
fn hash(bytes: &[u8]) -> u64 {
    const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
    const FACTOR: u64 = 0xe703_7ed1_a0b4_28db;
    let mut state = SEED ^ bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        state = mix(state ^ u64::from_le_bytes(*word), FACTOR);
    }
    // The last bytes in one read where there are enough; they may be read twice.
    let rest = if rest.is_empty() {
        0
    } else if let Some(last) = bytes.last_chunk::<8>() {
        u64::from_le_bytes(*last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
    } else {
        rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    mix(state ^ rest, SEED)
}

/// Both halves of the product, so that every bit of the input reaches every bit of the result.
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
