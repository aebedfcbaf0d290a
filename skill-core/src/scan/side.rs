//! A skill's directory to the names of the files beside its SKILL.md.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::links::{Target, follow};
use super::listing::{Entry, list};
use super::{SKILL_FILE, is_hidden, is_skill_file};

/// The most side files a skill may have (the limit of the Skills extension of MCP).
pub const MAX_SIDE_FILES: usize = 512;

/// The most bytes they may have together, as far as a copy of them is made (the same).
pub const MAX_SIDE_BYTES: u64 = 16 << 20;

/// The most directories that are looked into for them: links could lead through the same few in
/// ever new ways.
pub const MAX_SIDE_DIRECTORIES: usize = 1024;

/// How deep they may lie below the skill's directory.
pub const MAX_SIDE_DEPTH: usize = 16;

/// Directories that no skill ships.
const SKIPPED: [&str; 2] = ["node_modules", "target"];

/// The files beside a SKILL.md, relative to its directory, sorted by bytes. No file is opened.
///
/// Hidden entries and the directories `node_modules` and `target` are left out, and so is what is
/// no regular file. A symbolic link is followed if it stays inside the directory and does not lead
/// back; another one is left out.
///
/// # Errors
/// When a directory cannot be read, or a limit is passed: [`MAX_SIDE_FILES`],
/// [`MAX_SIDE_DIRECTORIES`], [`MAX_SIDE_DEPTH`]. The message says which, and where.
pub fn side_files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(side_listing(directory)?.files)
}

/// What [`side_files`] finds, and what it passes over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideListing {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Links that lead out of the directory, or nowhere; relative and sorted like the files.
    pub links_out: Vec<PathBuf>,
}

/// The same as [`side_files`], for who wants to say what is left out.
///
/// # Errors
/// As [`side_files`].
pub fn side_listing(directory: &Path) -> io::Result<SideListing> {
    let real = directory.canonicalize().map_err(|error| at(directory, &error))?;
    let mut walk = Walk {
        directory,
        root: real.clone(),
        directories: 0,
        chain: Vec::new(),
        found: SideListing::default(),
    };
    walk.enter(Path::new(""), real)?;
    walk.found.files.sort_by_cached_key(|path| key(path));
    walk.found.links_out.sort_by_cached_key(|path| key(path));
    Ok(walk.found)
}

/// The bytes of a side file, and whether it is executable.
///
/// # Errors
/// When it cannot be read or is no regular file.
pub fn read_side_file(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    Ok((fs::read(path)?, is_executable(&metadata)))
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    // The owner's bit, the only one that version control keeps.
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    false
}

struct Walk<'a> {
    /// As it was given, for messages.
    directory: &'a Path,
    /// The same, canonical.
    root: PathBuf,
    directories: usize,
    /// The canonical directories from the root to the one being looked at.
    chain: Vec<PathBuf>,
    found: SideListing,
}

impl Walk<'_> {
    /// Looks at the directory `real`, which lies at `below` the skill's.
    fn enter(&mut self, below: &Path, real: PathBuf) -> io::Result<()> {
        self.directories += 1;
        if self.directories > MAX_SIDE_DIRECTORIES {
            return Err(self.beyond(&format!("more than {MAX_SIDE_DIRECTORIES} directories")));
        }
        if self.chain.len() > MAX_SIDE_DEPTH {
            return Err(self.beyond(&format!(
                "directories more than {MAX_SIDE_DEPTH} deep (`{}`)",
                below.display()
            )));
        }
        let entries = list(&real).map_err(|error| at(&self.directory.join(below), &error))?;
        let skill = if self.chain.is_empty() { skill_file(&entries) } else { None };
        self.chain.push(real.clone());
        for (index, entry) in entries.iter().enumerate() {
            if is_hidden(&entry.name) || skill == Some(index) {
                continue;
            }
            let path = below.join(&entry.name);
            let here = real.join(&entry.name);
            let (here, kind) = if !entry.kind.is_symlink() {
                (here, entry.kind)
            } else {
                match follow(&here) {
                    Target::There(to, kind) if to.starts_with(&self.root) => (to, kind),
                    _ => {
                        self.found.links_out.push(path);
                        continue;
                    }
                }
            };
            if kind.is_file() {
                if self.found.files.len() == MAX_SIDE_FILES {
                    return Err(self.beyond(&format!("more than {MAX_SIDE_FILES} files")));
                }
                self.found.files.push(path);
            } else if kind.is_dir()
                && !SKIPPED.iter().any(|skipped| entry.name == *skipped)
                && !self.chain.contains(&here)
            {
                self.enter(&path, here)?;
            }
        }
        self.chain.pop();
        Ok(())
    }

    fn beyond(&self, what: &str) -> io::Error {
        let shown = self.directory.display();
        io::Error::other(format!("`{shown}` holds {what} beside SKILL.md, which is the limit"))
    }
}

/// Which entry is the skill's own file, by the rule of discovery.
fn skill_file(entries: &[Entry]) -> Option<usize> {
    let odd = |entry: &Entry| is_skill_file(&entry.name) && !entry.kind.is_dir();
    let exact = entries.iter().position(|entry| entry.name == SKILL_FILE);
    exact.or_else(|| entries.iter().position(odd))
}

/// The bytes that a path is sorted by: the same on every system.
fn key(path: &Path) -> Vec<u8> {
    let parts: Vec<&[u8]> = path.iter().map(|part| part.as_encoded_bytes()).collect();
    parts.join(&b'/')
}

/// An error with the path it is about.
fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot read `{}`: {error}", path.display()))
}
