//! A path to the bytes of a file: one handle, bounded, and never something that blocks.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::faults::{not_regular, too_large, unreadable};
use crate::diagnostic::Diagnostic;
use crate::format::MAX_FILE_BYTES;

/// Reads a file of at most [`MAX_FILE_BYTES`] from one open handle; a FIFO, device or directory is
/// refused before reading.
///
/// # Errors
/// A diagnostic that names the file: too large, not regular, or unreadable.
pub fn read(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    read_if_present(path)?.ok_or_else(|| unreadable(path, &io::ErrorKind::NotFound.into()).into())
}

/// The same for a file that may have been removed since it was found: nothing if the path leads
/// nowhere. Only "not found" means absent; whatever else is wrong is an error.
///
/// # Errors
/// As [`read`].
pub fn read_if_present(path: &Path) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(match path.metadata() {
                // A socket cannot be opened, nor can a directory everywhere.
                Ok(metadata) if !metadata.is_file() => not_regular(path, metadata.file_type()),
                _ => unreadable(path, &error),
            }
            .into());
        }
    };
    // The handle is asked, not the path: the path may lead elsewhere by now.
    let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
    if !metadata.is_file() {
        return Err(not_regular(path, metadata.file_type()).into());
    }
    if metadata.len() > MAX_FILE_BYTES as u64 {
        return Err(too_large(path, &format!("{} bytes", metadata.len())).into());
    }
    read_bounded(file, metadata.len() as usize, path).map(Some)
}

/// Reads to the end, or one byte more than is allowed: a file may grow while it is read, and some
/// (`/proc`) say nothing of their length.
pub(super) fn read_bounded(
    from: impl Read,
    length: usize,
    path: &Path,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let mut bytes = Vec::with_capacity(length + 1);
    from.take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(path, &error))?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(too_large(path, "more than 1 MiB").into());
    }
    Ok(bytes)
}

/// Opens without waiting for whoever holds the other end, should it be a FIFO. (Nothing blocks on
/// Windows, and a directory does not open there.)
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

/// Whether nothing has this path any more, not even a link that leads nowhere. Only "not found"
/// says so: what cannot be looked at is still there.
#[must_use]
pub fn is_gone(path: &Path) -> bool {
    matches!(path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound)
}
