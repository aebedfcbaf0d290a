//! A path where something happened to what has to be looked at again.

use std::path::Path;
use std::time::SystemTime;

use skilldeck_core::format::Layout;
use skilldeck_core::scan;

use super::look::Territory;
use super::slot::{self, Slot, Stamp};
use crate::source::Sight;

/// What an event at a path asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glance {
    /// Nothing: discovery takes no notice of what is there now, nor did it of what was.
    Nothing,
    /// The file of the slot at this position.
    File(usize),
    /// Discovery: there may be other skills than before, or other things to say.
    Discovery,
}

/// What discovery found the last time.
pub(super) struct Ground<'a> {
    pub(super) territory: &'a Territory,
    /// Sorted by path.
    pub(super) slots: &'a [Slot],
    pub(super) layout: Layout,
    /// Whether discovery said nothing: else what is gone, or is a plain file now, may be what it
    /// spoke of.
    pub(super) is_quiet: bool,
}

impl Ground<'_> {
    /// What an event at this path asks for. Whatever is not known to be of no consequence asks for
    /// discovery, so that a path that is written in an odd way costs time and nothing else.
    pub(super) fn glance(&self, path: &Path) -> Glance {
        // Without what may stand at its end, so that its bytes are those that discovery writes.
        let path = path.components().as_path();
        let Ok(below) = path.strip_prefix(&self.territory.root) else { return Glance::Discovery };
        let (Some(home), Some(name)) = (below.parent(), below.file_name()) else {
            return Glance::Discovery;
        };
        let at = match slot::position(self.slots, path) {
            Ok(at) => return self.known(at),
            Err(at) => at,
        };
        if home.iter().any(scan::is_skipped) {
            return Glance::Nothing;
        }
        let is_taken = scan::is_taken(name, self.layout);
        if self.layout == Layout::Skills
            && let Some(owner) = slot::owner(self.slots, at, path)
        {
            // The directory of a skill is not looked into further.
            let is_beside = !is_taken || owner.path().parent() != path.parent();
            let is_skill = matches!(owner.stamp, Stamp::File { .. });
            return if is_beside && is_skill { Glance::Nothing } else { Glance::Discovery };
        }
        let is_known =
            || self.territory.has_at_or_below(path) || slot::is_any_below(self.slots, path);
        if is_taken || !self.is_quiet || is_known() {
            return Glance::Discovery;
        }
        match Sight::of(path, SystemTime::UNIX_EPOCH) {
            Sight::Nothing | Sight::File(_) => Glance::Nothing,
            Sight::Other if scan::is_skipped(name) => Glance::Nothing,
            Sight::Other => Glance::Discovery,
        }
    }

    /// The same for the path of the slot at this position.
    fn known(&self, at: usize) -> Glance {
        let slot = &self.slots[at];
        // What a link of its own leads to, only discovery follows.
        let is_own = matches!(slot.stamp, Stamp::File { .. }) && slot.is_plain(self.territory);
        if is_own { Glance::File(at) } else { Glance::Discovery }
    }
}

#[cfg(test)]
mod tests;
