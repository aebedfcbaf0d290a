//! The directories of a source to whether discovery would find in them what it found before.

use std::time::SystemTime;

use super::look::Territory;
use super::threads::{on_threads, parts};
use crate::source::{Fingerprint, canonical, directory_print};

/// From how many looks at numbers on several threads pay.
pub(super) const PARALLEL_FROM: usize = 256;

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

    /// Whether every directory looks as it did.
    pub(super) fn holds(&self, territory: &Territory, now: SystemTime) -> bool {
        if canonical(&territory.root).as_deref() != Some(territory.real_root()) {
            return false;
        }
        let directories = &territory.directories;
        let share = directories.len().div_ceil(parts(directories.len(), PARALLEL_FROM)).max(1);
        let chunks = directories.chunks(share).zip(self.directories.chunks(share));
        let same = on_threads(chunks, |(entered, prints)| {
            let now = entered.iter().map(|entered| directory_print(&entered.real_path, now));
            now.eq(prints.iter().map(|print| Some(*print)))
        });
        same.into_iter().all(|same| same)
    }
}
