//! A path to the bytes of a file: one handle, bounded, and never something that blocks.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::faults::{not_regular, too_large, unreadable};
use crate::diagnostic::Diagnostic;
use crate::format::MAX_FILE_BYTES;

/// How often a file is read that somebody is writing to. Who saves a text is done within one of
/// them; for one who goes on writing there is a next look.
const MAX_READS: usize = 3;

/// The bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// As they were read last.
    pub bytes: Vec<u8>,
    /// Whether the file moved each time it was read, so that they may be a part of one text and a
    /// part of another. It has to be read again later.
    pub is_torn: bool,
}

/// How long a file has to be as it is before [`read_when_calm`] takes it for whole: longer than the
/// system lets a writer wait for its turn.
pub const CALM: Duration = Duration::from_millis(10);

/// Reads a file of at most [`MAX_FILE_BYTES`] from one open handle; a FIFO, device or directory is
/// refused before reading. A file that moves while it is read is read again, a few times.
///
/// # Errors
/// A diagnostic that names the file: too large, not regular, or unreadable.
pub fn read(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    match read_if_present(path)? {
        Some(content) => Ok(content.bytes),
        None => Err(unreadable(path, &io::ErrorKind::NotFound.into()).into()),
    }
}

/// The same for a file that may have been removed since it was found: nothing if the path leads
/// nowhere. Only "not found" means absent; whatever else is wrong is an error.
///
/// # Errors
/// As [`read`].
pub fn read_if_present(path: &Path) -> Result<Option<Content>, Box<Diagnostic>> {
    read_steadily(path, None, |file, length| read_bounded(file, length, path))
}

/// The same for who has time: a file that was written less than [`CALM`] ago is read once it has
/// been as it is for so long. A writer that was held up in the middle of its text is not seen by any
/// other means, and half of a skill is often a whole one. `wait` waits.
///
/// # Errors
/// As [`read`].
pub fn read_when_calm(
    path: &Path,
    wait: &dyn Fn(Duration),
) -> Result<Option<Content>, Box<Diagnostic>> {
    read_steadily(path, Some(wait), |file, length| read_bounded(file, length, path))
}

/// Reads with `read`, which is given the handle and the length, until the file did not move
/// meanwhile. Each time it is opened anew: another file may have taken the place.
pub(super) fn read_steadily(
    path: &Path,
    wait: Option<&dyn Fn(Duration)>,
    mut read: impl FnMut(&File, usize) -> Result<Vec<u8>, Box<Diagnostic>>,
) -> Result<Option<Content>, Box<Diagnostic>> {
    let mut torn = Vec::new();
    for _ in 0..MAX_READS {
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
        let ask = || file.metadata().map_err(|error| Box::new(unreadable(path, &error)));
        let before = ask()?;
        if !before.is_file() {
            return Err(not_regular(path, before.file_type()).into());
        }
        if before.len() > MAX_FILE_BYTES as u64 {
            return Err(too_large(path, &format!("{} bytes", before.len())).into());
        }
        let bytes = read(&file, before.len() as usize)?;
        if let Some(wait) = wait
            && let Some(left) = Stamp::of(&before).until_calm()
        {
            wait(left);
        }
        if Stamp::of(&before) == Stamp::of(&ask()?) {
            return Ok(Some(Content { bytes, is_torn: false }));
        }
        torn = bytes;
    }
    Ok(Some(Content { bytes: torn, is_torn: true }))
}

/// What moves when somebody writes to an open file, or puts another one in its place: that takes
/// away a name of this one.
#[derive(PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    changed: (i64, i64),
    #[cfg(unix)]
    names: u64,
}

impl Stamp {
    /// How long it takes until the file has been as it is for long enough. A time that is yet to come
    /// says nothing.
    fn until_calm(&self) -> Option<Duration> {
        let age = SystemTime::now().duration_since(self.modified?).ok()?;
        CALM.checked_sub(age).filter(|left| !left.is_zero())
    }

    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            #[cfg(unix)]
            names: metadata.nlink(),
        }
    }
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
