//! Files to files with everything mended that is mechanical, or to the diff of it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process;

use similar::TextDiff;
use skilldeck::diagnostic::one_line;
use skilldeck::scan;

use super::names::Deck;
use crate::cli::file::Target;
use crate::cli::lock::Lock;
use crate::cli::output::{BOLD, CYAN, Exit, Failure, GREEN, Output, RED, shown};

/// Mends the files, or says with `dry_run` what it would change: then the answer is no if there is
/// something to change.
pub(super) fn fix(targets: &[Target], dry_run: bool, output: &Output) -> Result<Exit, Failure> {
    let (mut files, mut faults, mut refused) = (0, 0, 0);
    // One at a time: who held two could wait for somebody who waits for the other one.
    let mut locked: Option<(&Path, Lock)> = None;
    let mut deck = Deck::read(targets);
    for target in targets {
        // What cannot be read is a finding of the check.
        let Ok(bytes) = scan::read(&target.path) else { continue };
        let Some(fixed) = deck.mend(target, &bytes, output) else { continue };
        if dry_run {
            output.result_or_nothing(&diff(&target.path, &bytes, &fixed.bytes, output))?;
        } else {
            if locked.as_ref().is_none_or(|(root, _)| *root != target.root) {
                drop(locked.take());
                locked = Some((&target.root, Lock::take(&target.root, "check --fix", output)?));
            }
            if let Err(error) = write(&target.path, &bytes, &fixed.bytes) {
                // The others are mended all the same.
                output.warn(format_args!("{} is not mended: {error}", target.path.display()));
                refused += 1;
                continue;
            }
        }
        files += 1;
        faults += fixed.mended.len();
    }
    let verb = if dry_run { "would mend" } else { "mended" };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    output.note(format_args!(
        "{GREEN}{verb}{GREEN:#} {faults} fault{} in {files} file{}",
        plural(faults),
        plural(files)
    ));
    Ok(if refused > 0 || (dry_run && files > 0) { Exit::No } else { Exit::Done })
}

/// Replaces a file as a whole or not at all: a link is followed, mode and owner are kept, and what
/// somebody else wrote in the meantime is not lost.
fn write(path: &Path, before: &[u8], bytes: &[u8]) -> io::Result<()> {
    let path = path.canonicalize()?;
    let metadata = path.metadata()?;
    let permissions = metadata.permissions();
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&metadata) > 1 {
        return Err(io::Error::other("it has several hard links, which mending would part"));
    }
    if permissions.readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}", process::id()));
    let temporary = path.with_file_name(name);
    let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    let unchanged = || match fs::read(&path)? == before {
        true => Ok(()),
        false => Err(io::Error::other("it changed while it was mended")),
    };
    let written = keep_owner(&file, &metadata)
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| file.sync_all())
        .and_then(|()| unchanged())
        .and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // The reason is in the first error.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Only root makes files of somebody else.
#[cfg(unix)]
fn keep_owner(file: &fs::File, like: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) == (like.uid(), like.gid()) {
        return Ok(());
    }
    fchown(file, Some(like.uid()), Some(like.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_file: &fs::File, _like: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// A unified diff that `patch -p0` applies.
fn diff(path: &Path, before: &[u8], after: &[u8], output: &Output) -> String {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let name = one_line(&path.to_string_lossy()).into_owned();
    let plain =
        TextDiff::from_lines(&*before, &*after).unified_diff().header(&name, &name).to_string();
    let mut text = String::with_capacity(plain.len() * 2);
    for (number, line) in plain.split_inclusive('\n').enumerate() {
        let content = line.trim_end_matches('\n');
        let end = &line[content.len()..];
        let style = match content.as_bytes().first() {
            _ if number < 2 => BOLD,
            Some(b'@') => CYAN,
            Some(b'+') => GREEN,
            Some(b'-') => RED,
            _ => anstyle::Style::new(),
        };
        if output.width().is_some() {
            // A terminal would obey what a file says.
            let shown = shown(content);
            text.push_str(&format!("{style}{shown}{style:#}{end}"));
        } else {
            text.push_str(&format!("{style}{content}{style:#}{end}"));
        }
    }
    text
}
