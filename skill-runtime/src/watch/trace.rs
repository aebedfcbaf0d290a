//! A path to the directory entries that it depends on, through every link.

use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// How many links a way may have; the system's own limit is 40.
const MAX_LINKS: usize = 40;

/// The way to a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trace {
    /// Every entry that was passed, with its directory, whose path is canonical. The last one may
    /// be missing.
    pub(super) steps: Vec<(PathBuf, OsString)>,
    /// The last directory on the way, canonical: the path itself, if it is one.
    pub(super) end: PathBuf,
    /// Whether an entry is missing.
    pub(super) missing: bool,
}

/// Follows an absolute path, one entry at a time, as far as it goes. If any of the entries is made,
/// removed, renamed or replaced, the path leads elsewhere.
pub(super) fn trace(path: &Path) -> Trace {
    let mut trace = Trace { steps: Vec::new(), end: PathBuf::new(), missing: false };
    // What is still to be walked, the next part last.
    let mut ahead = Vec::new();
    push(&mut ahead, path);
    let mut links = 0;
    while let Some(part) = ahead.pop() {
        let name = match part {
            Part::Top(top) => {
                trace.end.push(top);
                continue;
            }
            Part::Up => {
                trace.end.pop();
                continue;
            }
            Part::Entry(name) => name,
        };
        let next = trace.end.join(&name);
        trace.steps.push((trace.end.clone(), name));
        let Ok(metadata) = fs::symlink_metadata(&next) else {
            trace.missing = true;
            break;
        };
        if metadata.is_symlink() {
            links += 1;
            let Ok(target) = fs::read_link(&next) else { break };
            if links > MAX_LINKS {
                break;
            }
            push(&mut ahead, &target);
        } else if metadata.is_dir() {
            trace.end = next;
        } else {
            // A file: whatever was to lie below it is missing.
            trace.missing = !ahead.is_empty();
            break;
        }
    }
    trace
}

enum Part {
    /// The top of a file system.
    Top(OsString),
    /// The directory above.
    Up,
    Entry(OsString),
}

/// Puts the parts of a path on top of those ahead.
fn push(ahead: &mut Vec<Part>, path: &Path) {
    ahead.extend(path.components().rev().filter_map(|component| match component {
        Component::Prefix(_) | Component::RootDir => {
            Some(Part::Top(component.as_os_str().to_os_string()))
        }
        Component::CurDir => None,
        Component::ParentDir => Some(Part::Up),
        Component::Normal(name) => Some(Part::Entry(name.to_os_string())),
    }));
}

#[cfg(test)]
mod tests;
