//! What a skill restricts: who may start it and what was narrowed because a file is damaged.

use super::{List, Text};

/// The agents that may start a skill (`allowed-agents`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Agents {
    /// No restriction: the key is absent or an empty list.
    #[default]
    All,
    /// These agents and no others.
    Only(List<Text>),
    /// No agent at all: the key was there and could not be understood.
    Nobody,
}

impl Agents {
    /// Whether an agent of this name may start the skill; an unknown agent (`None`) only if all may.
    #[must_use]
    pub fn allow(&self, agent: Option<&str>) -> bool {
        match (self, agent) {
            (Self::All, _) => true,
            (Self::Only(names), Some(agent)) => names.iter().any(|name| name == agent),
            (Self::Only(_) | Self::Nobody, _) => false,
        }
    }
}

/// How far a damaged file narrowed a skill. Each later one includes the earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Restriction {
    /// Nothing was lost.
    #[default]
    None,
    /// A restriction key could not be understood and took its narrowest value.
    Keys,
    /// The front matter as a whole is unreadable or unclosed: no pre-approved tools, not offered to
    /// the model, confirmation asked, and no shell.
    Whole,
}
