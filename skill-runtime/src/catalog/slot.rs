//! One skill of a source that is read at run time, and how to find it by its path.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::Arc;
use std::vec;

use skilldeck_core::scan::Found;

use super::item::Loaded;
use super::look::Territory;
use crate::source::{Fingerprint, SourceInfo};

pub(super) const SEPARATOR: u8 = MAIN_SEPARATOR as u8;

/// One skill of a source that is read at run time, and how to tell whether it is still the same.
pub(super) struct Slot {
    pub(super) loaded: Arc<Loaded>,
    pub(super) stamp: Stamp,
    /// What the look that goes on has made of it.
    pub(super) since: Since,
}

/// What a skill was read from.
pub(super) enum Stamp {
    /// A file, with the name that discovery gave it; without a fingerprint it is read again at the
    /// next look.
    File { name: Box<str>, print: Option<Fingerprint> },
    /// Something that cannot be a skill, as discovery found it: only discovery finds out whether it
    /// still is.
    Fault,
    /// A text in memory under this name.
    Text(String, Arc<str>),
}

/// How a slot is related to the slots before a look.
pub(super) enum Since {
    /// It was there with this version.
    Same,
    /// It was there with another version.
    Replaced(Arc<Loaded>),
    /// It was not there.
    New,
}

impl Slot {
    /// A slot for this version, where there was that version before.
    pub(super) fn new(loaded: Arc<Loaded>, stamp: Stamp, before: Option<Arc<Loaded>>) -> Self {
        let since = match before {
            None => Since::New,
            Some(before) if Arc::ptr_eq(&before, &loaded) => Since::Same,
            Some(before) => Since::Replaced(before),
        };
        Self { loaded, stamp, since }
    }

    pub(super) fn path(&self) -> &Path {
        self.loaded.path.as_deref().unwrap_or(Path::new(""))
    }

    pub(super) fn real_path(&self) -> &Path {
        self.loaded.real_path.as_deref().unwrap_or(self.path())
    }

    pub(super) fn text_name(&self) -> &str {
        match &self.stamp {
            Stamp::Text(name, _) => name,
            Stamp::File { .. } | Stamp::Fault => "",
        }
    }

    /// Whether it was read from this very text.
    pub(super) fn holds(&self, text: &Arc<str>) -> bool {
        matches!(&self.stamp, Stamp::Text(_, read) if Arc::ptr_eq(read, text))
    }

    /// Whether its file has these numbers still.
    pub(super) fn is_still(&self, now: Option<Fingerprint>) -> bool {
        matches!(&self.stamp, Stamp::File { print: Some(print), .. } if Some(*print) == now)
    }

    /// Takes other numbers down.
    pub(super) fn stamp_with(&mut self, now: Option<Fingerprint>) {
        if let Stamp::File { print, .. } = &mut self.stamp {
            *print = now;
        }
    }

    /// The path to open, as for a file that was found.
    pub(super) fn way(&self, info: &SourceInfo) -> &Path {
        if info.trusted { self.path() } else { self.real_path() }
    }

    /// The file as discovery found it.
    pub(super) fn found(&self) -> Option<Found> {
        let Stamp::File { name, .. } = &self.stamp else { return None };
        Some(Found {
            path: self.path().to_path_buf(),
            real_path: self.real_path().to_path_buf(),
            name: name.to_string(),
        })
    }

    /// Whether its file is reached by no link of its own, so that it is the same file as long as its
    /// directory is.
    pub(super) fn is_plain(&self, territory: &Territory) -> bool {
        let (path, real_path) = (self.path(), self.real_path());
        if path.file_name() != real_path.file_name() {
            return false;
        }
        let home = path.parent().and_then(|home| territory.real_path(home));
        home.is_some_and(|home| Some(home) == real_path.parent())
    }
}

/// The position of the slot with this path among slots sorted by path, or where it would be.
pub(super) fn position(slots: &[Slot], path: &Path) -> Result<usize, usize> {
    slots.binary_search_by(|slot| bytes(slot.path()).cmp(bytes(path)))
}

/// The slot in whose directory a path lies, the directory itself not included. `at` is where the
/// path would stand among the slots: nothing else lies in the directory of a skill, so its slot is
/// a neighbour.
pub(super) fn owner<'a>(slots: &'a [Slot], at: usize, path: &Path) -> Option<&'a Slot> {
    let mut neighbours = slots[at.saturating_sub(1)..].iter().take(2);
    neighbours.find(|slot| {
        let home = slot.path().parent();
        home.is_some_and(|home| path != home && path.starts_with(home))
    })
}

/// Whether any slot lies below a path.
pub(super) fn is_any_below(slots: &[Slot], path: &Path) -> bool {
    let path = bytes(path);
    // The order of the slots is that of the plain bytes, so this compares with `<path>/`.
    let is_before = |slot: &Slot| {
        let slot = bytes(slot.path());
        let common = slot.len().min(path.len());
        let order = slot[..common].cmp(&path[..common]);
        order.then_with(|| slot.get(common).map_or(Ordering::Less, |next| next.cmp(&SEPARATOR)))
    };
    let first = slots.partition_point(|slot| is_before(slot).is_lt());
    let rest = slots.get(first).and_then(|slot| bytes(slot.path()).strip_prefix(path));
    rest.is_some_and(|rest| rest.first() == Some(&SEPARATOR))
}

/// The order of two paths with a `/` behind each, in which what lies below a directory follows it
/// at once.
pub(super) fn in_order(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.len().min(b.len());
    let behind = |path: &[u8]| path.get(common).copied().unwrap_or(SEPARATOR);
    let order = a[..common].cmp(&b[..common]).then_with(|| behind(a).cmp(&behind(b)));
    order.then(a.len().cmp(&b.len()))
}

/// The slot that compares equal, out of sorted slots that are asked for in their order.
pub(super) fn advance(
    slots: &mut Peekable<vec::IntoIter<Slot>>,
    compare: impl Fn(&Slot) -> Ordering,
) -> Option<Slot> {
    while slots.next_if(|slot| compare(slot).is_lt()).is_some() {}
    slots.next_if(|slot| compare(slot).is_eq())
}

pub(super) fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
