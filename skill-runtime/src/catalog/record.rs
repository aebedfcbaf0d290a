//! What is known of one command of a merged deck, and of the sources it was merged from.

use std::path::PathBuf;
use std::sync::Arc;

use skilldeck_core::diagnostic::Diagnostic;

use super::instructions::Instruction;
use super::item::Item;
use super::shelf::Version;
use crate::source::SourceInfo;

/// Whether an entry can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It can.
    Ready,
    /// It can: the last version without an error stays in force, since its file has one or cannot
    /// be read now. It is restricted as far as either of the two texts is.
    Stale,
    /// Its dependencies cannot be resolved.
    Unavailable,
    /// Its file cannot be read.
    Unreadable,
}

impl State {
    /// `ready`, `stale`, `unavailable` or `unreadable`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Stale => "stale",
            Self::Unavailable => "unavailable",
            Self::Unreadable => "unreadable",
        }
    }

    /// Whether it can be used.
    #[must_use]
    pub const fn is_usable(self) -> bool {
        matches!(self, Self::Ready | Self::Stale)
    }
}

/// Something that lost against an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadow {
    /// The source it comes from.
    pub source: SourceInfo,
    /// Its file.
    pub path: Option<PathBuf>,
    /// Why it lost.
    pub why: String,
}

/// A source as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceStatus {
    /// The source.
    pub info: SourceInfo,
    /// Its root, if it is a directory.
    pub root: Option<PathBuf>,
    /// Whether there is anything at its root. Only "not found" means absent.
    pub present: bool,
    /// Whether what is there cannot be looked into, so that nothing is known of its skills: the
    /// root may not be read, or it is a file. The diagnostics say why.
    pub failed: bool,
    /// How many skills it lists, those that lost and those that cannot be read included.
    pub skills: usize,
    /// What there is to say about it.
    pub diagnostics: Vec<Diagnostic>,
    /// Its always-on instructions that are in force, sorted by name.
    pub instructions: Vec<Instruction>,
}

/// One command of a merged deck. Snapshots share the records that are the same in both.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) item: Item,
    /// The position of its source.
    pub(crate) source: u32,
    pub(crate) state: State,
    pub(crate) reason: Option<String>,
    pub(crate) shadows: Vec<Shadow>,
    /// What the shadows were made from, in the same order.
    pub(crate) losers: Vec<Item>,
    /// What there is to say about its place in the deck.
    pub(crate) placed: Vec<Diagnostic>,
    /// `placed` behind what there is to say about its file; empty if nothing is placed.
    pub(crate) all: Vec<Diagnostic>,
}

/// The state of a skill as far as the rest of the deck has no part in it, and why.
pub(super) fn by_itself(item: &Item) -> (State, Option<String>) {
    match (item.unreadable(), item.stale()) {
        (Some(reason), _) => (State::Unreadable, Some(reason.to_owned())),
        (None, Some(stale)) => (State::Stale, Some(stale.reason.clone())),
        (None, None) => (State::Ready, None),
    }
}

impl Record {
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        if self.placed.is_empty() { self.item.diagnostics() } else { &self.all }
    }

    /// Also what there is to say about the files that lost.
    pub(crate) fn every_diagnostic(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().chain(self.losers.iter().flat_map(Item::diagnostics))
    }

    /// Whether nothing a reader can see is different.
    fn is_as(&self, other: &Self) -> bool {
        let losers = || self.losers.iter().zip(&other.losers).all(|(a, b)| a.is(b));
        self.item.is(&other.item)
            && self.source == other.source
            && self.state == other.state
            && self.reason == other.reason
            && self.losers.len() == other.losers.len()
            && losers()
            && self.shadows == other.shadows
            && self.placed == other.placed
    }

    /// The record with one version in the place of the one before, which has the same shape; nothing
    /// if it does not hold the one before.
    pub(super) fn with(&self, version: &Version) -> Option<Self> {
        let is_before = |item: &Item| matches!(item, Item::Loaded(loaded) if Arc::ptr_eq(loaded, &version.before));
        let now = Item::Loaded(Arc::clone(&version.now));
        let mut record = self.clone();
        if is_before(&self.item) {
            // What follows from its dependencies follows from shapes.
            if record.state != State::Unavailable {
                (record.state, record.reason) = by_itself(&now);
            }
            record.item = now;
            record.gather();
            return Some(record);
        }
        let at = self.losers.iter().position(is_before)?;
        record.losers[at] = now;
        Some(record)
    }

    /// Lays what there is to say about its place behind what there is to say about its file.
    pub(super) fn gather(&mut self) {
        self.all = match &*self.placed {
            [] => Vec::new(),
            placed => [self.item.diagnostics(), placed].concat(),
        };
    }

    /// The record, or `previous` where that is as good.
    pub(crate) fn shared(self, previous: Option<&Arc<Self>>) -> Arc<Self> {
        match previous {
            Some(previous) if previous.is_as(&self) => Arc::clone(previous),
            _ => Arc::new(self),
        }
    }
}
