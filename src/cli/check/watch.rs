//! Changes of what is checked to findings, again and again until it is interrupted.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use skilldeck::diagnostic::{Code, Diagnostic, one_line};
use skilldeck::{Source, Subscription, scan};

use super::{Findings, form, target};
use crate::cli::args::{CheckArgs, CheckFormat, Global};
use crate::cli::attention::Told;
use crate::cli::deck;
use crate::cli::ending::{Ending, Next};
use crate::cli::output::{DIM, Exit, Failure, Output};

/// How often files that were named one by one are read: to watch them would be to watch all that
/// lies in their directories.
const POLL: Duration = Duration::from_millis(250);
/// How long such a file must have stayed as it is.
const QUIET: Duration = Duration::from_millis(50);
/// How often files that are written again and again are waited for.
const MAX_TRIES: usize = 4;
/// How many files a line names.
const MAX_NAMES: usize = 3;

/// The files that were checked, each with what tells its content from another.
type Files = BTreeMap<PathBuf, Option<u64>>;

/// What was found at a path, or why nothing can be.
type Looked<T> = Result<T, (PathBuf, String)>;

/// One check.
#[derive(PartialEq, Eq)]
struct Round {
    files: Files,
    findings: Findings,
}

/// Prints what is wrong, and again whenever that, or a file that is checked, is different.
pub(super) fn watch(global: &Global, args: &CheckArgs, output: &Output) -> Result<Exit, Failure> {
    let form = form(global, args);
    if !matches!(form, CheckFormat::Human | CheckFormat::Json) {
        let why = "a log for other programs ends with the check; with --watch, --format is `human` \
                   or `json`";
        return Err(Failure::Usage(why.to_owned()));
    }
    let ending = Ending::listen()?;
    // It tells when to look. What is said then is what a check from the start says.
    let sources = args.paths.iter().map(|it| Source::directory(it, target::root_info(it, args)));
    let registry = deck::watch(global, sources)?;
    let mut subscription = registry.subscribe();
    // The first change is what there is to begin with, and that is checked in any case.
    let _ = subscription.try_recv();
    let mut told = Told::default();
    let mut last: Option<Round> = None;
    loop {
        let singles = singles(args);
        let round = Round::of(global, args)?;
        if last.as_ref() != Some(&round) {
            match (form, &last) {
                (CheckFormat::Json, _) => output.verbatim(&round.findings.json().to_string())?,
                (_, None) => round.findings.print_pages(output)?,
                (_, Some(last)) => {
                    output.result(&headline(&last.files, &round.files))?;
                    round.findings.print_pages(output)?;
                }
            }
            output.note(round.findings.summary());
        }
        told.tell(&registry, output);
        if last.is_none() {
            output.note(format_args!("{DIM}waiting for changes; Ctrl-C ends it{DIM:#}"));
        }
        last = Some(round);
        if !wait(&ending, &mut subscription, args, &singles) {
            return Ok(Exit::Done);
        }
    }
}

/// Waits until something may be different; false if it is to end.
fn wait(
    ending: &Ending,
    subscription: &mut Subscription,
    args: &CheckArgs,
    known: &[(PathBuf, Option<u64>)],
) -> bool {
    let mut moving = None;
    loop {
        let pause = if moving.is_some() { QUIET } else { POLL };
        let until = (!known.is_empty()).then(|| Instant::now() + pause);
        match ending.next(subscription, until) {
            Next::Change(_) => return true,
            Next::End => return false,
            Next::Time => {}
        }
        let now = singles(args);
        if now == known {
            moving = None;
        } else if moving.as_ref() == Some(&now) {
            return true;
        } else {
            moving = Some(now);
        }
    }
}

/// The paths that are no directories now, with what they hold.
fn singles(args: &CheckArgs) -> Vec<(PathBuf, Option<u64>)> {
    let singles = args.paths.iter().filter(|path| !path.is_dir());
    singles.map(|path| (path.clone(), content(path))).collect()
}

/// What tells one content of a file from another, if it can be read.
fn content(path: &Path) -> Option<u64> {
    let bytes = scan::read(path).ok()?;
    Some(BuildHasherDefault::<DefaultHasher>::default().hash_one(bytes))
}

impl Round {
    /// Checks everything. If files are written meanwhile, it checks again: otherwise what they held
    /// would be told now, and once more when they are known to be different.
    fn of(global: &Global, args: &CheckArgs) -> Result<Self, Failure> {
        let mut files = files(global, args)?;
        for _ in 1..MAX_TRIES {
            let findings = find(global, args)?;
            let now = self::files(global, args)?;
            if now == files {
                return Ok(Self { files, findings });
            }
            files = now;
        }
        Ok(Self { findings: find(global, args)?, files })
    }
}

/// Every path of the arguments by itself, or the whole deck if there is none. One that cannot be
/// looked at, because it is not there for instance, is given with the reason: it may be there next
/// time.
fn each<T>(
    args: &CheckArgs,
    look: impl Fn(&CheckArgs) -> Result<T, Failure>,
) -> Result<Vec<Looked<T>>, Failure> {
    if args.paths.is_empty() {
        return Ok(vec![Ok(look(args)?)]);
    }
    let alone = |path: &PathBuf| CheckArgs { paths: vec![path.clone()], ..args.clone() };
    let looked = args.paths.iter().map(|path| match look(&alone(path)) {
        Ok(found) => Ok(Ok(found)),
        Err(Failure::No(why)) => Ok(Err((path.clone(), why))),
        Err(failure) => Err(failure),
    });
    looked.collect()
}

fn files(global: &Global, args: &CheckArgs) -> Result<Files, Failure> {
    let mut files = Files::new();
    for found in each(args, |args| target::files(global, args))? {
        match found {
            Ok(targets) => {
                files.extend(targets.into_iter().map(|it| (it.path.clone(), content(&it.path))));
            }
            Err((path, _)) => drop(files.insert(path, None)),
        }
    }
    Ok(files)
}

fn find(global: &Global, args: &CheckArgs) -> Result<Findings, Failure> {
    let mut all = Findings::default();
    for found in each(args, |args| Findings::of(global, args))? {
        match found {
            Ok(Findings { diagnostics, files }) => {
                all.diagnostics.extend(diagnostics);
                all.files += files;
            }
            Err((path, why)) => {
                all.diagnostics.push(Diagnostic::new(Code::Unreadable, why).in_file(&path));
            }
        }
    }
    all.sort();
    Ok(all)
}

/// What parts a round from the one before it: the files that are different.
fn headline(before: &Files, now: &Files) -> String {
    let mut names = Vec::new();
    for (path, content) in now {
        match (before.get(path).copied().flatten(), content) {
            (None, Some(_)) => names.push((path, "is new")),
            (Some(_), None) => names.push((path, "cannot be read")),
            (known, content) if known != *content => names.push((path, "was changed")),
            _ => {}
        }
    }
    let gone = before.iter().filter(|(path, it)| it.is_some() && !now.contains_key(*path));
    names.extend(gone.map(|(path, _)| (path, "is gone")));
    let more = names.len().saturating_sub(MAX_NAMES);
    let mut shown: Vec<String> = names
        .into_iter()
        .take(MAX_NAMES)
        .map(|(path, what)| format!("{} {what}", one_line(&path.to_string_lossy())))
        .collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    if shown.is_empty() {
        shown.push("something else in the deck was changed".to_owned());
    }
    format!("\n{DIM}---{DIM:#} {}", shown.join(", "))
}
