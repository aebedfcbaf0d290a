//! A version of a skill and the one before it to the one that is in force.
//!
//! A version with an error, or with nothing in it, never replaces one without: the last good version stays, with the
//! restrictions of both. What has this file's path follows on it, whatever its name.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use skilldeck_core::diagnostic::{Code, Diagnostic};
use skilldeck_core::format;
use skilldeck_core::scan::{Found, Scan};

use super::item::{Loaded, Stale};

/// What was read, the last version without an error if this one has one, or the version before if
/// nothing that matters is different: a file that was only touched is no change.
pub(super) fn succeed(loaded: Loaded, before: Option<Arc<Loaded>>) -> Arc<Loaded> {
    let last = before.as_ref().and_then(last).cloned();
    let loaded = match (&before, &last) {
        // A text with an error gives way to another one, but not to no text at all.
        (Some(before), Some(last))
            if loaded.unreadable.is_some() || !is_whole(&loaded) && is_whole(last) =>
        {
            stale(&loaded, before, last)
        }
        _ => loaded,
    };
    let same = before.into_iter().chain(last).find(|earlier| **earlier == loaded);
    same.unwrap_or_else(|| Arc::new(loaded))
}

/// Whether a text may take the place of another: it has no error, and there is something in it. A
/// file of nothing is what a save looks like between its two steps, and of no use as a skill.
fn is_whole(loaded: &Loaded) -> bool {
    loaded.is_good() && !is_blank(loaded)
}

fn is_blank(loaded: &Loaded) -> bool {
    let bare = |it: &Diagnostic| it.code == Code::NoFrontMatter;
    loaded.skill.body().trim().is_empty() && loaded.diagnostics.iter().any(bare)
}

/// The version in force as it was written, if there is one: the last good one, or one with an error
/// that nothing good was before.
fn last(before: &Arc<Loaded>) -> Option<&Arc<Loaded>> {
    match &before.stale {
        Some(stale) => Some(&stale.last),
        None => before.unreadable.is_none().then_some(before),
    }
}

/// The last version in the place of a broken one.
fn stale(broken: &Loaded, before: &Loaded, last: &Arc<Loaded>) -> Loaded {
    let skill = match broken.unreadable {
        // Nobody knows what such a file restricts: what the one before it did stays.
        Some(_) => before.skill.clone(),
        None => format::narrowed(&last.skill, &broken.skill),
    };
    let error = broken.error();
    let what = match error {
        Some(error) => error.message.as_str(),
        None if is_blank(broken) => "there is nothing in the file",
        None => "its file has an error",
    };
    let reason = match error {
        // Where there is a text there is a line.
        Some(error) if broken.digest.is_some() => format!("line {}: {what}", error.line),
        _ => what.to_owned(),
    };
    let mut diagnostics = broken.diagnostics.clone();
    diagnostics.push(kept(broken, last, error, &reason));
    Loaded {
        skill,
        path: broken.path.clone(),
        real_path: broken.real_path.clone(),
        diagnostics,
        unreadable: None,
        digest: broken.digest,
        stale: Some(Stale { last: Arc::clone(last), reason }),
    }
}

/// Says that the last version is in force, once for each text that is not.
fn kept(broken: &Loaded, last: &Loaded, error: Option<&Diagnostic>, reason: &str) -> Diagnostic {
    let version = if last.is_good() { "good version" } else { "version that could be read" };
    let text = match broken.digest {
        Some(digest) => format!("the text (sha256 {digest:08x}…)"),
        None => "the file as it is now".to_owned(),
    };
    let message = format!("the last {version} stays in force instead of {text}: {reason}");
    let help = "mend the file, or delete it to take what is in force away";
    let mut kept = Diagnostic::new(Code::LastGoodKept, message).help(help);
    kept.path.clone_from(&broken.path);
    if let Some(error) = error {
        (kept.span, kept.line, kept.column) = (error.span.clone(), error.line, error.column);
    }
    kept
}

/// A directory that cannot be looked into.
struct Shut {
    why: Diagnostic,
    /// The skill that it would be, if it is not the root.
    stands_for: Option<Found>,
    /// Whether there were skills below it.
    held: bool,
}

/// Keeps what was below directories that cannot be looked into any more: each file is taken for
/// one that cannot be read. A directory that held skills does not stand for one itself.
pub(super) fn keep_unreached<'a>(scan: &mut Scan, before: impl Iterator<Item = &'a Loaded>) {
    let of_root = scan.diagnostics.iter().filter(|why| why.code == Code::UnreadableDirectory);
    let mut all: Vec<Shut> =
        of_root.map(|why| Shut { why: why.clone(), stands_for: None, held: false }).collect();
    for (found, why) in scan.unreadable.extract_if(.., |(found, why)| is_shut(found, why)) {
        all.push(Shut { why, stands_for: Some(found), held: false });
    }
    if all.is_empty() {
        return;
    }
    let unreadable = scan.unreadable.iter().map(|(found, _)| found);
    let standing = all.iter().filter_map(|shut| shut.stands_for.as_ref());
    let there: HashSet<PathBuf> = (scan.files.iter().chain(unreadable).chain(standing))
        .flat_map(|found| [found.path.clone(), found.real_path.clone()])
        .collect();
    for loaded in before {
        let Some(path) = &loaded.path else { continue };
        let real_path = loaded.real_path.as_ref().unwrap_or(path);
        let covers =
            |shut: &&mut Shut| shut.why.path.as_ref().is_some_and(|it| path.starts_with(it));
        let Some(shut) = all.iter_mut().find(covers) else { continue };
        if there.contains(path) || there.contains(real_path) {
            continue;
        }
        shut.held = true;
        let name = loaded.skill.directory_word().to_owned();
        let found = Found { path: path.clone(), real_path: real_path.clone(), name };
        let mut why = Diagnostic::new(Code::Unreadable, &*shut.why.message).in_file(path);
        why.help.clone_from(&shut.why.help);
        scan.unreadable.push((found, why));
    }
    for Shut { why, stands_for, held } in all {
        match stands_for {
            Some(_) if held => scan.diagnostics.push(why),
            Some(found) => scan.unreadable.push((found, why)),
            None => {}
        }
    }
}

/// Whether an entry stands for a directory, or for a link to one, that cannot be looked into.
fn is_shut(found: &Found, why: &Diagnostic) -> bool {
    why.code == Code::UnreadableDirectory
        || why.code == Code::Unreadable && why.path.as_ref() != Some(&found.path)
}

#[cfg(test)]
mod tests;
