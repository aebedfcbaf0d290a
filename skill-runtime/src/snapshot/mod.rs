//! One immutable, complete view of the deck.

mod change;
mod entry;
mod lookup;
mod mailbox;
mod store;
#[cfg(feature = "stream")]
mod stream;
mod subscription;
mod sync;

use std::fmt;
use std::sync::{Arc, OnceLock};

use skilldeck_core::diagnostic::Diagnostic;
use skilldeck_core::model::Index;

use crate::catalog::{Deckview, Record};

pub use crate::catalog::{Instruction, Shadow, SourceStatus, State};
pub use change::Change;
pub use entry::Entry;
pub use lookup::Lookup;
pub(crate) use store::Store;
pub use subscription::{Changes, NoChange, Subscription};

/// What readers see: entries, command index, dependency order, diagnostics, generation. One load
/// per unit of work; it never changes.
pub struct Snapshot {
    registry: u128,
    generation: u64,
    deck: Deckview,
    sources: Arc<[SourceStatus]>,
    /// Gathered when somebody asks: most readers never do.
    diagnostics: OnceLock<Vec<Diagnostic>>,
}

impl Snapshot {
    pub(crate) fn new(
        registry: u128,
        generation: u64,
        deck: Deckview,
        sources: impl Into<Arc<[SourceStatus]>>,
    ) -> Self {
        let sources = sources.into();
        Self { registry, generation, deck, sources, diagnostics: OnceLock::new() }
    }

    pub(crate) fn deck(&self) -> &Deckview {
        &self.deck
    }

    /// What tells its registry from others of this process.
    pub(crate) fn registry(&self) -> u128 {
        self.registry
    }

    /// Counts publications, from 1.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// How many entries there are, unavailable and unreadable ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.deck {
            Deckview::Bundled { deck, .. } => deck.skills().len(),
            Deckview::Merged(merged) => merged.records().len(),
        }
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every entry, sorted by word, unavailable and unreadable ones included.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator {
        // Positions are 32 bits wide, so the length fits.
        (0..self.len()).map(|position| self.entry(position as u32))
    }

    fn entry(&self, position: u32) -> Entry<'_> {
        Entry::new(self, position)
    }

    fn index(&self) -> &Index {
        match &self.deck {
            Deckview::Bundled { deck, .. } => deck.index(),
            Deckview::Merged(merged) => merged.index(),
        }
    }

    /// The sources in their order.
    #[must_use]
    pub fn sources(&self) -> &[SourceStatus] {
        &self.sources
    }

    /// The texts that a host puts before a model at all times, sorted by name; of several of one
    /// name that of the strongest source. Only trusted sources have any.
    ///
    /// They are read at every look at the sources. A watched registry looks when something else
    /// changes, and otherwise with the slow sweep.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use skilldeck_runtime::{Memory, Registry, Source, SourceInfo, Tier};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let file = directory.path().join("calm.md");
    /// std::fs::write(&file, "Stay calm.\n")?;
    /// let mut info = SourceInfo::new("mine", Tier::USER);
    /// info.trusted = true;
    /// let source = Source::memory(Arc::new(Memory::default()), info).with_instructions([file]);
    /// let registry = Registry::builder().source(source).build()?;
    /// let snapshot = registry.snapshot();
    /// let [calm] = &snapshot.instructions()[..] else { panic!("there is one") };
    /// assert_eq!((&*calm.name, &*calm.text), ("calm", "Stay calm.\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn instructions(&self) -> Vec<&Instruction> {
        let mut all: Vec<_> = self.sources.iter().flat_map(|it| &it.instructions).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// All diagnostics: of sources, of files (those that lost included), of the overlay, of
    /// dependencies; by path, line and column, what is about no file first.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| {
            let of_sources = self.sources.iter().flat_map(|source| &source.diagnostics);
            let of_records = self.records().flat_map(Record::every_diagnostic);
            let mut all: Vec<_> = of_sources.chain(of_records).cloned().collect();
            all.sort_by(|a, b| {
                let place = |of: &Diagnostic| (of.line, of.column, of.code);
                a.path.cmp(&b.path).then_with(|| place(a).cmp(&place(b)))
            });
            all.dedup();
            all
        })
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        let records = match &self.deck {
            Deckview::Bundled { .. } => &[],
            Deckview::Merged(merged) => merged.records(),
        };
        records.iter().map(AsRef::as_ref)
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("generation", &self.generation)
            .field("entries", &self.len())
            .field("sources", &self.sources.len())
            .finish_non_exhaustive()
    }
}
