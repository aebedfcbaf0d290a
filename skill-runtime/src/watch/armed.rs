//! A plan to watches: what the system was made to report, and what it refused.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::backend::{Backend, Identity, Refusal};

/// The directories that the system reports.
#[derive(Default)]
pub(super) struct Armed {
    backend: Option<Box<dyn Backend>>,
    /// Each with the directory that stood there when it was armed.
    watches: BTreeMap<PathBuf, Option<Identity>>,
    /// Those of them that may be deaf: something else may stand there by now.
    void: BTreeSet<PathBuf>,
    refused: BTreeMap<PathBuf, Refusal>,
}

/// What settling on a plan came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Settled {
    /// What is watched only now.
    pub(super) new: HashSet<PathBuf>,
    /// Whether a directory of the plan was not there any more.
    pub(super) is_outdated: bool,
    /// Whether reports about other directories were lost meanwhile.
    pub(super) lost: bool,
}

impl Armed {
    /// Takes a backend, or none; it starts without any watch.
    pub(super) fn set_backend(&mut self, backend: Option<Box<dyn Backend>>) {
        *self = Self { backend, ..Self::default() };
    }

    pub(super) fn has_backend(&self) -> bool {
        self.backend.is_some()
    }

    /// What was refused.
    pub(super) fn refused(&self) -> impl Iterator<Item = (&Path, &Refusal)> {
        self.refused.iter().map(|(path, refusal)| (path.as_path(), refusal))
    }

    /// Something else may stand at a path: the system watches what is not there any more, or it let
    /// go of all below, or will. True if anything there was watched.
    pub(super) fn replaced(&mut self, path: &Path) -> bool {
        let below = self.watches.range(path.to_path_buf()..).map(|(path, _)| path);
        let below = below.take_while(|armed| armed.starts_with(path));
        let before = self.void.len();
        self.void.extend(below.cloned());
        let may_be_armed = self.changed(path);
        may_be_armed || self.void.len() > before
    }

    /// What was refused may not be any more. True if it was.
    pub(super) fn changed(&mut self, path: &Path) -> bool {
        self.refused.remove(path).is_some()
    }

    /// Nothing is known about any watch.
    pub(super) fn lost(&mut self) {
        self.void.extend(self.watches.keys().cloned());
        self.refused.clear();
    }

    /// Compares what stands there with what stood there, and lets refused directories be tried
    /// again.
    pub(super) fn check(&mut self) {
        let moved = self.watches.iter().filter(|(path, known)| Identity::of(path) != **known);
        self.void.extend(moved.map(|(path, _)| path.clone()));
        self.retry();
    }

    /// Lets refused directories be tried again.
    pub(super) fn retry(&mut self) {
        self.refused.clear();
    }

    /// Has the system report these directories, and no others.
    pub(super) fn settle<'a>(&mut self, wanted: impl Iterator<Item = &'a Path>) -> Settled {
        let Some(backend) = &mut self.backend else { return Settled::default() };
        let wanted: BTreeSet<&Path> = wanted.collect();
        let disarm: Vec<PathBuf> = self
            .watches
            .keys()
            .filter(|path| self.void.contains(*path) || !wanted.contains(path.as_path()))
            .cloned()
            .collect();
        for path in &disarm {
            self.watches.remove(path);
        }
        self.void.clear();
        // What was taken for the same as one of these may be watched now. It may never have been the
        // same: a new directory is given the number of one that was removed.
        let is_freed =
            |refusal: &Refusal| matches!(refusal, Refusal::Twice(twin) if disarm.contains(twin));
        self.refused.retain(|path, refusal| wanted.contains(path.as_path()) && !is_freed(refusal));
        let mut arm: Vec<PathBuf> = wanted
            .into_iter()
            .filter(|path| !self.watches.contains_key(*path) && !self.refused.contains_key(*path))
            .map(Path::to_path_buf)
            .collect();
        refuse_twins(&self.watches, &mut arm, &mut self.refused);
        if disarm.is_empty() && arm.is_empty() {
            return Settled::default();
        }

        let refused: BTreeMap<PathBuf, Refusal> =
            backend.change(&disarm, &arm).into_iter().collect();
        let mut settled = Settled { lost: backend.is_deaf_while_changing(), ..Settled::default() };
        for path in arm {
            match refused.get(&path) {
                None => {
                    self.watches.insert(path.clone(), Identity::of(&path));
                    settled.new.insert(path);
                }
                Some(Refusal::Gone) => settled.is_outdated = true,
                Some(refusal) => {
                    self.refused.insert(path, refusal.clone());
                }
            }
        }
        settled
    }
}

/// Leaves one path to each directory: the system would report a second one instead of the first.
fn refuse_twins(
    watches: &BTreeMap<PathBuf, Option<Identity>>,
    arm: &mut Vec<PathBuf>,
    refused: &mut BTreeMap<PathBuf, Refusal>,
) {
    if arm.is_empty() {
        return;
    }
    let known = |(path, identity): (&PathBuf, &Option<Identity>)| {
        Some((identity.as_ref()?.inode()?, path.clone()))
    };
    let mut known: HashMap<(u64, u64), PathBuf> = watches.iter().filter_map(known).collect();
    arm.retain(|path| {
        let Some(inode) = Identity::of(path).and_then(|identity| identity.inode()) else {
            return true;
        };
        match known.entry(inode) {
            Entry::Vacant(place) => {
                place.insert(path.clone());
                true
            }
            Entry::Occupied(twin) => {
                refused.insert(path.clone(), Refusal::Twice(twin.get().clone()));
                false
            }
        }
    });
}

#[cfg(test)]
mod tests;
