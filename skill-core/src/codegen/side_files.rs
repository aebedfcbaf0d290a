//! The files beside a SKILL.md to what is embedded of them: path, digest, executable or not.

use std::fs;
use std::io;
use std::path::Path;

use super::Directory;
use super::faults::Collector;
use super::load::{hex, not_utf8};
use crate::diagnostic::{Code, Diagnostic};
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

/// Reads the files beside this SKILL.md.
pub(super) fn load_side_files(
    directory: &Directory,
    skill: &Path,
    faults: &mut Collector<'_>,
) -> Vec<LoadedFile> {
    let home = skill.parent().unwrap_or(Path::new(""));
    let paths = match scan::side_files(home) {
        Ok(paths) => paths,
        Err(error) => {
            // The message has the path and the reason, or which limit is passed.
            let diagnostic = Diagnostic::new(Code::UnreadableDirectory, error.to_string());
            faults.add(home, diagnostic.help(HELP));
            return Vec::new();
        }
    };
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let full = home.join(&path);
        let names = directory.in_package(&full).zip(directory.in_package(home));
        let Some((package_path, home_path)) = names else {
            faults.add(skill, not_utf8(&path));
            continue;
        };
        match read(&full) {
            Ok((bytes, executable)) => files.push(LoadedFile {
                path: package_path[home_path.len()..].trim_start_matches('/').to_owned(),
                package_path,
                sha256: hex(&bytes),
                executable,
            }),
            Err(error) => {
                let message = format!("the file cannot be read: {error}");
                faults.add(&full, Diagnostic::new(Code::Unreadable, message).help(HELP));
            }
        }
    }
    files
}

fn read(path: &Path) -> io::Result<(Vec<u8>, bool)> {
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
