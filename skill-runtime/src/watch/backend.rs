//! Directories to reports about them: the system's own mechanism, behind a seam.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::{Error, ErrorKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::inbox::Inbox;
use super::notice::notices;

/// Reports what happens in directories, without those below them, to an inbox.
pub(super) trait Backend: Send {
    /// First lets go of some directories, then takes on others. Gives those it cannot take on.
    fn change(&mut self, disarm: &[PathBuf], arm: &[PathBuf]) -> Vec<(PathBuf, Refusal)>;

    /// Whether a change makes it miss what happens meanwhile in the directories it keeps.
    fn is_deaf_while_changing(&self) -> bool {
        false
    }
}

/// Starts a backend that reports to an inbox.
pub(super) type Start = Box<dyn Fn(&Arc<Inbox>) -> Result<Box<dyn Backend>, Refusal> + Send>;

/// Why a directory, or anything at all, cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There is no such directory.
    Gone,
    /// It may not be read.
    Denied,
    /// The system watches as much as it may.
    Limit(&'static str),
    /// It is watched already, by this path.
    Twice(PathBuf),
    /// Something else.
    Other(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("it does not exist"),
            Self::Denied => f.write_str("it may not be read; give read permission to it"),
            Self::Limit(limit) => {
                write!(f, "the system watches as much as it may; raise its limit `{limit}`")
            }
            Self::Twice(path) => {
                write!(f, "it is the same as `{}`, and one of the two is watched", path.display())
            }
            Self::Other(error) => f.write_str(error),
        }
    }
}

/// How many watches one user may have.
const WATCHES: &str = "fs.inotify.max_user_watches";
/// How many watchers one user may have; descriptors that one process may have.
const INSTANCES: &str = "fs.inotify.max_user_instances` or `nofile";
/// `EMFILE` and `ENFILE` on every Unix.
const TOO_MANY_FILES: [i32; 2] = [24, 23];

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error.kind {
            ErrorKind::MaxFilesWatch => Self::Limit(WATCHES),
            ErrorKind::PathNotFound => Self::Gone,
            ErrorKind::Io(error) => match error.kind() {
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Self::Gone,
                std::io::ErrorKind::PermissionDenied => Self::Denied,
                _ if error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code)) => {
                    Self::Limit(INSTANCES)
                }
                _ => Self::Other(error.to_string()),
            },
            _ => Self::Other(error.to_string()),
        }
    }
}

/// The mechanism of this system.
pub(super) fn system(inbox: &Arc<Inbox>) -> Result<Box<dyn Backend>, Refusal> {
    let inbox = Arc::clone(inbox);
    let report = move |event: notify::Result<notify::Event>| match event {
        Ok(event) => inbox.put(notices(event)),
        Err(_) => inbox.lose(),
    };
    Ok(Box::new(System(notify::recommended_watcher(report)?)))
}

struct System(RecommendedWatcher);

impl Backend for System {
    fn change(&mut self, disarm: &[PathBuf], arm: &[PathBuf]) -> Vec<(PathBuf, Refusal)> {
        let mut refused = Vec::new();
        let mut paths = self.0.paths_mut();
        for directory in disarm {
            // It may have been let go of already, with the directory.
            let _ = paths.remove(directory);
        }
        let mut limit = None;
        for directory in arm {
            // What one is refused for lack of room, every further one is.
            let result = match limit {
                None => paths.add(directory, RecursiveMode::NonRecursive).map_err(Refusal::from),
                Some(limit) => Err(Refusal::Limit(limit)),
            };
            if let Err(refusal) = result {
                if let Refusal::Limit(name) = refusal {
                    limit = Some(name);
                }
                refused.push((directory.clone(), refusal));
            }
        }
        if let Err(error) = paths.commit() {
            let refusal = Refusal::from(error);
            refused = arm.iter().map(|it: &PathBuf| (it.clone(), refusal.clone())).collect();
        }
        refused
    }

    /// FSEvents is stopped and started again for each change.
    fn is_deaf_while_changing(&self) -> bool {
        cfg!(target_os = "macos")
    }
}

/// What tells one directory from another that stood or stands at the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    created: Option<std::time::SystemTime>,
    #[cfg(unix)]
    inode: (u64, u64),
}

impl Identity {
    /// The identity of what is at a path.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = path.symlink_metadata().ok()?;
        Some(Self {
            created: metadata.created().ok(),
            #[cfg(unix)]
            inode: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            },
        })
    }

    /// What two paths to one directory have in common, where the system says it. A directory that
    /// is mounted twice has two canonical paths.
    pub(super) fn inode(&self) -> Option<(u64, u64)> {
        #[cfg(unix)]
        return Some(self.inode);
        #[cfg(not(unix))]
        None
    }
}
