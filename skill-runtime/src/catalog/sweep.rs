//! The directories of a source to whether discovery would find in them what it found before.

use std::ops::Range;
use std::time::SystemTime;

use skilldeck_core::scan::Entered;

use super::look::Territory;
use crate::source::{Fingerprint, canonical, directory_print};

/// How every directory of a territory looked when it was listed. While they look the same, so do
/// their listings, and discovery need not repeat them.
pub(super) struct Sweep {
    directories: Vec<Fingerprint>,
}

impl Sweep {
    /// `before` is when the listing began. Nothing where a directory was touched since, or so
    /// shortly before that it might have been touched again without a trace.
    pub(super) fn of(territory: &Territory, before: SystemTime) -> Option<Self> {
        let directories = territory.directories.iter();
        let prints = directories.map(|entered| directory_print(&entered.real_path, before));
        Some(Self { directories: prints.collect::<Option<_>>()? })
    }

    /// How many directories there are.
    pub(super) fn len(&self) -> usize {
        self.directories.len()
    }

    /// Whether these directories look as they did.
    pub(super) fn holds(&self, territory: &Territory, part: Range<usize>, now: SystemTime) -> bool {
        let entered = territory.directories[part.clone()].iter();
        let print = |entered: &Entered| directory_print(&entered.real_path, now);
        entered.zip(&self.directories[part]).all(|(at, before)| print(at) == Some(*before))
    }
}

/// Whether the root still leads where it led.
pub(super) fn is_rooted(territory: &Territory) -> bool {
    canonical(&territory.root).as_deref() == Some(territory.real_root())
}
