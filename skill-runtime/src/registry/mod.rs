//! The registry: sources in, snapshots out.

mod builder;
mod core;

use std::fmt;
use std::sync::Arc;

use skilldeck_core::model::SkillCommand;

use self::core::Core;
use crate::catalog::Look;
use crate::host::Host;
use crate::snapshot::{Change, Snapshot};
use crate::watch::{Watcher, Watching};

pub use builder::Builder;

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
    /// Dropped first: nobody looks any more when the rest goes.
    watcher: Option<Watcher>,
    core: Arc<Core>,
    has_sources: bool,
    host: Arc<dyn Host>,
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
        self.core.store.load()
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
        let change = self.core.reload(&Look::Everything);
        if let Some(watcher) = &self.watcher {
            watcher.nudge();
        }
        change
    }

    /// Replays the existing commands to `handler` as one change with all in `added`, then calls it
    /// once per published change, in the order of publication and with no lock held. A handler that
    /// panics is called again at the next change; see [`handler_faults`](Self::handler_faults).
    pub fn on_change(&self, handler: impl Fn(&Change) + Send + Sync + 'static) {
        self.core.store.subscribe(move |change, _| handler(change));
    }

    /// The same, one command at a time, in the form of RFC-0016: `Some` announces a new or changed
    /// command, `None` takes one back. A command that cannot be used counts as gone, a change of
    /// the body alone is none.
    pub fn on_command_change(
        &self,
        handler: impl Fn(&str, Option<SkillCommand<'_>>) + Send + Sync + 'static,
    ) {
        self.core.store.subscribe(move |change, snapshot| {
            change.each_command(snapshot, &handler);
        });
    }

    /// How often a handler of [`on_change`](Self::on_change) has panicked.
    #[must_use]
    pub fn handler_faults(&self) -> u64 {
        self.core.store.faults()
    }

    /// How changes of files are noticed; without roots if the registry is not watched.
    #[must_use]
    pub fn watching(&self) -> Watching {
        self.watcher.as_ref().map_or_else(Watching::default, Watcher::watching)
    }

    /// Whether there is a source at all.
    #[must_use]
    pub fn has_skills(&self) -> bool {
        self.has_sources
    }

    /// Whether the deck is not empty.
    #[must_use]
    pub fn has_commands(&self) -> bool {
        !self.core.store.load().is_empty()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("snapshot", &self.core.store.load())
            .finish_non_exhaustive()
    }
}
