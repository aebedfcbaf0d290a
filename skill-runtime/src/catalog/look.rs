//! What may have changed, and where a change of a source shows.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use skilldeck_core::diagnostic::Code;
use skilldeck_core::scan::{Entered, Found, Scan};

use super::slot::{bytes, in_order};

/// What to look at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Every source.
    Everything,
    /// These paths and what lies below them. They are written as discovery writes paths, below the
    /// roots as they were given, or else below the canonical roots.
    Paths(BTreeSet<PathBuf>),
}

/// What a look asks of one source.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked<'a> {
    /// To look at all of it.
    Everything,
    /// To look at these paths below its root, written as discovery writes them; perhaps at none.
    Paths(Vec<Cow<'a, Path>>),
}

impl Look {
    /// What this asks of the source with this territory.
    pub(super) fn asks(&self, territory: &Territory) -> Asked<'_> {
        let Self::Paths(paths) = self else { return Asked::Everything };
        let root = territory.root.as_path();
        let real_root = Some(territory.real_root()).filter(|real| bytes(real) != bytes(root));
        let mut roots = [Some(root), real_root].into_iter().flatten();
        if roots.any(|root| root.ancestors().any(|above| paths.contains(above))) {
            return Asked::Everything;
        }
        let below = |root: &Path| paths.range::<Path, _>((Bound::Included(root), Bound::Unbounded));
        let mut found: Vec<Cow<'_, Path>> = below(root)
            .take_while(|path| path.starts_with(root))
            .map(|path| Cow::Borrowed(path.as_path()))
            .collect();
        if let Some(real_root) = real_root {
            let rest = below(real_root).map_while(|path| path.strip_prefix(real_root).ok());
            found.extend(rest.map(|rest| Cow::Owned(root.join(rest))));
        }
        Asked::Paths(found)
    }
}

/// Where a change of a directory source shows. Equal territories need the same watches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Territory {
    /// The root as it was given; there may be nothing at it.
    pub(crate) root: PathBuf,
    /// Every directory that discovery looked into, or would if it could be read; in the order of the
    /// bytes of their paths with a `/` behind each, so that what lies below a directory follows it.
    pub(crate) directories: Vec<Entered>,
    /// Files that are reached by a link of their own, and the canonical file. What leads nowhere, or
    /// cannot be read, stands for itself: it may lead somewhere later.
    pub(crate) linked: Vec<(PathBuf, PathBuf)>,
}

impl Territory {
    /// The territory of a source that was looked at.
    pub(super) fn of(root: &Path, scan: &Scan) -> Self {
        let homes: HashMap<&Path, &Path> =
            scan.directories.iter().map(|it| (it.path.as_path(), it.real_path.as_path())).collect();
        let is_linked = |found: &&Found| {
            let home = found.path.parent().and_then(|home| homes.get(home));
            let name = found.path.file_name().unwrap_or_default();
            found.path != found.real_path
                && home.is_none_or(|home| home.join(name) != found.real_path)
        };
        let files = scan.files.iter().chain(scan.unreadable.iter().map(|(found, _)| found));
        let linked = files.filter(is_linked).map(|it| (it.path.clone(), it.real_path.clone()));
        let faults = scan.diagnostics.iter().chain(scan.unreadable.iter().map(|(_, fault)| fault));
        let nowhere = faults
            .filter(|fault| matches!(fault.code, Code::DanglingLink | Code::Unreadable))
            .filter_map(|fault| fault.path.clone().map(|path| (path.clone(), path)));
        let linked = linked.chain(nowhere).collect();
        let mut directories = scan.directories.clone();
        // Discovery goes in this order, so most often there is nothing to sort.
        directories.sort_by(|a, b| in_order(bytes(&a.path), bytes(&b.path)));
        Self { root: root.to_path_buf(), directories, linked }
    }

    /// The canonical root, or the root as it was given if it has no canonical path.
    pub(super) fn real_root(&self) -> &Path {
        let root = self.directories.first().filter(|entered| entered.path == self.root);
        root.map_or(&self.root, |root| &root.real_path)
    }

    /// The canonical path of a directory that discovery looked into.
    pub(super) fn real_path(&self, directory: &Path) -> Option<&Path> {
        let found = self.directories.get(self.position(directory))?;
        (bytes(&found.path) == bytes(directory)).then_some(&*found.real_path)
    }

    /// Whether discovery looked into this directory or one below it.
    pub(super) fn has_at_or_below(&self, path: &Path) -> bool {
        let found = self.directories.get(self.position(path));
        found.is_some_and(|found| found.path.starts_with(path))
    }

    /// Where a directory stands, or would stand.
    fn position(&self, directory: &Path) -> usize {
        let order = |at: &Entered| in_order(bytes(&at.path), bytes(directory));
        self.directories.partition_point(|at| order(at) == Ordering::Less)
    }
}

#[cfg(test)]
mod tests;
