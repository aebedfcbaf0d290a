//! What is to be checked, to findings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use skilldeck::scan::{self, ScanOptions};
use skilldeck::{NoHost, Snapshot, Source, SourceInfo, Tier};

use super::Findings;
use crate::cli::args::{CheckArgs, Global, LayoutArg};
use crate::cli::deck::{self, Reading};
use crate::cli::file::{self, Target};
use crate::cli::output::{Failure, Output};

/// Checks every path, or the whole deck if there is none.
pub(super) fn find(global: &Global, args: &CheckArgs) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    if args.paths.is_empty() {
        let registry = deck::load(global, Reading::default(), NoHost)?;
        let snapshot = registry.snapshot();
        findings.diagnostics.extend(snapshot.diagnostics().iter().cloned());
        findings.files = snapshot.sources().iter().map(|status| status.skills).sum();
    }
    for path in &args.paths {
        if is_root(path)? {
            directory(global, args, path, &mut findings)?;
        } else {
            one_file(path, args.layout, &mut findings)?;
        }
    }
    Ok(findings)
}

/// The files that are checked, as far as they are files: what a path names, or what the
/// directories of the deck hold.
pub(super) fn files(global: &Global, args: &CheckArgs) -> Result<Vec<Target>, Failure> {
    Ok(named(global, args)?.into_iter().map(|(_, target)| target).collect())
}

/// The files that may be changed: those below what was named, or below the project's directories.
/// A link that leads out of there is left alone.
pub(super) fn mendable(
    global: &Global,
    args: &CheckArgs,
    output: &Output,
) -> Result<Vec<Target>, Failure> {
    let mut seen = BTreeSet::new();
    let mut targets = Vec::new();
    for (place, target) in named(global, args)? {
        if place.tier != Tier::PROJECT {
            continue;
        }
        // What cannot be resolved cannot be read, and the check says so.
        let Ok(real) = target.path.canonicalize() else { continue };
        let Ok(root) = place.path.canonicalize() else { continue };
        if !real.starts_with(root) {
            output.warn(format_args!(
                "{} leads out of {} and is left alone",
                target.path.display(),
                place.path.display()
            ));
        } else if seen.insert(real) {
            targets.push(target);
        }
    }
    Ok(targets)
}

/// What a file was found through.
struct Place {
    path: PathBuf,
    tier: Tier,
}

fn named(global: &Global, args: &CheckArgs) -> Result<Vec<(Place, Target)>, Failure> {
    let mut found = Vec::new();
    let mut add = |path: &Path, info: &SourceInfo| {
        let options = ScanOptions { layout: info.layout, trusted: info.trusted };
        found.extend(scan::scan(path, &options).files.into_iter().map(|file| {
            let target = Target {
                path: file.path,
                root: path.to_path_buf(),
                name: file.name,
                layout: info.layout,
                dialect: info.dialect,
                positional: info.positional,
            };
            (Place { path: path.to_path_buf(), tier: info.tier.clone() }, target)
        }));
    };
    if args.paths.is_empty() {
        let registry = deck::load(global, Reading::default(), NoHost)?;
        for status in registry.snapshot().sources() {
            if let (Some(root), true) = (&status.root, status.present) {
                add(root, &status.info);
            }
        }
    }
    let mut single = Vec::new();
    for path in &args.paths {
        if is_root(path)? {
            add(path, &root_info(path, args));
        } else {
            let place = Place { path: path.clone(), tier: Tier::PROJECT };
            single.push((place, file::target(path, args.layout.map(Into::into))?));
        }
    }
    found.extend(single);
    Ok(found)
}

/// Whether a path is a directory of skills and no skill itself.
fn is_root(path: &Path) -> Result<bool, Failure> {
    let meta =
        path.metadata().map_err(|error| Failure::No(format!("{}: {error}", path.display())))?;
    Ok(meta.is_dir() && file::skill_file(path)?.is_none())
}

/// A skill's directory or a file: by itself, so its dependencies are not looked up.
fn one_file(
    path: &Path,
    layout: Option<LayoutArg>,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let read = file::read(path, layout.map(Into::into))?;
    findings.files += 1;
    findings.diagnostics.extend(read.diagnostics);
    Ok(())
}

/// A root, laid over the deck that the other arguments describe: a dependency may stand there. What
/// is said of other sources is left out.
fn directory(
    global: &Global,
    args: &CheckArgs,
    root: &Path,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let source = Source::directory(root, root_info(root, args));
    let registry = deck::load_over(global, source)?;
    let snapshot = registry.snapshot();
    let below = |path: &Path| path.starts_with(root);
    findings.diagnostics.extend(
        snapshot
            .diagnostics()
            .iter()
            .filter(|finding| finding.path.as_deref().is_some_and(below))
            .cloned(),
    );
    findings.files += skills_of(&snapshot, root);
    Ok(())
}

/// How a directory that was named is read.
pub(super) fn root_info(root: &Path, args: &CheckArgs) -> SourceInfo {
    let mut info = SourceInfo::new(root.display().to_string(), Tier::PROJECT);
    info.trusted = true;
    info.layout = args.layout.map_or_else(|| file::layout_of(root), Into::into);
    info.positional = file::positional(info.layout);
    info
}

fn skills_of(snapshot: &Snapshot, root: &Path) -> usize {
    snapshot
        .sources()
        .iter()
        .find(|status| status.root.as_deref() == Some(root))
        .map_or(0, |status| status.skills)
}
