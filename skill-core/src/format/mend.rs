//! Findings to the edits that mend them, where what was meant is plain. Whatever a reading keeps is
//! kept, comments included, so an edit never changes what a value says.

#[cfg(test)]
mod tests;

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::document::{self, Document, is_known_key};
use super::front::{hidden, hidden_behind};
use super::keys::{self, Entry, Extent, Keys};
use super::lines::{is_blank, is_yaml_break, line_at, lines, yaml_lines};
use super::repair::{self, Part};
use super::spelling::{Meaning, meaning};
use super::{Layout, Origin};
use crate::diagnostic::Edit;
use crate::model::is_valid_name;

/// A scalar on one line that YAML reads as exactly this text.
pub(super) fn quoted(text: &str) -> String {
    let mut double = String::with_capacity(text.len() + 2);
    let mut is_plain = true;
    double.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => double.extend(['\\', c]),
            '\n' => double.push_str("\\n"),
            '\t' => double.push_str("\\t"),
            _ if is_unprintable(c) => double.push_str(&match u32::from(c) {
                code @ ..=0xff => format!("\\x{code:02X}"),
                code @ ..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            }),
            _ => {
                double.push(c);
                continue;
            }
        }
        is_plain &= matches!(c, '"' | '\\');
    }
    double.push('"');
    if is_plain {
        let single = format!("'{}'", text.replace('\'', "''"));
        if single.len() < double.len() {
            return single;
        }
    }
    double
}

/// What YAML does not take literally, or would take for a line end.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || is_yaml_break(c)
        || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
        || u32::from(c) > 0xffff && !c.is_alphanumeric() && u32::from(c) & 0xfffe == 0xfffe
}

/// The scalar that names a skill of this origin after its directory, if that is a name.
pub(super) fn directory_name(origin: &Origin<'_>) -> Option<String> {
    if origin.layout != Layout::Skills || !is_valid_name(origin.name) {
        return None;
    }
    let name: String = origin.name.nfkc().collect();
    // Other readers resolve scalars: these would be a boolean, nothing, a number or a date.
    let is_word = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
        .iter()
        .any(|word| name == *word);
    let is_number = name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_digit() || matches!(c, 'a'..='f' | 'o' | 'x' | '-'));
    Some(if is_word || is_number { quoted(&name) } else { name })
}

/// Puts a scalar in the place of a value that was read as text. Comments between its lines come
/// behind the scalar; what follows the last line stays where it is.
pub(super) fn replace(text: &str, span: &Range<usize>, mut scalar: String) -> Edit {
    let source = &text[span.clone()];
    let parts: Vec<Part> = repair::parts(source).collect();
    let last = parts.iter().rposition(|part| !part.content.is_empty());
    let end = last.map_or(0, |last| parts[last].content.end);
    for part in parts.iter().take(last.unwrap_or(0)) {
        let comment = source[part.comment.clone()].trim_end();
        if !comment.is_empty() {
            scalar.push(' ');
            scalar.push_str(comment);
        }
    }
    Edit { span: span.start..span.start + end, replacement: scalar }
}

/// The same for a value that is repaired. A continuation line that looks like a key was not meant
/// as text, and what was meant instead nobody knows.
pub(super) fn repaired(text: &str, entry: &Entry, meant: &str) -> Option<Edit> {
    let source = &text[entry.value_span.clone()];
    let mut behind = yaml_lines(source, 0..source.len()).skip(1);
    let is_text = hidden_behind(text, entry).is_empty()
        && !behind.any(|line| is_known_key(source[line.span].trim()));
    is_text.then(|| replace(text, &entry.value_span, quoted(meant)))
}

/// Quotes a list or mapping on one line where text was wanted.
pub(super) fn collection(text: &str, entry: &Entry) -> Option<Edit> {
    let span = collection_span(text, entry)?;
    let replacement = quoted(&text[span.clone()]);
    Some(Edit { span, replacement })
}

/// Where a list or mapping in brackets stands, if it is on one line: without a comment behind it.
pub(super) fn collection_span(text: &str, entry: &Entry) -> Option<Range<usize>> {
    let source = &text[entry.value_span.clone()];
    let end = keys::closing(source, 0, source.len())?;
    let is_flow = source.starts_with(['[', '{']) && !source[..end].contains(is_yaml_break);
    is_flow.then(|| entry.value_span.start..entry.value_span.start + end)
}

/// Gives a key a scalar in the place of the one it has, or of none.
pub(super) fn fill(text: &str, entry: &Entry, scalar: String) -> Option<Edit> {
    let span = &entry.value_span;
    let source = &text[span.clone()];
    if source.is_empty() {
        let is_bare = text[..span.start].ends_with(':');
        let replacement = if is_bare { format!(" {scalar}") } else { format!("{scalar} ") };
        return Some(Edit { span: span.clone(), replacement });
    }
    let is_scalar =
        !source.contains(is_yaml_break) && !source.starts_with(['|', '>', '&', '!', '*', '[', '{']);
    is_scalar.then(|| replace(text, span, scalar))
}

/// A first line with the name, for a front matter in this range that is closed and has none.
pub(super) fn insert_name(text: &str, front: Range<usize>, scalar: &str) -> Option<Edit> {
    if !text[front.end..].starts_with("---") {
        return None;
    }
    let (before, source) = (&text[..front.start], &text[front.clone()]);
    let Keys { entries, strays } = keys::find(text, front.clone(), Extent::ToNextKey);
    let indent = match entries.first() {
        // A line before the first key would become part of the name.
        Some(entry) if strays.first().is_some_and(|stray| stray.start < entry.span.start) => {
            return None;
        }
        Some(entry) => entry.indent,
        None if source.lines().all(|line| is_blank(line) || line.starts_with('#')) => 0,
        None => return None,
    };
    let end = line_end(before);
    before.ends_with('\n').then(|| Edit {
        span: front.start..front.start,
        replacement: format!("{:indent$}name: {scalar}{end}", ""),
    })
}

/// Closes a front matter that is never closed, if where it ends is plain: nothing in it is left
/// over, and nothing behind it looks like a part of it.
pub(super) fn close(text: &str, document: &Document) -> Option<Edit> {
    let front = document.front.clone().filter(|_| document.unclosed)?;
    let Keys { entries, strays } = keys::find(text, front.clone(), Extent::ToNextKey);
    let behind = document::before_heading(text, &document.body);
    let is_open = lines(text, behind.clone()).any(|line| is_known_key(text[line.span].trim()))
        || !hidden(text, document.body.clone(), true).is_empty();
    if entries.is_empty() || is_open {
        return None;
    }
    match strays.as_slice() {
        [] => {
            let before = &text[..front.end];
            let end = line_end(before);
            let first = if before.ends_with('\n') { "" } else { end };
            let replacement = format!("{first}---{end}");
            Some(Edit { span: front.end..front.end, replacement })
        }
        [stray] if is_dashes(&text[stray.clone()]) => {
            let line = line_at(text, stray.start, front.end);
            let starts_line = text[..stray.start].ends_with('\n');
            (line.next == front.end && starts_line)
                .then(|| Edit { span: stray.clone(), replacement: "---".to_owned() })
        }
        _ => None,
    }
}

/// Removes a line of dashes inside a front matter that goes on behind it with keys of the format
/// only, up to its closing fence.
pub(super) fn remove_dashes(
    text: &str,
    front: &Range<usize>,
    stray: &Range<usize>,
    keys: &Keys,
) -> Option<Edit> {
    // A block in the last lines loses its line end to the closing fence, elsewhere it keeps it.
    let keeps_value = keys.entries.last().is_some_and(|last| {
        last.key_span.start > stray.start || !text[last.value_span.clone()].starts_with(['|', '>'])
    });
    let is_plain = keeps_value
        && is_dashes(&text[stray.clone()])
        && text[front.end..].starts_with("---")
        && keys.strays.last() == Some(stray)
        && keys.entries.iter().all(|entry| {
            entry.key_span.start < stray.start || matches!(meaning(&entry.key), Meaning::Known(..))
        })
        && text[..stray.start].ends_with('\n');
    is_plain.then(|| Edit {
        span: stray.start..line_at(text, stray.start, front.end).next,
        replacement: String::new(),
    })
}

/// Takes away the code fence around a whole file: what is before and behind the inside.
pub(super) fn unwrap(text: &str, document: &Document) -> Vec<Edit> {
    let Some(wrapper) = document.wrapper.clone() else { return Vec::new() };
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let inside = line_at(text, wrapper.start, text.len()).next;
    let end = document.body.end;
    let cut = |span| Edit { span, replacement: String::new() };
    vec![cut(start.min(wrapper.start)..inside), cut(end..text.len())]
}

/// Removes every byte order mark but the first, if that brings a fence to light.
pub(super) fn remove_marks(text: &str) -> Option<Edit> {
    const MARK: char = '\u{feff}';
    let rest = text.strip_prefix(MARK)?;
    let bare = rest.trim_start_matches(MARK);
    let start = text.len() - bare.len();
    let extra = MARK.len_utf8()..start;
    let document = document::split(bare);
    let is_whole = document.front.is_some() && !document.unclosed;
    (!extra.is_empty() && is_whole).then(|| Edit { span: extra, replacement: String::new() })
}

/// Four dashes or more and nothing else.
fn is_dashes(line: &str) -> bool {
    line.len() > 3 && line.bytes().all(|byte| byte == b'-')
}

/// How the lines of a file end, judged by the first.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
