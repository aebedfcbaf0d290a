//! `<<WORD` to its delimiter, and the delimiter to the lines it ends.

use std::ops::Range;

/// How many heredocs of one script are read as such: each costs a search for its delimiter.
pub(super) const MOST: usize = 64;

/// A heredoc whose lines are still to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heredoc {
    delimiter: String,
    /// Whether leading tabs go (`<<-`).
    strips_tabs: bool,
    /// Whether the delimiter is quoted, so that the shell expands nothing.
    pub(super) quoted: bool,
    /// Whether a shell reads it as code.
    pub(super) code: bool,
}

/// The heredoc whose operator `<<` ends at `at`, and the first byte behind its delimiter.
pub(super) fn operator(text: &str, at: usize) -> Option<(Heredoc, usize)> {
    let bytes = text.as_bytes();
    let strips_tabs = bytes.get(at) == Some(&b'-');
    let mut at = at + usize::from(strips_tabs);
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    let (mut delimiter, mut quoted, mut open) = (String::new(), false, None);
    let mut chars = text[at..].char_indices();
    let mut end = text.len();
    while let Some((offset, c)) = chars.next() {
        match (c, open) {
            ('\'' | '"', None) => (quoted, open) = (true, Some(c)),
            (_, Some(quote)) if c == quote => open = None,
            ('\n', _) => {
                end = at + offset;
                break;
            }
            (_, Some(_)) => delimiter.push(c),
            ('\\', None) => {
                quoted = true;
                delimiter.extend(chars.next().map(|(_, escaped)| escaped));
            }
            (' ' | '\t' | ';' | '&' | '|' | '<' | '>' | '(' | ')' | '`', None) => {
                end = at + offset;
                break;
            }
            _ => delimiter.push(c),
        }
    }
    let named = quoted || !delimiter.is_empty();
    named.then_some((Heredoc { delimiter, strips_tabs, quoted, code: false }, end))
}

impl Heredoc {
    /// Its lines from `start` on, and the first byte behind the line of its delimiter. Without
    /// such a line it is no heredoc (`((1<<2))`).
    pub(super) fn lines(&self, text: &str, start: usize) -> Option<(Range<usize>, usize)> {
        let mut at = start;
        for line in text.get(start..)?.split_inclusive('\n') {
            let content = line.strip_suffix('\n').unwrap_or(line);
            let content = if self.strips_tabs { content.trim_start_matches('\t') } else { content };
            if content == self.delimiter {
                return Some((start..at, at + line.len()));
            }
            at += line.len();
        }
        None
    }
}
