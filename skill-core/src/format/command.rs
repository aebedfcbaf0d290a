//! The keys about the command to its fields: dependencies, arguments and slash-command settings.

use std::borrow::Cow;

use super::fields::{report_not_boolean, sub_key};
use super::given::{Given, Truth};
use super::lists;
use super::report::Report;
use super::spelling::is_spelt;
use super::yaml::{Kind, Node};
use crate::diagnostic::{Code, Severity};
use crate::model::{Dependency, SlashCommand, Text};

/// `depends-on`: each with the line it stands in.
pub(super) fn dependencies(
    given: Given<'_>,
    text: &str,
    report: &mut Report<'_>,
) -> Cow<'static, [Dependency]> {
    let items = given.list(report, lists::dependencies);
    let span = given.value_at();
    let mut from = span.start;
    let mut found = Vec::with_capacity(items.len());
    for item in items {
        // Items are found again in source order; one that is escaped is placed at the last.
        let (name, requirement) = lists::dependency(&item);
        let behind = text.get(from..span.end).unwrap_or_default();
        let at = behind.find(name.as_str()).map_or(from, |at| from + at);
        from = (at + name.len()).min(span.end);
        if name.is_empty() {
            report.add(
                Code::DroppedItem,
                at..at,
                format!("`{item}` names no skill"),
                "write `name` or `name@>=1.2`",
            );
            continue;
        }
        if let Some(requirement) = requirement.as_deref().filter(|r| !lists::is_requirement(r)) {
            let start = text
                .get(from..span.end)
                .and_then(|behind| behind.find(requirement))
                .map_or(at, |behind| from + behind);
            let end = if start == at { from } else { start + requirement.len() };
            report.add(
                Code::InvalidRequirement,
                start..end,
                format!("`{requirement}` is not a version requirement"),
                format!("write `{name}@>=1.2`, `{name}@^1` or only `{name}`"),
            );
        }
        found.push(Dependency {
            name: name.into(),
            requirement: requirement.map(Into::into),
            line: report.line(at),
        });
    }
    found.into()
}

/// `arguments`: names in positional order. One that cannot be a placeholder keeps its position.
pub(super) fn arguments(given: Given<'_>, report: &mut Report<'_>) -> Cow<'static, [Text]> {
    let names = given.list(report, lists::words);
    for (position, name) in names.iter().enumerate() {
        let fault = if !is_placeholder(name) {
            "cannot stand behind a `$`"
        } else if names[..position].contains(name) {
            "is declared twice; the first holds"
        } else {
            continue;
        };
        report.add(
            Code::InvalidArgumentName,
            given.value_at(),
            format!("the argument `{name}` {fault}"),
            "use different names of letters, digits, `_` and `-` that start with a letter",
        );
    }
    names.into_iter().map(Into::into).collect()
}

/// `slash-command`: the per-skill settings of RFC-0016.
pub(super) fn settings(given: Given<'_>, report: &mut Report<'_>) -> SlashCommand {
    let mut settings = SlashCommand::DEFAULT;
    let pairs = match given.node() {
        Some(Node::Map(pairs)) => pairs,
        Some(Node::Scalar(Kind::Null, _)) if given.is_blank() => return settings,
        _ => {
            // Who writes `slash-command: false` wants no command; the rest is anybody's guess.
            settings.enabled = given.truth() == Truth::Is(true);
            report.add_as(
                Code::NotAMap,
                if settings.enabled { Severity::Warning } else { Severity::Error },
                given.at(),
                format!(
                    "`{}` wants a mapping, so the command is {}",
                    given.key(),
                    if settings.enabled { "left as it is" } else { "not enabled" }
                ),
                Some(format!("write `{}:` and below it `enabled: false`, indented", given.key())),
            );
            return settings;
        }
    };
    settings.prefix = match sub_key(pairs, "prefix") {
        None | Some(Node::Scalar(Kind::Null, _)) => None,
        // An empty prefix is a value of its own: the bare word is announced.
        Some(Node::Scalar(_, text)) => Some(text.clone().into()),
        Some(Node::List(_) | Node::Map(_)) => {
            report.add(
                Code::NotText,
                given.at(),
                "`prefix` wants text and is ignored",
                "write `prefix: \"/skill:\"`, or `prefix: \"\"` for the bare word",
            );
            None
        }
    };
    settings.enabled = setting(pairs, "enabled", given, report);
    settings.auto_inject = setting(pairs, "auto-inject", given, report);
    for (written, _) in pairs {
        if !["prefix", "enabled", "auto-inject"].iter().any(|key| is_spelt(written, key)) {
            report.add(
                Code::UnknownKey,
                given.at(),
                format!("the key `{written}` of `{}` is not known", given.key()),
                "the keys are `prefix`, `enabled` and `auto-inject`",
            );
        }
    }
    settings
}

/// A boolean that is true when absent. What cannot be understood is false, the quieter side.
fn setting(pairs: &[(String, Node)], key: &str, given: Given<'_>, report: &mut Report<'_>) -> bool {
    let Some(node) = sub_key(pairs, key).filter(|node| !node.is_null()) else { return true };
    match node.text().and_then(super::given::truth_of) {
        Some(truth) => truth,
        None => {
            report_not_boolean(given, key, report);
            false
        }
    }
}

/// Whether a declared name can be written as `$name` without being taken for something else.
fn is_placeholder(name: &str) -> bool {
    name != "ARGUMENTS"
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}
