//! Directories and decks to test with.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

#[cfg(unix)]
pub(crate) mod nobody;

use std::fs;
use std::path::{Path, PathBuf};

use skilldeck_core::format::{Layout, Origin, parse};
use skilldeck_core::model::{BundledSkill, Deck, Index};
use skilldeck_core::template::{Dialect, Positional};
use skilldeck_runtime::{Entry, Registry, Snapshot, Source, SourceInfo, State, Tier};

/// A directory of skills that is removed at the end.
pub(crate) struct Tree {
    directory: tempfile::TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// A skill in `directory`, whose last part is its name.
    pub(crate) fn skill(&self, directory: &str, more: &str) -> PathBuf {
        let name = directory.rsplit('/').next().unwrap();
        self.write(&format!("{directory}/SKILL.md"), skill_text(name, more))
    }
}

pub(crate) fn skill_text(name: &str, more: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}.\n{more}---\nDo {name}.\n")
}

/// A trusted directory of the user.
pub(crate) fn user(root: impl Into<PathBuf>) -> Source {
    directory("user", Tier::USER, root)
}

pub(crate) fn directory(name: &str, tier: Tier, root: impl Into<PathBuf>) -> Source {
    let mut info = SourceInfo::new(name.to_owned(), tier);
    info.trusted = true;
    Source::directory(root, info)
}

pub(crate) fn registry(sources: impl IntoIterator<Item = Source>) -> Registry {
    sources.into_iter().fold(Registry::builder(), |all, one| all.source(one)).build().unwrap()
}

pub(crate) fn words(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.iter().map(Entry::word).collect()
}

/// The words that can be used.
pub(crate) fn ready(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.iter().filter(|entry| entry.state() == State::Ready).map(Entry::word).collect()
}

/// Everything a reader can see of a snapshot.
pub(crate) fn everything(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    for entry in snapshot.iter() {
        let dependencies: Vec<_> =
            snapshot.dependencies(entry).into_iter().map(Entry::word).collect();
        out += &format!(
            "{entry:?}\n  {:?}\n  {:?}\n  {:#?}\n  {:#?}\n  {dependencies:?}\n",
            entry.skill(),
            entry.reason(),
            entry.shadows(),
            entry.diagnostics(),
        );
    }
    out + &format!("{:#?}\n{:#?}", snapshot.sources(), snapshot.diagnostics())
}

/// A compiled deck of these skills, sorted by word.
pub(crate) fn deck(texts: &[(String, String)]) -> &'static Deck {
    let skills: Vec<BundledSkill> = texts
        .iter()
        .map(|(name, text)| {
            let origin = Origin {
                name,
                path: None,
                layout: Layout::Skills,
                dialect: Dialect::Claude,
                positional: Positional::Declared,
            };
            BundledSkill {
                skill: parse(text.as_bytes(), &origin).skill.unwrap(),
                path: Box::leak(format!("skills/{name}/SKILL.md").into_boxed_str()),
                sha256: "",
                files: &[],
            }
        })
        .collect();
    let (index, clashes) = Index::of_skills(skills.iter().map(|bundled| &bundled.skill));
    assert_eq!(clashes, []);
    let order: Vec<u32> = (0..).take(skills.len()).collect();
    Box::leak(Box::new(Deck::from_parts(skills.leak(), index, order.leak())))
}

/// A compiled deck of this many plain skills.
pub(crate) fn deck_of(count: usize) -> &'static Deck {
    let name = |at| format!("skill-{at:05}");
    deck(&(0..count).map(|at| (name(at), skill_text(&name(at), ""))).collect::<Vec<_>>())
}
