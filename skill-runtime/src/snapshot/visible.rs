//! An entry and a caller to whether the caller is shown it.

use skilldeck_core::model::Restriction;

use super::Entry;
use crate::caller::{Caller, Initiator};

/// What an entry is to an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is what the caller names.
    Invoked,
    /// Something that the caller names depends on it.
    Dependency,
}

impl Role {
    /// Whether `user-invocable: false` closes an entry to people. A person who types a skill does
    /// not type its helpers: they are hidden from menus on purpose, and made for this.
    /// `disable-model-invocation` has no such exception, since it keeps text from models.
    pub(crate) fn is_closed_to_people(self, entry: Entry<'_>) -> bool {
        self == Self::Invoked && !entry.skill().user_invocable()
    }
}

/// Whether an entry is offered to this caller, with all that it depends on. Menus, listings and the
/// decision about an invocation ask here, so that nothing is offered that is refused afterwards.
pub(crate) fn is_visible(entry: Entry<'_>, caller: &Caller<'_>) -> bool {
    is_open(entry, caller, Role::Invoked)
        && entry.needs().all(|needed| is_open(needed, caller, Role::Dependency))
}

/// Whether nothing in an entry itself closes it to this caller.
pub(crate) fn is_open(entry: Entry<'_>, caller: &Caller<'_>, role: Role) -> bool {
    let skill = entry.skill();
    if !entry.state().is_usable()
        || !skill.slash_command().enabled
        || !skill.allowed_agents().allow(caller.agent)
    {
        return false;
    }
    match caller.initiator {
        Initiator::User => !role.is_closed_to_people(entry),
        Initiator::Model => {
            entry.source().trusted
                && !skill.disable_model_invocation()
                && skill.restriction() != Restriction::Whole
        }
    }
}
