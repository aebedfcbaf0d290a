//! A file to what the Agent Skills specification rejects in it, as its reference validator does.
//!
//! Source: <https://agentskills.io/specification> and `skills-ref` 0.1.1. docs/spec.md has the
//! comparison.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use super::document::{self, Document};
use super::front::{self, Found, Front, Pair};
use super::given::Given;
use super::report::Report;
use super::{Layout, Origin, report_document, text_of};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::is_valid_name;

/// The keys of the specification; there are no others.
const KEYS: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
/// The most characters of `description`.
const MAX_DESCRIPTION_CHARS: usize = 1024;
/// The most characters of `compatibility`.
const MAX_COMPATIBILITY_CHARS: usize = 500;

/// Everything for which the specification rejects a skill, in source order; every finding is an
/// error. Empty if the skill is valid there.
///
/// It has no commands, so there is nothing to say about one.
///
/// ```
/// use skilldeck_core::format::{Origin, spec};
///
/// let file = b"---\nname: demo\ndescription: Does it.\nversion: 1.0.0\n---\nBody\n";
/// let found = spec::check(file, &Origin::new("demo"));
/// assert_eq!((found.len(), found[0].code.id(), found[0].line), (1, "spec-key", 4));
/// ```
#[must_use]
pub fn check(bytes: &[u8], origin: &Origin<'_>) -> Vec<Diagnostic> {
    if origin.layout == Layout::Commands {
        return Vec::new();
    }
    let text = match text_of(bytes) {
        Ok(text) => text,
        Err(mut diagnostic) => {
            diagnostic.path = origin.path.map(Path::to_path_buf);
            return vec![*diagnostic];
        }
    };
    let mut report = Report::new(text, origin.path);
    let document = document::split(text);
    report_document(&document, text, origin, &mut report);
    if text.starts_with('\u{feff}') && document.front.is_some() {
        report.add(
            Code::NoFrontMatter,
            0..0,
            "a byte order mark stands before the opening `---`",
            "save the file without one",
        );
    }
    if let Some(range) = document.front.clone() {
        check_pairs(text, &document, range, origin, &mut report);
    }
    let mut found = report.finish();
    for diagnostic in &mut found {
        diagnostic.severity = Severity::Error;
    }
    found
}

fn check_pairs(
    text: &str,
    document: &Document,
    range: Range<usize>,
    origin: &Origin<'_>,
    report: &mut Report<'_>,
) {
    let start = document.opening.start;
    // The validator counts the line end before the closing fence.
    let Front { mut pairs, is_lost, .. } = front::read_pairs(text, range, report);
    for pair in &mut pairs {
        report_twice(text, pair, start, report);
    }
    let given = |pair| Given::new(text, pair, start);
    let mut seen = HashSet::new();
    for pair in &pairs {
        if !seen.insert(pair.key.as_str()) {
            report.add(
                Code::DuplicateKey,
                given(pair).at(),
                format!("`{}` stands more than once", pair.key),
                "keep one of them",
            );
        } else if !KEYS.contains(&pair.key.as_str()) {
            report.add(
                Code::SpecKey,
                given(pair).at(),
                format!("the key `{}` is not part of the Agent Skills specification", pair.key),
                "move it under `metadata`, or check without `--spec`",
            );
        }
    }
    let mut value = |key: &str| match pairs.iter().rev().find(|pair| pair.key == key) {
        Some(pair) => match given(pair).text(report) {
            // That was said.
            _ if given(pair).is_lost() || given(pair).is_collection() => Value::Unread,
            Some(text) => Value::Text(text, given(pair).value_at()),
            None => Value::Missing(given(pair).at()),
        },
        None if is_lost => Value::Unread,
        None => Value::Missing(start..start),
    };
    let (name, description) = (value("name"), value("description"));
    let compatibility = value("compatibility");
    check_name(name, origin, report);
    check_description(description, report);
    check_compatibility(compatibility, report);
}

/// What a key that wants text says.
enum Value {
    Text(String, Range<usize>),
    Missing(Range<usize>),
    Unread,
}

fn check_name(name: Value, origin: &Origin<'_>, report: &mut Report<'_>) {
    let (name, span) = match name {
        Value::Text(name, span) => (name, span),
        Value::Missing(at) => {
            report.add(
                Code::MissingName,
                at,
                "the name is missing",
                format!("write `name: {}`", origin.name),
            );
            return;
        }
        Value::Unread => return,
    };
    let name = name.trim();
    if !is_valid_name(name) {
        report.add(
            Code::InvalidName,
            span.clone(),
            format!("`{}` is not a valid name", name.escape_debug()),
            "write at most 64 lower-case letters and digits, and single hyphens between them",
        );
    }
    if !name.nfkc().eq(origin.name.nfkc()) {
        report.add(
            Code::NameMismatch,
            span,
            format!("the name `{}` is not that of the directory", name.escape_debug()),
            format!("write `name: {}`, or rename the directory", origin.name),
        );
    }
}

fn check_description(description: Value, report: &mut Report<'_>) {
    match description {
        Value::Text(text, span) => {
            let count = text.chars().count();
            if count > MAX_DESCRIPTION_CHARS {
                report.add(
                    Code::LongDescription,
                    span,
                    format!("the description has {count} characters"),
                    format!("say it in at most {MAX_DESCRIPTION_CHARS} characters"),
                );
            }
        }
        Value::Missing(at) => {
            report.add(
                Code::MissingDescription,
                at,
                "the description is missing",
                "write `description: …` and say what the skill does and when to use it",
            );
        }
        Value::Unread => {}
    }
}

fn check_compatibility(compatibility: Value, report: &mut Report<'_>) {
    let Value::Text(text, span) = compatibility else { return };
    let count = text.chars().count();
    if count > MAX_COMPATIBILITY_CHARS {
        report.add(
            Code::SpecCompatibility,
            span,
            format!("`compatibility` has {count} characters"),
            format!("say it in at most {MAX_COMPATIBILITY_CHARS} characters"),
        );
    }
}

/// YAML allows no two equal keys in a mapping inside a value either.
fn report_twice(text: &str, pair: &mut Pair, start: usize, report: &mut Report<'_>) {
    let Found::Node(node) = &mut pair.found else { return };
    let mut twice = Vec::new();
    node.settle_duplicates(&mut twice);
    let given = Given::new(text, pair, start);
    if let Some(key) = twice.first() {
        report.add(
            Code::DuplicateKey,
            given.at(),
            format!("`{key}` stands more than once in `{}`", given.key()),
            "keep one of them",
        );
    }
}
