//! Skills that are mended together to names that stay apart and stay found.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use skilldeck::diagnostic::{Code, Diagnostic};
use skilldeck::format::{self, Fixed, Layout};
use skilldeck::model::{Skill, fold};
use skilldeck::scan;

use crate::cli::file::{self, Target};
use crate::cli::output::Output;

/// What the names of a deck are needed for, folded.
#[derive(Debug, Default)]
pub(super) struct Deck {
    /// The words and aliases that each file takes.
    taken: HashMap<PathBuf, Vec<String>>,
    /// The names that something depends on.
    needed: HashSet<String>,
}

impl Deck {
    /// The deck of these files, and of what lies beside the ones that were named one by one.
    pub(super) fn read(targets: &[Target]) -> Self {
        let mut deck = Self::default();
        for target in targets {
            deck.add(target);
        }
        for beside in targets.iter().flat_map(siblings) {
            if !deck.taken.contains_key(&real(&beside.path)) {
                deck.add(&beside);
            }
        }
        deck
    }

    fn add(&mut self, target: &Target) {
        let Ok(bytes) = scan::read(&target.path) else { return };
        if let Some(skill) = format::parse(&bytes, &target.origin()).skill {
            self.needed.extend(skill.depends_on().iter().map(|need| fold(&need.name)));
            self.taken.insert(real(&target.path), words(&skill));
        }
    }

    /// Mends a file; its name only if nothing depends on the old one and nothing has the new one.
    pub(super) fn mend(&mut self, target: &Target, bytes: &[u8], output: &Output) -> Option<Fixed> {
        let old = format::parse(bytes, &target.origin()).skill?;
        let mut fixed = format::fix(bytes, &target.origin())?;
        if let Some(why) = self.refuses(&real(&target.path), &old, &renamed(&fixed, target)?) {
            output.warn(format_args!(
                "{} keeps the name `{}`: {why}",
                target.path.display(),
                old.name()
            ));
            fixed = format::fix_where(bytes, &target.origin(), |found| !is_about_the_name(found))?;
        }
        self.taken.insert(real(&target.path), words(&renamed(&fixed, target)?));
        Some(fixed)
    }

    fn refuses(&self, path: &Path, old: &Skill, new: &Skill) -> Option<String> {
        if old.word() == new.word() {
            return None;
        }
        if self.needed.contains(&fold(old.word())) {
            return Some("another skill depends on it".to_owned());
        }
        let word = fold(new.word());
        let (owner, _) =
            self.taken.iter().find(|(other, words)| *other != path && words.contains(&word))?;
        Some(format!("`{}` is the name of {}", new.word(), owner.display()))
    }
}

fn renamed(fixed: &Fixed, target: &Target) -> Option<Skill> {
    format::parse(&fixed.bytes, &target.origin()).skill
}

/// One file has one path, however it is spelt.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn words(skill: &Skill) -> Vec<String> {
    let aliases = skill.aliases().iter().map(AsRef::as_ref);
    std::iter::once(skill.word()).chain(aliases).map(fold).collect()
}

fn is_about_the_name(found: &Diagnostic) -> bool {
    matches!(found.code, Code::InvalidName | Code::NameMismatch | Code::MissingName)
}

/// The skills in the directories beside this one: where one of a deck is named, the others count.
fn siblings(target: &Target) -> Vec<Target> {
    if target.layout != Layout::Skills {
        return Vec::new();
    }
    let root = target.path.parent().and_then(Path::parent);
    let root = root.filter(|root| !root.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = root.read_dir() else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.join("SKILL.md").is_file())
        .filter_map(|path| file::target(path, Some(Layout::Skills)).ok())
        .collect()
}
