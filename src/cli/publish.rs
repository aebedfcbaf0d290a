//! A new skill beside its place to the skill in its place: a reader sees all of it or nothing.
//!
//! It is written under a hidden name in the same root, which discovery passes over, and renamed. What
//! a run that was ended leaves behind stands under these names too, and the next run puts it right.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use skilldeck::scan::is_skipped;

use super::file;
use super::lock::Lock;
use super::output::{Failure, Output};

/// Before the name of what is being written.
const NEW: &str = ".skilldeck-new.";
/// Before the name of what is being replaced.
const OLD: &str = ".skilldeck-old.";

/// A root that nobody else of us writes to.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    /// Held until the root is done with.
    _lock: Lock,
}

/// An entry of a root that is being written, under a name that nobody reads; it is removed again
/// unless it is published.
#[derive(Debug)]
pub(crate) struct Staging<'a> {
    root: &'a Root,
    name: OsString,
}

impl Root {
    /// Makes the root if need be, locks it for a command of this name, and puts right what a run
    /// that was ended has left there.
    pub(crate) fn open(path: &Path, command: &str, output: &Output) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| at(path, &error))?;
        let lock = Lock::take(path, command, output)?;
        if lock.is_held() {
            put_right(path);
        }
        Ok(Self { path: path.to_path_buf(), _lock: lock })
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The place of an entry.
    fn place(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.path.join(name.as_ref())
    }

    /// Starts an entry of this name; it is to be written at [`Staging::path`].
    pub(crate) fn stage(&self, name: impl Into<OsString>) -> Staging<'_> {
        Staging { root: self, name: name.into() }
    }
}

impl Staging<'_> {
    /// Where the entry is to be written.
    pub(crate) fn path(&self) -> PathBuf {
        self.root.place(hidden(NEW, &self.name))
    }

    /// Puts the entry in its place, and `replace`s what is there. Without, something there is an
    /// error.
    pub(crate) fn publish(self, replace: bool) -> Result<PathBuf, Failure> {
        let place = self.root.place(&self.name);
        if place.symlink_metadata().is_err() {
            fs::rename(self.path(), &place).map_err(|error| refused(&place, &error))?;
            return Ok(place);
        }
        if !replace {
            return Err(exists(&place));
        }
        // A file takes the place of another at once; of a directory nothing can.
        if self.path().is_file() && place.is_file() {
            fs::rename(self.path(), &place).map_err(|error| refused(&place, &error))?;
            return Ok(place);
        }
        let old = self.root.place(hidden(OLD, &self.name));
        fs::rename(&place, &old).map_err(|error| at(&place, &error))?;
        if let Err(error) = fs::rename(self.path(), &place) {
            return Err(match fs::rename(&old, &place) {
                Ok(()) => refused(&place, &error),
                Err(_) => Failure::No(format!(
                    "{}: {error}; what was there is now {}",
                    place.display(),
                    old.display()
                )),
            });
        }
        // It is out of sight; the next run tries again.
        let _ = remove(&old);
        Ok(place)
    }
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        // Nobody has seen it under its own name. After a publication there is nothing left.
        let _ = remove(&self.path());
    }
}

/// What was being written is removed; what was being replaced goes back, unless its successor has
/// the place. Where that cannot be done, who needs the name is told.
fn put_right(root: &Path) {
    for path in root.read_dir().into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        let Some(name) = path.file_name().and_then(OsStr::to_str) else { continue };
        let _ = if name.starts_with(NEW) {
            remove(&path)
        } else if let Some(own) = name.strip_prefix(OLD) {
            let place = root.join(own);
            match place.symlink_metadata() {
                Ok(_) => remove(&path),
                Err(_) => fs::rename(&path, &place),
            }
        } else {
            Ok(())
        };
    }
}

/// Removes a file, a link or a directory; a link is not followed.
fn remove(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

fn hidden(prefix: &str, name: &OsStr) -> OsString {
    let mut hidden = OsString::from(prefix);
    hidden.push(name);
    hidden
}

/// That something is in the way.
pub(crate) fn exists(place: &Path) -> Failure {
    Failure::No(format!("{} exists already; nothing was written", place.display()))
}

/// Refuses a skill of this name in this root if no reader would look into its directory.
pub(crate) fn is_seen(root: &Path, name: &str) -> Result<(), Failure> {
    if root.is_dir() && file::skill_file(root)?.is_some() {
        let why = "is itself a skill, in which no other is looked for";
        return Err(Failure::No(format!("{} {why}", root.display())));
    }
    if !is_skipped(OsStr::new(name)) {
        return Ok(());
    }
    Err(Failure::No(format!(
        "directories with the name `{name}` are not looked into; give the skill another one"
    )))
}

/// An error with the path it is about.
pub(crate) fn at(path: &Path, error: &io::Error) -> Failure {
    Failure::No(format!("{}: {error}", path.display()))
}

/// Why an entry did not get its place: somebody who takes no lock may have been quicker.
fn refused(place: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists => exists(place),
        _ => at(place, error),
    }
}

#[cfg(test)]
mod tests;
