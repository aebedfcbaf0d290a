//! A path to what stands there now, as far as it can be told without opening anything.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Fingerprint;

/// What stands at a path; a link is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Nothing.
    Nothing,
    /// A regular file, with its fingerprint if that is one to rely on.
    File(Option<Fingerprint>),
    /// A directory, a link, something special, or something that cannot be looked at.
    Other,
}

impl Sight {
    /// What stands at a path. `now` was taken before, as for [`Fingerprint::of`].
    pub(crate) fn of(path: &Path, now: SystemTime) -> Self {
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => Self::File(Fingerprint::settled(&metadata, now)),
            Ok(_) => Self::Other,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Self::Nothing
            }
            Err(_) => Self::Other,
        }
    }
}

/// The fingerprint of a directory: while it is the same, so is the list of its entries. `None` if it
/// is none to rely on, and on systems that keep no change time of a directory.
pub(crate) fn directory_print(path: &Path, now: SystemTime) -> Option<Fingerprint> {
    if !cfg!(unix) {
        return None;
    }
    let metadata = fs::symlink_metadata(path).ok()?;
    Some(&metadata)
        .filter(|it| it.file_type().is_dir())
        .and_then(|it| Fingerprint::settled(it, now))
}

/// The canonical form of a path that leads somewhere.
pub(crate) fn canonical(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}
