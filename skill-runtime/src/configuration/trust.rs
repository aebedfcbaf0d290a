//! The user's list of what is trusted to whether a source or a directory is.

use std::path::{Path, PathBuf};

use super::sources::{absolute, normal};
use crate::source::{Environment, canonical};

/// What the user trusts: sources by name, workspaces by path.
#[derive(Clone, Debug, Default)]
pub(super) struct Trust {
    names: Vec<String>,
    paths: Vec<PathBuf>,
}

impl Trust {
    /// What a list says. An entry that starts with `/` or `~` is a path, every other one a name: a
    /// path that depends on where the list is read would trust another directory each time.
    pub(super) fn of(entries: &[String], environment: &Environment) -> Self {
        let mut trust = Self::default();
        for entry in entries {
            if entry.starts_with('/') || entry == "~" || entry.starts_with("~/") {
                trust.paths.extend(absolute(Path::new("/"), entry, environment));
            } else {
                trust.names.push(entry.clone());
            }
        }
        trust
    }

    /// Adds a workspace.
    pub(super) fn add(&mut self, directory: &Path) {
        self.paths.push(directory.to_owned());
    }

    /// Whether a source of this name is trusted. Only names that the user gave may be asked for.
    pub(super) fn names(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Whether a directory lies in a trusted one. It has to lie there by both its written and its
    /// real path, so that neither `..` nor a link leads to trust.
    pub(super) fn covers(&self, directory: &Path) -> bool {
        let written = normal(directory);
        let real = canonical(directory).unwrap_or_else(|| written.clone());
        self.paths.iter().any(|path| {
            let (path, target) = (normal(path), canonical(path));
            let is_below = |place: &Path| {
                place.starts_with(&path) || target.as_ref().is_some_and(|it| place.starts_with(it))
            };
            is_below(&written) && is_below(&real)
        })
    }
}
