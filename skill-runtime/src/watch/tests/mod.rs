//! Stand-ins for the registry and the system, and what is tested with them.

mod lookout;
mod watcher;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use skilldeck_core::scan::Entered;

use super::backend::{Backend, Refusal, Start};
use super::inbox::Inbox;
use super::{WatchOptions, Watched};
use crate::catalog::{Look, Territory};

/// Acts at once; no sweep and no poll within a test.
pub(super) const AT_ONCE: WatchOptions = WatchOptions {
    quiet: Duration::ZERO,
    delay: Duration::ZERO,
    sweep: Duration::from_secs(3600),
    poll: Duration::from_secs(3600),
    force_polling: false,
};

/// How long to wait for what must come.
pub(super) const LIMIT: Duration = Duration::from_secs(10);

/// What is said to be found, and every look.
#[derive(Default)]
pub(super) struct Found {
    pub(super) territories: Mutex<Vec<Arc<Territory>>>,
    pub(super) looks: Mutex<Vec<Look>>,
    /// What is found by a look, one after the other.
    pub(super) later: Mutex<Vec<Territory>>,
    /// How many looks panic.
    pub(super) panics: Mutex<usize>,
}

impl Found {
    pub(super) fn new(territories: impl IntoIterator<Item = Territory>) -> Arc<Self> {
        let found = Self::default();
        *found.territories.lock().unwrap() = territories.into_iter().map(Arc::new).collect();
        Arc::new(found)
    }

    pub(super) fn set(&self, territory: Territory) {
        *self.territories.lock().unwrap() = vec![Arc::new(territory)];
    }

    /// The looks since the last call.
    pub(super) fn looks(&self) -> Vec<Look> {
        std::mem::take(&mut self.looks.lock().unwrap())
    }
}

impl Watched for Found {
    fn look(&self, look: &Look) {
        self.looks.lock().unwrap().push(look.clone());
        let mut panics = self.panics.lock().unwrap();
        if *panics > 0 {
            *panics -= 1;
            drop(panics);
            panic!("a look that panics");
        }
        let mut later = self.later.lock().unwrap();
        if !later.is_empty() {
            self.set(later.remove(0));
        }
    }

    fn territories(&self) -> Vec<Arc<Territory>> {
        self.territories.lock().unwrap().clone()
    }
}

/// A system that reports what a test says.
#[derive(Clone, Default)]
pub(super) struct System(pub(super) Arc<Mutex<State>>);

#[derive(Default)]
pub(super) struct State {
    pub(super) inbox: Option<Arc<Inbox>>,
    pub(super) watches: BTreeSet<PathBuf>,
    pub(super) refused: BTreeMap<PathBuf, Refusal>,
    /// How many watches there may be.
    pub(super) room: Option<usize>,
    /// Why it does not start.
    pub(super) unable: Option<Refusal>,
    /// How many directories were armed.
    pub(super) armed: usize,
    pub(super) is_deaf_while_changing: bool,
}

impl System {
    pub(super) fn start(&self) -> Start {
        let system = self.clone();
        Box::new(move |inbox| {
            let mut state = system.0.lock().unwrap();
            if let Some(refusal) = &state.unable {
                return Err(refusal.clone());
            }
            state.inbox = Some(Arc::clone(inbox));
            Ok(Box::new(system.clone()))
        })
    }

    pub(super) fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.0.lock().unwrap());
    }

    pub(super) fn watches(&self, path: &Path) -> bool {
        self.0.lock().unwrap().watches.contains(path)
    }

    /// How many directories were armed since the last call.
    pub(super) fn armed(&self) -> usize {
        std::mem::take(&mut self.0.lock().unwrap().armed)
    }

    pub(super) fn inbox(&self) -> Arc<Inbox> {
        self.0.lock().unwrap().inbox.clone().unwrap()
    }
}

impl Backend for System {
    fn change(&mut self, disarm: &[PathBuf], arm: &[PathBuf]) -> Vec<(PathBuf, Refusal)> {
        let mut state = self.0.lock().unwrap();
        for path in disarm {
            state.watches.remove(path);
        }
        let mut refused = Vec::new();
        for path in arm {
            if let Some(refusal) = state.refused.get(path) {
                refused.push((path.clone(), refusal.clone()));
            } else if state.room.is_some_and(|room| state.watches.len() >= room) {
                refused.push((path.clone(), Refusal::Limit("room")));
            } else {
                assert!(state.watches.insert(path.clone()), "{path:?} is watched already");
                state.armed += 1;
            }
        }
        refused
    }

    fn is_deaf_while_changing(&self) -> bool {
        self.0.lock().unwrap().is_deaf_while_changing
    }
}

/// A root with nothing behind links, and these directories below it.
pub(super) fn territory(root: &Path, below: &[&str]) -> Territory {
    let entered = |path: PathBuf| Entered { real_path: path.clone(), path };
    let directories =
        std::iter::once(root.to_path_buf()).chain(below.iter().map(|it| root.join(it)));
    Territory {
        root: root.to_path_buf(),
        directories: directories.map(entered).collect(),
        linked: Vec::new(),
    }
}

/// A directory of its own; its path is canonical.
pub(super) fn place() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().canonicalize().unwrap();
    (directory, path)
}

pub(super) fn paths<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Look {
    Look::Paths(paths.into_iter().map(Path::to_path_buf).collect())
}

/// Waits until something is true.
#[track_caller]
pub(super) fn eventually(what: &str, is_true: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < LIMIT, "{what}");
        std::thread::yield_now();
    }
}
