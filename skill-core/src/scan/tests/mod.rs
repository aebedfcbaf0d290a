//! Real directories to what is found in them, written as lines.

mod discovery;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod links;
#[cfg(target_os = "linux")]
mod names;
mod reading;
mod side;
mod torn;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{Scan, ScanOptions, probe, scan};
#[cfg(unix)]
use crate::diagnostic::Code;
use crate::diagnostic::{Diagnostic, Severity};
use crate::format::Layout;

pub(super) const SKILLS: ScanOptions = ScanOptions { layout: Layout::Skills, trusted: true };
pub(super) const COMMANDS: ScanOptions = ScanOptions { layout: Layout::Commands, trusted: true };
#[cfg(unix)]
pub(super) const UNTRUSTED: ScanOptions = ScanOptions { layout: Layout::Skills, trusted: false };

/// Makes a directory with these entries: `a/b.md` is a file (of that text), `a/` a directory,
/// `a -> b` a symbolic link, `a = text` a file of another text. Parents are made.
pub(super) fn tree(entries: &[&str]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for entry in entries {
        plant(root.path(), entry);
    }
    root
}

pub(super) fn plant(root: &Path, entry: &str) {
    let (path, rest) = match entry.split_once(" -> ") {
        Some((path, target)) => (path, Err(target)),
        None => {
            let (path, text) = entry.split_once(" = ").unwrap_or((entry, entry));
            (path, Ok(text))
        }
    };
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match rest {
        Ok(_) if entry.ends_with('/') => fs::create_dir_all(path).unwrap(),
        Ok(text) => fs::write(path, text).unwrap(),
        #[cfg(unix)]
        Err(target) => std::os::unix::fs::symlink(target, path).unwrap(),
        #[cfg(not(unix))]
        Err(_) => unreachable!("links are tested on unix"),
    }
}

/// A scan as lines: `name path` for a file, `! code name path` for an unreadable entry, `code path`
/// for a diagnostic; paths relative to the root. That `probe` finds the same is checked on the way.
pub(super) fn lines(root: &Path, options: &ScanOptions) -> Vec<String> {
    let scan = scan(root, options);
    let probe = probe(root, options);
    assert_eq!(scan.files, probe.files);
    assert_eq!(scan.unreadable, probe.unreadable);
    assert_eq!(scan.directories, probe.directories);
    let loud = |scan: &Scan| {
        let loud = scan.diagnostics.iter().filter(|d| !d.message.contains("is ignored, "));
        loud.cloned().collect::<Vec<Diagnostic>>()
    };
    assert_eq!(loud(&scan), loud(&probe));
    write(root, &scan)
}

pub(super) fn write(root: &Path, scan: &Scan) -> Vec<String> {
    let relative = |path: &Path| {
        let path = path.strip_prefix(root).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    };
    let mut lines = Vec::new();
    for found in &scan.files {
        assert!(found.real_path.canonicalize().unwrap() == found.real_path, "{found:?}");
        assert_eq!(found.path.canonicalize().unwrap(), found.real_path);
        lines.push(format!("{} {}", found.name, relative(&found.path)));
    }
    for (found, fault) in &scan.unreadable {
        assert_eq!(fault.severity, Severity::Error);
        assert!(fault.path.is_some() && fault.help.is_some());
        let (code, name) = (fault.code.id(), &found.name);
        lines.push(format!("! {code} {name} {}", relative(&found.path)));
    }
    for fault in &scan.diagnostics {
        assert!(fault.help.is_some() && fault.line == 1);
        lines.push(format!("{} {}", fault.code.id(), relative(fault.path.as_ref().unwrap())));
    }
    lines
}

/// The message of the only diagnostic of this kind.
#[cfg(unix)]
pub(super) fn message(root: &Path, options: &ScanOptions, code: Code) -> String {
    let scan = scan(root, options);
    let all = scan.diagnostics.iter().chain(scan.unreadable.iter().map(|(_, fault)| fault));
    let messages: Vec<_> = all.filter(|d| d.code == code).map(|d| d.message.clone()).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.into_iter().next().unwrap()
}
