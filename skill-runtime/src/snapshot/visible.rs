//! An entry and its reader to whether the reader is shown it.

use skilldeck_core::model::Restriction;

use super::{Audience, Entry};

/// Whether an entry stands in the listing of this audience. Menus, listings and the decision about
/// an invocation ask here, so that nothing is offered that is refused afterwards.
pub(crate) fn is_visible(entry: Entry<'_>, audience: Audience) -> bool {
    let skill = entry.skill();
    if !entry.state().is_usable() || !skill.slash_command().enabled {
        return false;
    }
    match audience {
        Audience::User => skill.user_invocable(),
        Audience::Model => {
            entry.source().trusted
                && !skill.disable_model_invocation()
                && skill.restriction() != Restriction::Whole
        }
    }
}
