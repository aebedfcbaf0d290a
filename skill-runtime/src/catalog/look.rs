//! What may have changed, and where a change of a source shows.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use skilldeck_core::diagnostic::Code;
use skilldeck_core::scan::{Entered, Found, Scan};

/// What to look at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Every source.
    Everything,
    /// These paths and what lies below them. They are written as discovery writes paths: below the
    /// roots as they were given.
    #[cfg_attr(not(feature = "watch"), allow(dead_code, reason = "nothing watches"))]
    Paths(BTreeSet<PathBuf>),
}

impl Look {
    /// Whether anything at, below or above this root is to be looked at.
    pub(crate) fn touches(&self, root: &Path) -> bool {
        match self {
            Self::Everything => true,
            Self::Paths(paths) => {
                paths.iter().any(|path| path.starts_with(root) || root.starts_with(path))
            }
        }
    }
}

/// Where a change of a directory source shows. Equal territories need the same watches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Territory {
    /// The root as it was given; there may be nothing at it.
    pub(crate) root: PathBuf,
    /// Every directory that discovery looked into, or would if it could be read.
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
        Self { root: root.to_path_buf(), directories: scan.directories.clone(), linked }
    }
}
