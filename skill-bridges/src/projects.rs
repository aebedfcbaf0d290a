//! The directory of a session to the registry that all sessions of this project share.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use skilldeck_runtime::{Error, Registry};

/// How a registry for a directory is made.
type Open = dyn Fn(&Path) -> Result<Registry, Error> + Send + Sync;

/// One registry for each directory that is worked in.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use skilldeck_bridges::Projects;
/// use skilldeck_runtime::Registry;
///
/// let projects = Projects::new(|directory: &Path| {
///     Registry::builder().default_roots(directory).watch().build()
/// });
/// # let here = tempfile::tempdir()?;
/// # let here = here.path();
/// let (one, other) = (projects.enter(here)?, projects.enter(here)?);
/// assert!(Arc::ptr_eq(&one, &other));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Projects {
    open: Box<Open>,
    /// A lock for each project: one that takes its time to load holds up no other.
    known: Mutex<HashMap<PathBuf, Arc<Mutex<Weak<Project>>>>>,
}

/// A directory that is worked in, and its skills. It lasts as long as somebody holds it.
#[derive(Debug)]
pub struct Project {
    directory: PathBuf,
    registry: Registry,
}

impl Projects {
    /// Registries that are made by `open` from the directory of the project.
    pub fn new(open: impl Fn(&Path) -> Result<Registry, Error> + Send + Sync + 'static) -> Self {
        Self { open: Box::new(open), known: Mutex::default() }
    }

    /// The project of a directory: loaded now if nobody holds it yet, which takes as long as it
    /// takes to read its skills.
    ///
    /// # Errors
    /// What making the registry gives.
    pub fn enter(&self, directory: &Path) -> Result<Arc<Project>, Error> {
        let slot = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever is loading holds its slot, so a slot that only this map holds is idle.
            known.retain(|_, slot| Arc::strong_count(slot) > 1 || is_held(slot));
            Arc::clone(known.entry(directory.to_owned()).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(project) = slot.upgrade() {
            return Ok(project);
        }
        let registry = (self.open)(directory)?;
        let project = Arc::new(Project { directory: directory.to_owned(), registry });
        *slot = Arc::downgrade(&project);
        Ok(project)
    }

    /// How many projects somebody holds.
    #[must_use]
    pub fn len(&self) -> usize {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().filter(|slot| is_held(slot)).count()
    }

    /// Whether nobody holds any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn is_held(slot: &Mutex<Weak<Project>>) -> bool {
    // One that is locked is being loaded.
    slot.try_lock().map_or(true, |project| project.strong_count() > 0)
}

impl Project {
    /// Its directory, as it was given.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Its skills.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }
}

impl fmt::Debug for Projects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Projects").field("held", &self.len()).finish_non_exhaustive()
    }
}
