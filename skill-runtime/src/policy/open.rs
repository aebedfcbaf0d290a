//! An entry and a caller to all that keeps the one from the other: the predicate behind every menu,
//! listing and invocation.

use skilldeck_core::model::{Agents, Restriction};

use super::{Policy, Reason};
use crate::caller::{Caller, Initiator};
use crate::snapshot::{Entry, State};

/// What an entry is to an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is what the caller names.
    Invoked,
    /// Something that the caller names depends on it.
    Dependency,
}

impl Role {
    /// Whether `user-invocable: false` closes an entry to people. A person who types a skill does
    /// not type its helpers: they are hidden from menus on purpose, and made for this.
    /// `disable-model-invocation` has no such exception, since it keeps text from models.
    fn is_closed_to_people(self, entry: Entry<'_>) -> bool {
        self == Self::Invoked && !entry.skill().user_invocable()
    }
}

impl Policy {
    /// Whether an entry is offered to this caller, with all that it depends on: whether
    /// [`decide`](Self::decide) does not deny it, without the reasons.
    #[must_use]
    pub fn offers(&self, entry: Entry<'_>, caller: &Caller<'_>) -> bool {
        self.refusals(entry, caller, Role::Invoked).is_empty()
            && entry
                .needs()
                .all(|needed| self.refusals(needed, caller, Role::Dependency).is_empty())
    }

    /// Why an entry by itself is not open to a caller; nothing if it is, and that takes no memory.
    pub(super) fn refusals(
        &self,
        entry: Entry<'_>,
        caller: &Caller<'_>,
        role: Role,
    ) -> Vec<Reason> {
        if let Some(why) = unusable(entry) {
            return vec![Reason::Unusable(why)];
        }
        let skill = entry.skill();
        let damaged = skill.restriction() == Restriction::Whole;
        let mut reasons = Vec::new();
        if !skill.slash_command().enabled {
            reasons.push(Reason::Disabled);
        }
        match caller.initiator {
            Initiator::User => {
                if role.is_closed_to_people(entry) {
                    reasons.push(Reason::NotForUsers);
                }
            }
            Initiator::Model => {
                // Damage withdraws a skill from models by this very key.
                if damaged {
                    reasons.push(Reason::Damaged);
                } else if skill.disable_model_invocation() {
                    reasons.push(Reason::NotForModels);
                }
                if !entry.source().trusted {
                    reasons.push(Reason::Untrusted);
                }
            }
        }
        reasons.extend(foreign(skill.allowed_agents(), caller.agent));
        for layer in &self.layers {
            layer.refuse(entry, caller, &mut reasons);
        }
        reasons
    }

    /// What a person is asked about an entry.
    pub(super) fn questions(&self, entry: Entry<'_>) -> Vec<Reason> {
        let skill = entry.skill();
        let mut reasons = Vec::new();
        if skill.restriction() == Restriction::Whole {
            reasons.push(Reason::DamagedAsksFirst);
        } else if skill.require_confirmation() {
            reasons.push(Reason::AsksFirst);
        }
        if self.layers.iter().any(|layer| layer.say(entry, None).confirm) {
            reasons.push(Reason::PolicyAsksFirst);
        }
        reasons
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
