//! A view of one command, the same over a static table and over a merged deck.

use std::fmt;
use std::path::Path;
use std::ptr;

use skilldeck_core::diagnostic::Diagnostic;
use skilldeck_core::model::{BundledSkill, KeyKind, Skill, SkillCommand};

use super::{Shadow, Snapshot, State};
use crate::catalog::{Deckview, Record};
use crate::source::SourceInfo;

/// One command of a snapshot.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    snapshot: &'a Snapshot,
    position: u32,
}

/// Where an entry is kept.
enum Kept<'a> {
    Bundled(&'static BundledSkill),
    Record(&'a Record),
}

impl<'a> Entry<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, position: u32) -> Self {
        Self { snapshot, position }
    }

    pub(super) fn position(self) -> u32 {
        self.position
    }

    fn kept(self) -> Kept<'a> {
        match &self.snapshot.deck {
            Deckview::Bundled { deck, .. } => Kept::Bundled(&deck.skills()[self.position as usize]),
            Deckview::Merged(merged) => Kept::Record(&merged.records()[self.position as usize]),
        }
    }

    fn record(self) -> Option<&'a Record> {
        match self.kept() {
            Kept::Bundled(_) => None,
            Kept::Record(record) => Some(record),
        }
    }

    /// The skill.
    #[must_use]
    pub fn skill(self) -> &'a Skill {
        match self.kept() {
            Kept::Bundled(bundled) => &bundled.skill,
            Kept::Record(record) => record.item.skill(),
        }
    }

    /// The skill as it was written, before anything that stands on its last good version was
    /// narrowed.
    pub(super) fn written(self) -> &'a Skill {
        self.record().map_or_else(|| self.skill(), |record| record.item.written())
    }

    /// The command word in this deck.
    #[must_use]
    pub fn word(self) -> &'a str {
        self.skill().word()
    }

    /// The command: what menus and protocols show.
    #[must_use]
    pub fn command(self) -> SkillCommand<'a> {
        SkillCommand::new(self.skill())
    }

    /// The further words that reach it in this deck: its aliases less those another skill has.
    pub fn aliases(self) -> impl Iterator<Item = &'a str> {
        let aliases = self.skill().aliases().iter().map(AsRef::as_ref);
        aliases.filter(move |alias| {
            self.snapshot
                .index()
                .exact(alias)
                .is_some_and(|key| key.skill == self.position && matches!(key.kind, KeyKind::Alias))
        })
    }

    /// Whether no skill of its deck has this word.
    pub(crate) fn is_free(self, word: &str) -> bool {
        self.snapshot.get(word).is_none()
    }

    /// The source it comes from.
    #[must_use]
    pub fn source(self) -> &'a SourceInfo {
        let source = match &self.snapshot.deck {
            Deckview::Bundled { source, .. } => *source,
            Deckview::Merged(merged) => merged.records()[self.position as usize].source,
        };
        &self.snapshot.sources[source as usize].info
    }

    /// Its file; `None` for bundled and in-memory skills.
    #[must_use]
    pub fn path(self) -> Option<&'a Path> {
        self.record().and_then(|record| record.item.path())
    }

    /// The compiled skill with its side files, if it is bundled.
    #[must_use]
    pub fn bundled(self) -> Option<&'static BundledSkill> {
        match self.kept() {
            Kept::Bundled(bundled) => Some(bundled),
            Kept::Record(record) => record.item.bundled(),
        }
    }

    /// Whether it can be used.
    #[must_use]
    pub fn state(self) -> State {
        self.record().map_or(State::Ready, |record| record.state)
    }

    /// Why it cannot, or why it is stale.
    #[must_use]
    pub fn reason(self) -> Option<&'a str> {
        self.record().and_then(|record| record.reason.as_deref())
    }

    /// What lost against it, strongest first.
    #[must_use]
    pub fn shadows(self) -> &'a [Shadow] {
        self.record().map_or(&[], |record| &record.shadows)
    }

    /// What there is to say about its file and its place in the deck.
    #[must_use]
    pub fn diagnostics(self) -> &'a [Diagnostic] {
        self.record().map_or(&[], Record::diagnostics)
    }

    /// What it depends on, directly and indirectly, each once, in no order that means anything.
    pub(crate) fn needs(self) -> impl Iterator<Item = Entry<'a>> {
        let snapshot = self.snapshot;
        snapshot.needed(self).into_iter().map(|position| Self::new(snapshot, position))
    }

    /// The same in the order to render.
    pub(crate) fn dependencies(self) -> Vec<Entry<'a>> {
        self.snapshot.dependencies(self)
    }

    /// Whether both are kept in one place, so that nothing about them differs.
    pub(super) fn is_kept_with(self, other: Entry<'_>) -> bool {
        match (self.kept(), other.kept()) {
            (Kept::Bundled(a), Kept::Bundled(b)) => ptr::eq(a, b),
            (Kept::Record(a), Kept::Record(b)) => ptr::eq(a, b),
            _ => false,
        }
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("word", &self.word())
            .field("source", &self.source().name)
            .field("path", &self.path())
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}
