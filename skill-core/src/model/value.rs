//! A YAML value as the front matter wrote it: the parts of the format that have no fixed shape.

use super::{List, Text};

/// A value of `metadata`, `hooks` or `input-schema`.
///
/// Scalars keep their source text, so `1.10` stays `1.10` and does not become `1.1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`, `~` or nothing.
    Null,
    /// A boolean of YAML 1.2 (`true` or `false` in any of its spellings).
    Bool(bool),
    /// A number, as it was written.
    Number(Text),
    /// Text.
    String(Text),
    /// A sequence.
    List(List<Value>),
    /// A mapping, in source order; keys are text.
    Map(List<(Text, Value)>),
}

impl Value {
    /// The value under `key`, if this is a mapping that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Map(pairs) => pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text, if this is text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}
