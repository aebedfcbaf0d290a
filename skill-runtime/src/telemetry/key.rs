//! The secret behind the hashes of arguments, and the file it is kept in.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::LazyLock;

use super::hash::drawn;

/// The secret that the hashes of arguments are made with (see
/// [`Activation::arguments_hash`](crate::Activation::arguments_hash)).
///
/// Hashes can be compared where their keys are the same. The default is drawn once per process; an
/// installation that compares the events of several runs keeps one in a file.
///
/// ```
/// use skilldeck_runtime::{HashKey, Registry};
///
/// # let state = tempfile::tempdir()?;
/// # let state = state.path();
/// let key = HashKey::kept(&state.join("skilldeck/arguments.key"))?;
/// let registry = Registry::builder().hash_key(key).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HashKey(pub(super) [u8; 16]);

/// The length of a key as hex digits with a line end.
const WRITTEN: usize = 33;

impl HashKey {
    /// A key that is kept elsewhere.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The key in this file: 32 hex digits. If there is no such file, it is made, with a key that is
    /// drawn and that only this user may read. Processes that do so at the same time agree on one.
    ///
    /// # Errors
    /// When the file or its directory can be neither read nor made, or holds something else than a key.
    pub fn kept(path: &Path) -> io::Result<Self> {
        match read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make(path)?;
                read(path)
            }
            known => known,
        }
    }
}

/// The key of the process.
impl Default for HashKey {
    fn default() -> Self {
        static PROCESS: LazyLock<HashKey> = LazyLock::new(|| HashKey(drawn().to_le_bytes()));
        PROCESS.clone()
    }
}

/// Says nothing of the secret.
impl fmt::Debug for HashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashKey").finish_non_exhaustive()
    }
}

fn read(path: &Path) -> io::Result<HashKey> {
    // What is no file could be endless, or never answer.
    if !fs::metadata(path)?.is_file() {
        return Err(no_key(path));
    }
    let mut text = String::new();
    File::open(path)?.take(WRITTEN as u64 + 1).read_to_string(&mut text)?;
    let digits = text.trim_end();
    let is_key = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let key = is_key.then(|| u128::from_str_radix(digits, 16).ok()).flatten();
    key.map(|key| HashKey(key.to_be_bytes())).ok_or_else(|| no_key(path))
}

fn no_key(path: &Path) -> io::Error {
    let message = format!(
        "`{}` is no file of 32 hex digits; remove it, and a new key is drawn",
        path.display()
    );
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Makes the file whole or not at all, so that nobody reads half a key; who comes second leaves the
/// first one's.
fn make(path: &Path) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        private().create(directory)?;
    }
    let fresh = path.with_extension(format!("{:032x}", drawn()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let text = format!("{:032x}\n", drawn());
    let made = options
        .open(&fresh)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| publish(&fresh, path));
    // Gone already if it was renamed.
    let _ = fs::remove_file(&fresh);
    made
}

fn publish(fresh: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(fresh, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        // Not every file system has links.
        Err(_) => fs::rename(fresh, path),
        Ok(()) => Ok(()),
    }
}

/// Makes directories that others may not look into.
fn private() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}
