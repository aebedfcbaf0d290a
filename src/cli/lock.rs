//! A root to the right to write skills into it, one process at a time.
//!
//! The lock is a hidden file in the root itself. There it is the same for everyone, by whatever
//! path and as whatever user they come; discovery and watchers pass over it; and only who may write
//! there at all needs it, so a reader is never in the way. It stands there only while somebody
//! writes, so that nothing of it gets into a repository. The system takes the lock back when its
//! process ends, however it ends; the file that is then left over locks nothing.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use skilldeck::diagnostic::one_line;

use super::output::{Failure, Output};

/// The name of the file.
pub(crate) const LOCK_FILE: &str = ".skilldeck-lock";

/// How long another process is waited for: a skill is written in much less.
const PATIENCE: Duration = Duration::from_secs(10);

/// How much of what a file says about its process is shown.
const MAX_SIGNATURE: u64 = 100;

/// The right to write; it ends with the value.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Nothing where there can be no lock.
    held: Option<(File, PathBuf)>,
}

/// What is to be told while a lock is taken.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    /// Whom it has to wait for.
    Waits(String),
    /// Why there is no lock; the work goes on without.
    Without(String),
}

impl Lock {
    /// Takes the lock of a root that exists, for a command of this name; waits for another process,
    /// and says so.
    ///
    /// Who may not make the file may not make a skill there either, and goes on without a lock to
    /// where the system says so.
    pub(crate) fn take(root: &Path, command: &str, output: &Output) -> Result<Self, Failure> {
        Self::take_within(root, command, PATIENCE, |told| match told {
            Told::Waits(who) => {
                output.note(format_args!("waiting for {who}, which writes to {}", root.display()))
            }
            Told::Without(why) => {
                output.warn(format_args!("{} cannot be locked ({why}), going on", root.display()))
            }
        })
    }

    /// Whether nobody else writes to the root, as far as the system can tell.
    pub(crate) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    fn take_within(
        root: &Path,
        command: &str,
        patience: Duration,
        mut tell: impl FnMut(Told),
    ) -> Result<Self, Failure> {
        let path = root.join(LOCK_FILE);
        let deadline = Instant::now() + patience;
        let mut waits = false;
        loop {
            let file = match open(&path) {
                Ok(file) => file,
                Err(error) => match error.kind() {
                    ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                        return Ok(Self { held: None });
                    }
                    _ => return Err(Failure::No(format!("{}: {error}", path.display()))),
                },
            };
            let file = match file.try_lock() {
                Ok(()) => file,
                Err(TryLockError::WouldBlock) => {
                    let who = signature(&path);
                    if !waits {
                        tell(Told::Waits(who.clone()));
                        waits = true;
                    }
                    wait(file, deadline)?.ok_or_else(|| busy(root, &who))?
                }
                Err(TryLockError::Error(error)) => {
                    tell(Told::Without(error.to_string()));
                    return Ok(Self { held: None });
                }
            };
            // Who had it takes the file away at the end: then this is the lock of nothing.
            if is_in_place(&file, &path) {
                sign(&file, command);
                return Ok(Self { held: Some((file, path)) });
            }
            if Instant::now() > deadline {
                return Err(busy(root, &signature(&path)));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some((_, path)) = &self.held {
            // Before it is unlocked, so that it is nobody else's. What is left over locks nothing.
            let _ = fs::remove_file(path);
        }
    }
}

/// Opens the file, or makes it. A link is not followed: it could lead to any file of the person who
/// works in somebody else's repository.
fn open(path: &Path) -> io::Result<File> {
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => {
            let why = "it is no regular file; remove it";
            Err(io::Error::new(ErrorKind::InvalidInput, why))
        }
        _ => OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path),
    }
}

/// Waits for the lock; nothing if it takes too long. The system can only wait for ever, so a thread
/// does that. If it gets the lock after all, nobody takes the file from it and it is closed.
fn wait(file: File, deadline: Instant) -> Result<Option<File>, Failure> {
    let (give, take) = mpsc::channel();
    thread::spawn(move || give.send(file.lock().map(|()| file)));
    match take.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(file) => Ok(Some(file?)),
        Err(_) => Ok(None),
    }
}

fn busy(root: &Path, who: &str) -> Failure {
    Failure::No(format!(
        "{who} writes to {}; nothing was written, try again when it is done",
        root.display()
    ))
}

/// Says in the file whose it is: only for the message of those who wait.
fn sign(mut file: &File, command: &str) {
    let _ = file
        .set_len(0)
        .and_then(|()| write!(file, "skilldeck {command} (process {})", process::id()));
}

fn signature(path: &Path) -> String {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_SIGNATURE).read_to_string(&mut text));
    match read {
        Ok(1..) => one_line(text.trim()).into_owned(),
        _ => "another process".to_owned(),
    }
}

#[cfg(unix)]
fn is_in_place(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(ours), Ok(there)) => identity(ours) == identity(there),
        _ => false,
    }
}

/// Where a file that is open cannot be taken away it stays in its place.
#[cfg(not(unix))]
fn is_in_place(_file: &File, path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests;
