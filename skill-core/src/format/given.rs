//! A pair of the front matter to the type its key wants: text, boolean, list or mapping.

use std::ops::Range;

use super::front::{Found, Pair};
use super::keys::Entry;
use super::mend;
use super::report::Report;
use super::yaml::{Kind, Node};
use crate::diagnostic::{Code, Edit};
use crate::model::{Text, Value};

/// A key and value as they stand in the file.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    text: &'a str,
    pair: &'a Pair,
    /// Where to point when the lines do not show the key.
    start: usize,
}

/// What a boolean key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Is(bool),
    Missing,
    Neither,
}

/// What a list key says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Items {
    /// One text that is still to be split.
    Text(String),
    /// A list: the items that are text, and how many are not.
    List(Vec<String>, usize),
    Missing,
    /// A mapping, or a value that was lost.
    Neither,
}

impl<'a> Given<'a> {
    pub(super) const fn new(text: &'a str, pair: &'a Pair, start: usize) -> Self {
        Self { text, pair, start }
    }

    /// The key as written.
    pub(super) fn key(self) -> &'a str {
        &self.pair.key
    }

    /// Where the key stands.
    pub(super) fn at(self) -> Range<usize> {
        self.pair.entry.as_ref().map_or(self.start..self.start, |entry| entry.key_span.clone())
    }

    /// Where the value stands, or the key if there is none.
    pub(super) fn value_at(self) -> Range<usize> {
        match &self.pair.entry {
            Some(entry) if !entry.value_span.is_empty() => entry.value_span.clone(),
            _ => self.at(),
        }
    }

    /// Whether the value was lost, which was reported.
    pub(super) const fn is_lost(self) -> bool {
        matches!(self.pair.found, Found::Lost)
    }

    /// What YAML read, if it did.
    pub(super) const fn node(self) -> Option<&'a Node> {
        match &self.pair.found {
            Found::Node(node) => Some(node),
            Found::Text(_) | Found::Lost => None,
        }
    }

    /// Whether it is a list or mapping.
    pub(super) fn is_collection(self) -> bool {
        self.node().is_some_and(|node| node.text().is_none())
    }

    /// Where the value stands, if the lines show it.
    pub(super) const fn entry(self) -> Option<&'a Entry> {
        self.pair.entry.as_ref()
    }

    /// What gives the key this scalar in the place of the one it has.
    pub(super) fn fill(self, scalar: String) -> Option<Edit> {
        // A repaired value is quoted first.
        self.node()?.text()?;
        mend::fill(self.text, self.entry()?, scalar)
    }

    /// The source of the value, without line ends around it.
    pub(super) fn source(self) -> String {
        match (&self.pair.entry, &self.pair.found) {
            (Some(entry), _) => self.text[entry.value_span.clone()].to_owned(),
            (None, Found::Node(node)) => node.to_flow(),
            (None, Found::Text(text)) => text.clone(),
            (None, Found::Lost) => String::new(),
        }
    }

    /// The text of a scalar as it was written; `null` and blanks count as missing. A list or mapping
    /// gives its source, with a warning.
    pub(super) fn text(self, report: &mut Report<'_>) -> Option<String> {
        let text = match &self.pair.found {
            Found::Text(text) => text.clone(),
            Found::Node(Node::Scalar(Kind::Null, _)) | Found::Lost => return None,
            Found::Node(Node::Scalar(_, text)) => text.clone(),
            Found::Node(Node::List(_) | Node::Map(_)) => {
                report
                    .add(
                        Code::NotText,
                        self.at(),
                        format!("`{}` wants text; the source of the value was taken", self.key()),
                        format!("write the value in quotes: `{}: \"…\"`", self.key()),
                    )
                    .edits
                    .extend(self.entry().and_then(|entry| mend::collection(self.text, entry)));
                let flow = self.entry().and_then(|entry| mend::collection_span(self.text, entry));
                flow.map_or_else(|| self.source(), |span| self.text[span].to_owned())
            }
        };
        (!text.trim().is_empty()).then_some(text)
    }

    /// Text without blanks around it.
    pub(super) fn word(self, report: &mut Report<'_>) -> Option<Text> {
        self.text(report).map(|text| text.trim().to_owned().into())
    }

    /// Whether a value that counts as missing is none: a tag or an anchor that stands for nothing
    /// was meant as a value.
    pub(super) fn is_blank(self) -> bool {
        let Some(entry) = &self.pair.entry else {
            return matches!(&self.pair.found, Found::Node(Node::Scalar(Kind::Null, text)) if !text.is_empty());
        };
        let source = &self.text[entry.value_span.clone()];
        let word = source.split(char::is_whitespace).next().unwrap_or_default();
        let rest = source[word.len()..].trim_start();
        let is_quoted = source.starts_with(['"', '\'']);
        is_quoted
            || matches!(word, "" | "~" | "null" | "Null" | "NULL")
                && (rest.is_empty() || rest.starts_with('#'))
    }

    /// A boolean in any of the spellings people use.
    pub(super) fn truth(self) -> Truth {
        let text = match &self.pair.found {
            Found::Node(Node::Scalar(Kind::Null, _)) => return Truth::Missing,
            Found::Node(Node::Scalar(_, text)) | Found::Text(text) => text.trim(),
            Found::Node(_) | Found::Lost => return Truth::Neither,
        };
        match truth_of(text) {
            Some(truth) => Truth::Is(truth),
            None if text.is_empty() => Truth::Missing,
            None => Truth::Neither,
        }
    }

    /// A list, or the text of one.
    pub(super) fn items(self) -> Items {
        match &self.pair.found {
            Found::Node(Node::Scalar(Kind::Null, _)) => Items::Missing,
            Found::Node(Node::Scalar(_, text)) | Found::Text(text) => {
                if text.trim().is_empty() {
                    Items::Missing
                } else {
                    Items::Text(text.clone())
                }
            }
            Found::Node(Node::List(nodes)) => {
                let texts: Vec<String> = nodes
                    .iter()
                    .filter(|node| !node.is_null())
                    .filter_map(Node::text)
                    .map(|text| text.trim().to_owned())
                    .filter(|text| !text.is_empty())
                    .collect();
                let dropped = nodes.len() - texts.len();
                Items::List(texts, dropped)
            }
            Found::Node(Node::Map(_)) | Found::Lost => Items::Neither,
        }
    }

    /// A list of text; what is none is dropped with a warning. `split` takes a text apart.
    pub(super) fn list(
        self,
        report: &mut Report<'_>,
        split: impl FnOnce(&str) -> Vec<String>,
    ) -> Vec<String> {
        match self.items() {
            Items::Text(text) => split(&text),
            Items::List(items, dropped) => {
                if dropped > 0 {
                    self.report_dropped(dropped, report);
                }
                items
            }
            Items::Missing => Vec::new(),
            Items::Neither => {
                if !self.is_lost() {
                    report.add(
                        Code::NotAList,
                        self.at(),
                        format!("`{}` wants a list of text and is ignored", self.key()),
                        format!("write `{}: [first, second]`", self.key()),
                    );
                }
                Vec::new()
            }
        }
    }

    /// Says that items of a list are not text.
    pub(super) fn report_dropped(self, dropped: usize, report: &mut Report<'_>) {
        let (items, verb) = if dropped == 1 { ("item", "is") } else { ("items", "are") };
        report.add(
            Code::DroppedItem,
            self.at(),
            format!("{dropped} {items} of `{}` {verb} not text and dropped", self.key()),
            "write each item as plain text, in quotes if it has a `: ` in it",
        );
    }

    /// A mapping; anything else is ignored with a warning.
    pub(super) fn map(self, report: &mut Report<'_>) -> Option<Value> {
        match &self.pair.found {
            Found::Node(node @ Node::Map(_)) => Some(value(node)),
            Found::Node(Node::Scalar(Kind::Null, _)) | Found::Lost => None,
            Found::Node(_) | Found::Text(_) => {
                report.add(
                    Code::NotAMap,
                    self.at(),
                    format!("`{}` wants a mapping and is ignored", self.key()),
                    format!("write `{}:` and below it `key: value` lines, indented", self.key()),
                );
                None
            }
        }
    }
}

/// The boolean that a text spells, in any case.
pub(super) fn truth_of(text: &str) -> Option<bool> {
    let text = text.trim();
    let is = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is(["true", "yes", "on", "1"]) {
        Some(true)
    } else if is(["false", "no", "off", "0"]) {
        Some(false)
    } else {
        None
    }
}

/// The model's value of a node.
pub(super) fn value(node: &Node) -> Value {
    match node {
        Node::Scalar(Kind::Null, _) => Value::Null,
        Node::Scalar(Kind::Bool(truth), _) => Value::Bool(*truth),
        Node::Scalar(Kind::Number, text) => Value::Number(text.clone().into()),
        Node::Scalar(Kind::Text, text) => Value::String(text.clone().into()),
        Node::List(items) => Value::List(items.iter().map(value).collect()),
        Node::Map(pairs) => {
            Value::Map(pairs.iter().map(|(key, node)| (key.clone().into(), value(node))).collect())
        }
    }
}
