//! Why a skill is not simply allowed, in words for people.

use std::fmt;

/// Why something is not simply allowed. Its text follows the name of the skill and a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Its dependencies cannot be resolved, or its file cannot be read.
    Unusable(String),
    /// `slash-command.enabled` is false.
    Disabled,
    /// `user-invocable` is false, and a person asked.
    NotForUsers,
    /// `disable-model-invocation` is true, and a model asked.
    NotForModels,
    /// Its source is not trusted, and a model asked.
    Untrusted,
    /// Its front matter is damaged, and a model asked.
    Damaged,
    /// `allowed-agents` does not name the agent.
    Agent(String),
    /// `allowed-agents` names agents, and the agent is not known.
    UnknownAgent,
    /// `require-confirmation` is true.
    AsksFirst,
    /// Configuration switches all commands off.
    CommandsOff,
    /// Configuration switches the protocol off.
    FaceOff(String),
    /// Configuration switches the skill off, or all of which it says nothing else.
    SwitchedOff,
    /// Configuration names agents, and not this one.
    AgentNotConfigured(String),
    /// Configuration names agents, and the agent is not known.
    UnknownAgentNotConfigured,
    /// Configuration wants a later version.
    TooOld {
        /// The version of the skill, if it has one.
        version: Option<String>,
        /// The least version.
        wanted: String,
    },
    /// Configuration wants confirmation.
    PolicyAsksFirst,
    /// Its front matter is damaged, so a person is asked.
    DamagedAsksFirst,
    /// Something that it depends on is not simply allowed.
    Dependency {
        /// The word of the dependency.
        word: String,
        /// Why.
        reason: Box<Self>,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unusable(why) => why,
            Self::Disabled => "its command is switched off (`slash-command.enabled: false`)",
            Self::NotForUsers => "it is not for people to start (`user-invocable: false`)",
            Self::NotForModels => {
                "it is not for models to start (`disable-model-invocation: true`)"
            }
            Self::Untrusted => "its source is not trusted, so no model may start it",
            Self::Damaged => "its front matter cannot be read, so no model may start it",
            Self::Agent(agent) => {
                return write!(f, "the agent `{agent}` is not in its `allowed-agents`");
            }
            Self::UnknownAgent => "its `allowed-agents` let only agents of known name start it",
            Self::AsksFirst => "it asks for confirmation (`require-confirmation: true`)",
            Self::Dependency { word, reason } => {
                return write!(f, "its dependency `{word}`: {reason}");
            }
            Self::CommandsOff => "skill commands are switched off (`enable_skill_commands: false`)",
            Self::FaceOff(protocol) => {
                return write!(f, "the protocol `{protocol}` is switched off (`faces`)");
            }
            Self::SwitchedOff => "the configuration switches it off (`enabled: false`)",
            Self::AgentNotConfigured(agent) => {
                return write!(
                    f,
                    "the agent `{agent}` is not in the `allowed_agents` of the configuration"
                );
            }
            Self::UnknownAgentNotConfigured => {
                "the `allowed_agents` of the configuration let only agents of known name start it"
            }
            Self::TooOld { version: Some(version), wanted } => {
                return write!(
                    f,
                    "it has the version `{version}`, and the configuration wants {wanted} or later"
                );
            }
            Self::TooOld { version: None, wanted } => {
                return write!(
                    f,
                    "it has no version, and the configuration wants {wanted} or later"
                );
            }
            Self::PolicyAsksFirst => {
                "the configuration asks for confirmation (`require_confirmation: true`)"
            }
            Self::DamagedAsksFirst => "its front matter cannot be read, so it needs confirmation",
        })
    }
}
