//! Who starts a skill.

/// Who asked for an invocation, whatever protocol it came by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Initiator {
    /// A person typed it or chose it from a menu.
    #[default]
    User,
    /// A model called it.
    Model,
}

impl Initiator {
    /// `user` or `model`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
        }
    }
}

/// Who starts a skill, as far as rules depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller<'a> {
    /// Whether a person or a model asked.
    pub initiator: Initiator,
    /// The agent it happens in; `None` is an unknown agent.
    pub agent: Option<&'a str>,
    /// The protocol it comes by, such as `acp`; `None` is one that no rule is about.
    pub protocol: Option<&'a str>,
}

impl Caller<'_> {
    /// A caller of whom nothing else is known.
    #[must_use]
    pub const fn new(initiator: Initiator) -> Self {
        Self { initiator, agent: None, protocol: None }
    }
}
