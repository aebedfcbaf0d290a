//! A value that is not YAML to the text its author meant: read as if it were quoted.

use std::collections::HashSet;
use std::ops::Range;

use super::keys::closing;
use super::lines::{is_yaml_break, yaml_lines};
use super::spelling::Key;

/// A repaired value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repair {
    pub(super) text: String,
    /// Where in the source the offending part is.
    pub(super) at: usize,
    /// What offends.
    pub(super) why: &'static str,
}

/// Repairs the source of a value that the library could not read, if it is a plain scalar.
///
/// Flow collections, block scalars, anchors and tags are never touched, and neither is a quote that
/// is never closed: there is no telling where it should have ended. A `*` that refers to one of the
/// `anchors` of the front matter is an alias.
pub(super) fn repair(source: &str, key: Option<Key>, anchors: &HashSet<&str>) -> Option<Repair> {
    let many_lines = source.contains(is_yaml_break);
    if key.is_some_and(|key| key.is_map() || key.restricts() && many_lines) {
        return None;
    }
    let first = source.chars().next()?;
    let (at, why) = match first {
        '|' | '>' | '&' | '!' | ',' => return None,
        '-' | '?' if source[1..].is_empty() || source[1..].starts_with(char::is_whitespace) => {
            return None;
        }
        '[' | '{' => {
            let at = closing(source, 0, source.len())?;
            if many_lines || is_ended(&source[at..]) {
                return None;
            }
            (at, "text behind a bracket")
        }
        '"' | '\'' => {
            let at = closing(source, 0, source.len())?;
            if is_ended(&source[at..]) {
                return None;
            }
            (at, "text behind a closing quote")
        }
        '*' if anchors.contains(word(&source[1..])) => return None,
        '@' | '*' | '`' | '%' => (0, "a value that starts with a character YAML reserves"),
        _ => (colon(source)?, "a colon in a value that is not quoted"),
    };
    let text = fold(source);
    (!text.is_empty()).then_some(Repair { text, at, why })
}

/// One line of a value: its text without blanks around it, and the comment behind.
pub(super) struct Part {
    pub(super) content: Range<usize>,
    pub(super) comment: Range<usize>,
}

/// The lines of a value.
pub(super) fn parts(source: &str) -> impl Iterator<Item = Part> {
    let quoted = closing_of_quote(source);
    yaml_lines(source, 0..source.len()).map(move |line| {
        let from = quoted.max(line.span.start).min(line.span.end);
        let comment = comment(source, from, line.span.end)..line.span.end;
        let content = source[line.span.start..comment.start].trim_end();
        let end = line.span.start + content.len();
        Part { content: end - content.trim_start().len()..end, comment }
    })
}

/// The lines of a value as one line, as YAML folds a quoted scalar: comments go, a blank line is a
/// line end.
pub(super) fn fold(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut blank = false;
    for Part { content, comment } in parts(source) {
        let content = &source[content];
        if content.is_empty() {
            let was_comment = !source[comment].trim().is_empty();
            if !was_comment && !text.is_empty() {
                text.push('\n');
                blank = true;
            }
            continue;
        }
        if !text.is_empty() && !blank {
            text.push(' ');
        }
        text.push_str(content);
        blank = false;
    }
    text.truncate(text.trim_end().len());
    text
}

/// Where a comment starts in `start..end`, or `end`.
fn comment(source: &str, start: usize, end: usize) -> usize {
    source[start..end]
        .match_indices('#')
        .map(|(at, _)| start + at)
        .find(|at| *at == 0 || source[..*at].ends_with(char::is_whitespace))
        .unwrap_or(end)
}

fn closing_of_quote(source: &str) -> usize {
    match source.as_bytes().first() {
        Some(b'"' | b'\'') => closing(source, 0, source.len()).unwrap_or(0),
        _ => 0,
    }
}

/// Whether nothing but blanks and a comment follow.
fn is_ended(rest: &str) -> bool {
    let text = rest.trim();
    text.is_empty() || text.starts_with('#') && rest.starts_with(char::is_whitespace)
}

/// The first `: ` of a value, or a colon at the end of a line.
fn colon(source: &str) -> Option<usize> {
    source
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| source[at + 1..].is_empty() || source[at + 1..].starts_with(char::is_whitespace))
}

/// The names behind each `&` of a front matter.
pub(super) fn anchors(front: &str) -> HashSet<&str> {
    front
        .match_indices('&')
        .map(|(at, _)| word(&front[at + 1..]))
        .filter(|n| !n.is_empty())
        .collect()
}

/// The name of an anchor or alias at the start of a text.
pub(super) fn word(text: &str) -> &str {
    let end = text
        .find(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}' | '&'))
        .unwrap_or(text.len());
    &text[..end]
}
