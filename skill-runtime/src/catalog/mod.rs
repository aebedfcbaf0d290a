//! Sources to one merged deck: load, overlay, resolve.
//!
//! Each source is a [`Shelf`] that remembers what it read, so that a reload reads changed files
//! only. [`overlay`] stacks the shelves by precedence, [`resolve`] settles which version of each
//! word stays in force, [`merge`] writes the result down as records.

mod glance;
mod instructions;
mod item;
mod look;
mod merge;
mod overlay;
mod read;
mod record;
mod resolve;
mod shape;
mod shelf;
mod slot;
mod stock;
mod succession;
mod sweep;
mod threads;
mod words;

use std::sync::Arc;

use skilldeck_core::model::Deck;

use crate::source::{Precedence, Source};

pub use instructions::Instruction;
use instructions::Instructions;
pub(crate) use look::{Look, Territory};
pub(crate) use merge::Merged;
use overlay::Overlay;
pub(crate) use record::Record;
pub use record::{Shadow, SourceStatus, State};
use shelf::{Moved, Shelf, Version};

/// The sources of a registry, and what was last read from them.
pub(crate) struct Catalog {
    precedence: Precedence,
    shelves: Vec<Shelf>,
    /// The sources as they were last found; shared while they are the same.
    statuses: Arc<[SourceStatus]>,
    /// The always-on instructions of each source, as they were last read.
    instructions: Vec<Instructions>,
    /// Whether the last look came to its end, so that the deck it gave tells of all it found.
    is_told: bool,
}

/// What stands in for a deck while no source has a skill.
static NOTHING: Deck = Deck::EMPTY;

/// A deck as readers need it; cheap to clone.
#[derive(Clone)]
pub(crate) enum Deckview {
    /// One compiled deck and nothing over it: the static table as it is.
    Bundled {
        /// The table.
        deck: &'static Deck,
        /// The position of its source.
        source: u32,
    },
    /// Everything else.
    Merged(Arc<Merged>),
}

impl Deckview {
    /// Whether no reader can tell the two apart.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Bundled { deck, source },
                Self::Bundled { deck: other_deck, source: other_source },
            ) => std::ptr::eq(*deck, *other_deck) && source == other_source,
            (Self::Merged(merged), Self::Merged(other)) => {
                Arc::ptr_eq(merged, other) || merged.is_as(other)
            }
            (Self::Bundled { .. }, Self::Merged(_)) | (Self::Merged(_), Self::Bundled { .. }) => {
                false
            }
        }
    }
}

impl Catalog {
    pub(crate) fn new(precedence: Precedence, sources: Vec<Source>) -> Self {
        let shelves = sources.into_iter().map(Shelf::new).collect();
        Self {
            precedence,
            shelves,
            statuses: Arc::new([]),
            instructions: Vec::new(),
            is_told: false,
        }
    }

    /// Looks at the sources and gives the deck they make. What is as in `previous`, the deck that
    /// the last look gave, is shared with it.
    pub(crate) fn load(
        &mut self,
        look: &Look,
        previous: Option<&Deckview>,
    ) -> (Deckview, Arc<[SourceStatus]>) {
        let mut versions = Vec::new();
        let mut has_others = !std::mem::take(&mut self.is_told);
        for shelf in &mut self.shelves {
            match shelf.load(look) {
                Moved::Versions(moved) => versions.extend(moved),
                Moved::Skills => has_others = true,
            }
        }
        let deck = self.deck(previous, (!has_others).then_some(&*versions));
        let is_told_anew = self.read_instructions();
        if has_others || is_told_anew || self.shelves.iter().any(Shelf::is_relisted) {
            let mut statuses: Vec<_> = self.shelves.iter().map(Shelf::status).collect();
            for (status, found) in statuses.iter_mut().zip(&self.instructions) {
                status.instructions.clone_from(&found.in_force);
                status.diagnostics.extend(found.diagnostics.iter().cloned());
            }
            if *statuses != *self.statuses {
                self.statuses = statuses.into();
            }
        }
        self.is_told = true;
        (deck, Arc::clone(&self.statuses))
    }

    /// Reads the always-on instructions again: they are few, and no watcher looks at them. Whether
    /// they are others than before.
    fn read_instructions(&mut self) -> bool {
        if self.shelves.iter().all(|shelf| shelf.source().instructions.is_empty()) {
            return false;
        }
        let sources = self.shelves.iter().map(Shelf::source);
        let found = instructions::read(sources, &self.precedence);
        let is_other = found != self.instructions;
        self.instructions = found;
        is_other
    }

    /// The deck of the shelves. `versions` are what is not as in `previous`, if that is all there is.
    fn deck(&self, previous: Option<&Deckview>, versions: Option<&[Version]>) -> Deckview {
        match (previous, versions) {
            (Some(previous), Some([])) => return previous.clone(),
            (Some(Deckview::Merged(merged)), Some(versions)) => {
                if let Some(merged) = merged.with(versions) {
                    return Deckview::Merged(Arc::new(merged));
                }
            }
            _ => {}
        }
        match self.only_bundled() {
            Some((deck, source)) => Deckview::Bundled { deck, source },
            None => Deckview::Merged(Arc::new(self.merge(previous))),
        }
    }

    /// Where changes of the sources show, one for each directory.
    pub(crate) fn territories(&self) -> Vec<Arc<Territory>> {
        self.shelves.iter().filter_map(|shelf| shelf.territory().cloned()).collect()
    }

    /// The compiled deck that nothing lies over or beside.
    fn only_bundled(&self) -> Option<(&'static Deck, u32)> {
        let mut filled = self.shelves.iter().zip(0..).filter(|(shelf, _)| !shelf.is_empty());
        match (filled.next(), filled.next()) {
            (Some((shelf, position)), None) => Some((shelf.deck()?, position)),
            (None, _) => Some((&NOTHING, 0)),
            _ => None,
        }
    }

    fn merge(&self, previous: Option<&Deckview>) -> Merged {
        let overlay = Overlay::of(&self.shelves, &self.precedence);
        let settled = resolve::settle(&overlay);
        let previous = match previous {
            Some(Deckview::Merged(merged)) => merged.records(),
            Some(Deckview::Bundled { .. }) | None => &[],
        };
        merge::merge(&overlay, settled, previous)
    }
}

#[cfg(test)]
mod tests;
