//! Front matter to the places of its top-level keys, found by lines and not by the YAML library:
//! for locations, for raw text, for repair and for whoever edits a file.

use std::ops::Range;

use super::lines::{Line, yaml_line_at, yaml_lines};

/// A top-level key and where it stands, in bytes of the file as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The key, without quotes.
    pub(super) key: String,
    pub(super) key_span: Range<usize>,
    /// The source of the value, continuation lines included, without blanks around it.
    pub(super) value_span: Range<usize>,
    /// The whole lines, up to the next key.
    pub(super) span: Range<usize>,
    /// The column of the key; what stands deeper belongs to the value.
    pub(super) indent: usize,
}

/// The keys of a front matter, and the lines that belong to none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    pub(super) entries: Vec<Entry>,
    pub(super) strays: Vec<Range<usize>>,
}

/// How a quote or bracket that runs over lines is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// As the library takes it, for text that the library has read.
    AsYaml,
    /// Up to the next line that could be a key, for text that it has not: a forgotten quote must
    /// not swallow the keys behind it.
    ToNextKey,
}

/// Finds the keys in a range of a file.
pub(super) fn find(text: &str, range: Range<usize>, extent: Extent) -> Keys {
    let mut finder = Finder { text, range, extent, base: None, keys: Keys::default(), open: None };
    let mut at = finder.range.start;
    while at < finder.range.end {
        let line = yaml_line_at(text, at, finder.range.end);
        at = finder.take(line);
    }
    finder.close(finder.range.end);
    finder.keys
}

/// Where a quoted or bracketed value ends, one behind its last byte; `None` if it never does.
pub(super) fn closing(text: &str, start: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.get(start)? {
        quote @ (b'"' | b'\'') => closing_quote(bytes, start, end, *quote),
        b'[' | b'{' => {
            let mut depth = 0usize;
            let mut at = start;
            // A quote opens only where a value may start; inside a word it is a letter.
            let mut fresh = true;
            while at < end {
                match bytes[at] {
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    quote @ (b'"' | b'\'') if fresh => {
                        at = closing_quote(bytes, at, end, quote)? - 1
                    }
                    b'#' if at > start && bytes[at - 1].is_ascii_whitespace() => {
                        while at + 1 < end && bytes[at + 1] != b'\n' {
                            at += 1;
                        }
                    }
                    _ => {}
                }
                fresh = matches!(bytes[at], b'[' | b'{' | b',' | b':')
                    || fresh && bytes[at].is_ascii_whitespace()
                    || bytes[at].is_ascii_whitespace();
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            None
        }
        _ => None,
    }
}

fn closing_quote(bytes: &[u8], start: usize, end: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    while at < end {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote => {
                if quote == b'\'' && at + 1 < end && bytes[at + 1] == quote {
                    at += 1;
                } else {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

struct Finder<'t> {
    text: &'t str,
    range: Range<usize>,
    extent: Extent,
    /// The column of the first key; a mapping may be indented as a whole.
    base: Option<usize>,
    keys: Keys,
    open: Option<Entry>,
}

impl Finder<'_> {
    /// Takes a line, and says where the next one starts.
    fn take(&mut self, line: Line) -> usize {
        let content = &self.text[line.span.clone()];
        let bare = content.trim_start_matches(' ');
        let indent = content.len() - bare.len();
        let shallow = self.base.is_none_or(|base| indent <= base);
        if bare.trim().is_empty() || shallow && bare.starts_with('#') {
            return line.next;
        }
        self.base.get_or_insert(indent);
        let start = line.span.start + indent;
        if shallow && let Some((key, length, value)) = key_of(bare) {
            self.close(line.span.start);
            let value = start + value;
            let next = self.extend(value, &line);
            let end = trimmed_end(self.text, value, next);
            let source = &self.text[value..end];
            let skipped = source.len() - source.trim_start().len();
            // A comment behind the colon is no value.
            let end = if source[skipped..].starts_with('#') { value + skipped } else { end };
            self.open = Some(Entry {
                key,
                key_span: start..start + length,
                value_span: value + skipped..end,
                span: line.span.start..next,
                indent,
            });
            return next;
        }
        if (!shallow || bare.starts_with('\t') || self.continues(bare))
            && let Some(entry) = &mut self.open
        {
            if entry.value_span.is_empty() {
                entry.value_span.start = start;
            }
            entry.value_span.end = trimmed_end(self.text, entry.value_span.start, line.span.end);
            return line.next;
        }
        self.close(line.span.start);
        self.keys.strays.push(start..trimmed_end(self.text, start, line.span.end));
        line.next
    }

    /// A list may stand in the column of its key, and a bracket may close there.
    fn continues(&self, bare: &str) -> bool {
        let Some(entry) = &self.open else { return false };
        let value = &self.text[entry.value_span.clone()];
        is_item(bare) && (value.is_empty() || is_item(value))
    }

    /// The end of the lines that a value which starts at `value` takes by quotes and brackets.
    fn extend(&self, value: usize, line: &Line) -> usize {
        let rest = &self.text[value..line.span.end];
        let start = value + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
        let limit = match self.extent {
            Extent::AsYaml => self.range.end,
            Extent::ToNextKey => self.next_key(line.next),
        };
        match closing(self.text, start, limit) {
            Some(close) if close > line.next => yaml_lines(self.text, line.next..limit)
                .find(|line| close <= line.next)
                .map_or(limit, |line| line.next),
            _ => line.next,
        }
    }

    /// Where the next line starts that could be a key.
    fn next_key(&self, from: usize) -> usize {
        yaml_lines(self.text, from..self.range.end)
            .find(|line| {
                let content = &self.text[line.span.clone()];
                let bare = content.trim_start_matches(' ');
                self.base.is_none_or(|base| content.len() - bare.len() <= base)
                    && key_of(bare).is_some()
            })
            .map_or(self.range.end, |line| line.span.start)
    }

    fn close(&mut self, end: usize) {
        if let Some(mut entry) = self.open.take() {
            entry.span.end = end;
            self.keys.entries.push(entry);
        }
    }
}

/// Whether text starts with the dash of a list.
fn is_item(text: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// The most characters of a key; YAML allows no longer ones without `?`.
const MAX_KEY_CHARS: usize = 1024;

/// The key that a line without its indentation starts with, its length as written, and where the
/// value starts.
fn key_of(line: &str) -> Option<(String, usize, usize)> {
    let first = line.chars().next()?;
    let (key, length) = match first {
        '"' | '\'' => {
            let end = closing(line, 0, line.len())?;
            let inside = &line[1..end - 1];
            let key = if first == '\'' { inside.replace("''", "'") } else { unescaped(inside) };
            (key, end)
        }
        '-' | '?' | ':' if line[1..].is_empty() || line[1..].starts_with([' ', '\t']) => {
            return None;
        }
        '[' | ']' | '{' | '}' | ',' | '#' | '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`'
        | '\t' => {
            return None;
        }
        _ => {
            let colon = line
                .match_indices(':')
                .map(|(at, _)| at)
                .find(|at| line[at + 1..].is_empty() || line[at + 1..].starts_with([' ', '\t']))?;
            let key = line[..colon].trim_end();
            if key.contains(" #") {
                return None;
            }
            (key.to_owned(), key.len())
        }
    };
    if length > MAX_KEY_CHARS {
        return None;
    }
    let behind = line[length..].trim_start_matches([' ', '\t']);
    let colon = line.len() - behind.len();
    let value = behind.strip_prefix(':')?;
    (value.is_empty() || value.starts_with([' ', '\t'])).then_some((key, length, colon + 1))
}

/// Text with the escapes of a double-quoted scalar resolved; what is none stays as it is.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let (c, length) = match behind.chars().next() {
            Some('x') => (coded(behind, 2), 3),
            Some('u') => (coded(behind, 4), 5),
            Some('U') => (coded(behind, 8), 9),
            Some('n') => (Some('\n'), 1),
            Some('t') => (Some('\t'), 1),
            Some(c @ ('"' | '\\' | '/' | ' ')) => (Some(c), 1),
            _ => (None, 0),
        };
        match c {
            Some(c) => {
                out.push(c);
                rest = &behind[length..];
            }
            None => {
                out.push('\\');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The character whose code stands in so many hexadecimal digits behind a letter.
fn coded(text: &str, digits: usize) -> Option<char> {
    let code = text.get(1..=digits).filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()))?;
    char::from_u32(u32::from_str_radix(code, 16).ok()?)
}

fn trimmed_end(text: &str, start: usize, end: usize) -> usize {
    start + text[start..end].trim_end().len()
}
