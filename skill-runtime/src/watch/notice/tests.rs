//! Which events count, and as what.

use std::path::PathBuf;

use notify::event::{
    AccessKind, AccessMode, CreateKind, DataChange, Flag, MetadataKind, ModifyKind, RemoveKind,
    RenameMode,
};
use notify::{Event, EventKind};

use super::{Notice, notices};

#[test]
fn kinds() {
    let (a, b) = (PathBuf::from("/a"), PathBuf::from("/b"));
    let changed = vec![Notice::Changed(a.clone())];
    let replaced = vec![Notice::Replaced(a.clone())];
    let cases = [
        (EventKind::Access(AccessKind::Any), vec![]),
        (EventKind::Access(AccessKind::Read), vec![]),
        (EventKind::Access(AccessKind::Open(AccessMode::Any)), vec![]),
        (EventKind::Access(AccessKind::Open(AccessMode::Write)), vec![]),
        (EventKind::Access(AccessKind::Close(AccessMode::Read)), vec![]),
        (EventKind::Access(AccessKind::Close(AccessMode::Write)), changed.clone()),
        (EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)), vec![]),
        (EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), changed.clone()),
        (EventKind::Modify(ModifyKind::Metadata(MetadataKind::Permissions)), changed.clone()),
        (EventKind::Modify(ModifyKind::Data(DataChange::Any)), changed.clone()),
        (EventKind::Modify(ModifyKind::Any), changed.clone()),
        (EventKind::Create(CreateKind::File), replaced.clone()),
        (EventKind::Create(CreateKind::Folder), replaced.clone()),
        (EventKind::Remove(RemoveKind::Folder), replaced.clone()),
        (EventKind::Remove(RemoveKind::Other), replaced.clone()),
        (EventKind::Modify(ModifyKind::Name(RenameMode::From)), replaced.clone()),
        (EventKind::Modify(ModifyKind::Name(RenameMode::To)), replaced.clone()),
        (EventKind::Any, replaced.clone()),
        (EventKind::Other, replaced),
    ];
    for (kind, expected) in cases {
        assert_eq!(notices(Event::new(kind).add_path(a.clone())), expected, "{kind:?}");
    }
    let both = Event::new(EventKind::Modify(ModifyKind::Name(RenameMode::Both)));
    let expected = [Notice::Replaced(a.clone()), Notice::Replaced(b.clone())];
    assert_eq!(notices(both.add_path(a).add_path(b)), expected);
}

#[test]
fn what_names_nothing_may_be_anything() {
    let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    assert_eq!(notices(overflow), [Notice::Lost]);
    assert_eq!(notices(Event::new(EventKind::Create(CreateKind::Any))), [Notice::Lost]);
    assert_eq!(notices(Event::new(EventKind::Access(AccessKind::Any))), []);
}
