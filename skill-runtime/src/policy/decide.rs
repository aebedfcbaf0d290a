//! An entry and a caller to a decision: allow, ask or deny.

use std::fmt;

use skilldeck_core::model::{Agents, Restriction, Skill};

use super::Policy;
use crate::caller::{Caller, Initiator};
use crate::snapshot::{Entry, Role, State, is_open};

/// What is to happen with an invocation, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is to happen.
    pub verdict: Verdict,
    /// Why; empty if it is allowed.
    pub reasons: Vec<Reason>,
}

/// What is to happen with an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It goes on.
    Allow,
    /// A person is asked first.
    Ask,
    /// It does not go on.
    Deny,
}

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

/// What policy says of an entry and all that it depends on.
#[derive(Debug)]
pub(crate) enum Weighed<'a> {
    /// Nothing of it is refused; these ask first, the entry itself last.
    Open(Vec<(Entry<'a>, Vec<Reason>)>),
    /// This entry is refused, and so is everything that depends on it.
    Closed(Entry<'a>, Vec<Reason>),
}

impl Decision {
    /// Whether it does not go on.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.verdict == Verdict::Deny
    }
}

impl Policy {
    /// Decides about an entry, with all that it depends on, and a caller. Menus, listings and
    /// invocation all ask here, so nothing is offered that is refused afterwards.
    ///
    /// A dependency is held to its own rules: trust, `slash-command.enabled`, `allowed-agents`,
    /// `disable-model-invocation`, and damage. Only `user-invocable: false` does not close a
    /// dependency: a person types the skill and not its helpers.
    #[must_use]
    pub fn decide(&self, entry: Entry<'_>, caller: &Caller<'_>) -> Decision {
        let of = |because_of: Entry<'_>, reason| {
            if because_of.word() == entry.word() {
                return reason;
            }
            Reason::Dependency { word: because_of.word().to_owned(), reason: Box::new(reason) }
        };
        match self.weigh(entry, &entry.dependencies(), caller) {
            Weighed::Closed(because_of, reasons) => Decision {
                verdict: Verdict::Deny,
                reasons: reasons.into_iter().map(|reason| of(because_of, reason)).collect(),
            },
            Weighed::Open(asking) => Decision {
                verdict: if asking.is_empty() { Verdict::Allow } else { Verdict::Ask },
                reasons: asking
                    .into_iter()
                    .flat_map(|(one, reasons)| reasons.into_iter().map(move |it| of(one, it)))
                    .collect(),
            },
        }
    }

    /// The one place that says whether an entry may start with these dependencies.
    pub(crate) fn weigh<'a>(
        &self,
        entry: Entry<'a>,
        dependencies: &[Entry<'a>],
        caller: &Caller<'_>,
    ) -> Weighed<'a> {
        let own = std::iter::once((entry, Role::Invoked));
        let needed = || dependencies.iter().map(|needed| (*needed, Role::Dependency));
        for (one, role) in own.chain(needed()) {
            if !is_open(one, caller, role) {
                return Weighed::Closed(one, closed(one, caller, role));
            }
        }
        let all = needed().map(|(one, _)| one).chain([entry]);
        let asks = |one: Entry<'a>| question(one.skill()).map(|why| (one, vec![why]));
        Weighed::Open(all.filter_map(asks).collect())
    }
}

/// Why an entry is not open to a caller.
fn closed(entry: Entry<'_>, caller: &Caller<'_>, role: Role) -> Vec<Reason> {
    if let Some(why) = unusable(entry) {
        return vec![Reason::Unusable(why)];
    }
    let skill = entry.skill();
    let damaged = skill.restriction() == Restriction::Whole;
    let is_user = caller.initiator == Initiator::User;
    let reasons = [
        (!skill.slash_command().enabled, Reason::Disabled),
        (is_user && role.is_closed_to_people(entry), Reason::NotForUsers),
        // Damage withdraws a skill from models by this very key.
        (!is_user && skill.disable_model_invocation() && !damaged, Reason::NotForModels),
        (!is_user && damaged, Reason::Damaged),
        (!is_user && !entry.source().trusted, Reason::Untrusted),
    ];
    let own = reasons.into_iter().filter_map(|(holds, reason)| holds.then_some(reason));
    own.chain(foreign(skill.allowed_agents(), caller.agent)).collect()
}

/// What a person is asked about.
fn question(skill: &Skill) -> Option<Reason> {
    if skill.restriction() == Restriction::Whole {
        Some(Reason::DamagedAsksFirst)
    } else {
        skill.require_confirmation().then_some(Reason::AsksFirst)
    }
}

/// Why the agent may not start it.
fn foreign(agents: &Agents, agent: Option<&str>) -> Option<Reason> {
    if agents.allow(agent) {
        return None;
    }
    Some(agent.map_or(Reason::UnknownAgent, |agent| Reason::Agent(agent.to_owned())))
}

/// Why nobody can start it.
fn unusable(entry: Entry<'_>) -> Option<String> {
    let default = match entry.state() {
        State::Ready | State::Stale => return None,
        State::Unavailable => "its dependencies cannot be resolved",
        State::Unreadable => "its file cannot be read",
    };
    Some(entry.reason().unwrap_or(default).to_owned())
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
            Self::DamagedAsksFirst => "its front matter cannot be read, so it needs confirmation",
        })
    }
}
