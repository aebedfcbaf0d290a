//! The files beside a SKILL.md to what is embedded of them: path, digest, executable or not.

use std::path::{Path, PathBuf};

use super::load::not_utf8;
use super::{Directory, Files};
use crate::diagnostic::{Code, Diagnostic};
use crate::digest::sha256;
use crate::glob::is_selected;
use crate::scan;

const HELP: &str = "the files beside a SKILL.md are compiled in with it: make them readable, remove \
                    them, or write `files = none`";

/// A file that is embedded. Its bytes are the compiler's to read.
#[derive(Debug)]
pub(super) struct LoadedFile {
    /// As seen from the skill's directory.
    pub(super) path: String,
    /// As seen from the package.
    pub(super) package_path: String,
    pub(super) sha256: String,
    pub(super) executable: bool,
}

/// Reads the files beside this SKILL.md that are to be embedded.
pub(super) fn load_side_files(
    directory: &Directory,
    skill: &Path,
    selected: &Files,
    findings: &mut Vec<(PathBuf, Diagnostic)>,
) -> Vec<LoadedFile> {
    // Nothing is looked at that is not asked for, so nothing of it can be wrong.
    if selected.globs().is_empty() {
        return Vec::new();
    }
    let home = skill.parent().unwrap_or(Path::new(""));
    let paths = match scan::side_files(home) {
        Ok(paths) => paths,
        Err(error) => {
            // The message has the path and the reason, or which limit is passed.
            let diagnostic = Diagnostic::new(Code::UnreadableDirectory, error.to_string());
            findings.push((home.to_path_buf(), diagnostic.help(HELP)));
            return Vec::new();
        }
    };
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let full = home.join(&path);
        let names = directory.in_package(&full).zip(directory.in_package(home));
        let Some((package_path, home_path)) = names else {
            findings.push((skill.to_path_buf(), not_utf8(&path)));
            continue;
        };
        let path = package_path[home_path.len()..].trim_start_matches('/');
        if !is_selected(selected.globs(), path) {
            continue;
        }
        match scan::read_side_file(&full) {
            Ok((bytes, executable)) => files.push(LoadedFile {
                path: path.to_owned(),
                package_path,
                sha256: sha256(&bytes),
                executable,
            }),
            Err(error) => {
                let message = format!("the file cannot be read: {error}");
                let fault = Diagnostic::new(Code::Unreadable, message).help(HELP);
                findings.push((full, fault));
            }
        }
    }
    files
}
