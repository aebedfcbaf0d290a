//! An endless stream of bytes to the part of it that is kept.

use std::fmt::Write;

/// The beginning of a stream.
#[derive(Debug)]
pub(super) struct Head {
    kept: Vec<u8>,
    limit: usize,
    total: u64,
}

/// The end of a stream.
#[derive(Debug)]
pub(super) struct Tail {
    kept: Vec<u8>,
    limit: usize,
    total: u64,
}

/// What takes the bytes of a stream.
pub(super) trait Keep {
    fn push(&mut self, bytes: &[u8]);
}

impl Head {
    pub(super) fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, total: 0 }
    }

    /// The text, with a mark in a line of its own if it is not all of it.
    pub(super) fn into_text(mut self) -> String {
        let is_cut = self.total > self.kept.len() as u64;
        if is_cut {
            self.kept.truncate(whole_characters(&self.kept));
        }
        let shown = self.kept.len();
        let mut text = text(self.kept);
        if is_cut {
            let line = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            let _ = write!(text, "{line}[output cut: {shown} of {} bytes]", self.total);
        }
        text
    }
}

impl Keep for Head {
    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = self.limit - self.kept.len();
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl Tail {
    pub(super) fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, total: 0 }
    }

    /// The text without blanks at its ends, with a mark in front if it is not all of it.
    pub(super) fn into_text(mut self) -> String {
        self.forget();
        let is_cut = self.total > self.kept.len() as u64;
        if is_cut {
            let broken = self.kept.iter().take(3).take_while(|byte| is_inside(**byte)).count();
            self.kept.drain(..broken);
        }
        let before = self.total - self.kept.len() as u64;
        let text = text(self.kept);
        if is_cut {
            format!("[{before} bytes before this] {}", text.trim())
        } else {
            text.trim().to_owned()
        }
    }

    fn forget(&mut self) {
        let surplus = self.kept.len().saturating_sub(self.limit);
        self.kept.drain(..surplus);
    }
}

impl Keep for Tail {
    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        self.kept.extend_from_slice(&bytes[bytes.len().saturating_sub(self.limit)..]);
        // Moving what stays is worth it only now and then.
        if self.kept.len() > 2 * self.limit {
            self.forget();
        }
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// How many bytes there are without a character at the end that is not complete.
fn whole_characters(bytes: &[u8]) -> usize {
    let inside = bytes.iter().rev().take(3).take_while(|byte| is_inside(**byte)).count();
    let Some(lead) = bytes.len().checked_sub(inside + 1) else { return bytes.len() };
    let wanted = match bytes[lead] {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => 1,
    };
    if inside + 1 < wanted { lead } else { bytes.len() }
}

/// Whether a byte goes on with a character of UTF-8.
const fn is_inside(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::{Head, Keep, Tail};

    fn head(limit: usize, pieces: &[&[u8]]) -> String {
        let mut head = Head::new(limit);
        pieces.iter().for_each(|piece| head.push(piece));
        head.into_text()
    }

    fn tail(limit: usize, pieces: &[&[u8]]) -> String {
        let mut tail = Tail::new(limit);
        pieces.iter().for_each(|piece| tail.push(piece));
        tail.into_text()
    }

    #[test]
    fn the_beginning_is_kept_and_what_is_cut_is_marked() {
        for (limit, pieces, expected) in [
            (4, &[&b"ab"[..], b"cd"][..], "abcd"),
            (4, &[b"ab", b"cde", b"f"], "abcd\n[output cut: 4 of 6 bytes]"),
            (4, &[b"abc\nd"], "abc\n[output cut: 4 of 5 bytes]"),
            (0, &[b"a"], "[output cut: 0 of 1 bytes]"),
            (4, &["aé€".as_bytes()], "aé\n[output cut: 3 of 6 bytes]"),
            (4, &["a€€".as_bytes()], "a€\n[output cut: 4 of 7 bytes]"),
            (5, &["a😀😀".as_bytes()], "a😀\n[output cut: 5 of 9 bytes]"),
            (4, &["a😀".as_bytes()], "a\n[output cut: 1 of 5 bytes]"),
            (3, &["€€".as_bytes()], "€\n[output cut: 3 of 6 bytes]"),
            (2, &["€".as_bytes()], "[output cut: 0 of 3 bytes]"),
            (9, &[b"a\xffb"], "a\u{fffd}b"),
            (9, &[b"a\xe2\x82"], "a\u{fffd}"),
        ] {
            assert_eq!(head(limit, pieces), expected);
        }
    }

    #[test]
    fn the_end_is_kept_and_what_is_missing_is_marked() {
        for (limit, pieces, expected) in [
            (4, &[&b"ab"[..], b"cd"][..], "abcd"),
            (4, &[b" ab\n"], "ab"),
            (4, &[b"abcdef"], "[2 bytes before this] cdef"),
            (4, &[b"ab", b"cd", b"ef", b"gh", b"ij"], "[6 bytes before this] ghij"),
            (4, &["a€€".as_bytes()], "[4 bytes before this] €"),
            (9, &[b"a\xff"], "a\u{fffd}"),
        ] {
            assert_eq!(tail(limit, pieces), expected);
        }
        let mut long = Tail::new(1 << 10);
        for _ in 0..1 << 12 {
            long.push(&[b'x'; 777]);
        }
        assert!(long.kept.capacity() <= 8 << 10, "{}", long.kept.capacity());
    }
}
