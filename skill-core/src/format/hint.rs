//! The source of an `argument-hint` to the text a menu shows: raw, whatever YAML would make of it.

use super::given::Given;
use super::lines::{is_yaml_break, yaml_lines};
use super::yaml::Node;
use crate::model::Text;

/// The hint that a key gives; a quoted or block value is unquoted as YAML does.
pub(super) fn read(given: Given<'_>) -> Option<Text> {
    let source = given.source();
    let text = match given.node() {
        Some(node) if node.is_null() => return None,
        Some(Node::Scalar(_, text)) if is_unquoted_by_yaml(&source) => text.trim().to_owned(),
        Some(_) | None => raw(&source),
    };
    (!text.is_empty()).then(|| text.into())
}

/// The raw text of a hint: a trailing comment goes, further lines are joined by a blank.
pub(super) fn raw(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    for line in yaml_lines(source, 0..source.len()) {
        let line = without_comment(&source[line.span]).trim();
        if !line.is_empty() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
        }
    }
    text
}

/// Whether YAML unquotes the value: a quoted one, or a block.
fn is_unquoted_by_yaml(source: &str) -> bool {
    match source.as_bytes().first() {
        Some(b'"' | b'\'') => true,
        Some(b'|' | b'>') => source.contains(is_yaml_break),
        _ => false,
    }
}

/// Cuts ` # comment`, but not inside brackets: `[issue #3]` is a hint.
fn without_comment(line: &str) -> &str {
    let mut depth = 0usize;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match c {
            '[' | '{' | '(' | '<' => depth += 1,
            ']' | '}' | ')' | '>' => depth = depth.saturating_sub(1),
            '#' if before.is_whitespace() && (depth == 0 || !closes(&line[at..])) => {
                return &line[..at];
            }
            _ => {}
        }
        before = c;
    }
    line
}

fn closes(rest: &str) -> bool {
    rest.contains([']', '}', ')', '>'])
}
