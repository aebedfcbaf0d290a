//! An event of the system to what it says about a path, or nothing.

use std::path::PathBuf;

use notify::event::{AccessKind, AccessMode, MetadataKind, ModifyKind};
use notify::{Event, EventKind};

/// What was reported about a path: a watched directory, or an entry of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// Its content or its attributes are different.
    Changed(PathBuf),
    /// It was made, removed or renamed: something else, or nothing, is there now.
    Replaced(PathBuf),
    /// Reports were lost.
    Lost,
}

/// What an event says. Reading says nothing: otherwise each look would be the cause of the next.
pub(super) fn notices(event: Event) -> Vec<Notice> {
    if event.need_rescan() {
        return vec![Notice::Lost];
    }
    let notice = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Notice::Changed,
        EventKind::Access(_)
        | EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)) => return Vec::new(),
        EventKind::Modify(
            ModifyKind::Data(_) | ModifyKind::Metadata(_) | ModifyKind::Any | ModifyKind::Other,
        ) => Notice::Changed,
        EventKind::Create(_)
        | EventKind::Remove(_)
        | EventKind::Modify(ModifyKind::Name(_))
        | EventKind::Any
        | EventKind::Other => Notice::Replaced,
    };
    if event.paths.is_empty() {
        return vec![Notice::Lost];
    }
    event.paths.into_iter().map(notice).collect()
}

#[cfg(test)]
mod tests;
