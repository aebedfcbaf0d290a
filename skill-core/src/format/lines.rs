//! Text to lines, by the file's rule (LF, CRLF) and by YAML's, which knows more line ends.

use std::ops::Range;

/// One line: its text without the line end, and where the next begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) span: Range<usize>,
    pub(super) next: usize,
}

/// The line of a file that starts at `start`; LF and CRLF end it.
pub(super) fn line_at(text: &str, start: usize, end: usize) -> Line {
    match text[start..end].find('\n') {
        Some(length) => {
            let stop = start + length;
            let bare = text[start..stop].strip_suffix('\r').map_or(stop, |line| start + line.len());
            Line { span: start..bare, next: stop + 1 }
        }
        None => Line { span: start..end, next: end },
    }
}

/// The lines of a range of a file; LF and CRLF end them.
pub(super) fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Line> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        (at < range.end).then(|| {
            let line = line_at(text, at, range.end);
            at = line.next;
            line
        })
    })
}

/// The line of YAML that starts at `start`. The library ends lines at a lone CR, NEL, LS and PS
/// too, and a key behind one of them is a key to it, so it must be one to us.
pub(super) fn yaml_line_at(text: &str, start: usize, end: usize) -> Line {
    let rest = &text[start..end];
    match rest.find(is_yaml_break) {
        Some(length) => {
            let stop = start + length;
            let tail = &rest[length..];
            let width = if tail.starts_with("\r\n") {
                2
            } else {
                tail.chars().next().map_or(0, char::len_utf8)
            };
            Line { span: start..stop, next: stop + width }
        }
        None => Line { span: start..end, next: end },
    }
}

/// The lines of a range, by YAML's rule.
pub(super) fn yaml_lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Line> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        (at < range.end).then(|| {
            let line = yaml_line_at(text, at, range.end);
            at = line.next;
            line
        })
    })
}

/// Whether YAML (1.1, as the library reads it) ends a line here.
pub(super) const fn is_yaml_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a line has nothing but blanks.
pub(super) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}
