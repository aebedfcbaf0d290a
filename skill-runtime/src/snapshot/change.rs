//! Two snapshots to what changed between them.

use std::cmp::Ordering;
use std::ptr;
use std::sync::Arc;

use skilldeck_core::diagnostic::Diagnostic;
use skilldeck_core::model::SkillCommand;

use super::{Entry, Snapshot, State};
use crate::catalog::Deckview;

/// What one publication changed, each list sorted. The lists are not exclusive: an entry of which
/// body and metadata changed is in both, a new one that cannot be used is in `added` and
/// `unavailable`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The generation that was published.
    pub generation: u64,
    /// New commands.
    pub added: Vec<String>,
    /// Commands that are gone.
    pub removed: Vec<String>,
    /// Commands of which more than the body changed.
    pub metadata_changed: Vec<String>,
    /// Commands of which the body changed.
    pub body_changed: Vec<String>,
    /// Commands that now stand on their last good version. They may be restricted further than it
    /// was: see [`Entry::skill`].
    pub stale: Vec<String>,
    /// Commands that can be used and no longer do. They are in `metadata_changed` or
    /// `body_changed` too if they differ from their last good version as it was written.
    pub recovered: Vec<String>,
    /// Commands that became unavailable or unreadable.
    pub unavailable: Vec<String>,
    /// Commands that became available again.
    pub available: Vec<String>,
    /// Diagnostics that are new in this generation.
    pub diagnostics: Vec<Diagnostic>,
}

impl Change {
    /// Whether no command is different, though sources or diagnostics may be.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self {
            generation: _,
            added,
            removed,
            metadata_changed,
            body_changed,
            stale,
            recovered,
            unavailable,
            available,
            diagnostics: _,
        } = self;
        let lists = [
            added,
            removed,
            metadata_changed,
            body_changed,
            stale,
            recovered,
            unavailable,
            available,
        ];
        lists.iter().all(|list| list.is_empty())
    }

    /// A snapshot as somebody sees it for whom everything is new.
    pub(super) fn replay(snapshot: &Snapshot) -> Self {
        let mut change = Self { generation: snapshot.generation(), ..Self::default() };
        for entry in snapshot.iter() {
            change.add(entry);
        }
        change.diagnostics = snapshot.diagnostics().to_vec();
        change
    }

    /// What is different in `new`.
    pub(super) fn between(old: &Snapshot, new: &Snapshot) -> Self {
        let mut change = Self { generation: new.generation(), ..Self::default() };
        match (&old.deck, &new.deck) {
            (Deckview::Merged(a), Deckview::Merged(b)) if a.has_layout_of(b) => {
                for (position, (a, b)) in (0..).zip(a.records().iter().zip(b.records())) {
                    if !Arc::ptr_eq(a, b) {
                        change.compare(old.entry(position), new.entry(position));
                    }
                }
            }
            _ => change.compare_all(old, new),
        }
        for (a, b) in old.sources.iter().zip(&*new.sources) {
            change.diagnose(&a.diagnostics, &b.diagnostics);
        }
        change
    }

    /// Goes through two decks in the order of their words.
    fn compare_all(&mut self, old: &Snapshot, new: &Snapshot) {
        let mut before = old.iter().peekable();
        let mut after = new.iter().peekable();
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                // What is shared has one word, which need not be read.
                (Some(a), Some(b)) if a.is_kept_with(*b) => Ordering::Equal,
                (Some(a), Some(b)) => a.word().cmp(b.word()),
            };
            let a = if order.is_le() { before.next() } else { None };
            let b = if order.is_ge() { after.next() } else { None };
            match (a, b) {
                (Some(a), Some(b)) => self.compare(a, b),
                (Some(a), None) => self.removed.push(a.word().to_owned()),
                (None, Some(b)) => {
                    self.add(b);
                    self.diagnostics.extend_from_slice(b.diagnostics());
                }
                (None, None) => {}
            }
        }
    }

    /// Tells of each command that is new, different or gone, sorted.
    pub(crate) fn each_command(
        &self,
        snapshot: &Snapshot,
        tell: impl Fn(&str, Option<SkillCommand<'_>>),
    ) {
        let lists = [
            &self.added,
            &self.removed,
            &self.metadata_changed,
            // What restricts a command changes with these.
            &self.stale,
            &self.recovered,
            &self.unavailable,
            &self.available,
        ];
        let mut words: Vec<&str> = lists.into_iter().flatten().map(String::as_str).collect();
        words.sort_unstable();
        words.dedup();
        for word in words {
            // A removed word may live on as somebody's alias; that is not the command.
            let entry = snapshot.get(word).filter(|entry| entry.word() == word);
            match entry.filter(|entry| entry.state().is_usable()) {
                Some(entry) => tell(word, Some(entry.command())),
                // Nobody was told of a new one that cannot be used.
                None if self.added.iter().any(|added| added == word) => {}
                None => tell(word, None),
            }
        }
    }

    fn add(&mut self, entry: Entry<'_>) {
        let word = || entry.word().to_owned();
        self.added.push(word());
        match entry.state() {
            State::Ready => {}
            State::Stale => self.stale.push(word()),
            State::Unavailable | State::Unreadable => self.unavailable.push(word()),
        }
    }

    fn compare(&mut self, old: Entry<'_>, new: Entry<'_>) {
        if old.is_kept_with(new) {
            return;
        }
        let word = || new.word().to_owned();
        let (metadata, body) = differences(old, new);
        if metadata {
            self.metadata_changed.push(word());
        }
        if body {
            self.body_changed.push(word());
        }
        match (old.state(), new.state()) {
            (State::Stale, State::Ready) => self.recovered.push(word()),
            (State::Stale, _) => {}
            (_, State::Stale) => self.stale.push(word()),
            _ => {}
        }
        match (old.state().is_usable(), new.state().is_usable()) {
            (true, false) => self.unavailable.push(word()),
            (false, true) => self.available.push(word()),
            _ => {}
        }
        self.diagnose(old.diagnostics(), new.diagnostics());
    }

    fn diagnose(&mut self, old: &[Diagnostic], new: &[Diagnostic]) {
        self.diagnostics.extend(new.iter().filter(|found| !old.contains(found)).cloned());
    }
}

/// Whether the metadata and whether the body differ. Where a skill comes from counts as metadata:
/// menus show it, and its trust hangs on it. That a last good version is narrowed when it steps in
/// and no longer when it steps back is told by these very words.
fn differences(old: Entry<'_>, new: Entry<'_>) -> (bool, bool) {
    let moved = old.source() != new.source();
    let steps = (old.state() == State::Stale) != (new.state() == State::Stale);
    let (before, after) =
        if steps { (old.written(), new.written()) } else { (old.skill(), new.skill()) };
    if ptr::eq(before, after) || before == after {
        return (moved, false);
    }
    let body = before.template() != after.template();
    let mut fields = before.fields().clone();
    fields.template = after.template().clone();
    (moved || fields != *after.fields(), body)
}
