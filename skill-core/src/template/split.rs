//! Raw argument text to words.

use std::borrow::Cow;
use std::ops::Range;

use super::Dialect;

/// Splits arguments into words by the rules of a dialect.
///
/// `claude`: white space separates, `'…'` and `"…"` group, `""` is an empty word; a quote without
/// a partner is a literal character; a backslash is literal except before `"` or a backslash inside
/// double quotes. `opencode`: words are `"…"`, `'…'`, or runs without white space and quotes; a
/// quote without a partner is dropped.
///
/// ```
/// use skilldeck_core::template::{Dialect, split};
///
/// assert_eq!(split(Dialect::Claude, r#"it's "a b"c C:\tmp"#), ["it's", "a bc", r"C:\tmp"]);
/// assert_eq!(split(Dialect::OpenCode, r#"it's "a b"c"#), ["it", "s", "a b", "c"]);
/// ```
#[must_use]
pub fn split(dialect: Dialect, raw: &str) -> Vec<Cow<'_, str>> {
    match dialect {
        Dialect::Claude => claude(raw),
        Dialect::OpenCode => opencode(raw),
    }
}

fn claude(raw: &str) -> Vec<Cow<'_, str>> {
    let mut words = Vec::new();
    let mut word = Word { raw, text: Cow::Borrowed(""), end: 0, started: false };
    // Once a quote has no partner, no later one of its kind has: it would have been the partner.
    let (mut single, mut double) = (true, true);
    let mut at = 0;
    while let Some(c) = raw[at..].chars().next() {
        let behind = at + c.len_utf8();
        let closing = match c {
            '\'' if single => raw[behind..].find('\'').map(|length| behind + length),
            '"' if double => closing_double(raw, behind),
            _ => None,
        };
        match (c, closing) {
            ('\'', Some(closing)) => {
                word.push(behind..closing);
                at = closing + 1;
            }
            (_, Some(closing)) => {
                push_double(&mut word, behind..closing);
                at = closing + 1;
            }
            (_, None) => {
                single &= c != '\'';
                double &= c != '"';
                if c.is_whitespace() {
                    words.extend(word.take());
                } else {
                    word.push(at..behind);
                }
                at = behind;
            }
        }
    }
    words.extend(word.take());
    words
}

/// The quote that closes a double-quoted group whose content starts at `start`.
fn closing_double(raw: &str, start: usize) -> Option<usize> {
    let mut escaped = false;
    let found = raw[start..].bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    found.map(|length| start + length)
}

/// Adds the content of a double-quoted group, without the backslashes that escape.
fn push_double(word: &mut Word<'_>, content: Range<usize>) {
    let raw = word.raw;
    let mut start = content.start;
    let mut at = start;
    while let Some(backslash) = raw[at..content.end].find('\\').map(|length| at + length) {
        at = backslash + 1;
        if raw[at..content.end].starts_with(['"', '\\']) {
            word.push(start..backslash);
            start = at;
            at += 1;
        }
    }
    word.push(start..content.end);
}

/// A word that is borrowed as long as its pieces lie side by side.
struct Word<'a> {
    raw: &'a str,
    text: Cow<'a, str>,
    /// Where the next piece must start for the word to stay borrowed.
    end: usize,
    started: bool,
}

impl<'a> Word<'a> {
    fn push(&mut self, piece: Range<usize>) {
        let raw = self.raw;
        self.started = true;
        if piece.is_empty() {
            return;
        }
        match &mut self.text {
            text if text.is_empty() => *text = Cow::Borrowed(&raw[piece.clone()]),
            Cow::Borrowed(text) if self.end == piece.start => {
                *text = &raw[piece.start - text.len()..piece.end];
            }
            text => text.to_mut().push_str(&raw[piece.clone()]),
        }
        self.end = piece.end;
    }

    fn take(&mut self) -> Option<Cow<'a, str>> {
        let text = std::mem::replace(&mut self.text, Cow::Borrowed(""));
        std::mem::take(&mut self.started).then_some(text)
    }
}

fn opencode(raw: &str) -> Vec<Cow<'_, str>> {
    let mut words = Vec::new();
    let (mut single, mut double) = (true, true);
    let mut rest = raw;
    while let Some(first) = rest.chars().next() {
        let length = first.len_utf8();
        if first == '\'' || first == '"' {
            let open = if first == '"' { &mut double } else { &mut single };
            let closing = if *open { rest[length..].find(first) } else { None };
            *open = closing.is_some();
            rest = &rest[length..];
            if let Some(closing) = closing {
                words.push(Cow::Borrowed(&rest[..closing]));
                rest = &rest[closing + length..];
            }
        } else if first.is_whitespace() {
            rest = &rest[length..];
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == '\'' || c == '"');
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            words.push(Cow::Borrowed(word));
            rest = behind;
        }
    }
    words
}
