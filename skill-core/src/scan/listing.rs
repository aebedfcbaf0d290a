//! A directory to its entries, in an order that does not depend on the file system.

use std::ffi::{OsStr, OsString};
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

/// One line of a listing.
pub(super) struct Entry {
    pub(super) name: OsString,
    /// What the entry itself is: a link is not followed.
    pub(super) kind: FileType,
}

/// Lists a directory so that its directories come in the order of the bytes of the paths below
/// them: `a-b/…` before `a/…`.
pub(super) fn list(directory: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in directory.read_dir()? {
        let entry = entry?;
        match entry.file_type() {
            Ok(kind) => entries.push(Entry { name: entry.file_name(), kind }),
            // Removed since the system listed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    if entries.len() > 1 {
        entries.sort_by_cached_key(|entry| [entry.name.as_encoded_bytes(), b"/"].concat());
    }
    Ok(entries)
}

/// A file or directory below the root.
#[derive(Clone)]
pub(super) struct Place {
    /// Below the root as it was given.
    pub(super) path: PathBuf,
    /// Canonical.
    pub(super) real: PathBuf,
    /// The bytes of the path relative to the root, with `/` between the components on every system.
    pub(super) key: Vec<u8>,
    /// The root's is 0.
    pub(super) depth: usize,
}

impl Place {
    pub(super) fn root(path: &Path, real: PathBuf) -> Self {
        Self { path: path.to_path_buf(), real, key: Vec::new(), depth: 0 }
    }

    /// An entry of this directory that is no link, or the link itself.
    pub(super) fn entry(&self, name: &OsStr) -> Self {
        let mut key = Vec::with_capacity(self.key.len() + 1 + name.len());
        key.extend_from_slice(&self.key);
        if !key.is_empty() {
            key.push(b'/');
        }
        key.extend_from_slice(name.as_encoded_bytes());
        Self { path: self.path.join(name), real: self.real.join(name), key, depth: self.depth + 1 }
    }
}
