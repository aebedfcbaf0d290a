//! Restriction keys inside the values of other keys to what is lost by them, or to a warning.

use std::ops::Range;

use super::fields::Reader;
use super::front::{Pair, hidden};
use super::given::Given;
use super::mention::{anywhere, restriction_at};
use super::spelling::Key;
use super::yaml::Node;
use crate::diagnostic::{Code, Severity};

impl Reader<'_, '_> {
    /// A mapping where something else is wanted may have swallowed keys that were only indented too
    /// far. In a mapping of another program they mean something else, or nothing.
    pub(super) fn lose_inside(&mut self, key: Key, pair: &Pair) {
        let given = Given::new(self.text, pair, self.start);
        if !given.is_collection() {
            return;
        }
        if key.is_map() && key != Key::SlashCommand {
            if key != Key::InputSchema {
                self.warn_inside(given);
            }
            return;
        }
        let mut found = match given.entry() {
            Some(entry) if !key.is_map() && !key.restricts() => {
                let mut found = hidden(self.text, entry.span.clone(), true);
                found.retain(|(_, span)| span.start > entry.key_span.start);
                found
            }
            _ => Vec::new(),
        };
        if found.is_empty() {
            found.extend(restrictions(given).map(|key| (key, given.at())));
        }
        self.lose_hidden(found);
    }

    /// Says that restriction keys in a value have no effect there.
    pub(super) fn warn_inside(&mut self, given: Given<'_>) {
        let mut found: Vec<Key> = restrictions(given).collect();
        found.sort_unstable();
        found.dedup();
        for key in found {
            self.report.add_as(
                Code::UnknownKey,
                Severity::Warning,
                given.at(),
                format!("`{}` in `{}` restricts nothing", key.as_str(), given.key()),
                Some(format!(
                    "write `{}: …` in the column of `{}` if it is meant for this skill",
                    key.as_str(),
                    given.key()
                )),
            );
        }
    }

    /// Loses each restriction key that a text names.
    pub(super) fn lose_named(&mut self, text: &str, at: Range<usize>) {
        let found = anywhere(text);
        self.lose_hidden(found.into_iter().map(|key| (key, at.clone())).collect());
    }

    /// Merge keys are not applied, so restrictions in them would be lost.
    pub(super) fn take_merge(&mut self, given: Given<'_>, front_text: &str) {
        self.report.add_as(
            Code::UnknownKey,
            Severity::Warning,
            given.at(),
            "merge keys are not applied",
            Some("write the keys themselves".to_owned()),
        );
        if given.is_collection() {
            self.lose_hidden(restrictions(given).map(|key| (key, given.at())).collect());
        } else if !std::mem::replace(&mut self.is_merged, true) {
            // What it refers to was not found, and stands somewhere in the front matter.
            self.lose_named(front_text, given.at());
        }
    }
}

/// The restriction keys in a list or mapping, however deep.
fn restrictions(given: Given<'_>) -> impl Iterator<Item = Key> {
    let mut keys = Vec::new();
    if let Some(node) = given.node() {
        keys_of(node, &mut keys);
    }
    keys.into_iter().filter_map(|key| restriction_at(key, false))
}

fn keys_of<'n>(node: &'n Node, keys: &mut Vec<&'n str>) {
    match node {
        Node::Scalar(..) => {}
        Node::List(items) => items.iter().for_each(|item| keys_of(item, keys)),
        Node::Map(pairs) => {
            for (key, node) in pairs {
                keys.push(key);
                keys_of(node, keys);
            }
        }
    }
}
