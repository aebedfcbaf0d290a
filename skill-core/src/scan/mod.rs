//! Discovery: a directory to the files that hold skills. The only code of the core that reads disk.
//!
//! [`scan`] finds the files below a root, [`read`] reads one of them, [`side_files`] lists what
//! lies beside one. Finding opens no file: what a file holds, and whether it may be read, is found
//! out by [`read`].

mod faults;
mod links;
mod listing;
mod open;
mod side;
mod walk;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::format::Layout;

pub use open::{CALM, Content, is_gone, read, read_if_present, read_when_calm};
pub use side::{
    MAX_SIDE_BYTES, MAX_SIDE_DEPTH, MAX_SIDE_DIRECTORIES, MAX_SIDE_FILES, SideListing,
    read_side_file, side_files, side_listing,
};

/// How deep discovery descends below a root: `<root>/1/2/3/4/5/6/SKILL.md` is found.
pub const MAX_DEPTH: usize = 6;

/// The file that makes a directory a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// The mark of the `link` command: what carries it is skipped, so that a linked deck does not feed
/// back into itself.
///
/// - An *empty* file of this name in a directory says that `link` made the directory: it is not
///   looked into. (A root is looked into all the same.)
/// - A file of this name with lines in it stands in the directory that `link` fills, and each line
///   is the name of an entry that `link` made there. A listed entry is skipped if it is a symbolic
///   link; a listed directory is skipped by the mark inside it, so one that a person put in its
///   place is found.
///
/// Only a regular file is a mark; one that cannot be read counts as empty.
pub const LINK_MARK: &str = ".skilldeck-link";

/// Directories that hold other people's files.
const SKIPPED: [&str; 3] = ["node_modules", "vendor", "target"];

/// How to look at a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanOptions {
    /// What to look for.
    pub layout: Layout,
    /// Whether symbolic links may lead out of the root.
    pub trusted: bool,
}

/// A file that holds a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file, below the root as it was given (not canonical).
    pub path: PathBuf,
    /// The canonical file: what two ways to one file have in common. An untrusted file is best read
    /// by this path, which leads through no link.
    pub real_path: PathBuf,
    /// The default name: the directory's, or the path's (`git:cm`) in a commands layout. What is
    /// not UTF-8 in it is replaced by U+FFFD. A part of a command's path without a letter or digit
    /// is written as the hexadecimal numbers of its bytes (`!.md` is `x21`), as nobody could type
    /// it, and all of that kind would be one.
    pub name: String,
}

/// What a root holds.
#[derive(Debug, Default)]
pub struct Scan {
    /// The files, sorted by the bytes of their path relative to the root.
    pub files: Vec<Found>,
    /// Entries that are there and cannot be used as a skill, each with its default name and an
    /// error (`not-regular`, `unreadable` or `unreadable-directory`), sorted like the files; they
    /// stay visible as unreadable entries. A directory that cannot be read stands for the skill it
    /// may be: `path` is the SKILL.md it would hold. Where no canonical path can be had,
    /// `real_path` is that of the entry itself.
    pub unreadable: Vec<(Found, Diagnostic)>,
    /// Everything else there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// Every directory that was entered, or would be if it could be read, for a watcher: the
    /// skills' own among them.
    pub directories: Vec<Entered>,
    /// Whether all of this follows from the canonical root and the listings of `directories`: no
    /// link was followed, no mark was read, and every directory could be listed. Then nothing of it
    /// is different as long as none of them is.
    pub plain: bool,
}

/// A directory that discovery looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// Below the root as it was given.
    pub path: PathBuf,
    /// The canonical directory; the path itself where none can be had.
    pub real_path: PathBuf,
}

/// Looks for skills below `root`.
///
/// In the skills layout a directory that holds a SKILL.md is a skill and is not looked into
/// further; directories without one are descended into, [`MAX_DEPTH`] deep. A root that itself
/// holds a SKILL.md is that one skill, named by the root's directory. In the commands layout every
/// `*.md` to the same depth is a command. Hidden entries and the directories `node_modules`,
/// `vendor` and `target` are skipped.
///
/// The result depends on the tree only, not on the order in which the system lists it. A file that
/// is reached twice, through links, is found once, under the smaller path.
///
/// A root that does not exist is an empty scan with a [`Code::MissingRoot`] warning; one that
/// cannot be read is an error of the source: [`Code::UnreadableDirectory`] or
/// [`Code::RootNotADirectory`] among the diagnostics.
///
/// In an untrusted source a link that leads out of the (canonical) root is a
/// [`Code::LinkOutside`] warning and is not followed.
///
/// ```
/// use skilldeck_core::{format::Layout, scan};
///
/// let root = tempfile::tempdir()?;
/// std::fs::create_dir(root.path().join("commit"))?;
/// std::fs::write(root.path().join("commit/SKILL.md"), "---\nname: commit\n---\n")?;
///
/// let options = scan::ScanOptions { layout: Layout::Skills, trusted: true };
/// let found = scan::scan(root.path(), &options);
/// assert_eq!(found.files[0].name, "commit");
/// assert!(scan::read(&found.files[0].path).is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// [`Code::MissingRoot`]: crate::diagnostic::Code::MissingRoot
/// [`Code::UnreadableDirectory`]: crate::diagnostic::Code::UnreadableDirectory
/// [`Code::RootNotADirectory`]: crate::diagnostic::Code::RootNotADirectory
/// [`Code::LinkOutside`]: crate::diagnostic::Code::LinkOutside
#[must_use]
pub fn scan(root: &Path, options: &ScanOptions) -> Scan {
    start(root, options, false)
}

/// Finds the same files as [`scan`], faster: it asks for `SKILL.md` by name and lists only the
/// directories that have none.
///
/// What it does not see is a second file in another case beside a SKILL.md, and, on a file system
/// that ignores case, the odd case of the one file: no
/// [`Code::OddCase`](crate::diagnostic::Code::OddCase) warning for these.
#[must_use]
pub fn probe(root: &Path, options: &ScanOptions) -> Scan {
    start(root, options, true)
}

/// Looks at the root itself, then walks it.
fn start(root: &Path, options: &ScanOptions, probe: bool) -> Scan {
    let real = root.metadata().and_then(|metadata| {
        if metadata.is_dir() {
            root.canonicalize()
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    });
    match real {
        Ok(real) => walk::walk(root, real, options, probe),
        Err(error) => {
            let mut scan = Scan::default();
            if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
                let real_path = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
                scan.directories.push(Entered { path: root.to_path_buf(), real_path });
            }
            scan.diagnostics.push(faults::root(root, &error));
            scan
        }
    }
}

/// Whether discovery passes over a directory, or a link to one, of this name.
#[must_use]
pub fn is_skipped(name: &OsStr) -> bool {
    is_hidden(name) || SKIPPED.iter().any(|skipped| name == *skipped)
}

/// Whether a file of this name can mean anything to discovery: a skill (in whatever case), a command
/// or a mark.
#[must_use]
pub fn is_taken(name: &OsStr, layout: Layout) -> bool {
    let is_skill = match layout {
        Layout::Skills => is_skill_file(name),
        Layout::Commands => is_command(name),
    };
    is_skill || name == LINK_MARK
}

/// Whether a name is that of a command. Hidden files are left out: they are what editors and
/// archivers leave behind.
fn is_command(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(b".md") && !is_hidden(name)
}

/// Whether a name starts with a dot.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether a name is SKILL.md in whatever case.
fn is_skill_file(name: &OsStr) -> bool {
    name.as_encoded_bytes().eq_ignore_ascii_case(SKILL_FILE.as_bytes())
}
