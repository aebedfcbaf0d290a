//! The registry: sources in, snapshots out.

mod builder;
mod core;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use skilldeck_core::model::SkillCommand;

use self::core::Core;
use crate::catalog::Look;
use crate::host::Host;
use crate::policy::Policy;
use crate::snapshot::{Change, Snapshot, Subscription};
use crate::telemetry::Telemetry;
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
    pub(crate) telemetry: Arc<Telemetry>,
    host: Arc<dyn Host>,
    pub(crate) policy: Arc<Policy>,
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

    /// The policy, under which menus, listings and invocations of this registry are.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Looks at every source again, reads the files that moved, and publishes what changed. If
    /// nothing did, nothing is published: the generation stays, and the change is empty.
    ///
    /// Handlers have heard of the change when this returns, unless another thread was calling them
    /// already, or this is called by one of them: then they hear of it next.
    pub fn reload(&self) -> Change {
        self.look(&Look::Everything)
    }

    /// The same for a host that watches the directories itself: looks only at what these paths can
    /// have changed, so an edit costs what changed and not what there is. A path stands for the
    /// entry and for all that lies below it. Too many paths cost a little time; what was changed at
    /// a path that is not named, is found by the next [`reload`](Self::reload).
    ///
    /// A path is written below the root of its source as the root was given, or below the canonical
    /// root. A path outside of every root is of no consequence, so where a source is entered by
    /// links that lead out of it, name the link. Skills held in memory are always looked at.
    ///
    /// ```
    /// use skilldeck_runtime::{Registry, Source, SourceInfo, Tier};
    ///
    /// let root = tempfile::tempdir()?;
    /// std::fs::create_dir(root.path().join("commit"))?;
    /// let file = root.path().join("commit/SKILL.md");
    /// std::fs::write(&file, "---\nname: commit\n---\nCommit it.\n")?;
    /// let source = Source::directory(root.path(), SourceInfo::new("mine", Tier::USER));
    /// let registry = Registry::builder().source(source).build()?;
    ///
    /// std::fs::write(&file, "---\nname: commit\n---\nCommit and push it.\n")?;
    /// assert_eq!(registry.reload_paths([&file]).body_changed, ["commit"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reload_paths<P: Into<PathBuf>>(&self, paths: impl IntoIterator<Item = P>) -> Change {
        self.look(&Look::Paths(paths.into_iter().map(Into::into).collect()))
    }

    fn look(&self, look: &Look) -> Change {
        let change = self.core.reload(look);
        if let Some(watcher) = &self.watcher {
            watcher.nudge();
        }
        change
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
        self.core.store.on_change(move |change, _| handler(change));
    }

    /// The same, one command at a time, in the form of RFC-0016: `Some` announces a new or changed
    /// command, `None` takes one back. A command that cannot be used counts as gone, a change of
    /// the body alone is none. A panic at one command takes no other from the handler.
    pub fn on_command_change(
        &self,
        handler: impl Fn(&str, Option<SkillCommand<'_>>) + Send + Sync + 'static,
    ) {
        self.core.store.on_command_change(handler);
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
        self.core.store.subscribe()
    }

    /// How often a handler of [`on_change`](Self::on_change), or the waker of a task that polls a
    /// [`Subscription`], has panicked.
    #[must_use]
    pub fn handler_faults(&self) -> u64 {
        self.core.store.faults()
    }

    /// Waits until the observers have heard of all that happened so far, for so long at most;
    /// whether they have. A program that ends calls this first.
    #[must_use]
    pub fn flush(&self, patience: Duration) -> bool {
        self.telemetry.observers.flush(patience)
    }

    /// How many events the observers were not told of, because too many waited for one of them.
    #[must_use]
    pub fn lost_events(&self) -> u64 {
        self.telemetry.observers.lost()
    }

    /// Forgets what a session was given: it has ended, or its context was cleared.
    pub fn end_session(&self, session: &str) {
        self.telemetry.sessions.end(session);
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
