//! A line or text to the restriction keys that it mentions, for what was not read as keys.
//!
//! All of this is meant to find too much rather than too little.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::keys::unescaped;
use super::spelling::{Key, Meaning, contained, meaning};

/// How long a restriction key is, however it is spelt.
const RESTRICTION_CHARS: std::ops::Range<usize> = 10..40;

/// The restriction key that stands where a line has its key: behind list marks, quotes, emphasis,
/// brackets, tags and anchors. With `sign` only before a `:` or `=`.
///
/// A line that starts with a bracket is looked at behind each of its commas too.
pub(super) fn restriction_at(line: &str, sign: bool) -> Option<Key> {
    let line = decoded(line);
    let bare = line.trim_start();
    let pieces = if bare.starts_with(['{', '[']) { usize::MAX } else { 1 };
    bare.splitn(pieces, [',', '{', '[']).find_map(|piece| at_start(piece, sign))
}

/// Every restriction key whose name stands anywhere in a text, in whatever case and separators.
pub(super) fn anywhere(text: &str) -> Vec<Key> {
    contained(&decoded(text))
}

/// The restriction keys that a key was meant to be, if it is none: one that is a slip away, is
/// written with letters that look alike, or has the name of one in it.
pub(super) fn meant(written: &str) -> Vec<Key> {
    // A front matter may have many keys, and most are short.
    if written.len() < RESTRICTION_CHARS.start {
        return Vec::new();
    }
    let written = decoded(written);
    match meaning(&written) {
        Meaning::Known(key, _) | Meaning::Near(key) if key.restricts() => vec![key],
        _ => contained(&written),
    }
}

fn at_start(piece: &str, sign: bool) -> Option<Key> {
    let mut rest = piece;
    loop {
        let bare = rest.trim_start_matches(is_mark);
        let bare = match bare.strip_prefix(['&', '!']) {
            Some(_) => bare.trim_start_matches(|c: char| !c.is_whitespace()),
            // `1.` and `1)` number an item.
            None => {
                let behind = bare.trim_start_matches(|c: char| c.is_ascii_digit());
                behind
                    .strip_prefix(['.', ')'])
                    .filter(|_| behind.len() < bare.len())
                    .unwrap_or(bare)
            }
        };
        if bare.len() == rest.len() {
            break;
        }
        rest = bare;
    }
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
        .unwrap_or(rest.len());
    // Most lines are prose, and a body may have many.
    if !RESTRICTION_CHARS.contains(&end) {
        return None;
    }
    let behind = rest[end..].trim_start_matches(is_mark);
    if sign && !behind.starts_with([':', '=']) {
        return None;
    }
    match meaning(rest[..end].trim_end_matches(['-', '_'])) {
        Meaning::Known(key, _) if key.restricts() => Some(key),
        Meaning::Near(key) if key.restricts() && sign => Some(key),
        _ => None,
    }
}

/// What may stand around a key and is no part of it.
fn is_mark(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '"' | '\'' | '`' | '*' | '_' | '~' | '-' | '+' | '>' | '?' | '|')
        || matches!(c, '{' | '[' | '(' | '<' | ',' | '}' | ']' | ')' | '•' | '·' | '–' | '—')
}

/// With escapes resolved, letters that look like Latin ones replaced, and nothing invisible.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') && text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let text = unescaped(text);
    Cow::Owned(text.nfkc().filter(|c| !is_invisible(*c)).map(latin).collect())
}

const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{feff}' | '\u{180e}' | '\u{fe00}'..='\u{fe0f}')
}

/// Dashes and the Cyrillic and Greek letters that look like those of the keys.
const fn latin(c: char) -> char {
    match c {
        'а' | 'А' | 'α' => 'a',
        'ѕ' | 'Ѕ' => 's',
        'с' | 'С' => 'c',
        'е' | 'Е' | 'ё' => 'e',
        'і' | 'І' | 'ı' | 'ι' => 'i',
        'о' | 'О' | 'ο' => 'o',
        'ԁ' => 'd',
        'ӏ' => 'l',
        'п' => 'n',
        'м' | 'М' => 'm',
        'т' | 'Т' => 't',
        'г' => 'r',
        'ԛ' => 'q',
        'ѵ' | 'ν' => 'v',
        'ԝ' => 'w',
        'Ь' | 'ь' | 'в' | 'В' => 'b',
        'ц' | 'υ' => 'u',
        '‐' | '‑' | '‒' | '−' => '-',
        other => other,
    }
}
