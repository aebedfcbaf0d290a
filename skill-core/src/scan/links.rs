//! A symbolic link to what it leads to, and the mark of the `link` command to what it says.

use std::collections::HashSet;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

use super::open::read;

/// How many links a chain may have; the system's own limit is 40.
const MAX_CHAIN: usize = 64;

/// What a link leads to.
pub(super) enum Target {
    /// A canonical path, and what is there.
    There(PathBuf, FileType),
    /// Nothing: the link itself was removed since it was listed.
    Gone,
    /// Nothing; the path that the link holds.
    Nowhere(PathBuf),
    /// Itself, perhaps through others; the smallest of the links that form the circle.
    Itself(PathBuf),
    /// Something that cannot be looked at.
    Unknown(io::Error),
}

/// Follows a link to its end.
pub(super) fn follow(link: &Path) -> Target {
    let error = match link.canonicalize().and_then(|real| Ok((real.metadata()?.file_type(), real)))
    {
        Ok((kind, real)) => return Target::There(real, kind),
        Err(error) => error,
    };
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => match link.read_link() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Target::Gone,
            target => Target::Nowhere(target.unwrap_or_default()),
        },
        io::ErrorKind::PermissionDenied => Target::Unknown(error),
        // The error for too many links has no name in the standard library yet.
        _ => match circle(link) {
            Some(first) => Target::Itself(first),
            None => Target::Unknown(error),
        },
    }
}

/// The smallest of the links that lead to each other, if following `link` ends in a circle.
fn circle(link: &Path) -> Option<PathBuf> {
    let mut chain: Vec<PathBuf> = Vec::new();
    let mut next = link.to_path_buf();
    while chain.len() < MAX_CHAIN {
        // A link below itself (`a -> a/b`) has no directory that could be resolved.
        let Ok(parent) = next.parent()?.canonicalize() else { return Some(link.to_path_buf()) };
        let here = parent.join(next.file_name()?);
        if let Some(first) = chain.iter().position(|seen| *seen == here) {
            return chain.split_off(first).into_iter().min();
        }
        next = here.parent()?.join(here.read_link().ok()?);
        chain.push(here);
    }
    None
}

/// The names that a mark lists; none if the mark says that the directory itself was made.
pub(super) fn marked(mark: &Path) -> HashSet<Vec<u8>> {
    let bytes = read(mark).unwrap_or_default();
    bytes
        .split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}
