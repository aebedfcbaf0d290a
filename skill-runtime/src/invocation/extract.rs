//! The side files of a bundled skill to a private directory, on first use.
//!
//! The directory is named by the digest of what is in it, so it is never changed, only completed or
//! put right: a new one is written beside it and renamed into its place.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use arc_swap::ArcSwap;
use sha2::{Digest, Sha256};
use skilldeck_core::model::{BundledSkill, SideFile};

/// What was extracted and verified by this process: files of the static table, by address, and the
/// cache they are in. Readers never wait.
static DONE: LazyLock<ArcSwap<Done>> = LazyLock::new(ArcSwap::default);

type Done = HashMap<(usize, PathBuf), Arc<Path>>;

/// How often another process may be in the way before that is an error.
const MOST_ATTEMPTS: usize = 8;

/// The directory that holds the side files of a bundled skill. `cache` is the directory for all of
/// them; by default the user's.
pub(super) fn extracted(skill: &BundledSkill, cache: Option<&Path>) -> io::Result<Arc<Path>> {
    let cache = match cache {
        Some(cache) => cache.to_path_buf(),
        None => user_cache()?,
    };
    let key = (skill.files.as_ptr().addr(), cache);
    if let Some(done) = DONE.load().get(&key)
        && done.is_dir()
    {
        return Ok(Arc::clone(done));
    }
    let place: Arc<Path> = extract(skill.files, &key.1)?.into();
    DONE.rcu(|done| {
        let mut done = Done::clone(done);
        done.insert(key.clone(), Arc::clone(&place));
        done
    });
    Ok(place)
}

/// The directory for caches of this user.
fn user_cache() -> io::Result<PathBuf> {
    let variable = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    variable("XDG_CACHE_HOME")
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("skilldeck"))
        .ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, "neither XDG_CACHE_HOME nor HOME is set")
        })
}

/// Extracts files below `cache`, or finds them there as they should be.
pub(super) fn extract(files: &[SideFile], cache: &Path) -> io::Result<PathBuf> {
    for file in files {
        check(file.path)?;
    }
    // A directory of our own: the one that was given may be shared with others.
    let cache = std::path::absolute(cache)?.join("side-files");
    let owner = private_directory(&cache)?;
    let place = cache.join(digest(files));
    let mut fresh = None;
    for _ in 0..MOST_ATTEMPTS {
        if is_intact(&place, files, owner)? {
            return Ok(place);
        }
        let fresh = match &fresh {
            Some(fresh) => fresh,
            None => fresh.insert(Temporary::written(&cache, files)?),
        };
        match fs::rename(&fresh.path, &place) {
            Ok(()) => return Ok(place),
            // What is there is somebody else's who was faster, or it is spoilt.
            Err(error) if is_in_the_way(&error) => {
                if is_intact(&place, files, owner)? {
                    return Ok(place);
                }
                let aside = Temporary::name(&cache);
                // If it is gone already, so much the better.
                let _ = fs::rename(&place, &aside.path);
            }
            Err(error) => return Err(at(&place, &error)),
        }
    }
    Err(io::Error::other(format!("{} is changed by somebody all the time", place.display())))
}

fn is_in_the_way(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::DirectoryNotEmpty
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::NotADirectory
    )
}

/// A path of the static table may only lead into the directory.
fn check(path: &str) -> io::Result<()> {
    let is_name = |part: &str| {
        !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']) && !is_drive(part)
    };
    if path.split('/').all(is_name) {
        return Ok(());
    }
    let message = format!("`{}` is no path of a side file", path.escape_debug());
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

fn is_drive(part: &str) -> bool {
    cfg!(windows) && part.contains(':')
}

/// Makes the directory for everything, which nobody else may write to, or takes the one that is
/// there if it is ours. Gives its owner.
fn private_directory(path: &Path) -> io::Result<u32> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            new_directory(path)?;
            fs::symlink_metadata(path)
        }
        found => found,
    };
    let found = found.map_err(|error| at(path, &error))?;
    if !found.is_dir() {
        let what = if found.is_symlink() { "a link" } else { "no directory" };
        return Err(refused(path, what));
    }
    let ours = our_own(path)?;
    check_owner(path, owner(&found), ours)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        if found.mode() & 0o777 != 0o700 {
            let closed = fs::Permissions::from_mode(0o700);
            fs::set_permissions(path, closed).map_err(|error| at(path, &error))?;
        }
    }
    Ok(ours)
}

/// Makes a directory that nobody else may look into, and those above it.
fn new_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| at(path, &error))
}

/// A directory of somebody else is theirs to change at any time, whatever its mode says; the
/// superuser could write there, and must not trust it either.
fn check_owner(path: &Path, owner: u32, ours: u32) -> io::Result<()> {
    if owner == ours {
        return Ok(());
    }
    Err(refused(path, &format!("of user {owner} and not of user {ours}, who runs this")))
}

/// The user that files of this process belong to: the owner of one that was just made.
fn our_own(directory: &Path) -> io::Result<u32> {
    let probe = Temporary::name(directory);
    let made = OpenOptions::new().write(true).create_new(true).open(&probe.path);
    let made = made.and_then(|file| file.metadata());
    made.map(|made| owner(&made)).map_err(|error| at(directory, &error))
}

#[cfg(unix)]
fn owner(found: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::uid(found)
}

/// Where files have no such owners, all are ours.
#[cfg(not(unix))]
fn owner(_: &Metadata) -> u32 {
    0
}

fn refused(path: &Path, what: &str) -> io::Error {
    let message = format!(
        "`{}` is {what}; remove it, or name another directory for caches (`XDG_CACHE_HOME`)",
        path.display()
    );
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

/// An error with the path it is about.
fn at(path: &Path, error: &io::Error) -> io::Error {
    let advice = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "; make it writable, or name another directory for caches (`XDG_CACHE_HOME`)"
        }
        _ => "",
    };
    io::Error::new(error.kind(), format!("`{}`: {error}{advice}", path.display()))
}

/// The name of the directory: the digest of the paths, contents and mode bits of the files.
fn digest(files: &[SideFile]) -> String {
    let mut sha = Sha256::new();
    for file in files {
        sha.update(file.path.as_bytes());
        sha.update(if file.executable { b"\0x" } else { b"\0-" });
        sha.update(file.sha256.as_bytes());
        sha.update(b"\n");
    }
    hex(&sha.finalize())
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// Whether a directory of this owner holds these files as they were compiled in, and nothing else.
fn is_intact(place: &Path, files: &[SideFile], ours: u32) -> io::Result<bool> {
    let mut expected: HashMap<PathBuf, &SideFile> =
        files.iter().map(|file| (place.join(file.path), file)).collect();
    let mut directories = vec![place.to_path_buf()];
    while let Some(directory) = directories.pop() {
        let listed = match fs::symlink_metadata(&directory).and_then(|found| {
            let is_ours = found.is_dir() && owner(&found) == ours;
            if is_ours { fs::read_dir(&directory) } else { Err(not_found()) }
        }) {
            Ok(listed) => listed,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        for found in listed {
            let path = found?.path();
            match expected.remove(&path) {
                Some(file) if is_as(&path, file, ours)? => {}
                Some(_) => return Ok(false),
                None if is_above(&path, files, place) => directories.push(path),
                None => return Ok(false),
            }
        }
    }
    Ok(expected.is_empty())
}

fn not_found() -> io::Error {
    io::ErrorKind::NotFound.into()
}

/// Whether a file lies somewhere below this path.
fn is_above(path: &Path, files: &[SideFile], place: &Path) -> bool {
    files.iter().any(|file| place.join(file.path).starts_with(path))
}

/// Whether a path is a regular file of this content, mode and owner.
fn is_as(path: &Path, file: &SideFile, ours: u32) -> io::Result<bool> {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    if !found.is_file() || owner(&found) != ours || found.len() != file.bytes.len() as u64 {
        return Ok(false);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if found.mode() & 0o777 != mode(file) {
            return Ok(false);
        }
    }
    match fs::read(path) {
        Ok(bytes) => Ok(hex(&Sha256::digest(&bytes)) == file.sha256),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The mode bits of an extracted file.
#[cfg(unix)]
fn mode(file: &SideFile) -> u32 {
    if file.executable { 0o700 } else { 0o600 }
}

/// A directory of our own that goes when it is not renamed.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// A name that nobody else uses.
    fn name(cache: &Path) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { path: cache.join(format!(".{}-{count}.tmp", std::process::id())) }
    }

    /// A directory that holds these files.
    fn written(cache: &Path, files: &[SideFile]) -> io::Result<Self> {
        let this = Self::name(cache);
        // A process of the same number may have died here.
        match fs::remove_dir_all(&this.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(at(&this.path, &error));
            }
            _ => new_directory(&this.path)?,
        }
        for file in files {
            let path = this.path.join(file.path);
            if let Some(directory) = path.parent() {
                new_directory(directory)?;
            }
            write(&path, file).map_err(|error| at(&path, &error))?;
        }
        Ok(this)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It may have been renamed, which is the good case.
        let _ = fs::remove_dir_all(&self.path).or_else(|_| fs::remove_file(&self.path));
    }
}

fn write(path: &Path, file: &SideFile) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode(file));
    let mut open: File = options.open(path)?;
    open.write_all(file.bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mask of the process may have taken bits that the files need.
        open.set_permissions(fs::Permissions::from_mode(mode(file)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
