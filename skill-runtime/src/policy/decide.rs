//! An entry and a caller to a decision: allow, ask or deny.

use std::fmt;

use skilldeck_core::model::{Agents, Restriction, Skill};

use super::Policy;
use crate::caller::{Caller, Initiator};
use crate::snapshot::{Audience, Entry, State, is_visible};

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
}

impl Decision {
    /// Whether it does not go on.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.verdict == Verdict::Deny
    }
}

impl Policy {
    /// Decides about an entry and a caller. Menus, listings and invocation all ask here, so nothing
    /// is offered that is refused afterwards.
    #[must_use]
    pub fn decide(&self, entry: Entry<'_>, caller: &Caller<'_>) -> Decision {
        let audience = match caller.initiator {
            Initiator::User => Audience::User,
            Initiator::Model => Audience::Model,
        };
        let is_visible = is_visible(entry, audience);
        let mut reasons = if is_visible { Vec::new() } else { hidden(entry, caller.initiator) };
        let foreign = foreign(entry.skill().allowed_agents(), caller.agent);
        let is_denied = !is_visible || foreign.is_some();
        reasons.extend(foreign);
        if is_denied {
            return Decision { verdict: Verdict::Deny, reasons };
        }
        match question(entry.skill()) {
            Some(reason) => Decision { verdict: Verdict::Ask, reasons: vec![reason] },
            None => Decision { verdict: Verdict::Allow, reasons },
        }
    }
}

/// Why an entry is in no menu and no listing of its initiator.
fn hidden(entry: Entry<'_>, initiator: Initiator) -> Vec<Reason> {
    if let Some(why) = unusable(entry) {
        return vec![Reason::Unusable(why)];
    }
    let skill = entry.skill();
    let damaged = skill.restriction() == Restriction::Whole;
    let is_user = initiator == Initiator::User;
    let reasons = [
        (!skill.slash_command().enabled, Reason::Disabled),
        (is_user && !skill.user_invocable(), Reason::NotForUsers),
        // Damage withdraws a skill from models by this very key.
        (!is_user && skill.disable_model_invocation() && !damaged, Reason::NotForModels),
        (!is_user && damaged, Reason::Damaged),
        (!is_user && !entry.source().trusted, Reason::Untrusted),
    ];
    reasons.into_iter().filter_map(|(holds, reason)| holds.then_some(reason)).collect()
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
            Self::DamagedAsksFirst => "its front matter cannot be read, so it needs confirmation",
        })
    }
}
