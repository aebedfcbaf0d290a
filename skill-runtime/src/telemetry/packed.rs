//! Several texts to one allocation that clones share.

use std::sync::Arc;

/// How many bytes are joined without a second allocation.
const ON_STACK: usize = 512;

/// A fixed number of optional texts, one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed<const N: usize> {
    text: Arc<str>,
    /// Where each text ends; `None` if it is absent.
    ends: [Option<usize>; N],
}

impl<const N: usize> Packed<N> {
    pub(super) fn new(parts: [Option<&str>; N]) -> Self {
        let mut ends = [None; N];
        let mut length = 0;
        for (end, part) in ends.iter_mut().zip(parts) {
            length += part.map_or(0, str::len);
            *end = part.map(|_| length);
        }
        let mut buffer = [0; ON_STACK];
        let joined = buffer.get_mut(..length).and_then(|buffer| {
            let mut at = 0;
            for part in parts.into_iter().flatten() {
                buffer[at..at + part.len()].copy_from_slice(part.as_bytes());
                at += part.len();
            }
            str::from_utf8(buffer).ok()
        });
        let text = match joined {
            Some(joined) => Arc::from(joined),
            None => parts.into_iter().flatten().collect::<String>().into(),
        };
        Self { text, ends }
    }

    pub(super) fn get(&self, position: usize) -> Option<&str> {
        let end = self.ends[position]?;
        let start = self.ends[..position].iter().rev().flatten().next().copied().unwrap_or(0);
        Some(&self.text[start..end])
    }
}
