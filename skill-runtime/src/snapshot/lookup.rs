//! A typed word to the entry it reaches, or to what was probably meant.

use std::collections::HashSet;

use skilldeck_core::model;

use super::{Entry, Snapshot};
use crate::catalog::Deckview;

/// How many near words are worth reading.
const MOST_NEAREST: usize = 3;

/// What a word reaches.
#[derive(Clone, Debug)]
pub enum Lookup<'a> {
    /// One entry.
    Found(Entry<'a>),
    /// Several, sorted by word.
    Ambiguous(Vec<Entry<'a>>),
    /// None; the nearest words, best first.
    Unknown(Vec<&'a str>),
}

impl Snapshot {
    /// The entry that is exactly this word, alias or directory word.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<Entry<'_>> {
        self.index().exact(word).map(|key| self.entry(key.skill))
    }

    /// Finds by the order of resolution: exact word, alias, directory word, then the unique match
    /// without case and separators.
    #[must_use]
    pub fn find(&self, word: &str) -> Lookup<'_> {
        match self.index().find(word) {
            model::Lookup::Found(key) => Lookup::Found(self.entry(key.skill)),
            model::Lookup::Ambiguous(all) => {
                Lookup::Ambiguous(all.into_iter().map(|position| self.entry(position)).collect())
            }
            model::Lookup::None => Lookup::Unknown(self.index().suggest(word, MOST_NEAREST)),
        }
    }

    /// What an entry depends on, directly and indirectly, in the order to render: dependencies
    /// first, each once, the entry itself not included.
    #[must_use]
    pub fn dependencies<'a>(&'a self, entry: Entry<'a>) -> Vec<Entry<'a>> {
        let mut needed = self.needed(entry);
        if needed.is_empty() {
            return Vec::new();
        }
        needed.sort_unstable();
        let order = match &self.deck {
            Deckview::Bundled { deck, .. } => deck.order(),
            Deckview::Merged(merged) => merged.order(),
        };
        let in_order = order.iter().filter(|position| needed.binary_search(position).is_ok());
        in_order.map(|&position| self.entry(position)).collect()
    }

    /// The positions of what an entry depends on, directly and indirectly, each once. For a skill
    /// without dependencies it costs nothing.
    pub(super) fn needed(&self, entry: Entry<'_>) -> Vec<u32> {
        if entry.skill().depends_on().is_empty() {
            return Vec::new();
        }
        let mut needed = self.edges(entry.position());
        let mut known: HashSet<u32> = needed.iter().copied().collect();
        let mut at = 0;
        while let Some(&position) = needed.get(at) {
            if !self.entry(position).skill().depends_on().is_empty() {
                needed.extend(self.edges(position).into_iter().filter(|next| known.insert(*next)));
            }
            at += 1;
        }
        needed
    }

    /// The positions of what an entry depends on directly, each once.
    fn edges(&self, position: u32) -> Vec<u32> {
        let mut edges = match &self.deck {
            Deckview::Merged(merged) => merged.edges(position).to_vec(),
            // The build has shown that each of them is there.
            Deckview::Bundled { deck, .. } => {
                let asked = self.entry(position).skill().depends_on().iter();
                let reached = asked.filter_map(|asked| deck.index().find(&asked.name).position());
                reached.collect()
            }
        };
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}
