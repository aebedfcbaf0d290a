//! The text of a file to the ranges of its front matter and its body.

use std::ops::Range;

use super::lines::{is_blank, line_at, lines};
use super::mention::restriction_at;
use super::spelling::{Meaning, meaning};
use crate::format::Layout;

/// The ranges of a document, in bytes of the file as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    /// What stands between the fences, without them.
    pub(super) front: Option<Range<usize>>,
    /// What stands behind them.
    pub(super) body: Range<usize>,
    /// The opening fence, or empty at the start.
    pub(super) opening: Range<usize>,
    /// Whether a closing fence is missing.
    pub(super) unclosed: bool,
    /// Blank lines before the opening fence.
    pub(super) blank_before: Option<Range<usize>>,
    /// The opening line of a code fence around the whole file.
    pub(super) wrapper: Option<Range<usize>>,
}

/// Finds the fences. Never a substring search: a fence is a line.
pub(super) fn split(text: &str) -> Document {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let whole = start..text.len();
    match unwrap(text, whole.clone()) {
        Some((wrapper, inside)) => {
            let mut document = split_range(text, inside);
            document.wrapper = Some(wrapper);
            document
        }
        None => split_range(text, whole),
    }
}

/// Whether the whole content is a relative path to another skill file: a symbolic link that was
/// checked out on a system without them.
pub(super) fn linked_path(text: &str, layout: Layout) -> Option<&str> {
    let path = text.trim_start_matches('\u{feff}').trim();
    let is_path = !path.is_empty()
        && !path.contains(['\n', '\r', '\t', '\0', '`', ':', '<', '>', '|', '*', '"'])
        && !path.starts_with(['/', '#', '-'])
        && path.contains('/');
    let file = path.rsplit('/').next()?;
    let is_skill = match layout {
        Layout::Skills => file.eq_ignore_ascii_case("SKILL.md"),
        Layout::Commands => !path.contains(' ') && file.to_ascii_lowercase().ends_with(".md"),
    };
    (is_path && is_skill).then_some(path)
}

/// The part of a body before its first heading. Where keys or a front matter follow at once, it is
/// a comment.
pub(super) fn before_heading(text: &str, body: &Range<usize>) -> Range<usize> {
    let mut heading = None;
    let mut is_apart = false;
    for line in lines(text, body.clone()) {
        let content = &text[line.span.clone()];
        if is_heading(content) {
            heading.get_or_insert(line.span.start);
            is_apart = false;
        } else if heading.is_some() {
            if is_blank(content) {
                is_apart = true;
            } else if is_fence(content) {
                is_apart = false;
            } else if is_apart || !is_key(content.trim()) {
                break;
            } else {
                heading = None;
            }
        }
    }
    body.start..heading.unwrap_or(body.end)
}

/// Whether a line starts with any key, or with something that may be a restriction.
fn is_key(line: &str) -> bool {
    let is_word = |(word, rest): (&str, &str)| {
        !word.contains(char::is_whitespace) && (rest.is_empty() || rest.starts_with([' ', '\t']))
    };
    line.split_once(':').is_some_and(is_word) || is_known_key(line)
}

/// Whether a line starts with a key of the format.
pub(super) fn is_known_key(line: &str) -> bool {
    if restriction_at(line, true).is_some() {
        return true;
    }
    let Some((word, _)) = line.split_once(':') else { return false };
    matches!(meaning(word.trim().trim_matches(['"', '\''])), Meaning::Known(..))
}

fn split_range(text: &str, range: Range<usize>) -> Document {
    let mut document = Document {
        front: None,
        body: range.clone(),
        opening: range.start..range.start,
        unclosed: false,
        blank_before: None,
        wrapper: None,
    };
    let Some(first) = first_line_with_text(text, range.clone()) else { return document };
    if !is_fence(&text[first.span.clone()]) {
        return document;
    }
    if first.span.start > range.start {
        document.blank_before = Some(range.start..first.span.start);
    }
    document.opening = first.span.start..first.span.start + 3;
    for line in lines(text, first.next..range.end) {
        if is_fence(&text[line.span.clone()]) {
            document.front = Some(first.next..line.span.start);
            document.body = line.next..range.end;
            return document;
        }
    }
    let end = lines(text, first.next..range.end)
        .find(|line| {
            let line = &text[line.span.clone()];
            is_blank(line) || is_heading(line)
        })
        .map_or(range.end, |line| line.span.start);
    document.unclosed = true;
    document.front = Some(first.next..end);
    document.body = end..range.end;
    document
}

/// A file that stands inside one ```` ```skill ```` or ```` ```markdown ```` fence: the opening line
/// and what is inside.
fn unwrap(text: &str, range: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let opening = first_line_with_text(text, range.clone())?;
    let line = &text[opening.span.clone()];
    let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
    let info = line[ticks..].trim();
    if ticks < 3 || !["skill", "markdown", "md"].iter().any(|word| info.eq_ignore_ascii_case(word))
    {
        return None;
    }
    let kept = text[opening.next..range.end].trim_end();
    let closing = opening.next + kept.rfind('\n').map_or(0, |at| at + 1);
    let last = &text[closing..opening.next + kept.len()];
    if last.len() < ticks || last.bytes().any(|byte| byte != b'`') {
        return None;
    }
    let inside = opening.next..closing;
    // A fence inside would close the wrapper before the end, unless the front matter shows that
    // the whole file was meant.
    let has_front =
        first_line_with_text(text, inside.clone()).is_some_and(|line| is_fence(&text[line.span]));
    let has_fence =
        || lines(text, inside.clone()).any(|line| text[line.span].trim_start().starts_with("```"));
    (has_front || !has_fence()).then_some((opening.span, inside))
}

fn first_line_with_text(text: &str, range: Range<usize>) -> Option<super::lines::Line> {
    let mut at = range.start;
    while at < range.end {
        let line = line_at(text, at, range.end);
        if !is_blank(&text[line.span.clone()]) {
            return Some(line);
        }
        at = line.next;
    }
    None
}

/// `---` at column 0 and nothing but blanks behind it.
fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(is_blank)
}

/// A Markdown heading: one to six `#` at column 0 and a blank.
fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks) && (line.len() == marks || line[marks..].starts_with([' ', '\t']))
}
