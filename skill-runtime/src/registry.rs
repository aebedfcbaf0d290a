//! The registry: sources in, snapshots out.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

use skilldeck_core::model::{Deck, SkillCommand};

use crate::catalog::Catalog;
use crate::error::{Error, ErrorKind};
use crate::host::{Host, NoHost};
use crate::snapshot::{Change, Snapshot, Store, Subscription};
use crate::source::{Precedence, Source, Tier, default_roots};
use crate::telemetry::drawn;

/// Holds the current snapshot of a set of sources.
///
/// ```
/// use skilldeck_runtime::Registry;
/// use skilldeck_core::model::Deck;
///
/// static DECK: Deck = Deck::EMPTY; // `include_skills!("skills")` writes one
/// let registry = Registry::builder().bundled(&DECK).build()?;
/// assert!(registry.has_skills() && !registry.has_commands());
/// # Ok::<(), skilldeck_runtime::Error>(())
/// ```
pub struct Registry {
    store: Store,
    /// Taken by writers only, so that reloads follow each other.
    catalog: Mutex<Catalog>,
    has_sources: bool,
    host: Arc<dyn Host>,
}

/// Sets up a [`Registry`].
#[derive(Default)]
pub struct Builder {
    sources: Vec<Source>,
    /// The positions in `sources` that came from default roots.
    defaults: Vec<usize>,
    trust_project: bool,
    precedence: Precedence,
    host: Option<Arc<dyn Host>>,
}

impl Registry {
    /// Starts to set up a registry.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The current snapshot; load it once per unit of work. It stays as it is, whatever is reloaded
    /// meanwhile.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.store.load()
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &dyn Host {
        &*self.host
    }

    /// Looks at every source again, reads the files that moved, and publishes what changed. If
    /// nothing did, nothing is published: the generation stays, and the change is empty.
    ///
    /// Handlers have heard of the change when this returns, unless another thread was calling them
    /// already, or this is called by one of them: then they hear of it next.
    pub fn reload(&self) -> Change {
        let mut catalog = self.catalog.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.store.load();
        let (deck, sources) = catalog.load(Some(current.deck()));
        if deck.is_as(current.deck()) && sources == current.sources() {
            return Change { generation: current.generation(), ..Change::default() };
        }
        let next = Snapshot::new(current.registry(), current.generation() + 1, deck, sources);
        let change = self.store.publish(next);
        drop(catalog);
        self.store.deliver();
        Arc::unwrap_or_clone(change)
    }

    /// Replays the existing commands to `handler` as one change with all in `added`, then calls it
    /// once per published change, in the order of publication and with no lock held. A handler that
    /// panics is called again at the next change; see [`handler_faults`](Self::handler_faults).
    ///
    /// The replay has been given when this returns, unless another thread was calling handlers
    /// already, or this is called by one of them: then it comes next. Handlers live as long as the
    /// registry, so one that needs it holds a [`Weak`](std::sync::Weak) of it. Those who are slow
    /// or come and go [subscribe](Self::subscribe).
    pub fn on_change(&self, handler: impl Fn(&Change) + Send + Sync + 'static) {
        self.store.on_change(move |change, _| handler(change));
    }

    /// The same, one command at a time, in the form of RFC-0016: `Some` announces a new or changed
    /// command, `None` takes one back. A command that cannot be used counts as gone, a change of
    /// the body alone is none. A panic at one command takes no other from the handler.
    pub fn on_command_change(
        &self,
        handler: impl Fn(&str, Option<SkillCommand<'_>>) + Send + Sync + 'static,
    ) {
        self.store.on_command_change(handler);
    }

    /// Subscribes to what is published: first the existing commands as one change with all in
    /// `added`, then each published change, to be received when and where the caller likes. No code
    /// of the subscriber runs on the thread that publishes.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use skilldeck_runtime::{Memory, NoChange, Registry, Source, SourceInfo, Tier};
    ///
    /// let mine = Arc::new(Memory::default());
    /// mine.insert("a", "---\ndescription: Does it.\n---\nDo it.\n");
    /// let source = Source::memory(Arc::clone(&mine), SourceInfo::new("mine", Tier::USER));
    /// let registry = Registry::builder().source(source).build()?;
    ///
    /// let mut subscription = registry.subscribe();
    /// assert_eq!(subscription.recv().expect("the replay").added, ["a"]);
    /// mine.remove("a");
    /// registry.reload();
    /// assert_eq!(subscription.try_recv().expect("the reload").removed, ["a"]);
    /// assert_eq!(subscription.try_recv(), Err(NoChange::Yet));
    /// drop(registry);
    /// assert_eq!(subscription.recv(), None);
    /// # Ok::<(), skilldeck_runtime::Error>(())
    /// ```
    pub fn subscribe(&self) -> Subscription {
        self.store.subscribe()
    }

    /// How often a handler of [`on_change`](Self::on_change), or the waker of a task that polls a
    /// [`Subscription`], has panicked.
    #[must_use]
    pub fn handler_faults(&self) -> u64 {
        self.store.faults()
    }

    /// Whether there is a source at all.
    #[must_use]
    pub fn has_skills(&self) -> bool {
        self.has_sources
    }

    /// Whether the deck is not empty.
    #[must_use]
    pub fn has_commands(&self) -> bool {
        !self.store.load().is_empty()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("snapshot", &self.store.load()).finish_non_exhaustive()
    }
}

impl Builder {
    /// Adds the skills compiled into this binary.
    #[must_use]
    pub fn bundled(self, deck: &'static Deck) -> Self {
        self.source(Source::bundled(deck))
    }

    /// Adds a source; among those of one tier the earlier wins.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Adds the default roots of a project directory.
    #[must_use]
    pub fn default_roots(mut self, project: &Path) -> Self {
        let roots = default_roots(project);
        self.defaults.extend(self.sources.len()..self.sources.len() + roots.len());
        self.sources.extend(roots);
        self
    }

    /// Whether the project's default roots are trusted, as the user's are; they are not by default.
    /// Other sources say for themselves.
    #[must_use]
    pub fn trust_project(mut self, trusted: bool) -> Self {
        self.trust_project = trusted;
        self
    }

    /// Sets the order of the tiers.
    #[must_use]
    pub fn precedence(mut self, precedence: Precedence) -> Self {
        self.precedence = precedence;
        self
    }

    /// Sets the host; [`NoHost`] if none is set.
    #[must_use]
    pub fn host(mut self, host: impl Host + 'static) -> Self {
        self.host = Some(Arc::new(host));
        self
    }

    /// Loads every source.
    ///
    /// # Errors
    /// When the settings contradict each other: a tier stands twice in the order. A source that
    /// cannot be read is no error here: it is a diagnostic of the snapshot.
    pub fn build(mut self) -> Result<Registry, Error> {
        if let Some(tier) = self.precedence.repeated() {
            let message = format!(
                "the tier `{}` stands twice in the order of precedence; keep one of them",
                tier.as_str()
            );
            return Err(Error::new(ErrorKind::Configuration, message));
        }
        for position in self.defaults {
            let info = &mut self.sources[position].info;
            info.trusted |= self.trust_project && info.tier == Tier::PROJECT;
        }
        let has_sources = !self.sources.is_empty();
        let mut catalog = Catalog::new(self.precedence, self.sources);
        let (deck, sources) = catalog.load(None);
        Ok(Registry {
            store: Store::new(Snapshot::new(drawn(), 1, deck, sources)),
            catalog: Mutex::new(catalog),
            has_sources,
            host: self.host.unwrap_or_else(|| Arc::new(NoHost)),
        })
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("sources", &self.sources).finish_non_exhaustive()
    }
}
