//! Where changes of sources show, and what each of them means there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::notice::Notice;
use super::trace::trace;
use crate::catalog::Territory;

/// The directories to watch. Their paths are canonical, each stands here once: the system keeps one
/// path for a directory, so a second one would silently take the place of the first.
#[derive(Debug, Default)]
pub(super) struct Plan {
    places: BTreeMap<PathBuf, Place>,
    /// The last directories on the ways to the root and to what is linked, for each source.
    pub(super) ends: Vec<BTreeSet<PathBuf>>,
}

/// What an event in a directory means.
#[derive(Debug, Default, PartialEq, Eq)]
struct Place {
    /// Discovery looked into it: the paths it has there. Every entry counts.
    listed: BTreeSet<Target>,
    /// Only these entries count: they lead to something.
    entries: BTreeMap<OsString, BTreeSet<Target>>,
    /// The sources that wait for an entry that is missing.
    waiting: BTreeSet<usize>,
}

/// A path as discovery writes it, behind the position of its source.
type Target = (usize, PathBuf);

impl Plan {
    /// The plan for sources as they were found.
    pub(super) fn of(territories: &[Arc<Territory>]) -> Self {
        let mut plan = Self::default();
        for (source, territory) in territories.iter().enumerate() {
            plan.ends.push(BTreeSet::new());
            // What discovery did not find may have appeared since.
            let is_missing = territory.directories.is_empty();
            plan.follow(source, &territory.root, &territory.root, is_missing);
            let homes: HashMap<&Path, &Path> = territory
                .directories
                .iter()
                .map(|it| (it.path.as_path(), it.real_path.as_path()))
                .collect();
            for entered in &territory.directories {
                let target = (source, entered.path.clone());
                plan.place(&entered.real_path).listed.insert(target);
                // What lies straight in the directory above it is seen from there.
                let above = entered.path.parent().and_then(|above| homes.get(above).copied());
                let is_straight = above.is_some()
                    && entered.real_path.parent() == above
                    && entered.real_path.file_name() == entered.path.file_name();
                if !is_straight && entered.path != territory.root {
                    plan.follow(source, &territory.root, &entered.path, false);
                }
            }
            for (path, real_path) in &territory.linked {
                plan.follow(source, &territory.root, path, path == real_path);
            }
        }
        plan
    }

    /// Has every entry on the way to a path mean that path, which discovery may have missed.
    fn follow(&mut self, source: usize, root: &Path, path: &Path, is_missing: bool) {
        let trace = trace(path);
        let of_root = (source, root.to_path_buf());
        let mut last = None;
        for (directory, name) in trace.steps {
            let place = self.place(&directory);
            let targets = place.entries.entry(name).or_default();
            // Looking at the root is looking at all that lies below it.
            if !targets.contains(&of_root) {
                targets.insert((source, path.to_path_buf()));
            }
            last = Some(directory);
        }
        if let (true, Some(directory)) = (is_missing || trace.missing, last) {
            self.place(&directory).waiting.insert(source);
        }
        if let Some(ends) = self.ends.get_mut(source) {
            ends.insert(trace.end);
        }
    }

    fn place(&mut self, directory: &Path) -> &mut Place {
        if !self.places.contains_key(directory) {
            self.places.insert(directory.to_path_buf(), Place::default());
        }
        self.places.get_mut(directory).expect("it was put there")
    }

    /// The directories to watch, those above first.
    pub(super) fn directories(&self) -> impl Iterator<Item = &Path> {
        self.places.keys().map(PathBuf::as_path)
    }

    /// The paths that are to be looked at after a notice, and whether the plan is to be made anew
    /// because the way to something may be another one.
    pub(super) fn meaning(&self, notice: &Notice) -> (BTreeSet<PathBuf>, bool) {
        let (path, is_replaced) = match notice {
            Notice::Changed(path) => (path, false),
            Notice::Replaced(path) => (path, true),
            Notice::Lost => return (BTreeSet::new(), true),
        };
        let mut paths = BTreeSet::new();
        let mut leads_elsewhere = false;
        if let Some(place) = self.places.get(path) {
            paths.extend(place.listed.iter().map(|(_, path)| path.clone()));
            if is_replaced {
                paths.extend(place.entries.values().flatten().map(|(_, path)| path.clone()));
                leads_elsewhere = true;
            }
        }
        let within = path.parent().and_then(|parent| self.places.get(parent));
        if let (Some(place), Some(name)) = (within, path.file_name()) {
            paths.extend(place.listed.iter().map(|(_, path)| path.join(name)));
            if let Some(targets) = place.entries.get(name) {
                paths.extend(targets.iter().map(|(_, path)| path.clone()));
                leads_elsewhere = true;
            }
        }
        (paths, leads_elsewhere)
    }

    /// The paths that are to be looked at because nobody saw what happened to them: those that show
    /// in directories that are watched only now, and those that have a meaning only now.
    pub(super) fn unseen(&self, before: &Self, new: &HashSet<PathBuf>) -> BTreeSet<PathBuf> {
        let mut paths = BTreeSet::new();
        for (directory, place) in &self.places {
            let known = before.places.get(directory).filter(|_| !new.contains(directory));
            if known == Some(place) {
                continue;
            }
            let is_new = |target: &Target, known: Option<&BTreeSet<Target>>| {
                known.is_none_or(|known| !known.contains(target))
            };
            let listed = place.listed.iter();
            paths.extend(
                listed
                    .filter(|target| is_new(target, known.map(|known| &known.listed)))
                    .map(|(_, path)| path.clone()),
            );
            for (name, targets) in &place.entries {
                let known = known.and_then(|known| known.entries.get(name));
                let unseen = targets.iter().filter(|target| is_new(target, known));
                paths.extend(unseen.map(|(_, path)| path.clone()));
            }
        }
        paths
    }

    /// The sources that show in a directory. Where it may not be read, only those that wait for
    /// something in it: what is there already is known.
    pub(super) fn sources(&self, directory: &Path, waiting: bool) -> BTreeSet<usize> {
        let Some(place) = self.places.get(directory) else { return BTreeSet::new() };
        if waiting {
            return place.waiting.clone();
        }
        let targets = place.listed.iter().chain(place.entries.values().flatten());
        targets.map(|(source, _)| *source).collect()
    }
}

#[cfg(test)]
mod tests;
