//! Settings to a registry.

use std::fmt;
use std::path::{self, Path};
use std::sync::Arc;

use skilldeck_core::model::Deck;

use super::Registry;
use super::core::Core;
use crate::catalog::Catalog;
use crate::error::{Error, ErrorKind};
use crate::host::{Host, NoHost};
use crate::policy::Policy;
use crate::source::{Kind, Precedence, Source, Tier, default_roots};
use crate::telemetry::{HashKey, Observer, Observers, Sessions, Telemetry, log_no_source};
use crate::watch::{WatchOptions, Watched, Watcher};

/// Sets up a [`Registry`].
#[derive(Default)]
pub struct Builder {
    sources: Vec<Source>,
    /// The positions in `sources` that came from default roots.
    defaults: Vec<usize>,
    trust_project: bool,
    precedence: Precedence,
    host: Option<Arc<dyn Host>>,
    policy: Policy,
    watch: Option<WatchOptions>,
    observers: Vec<Arc<dyn Observer>>,
    hash_key: HashKey,
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

    /// Sets the policy: who may start what, in menus, listings and invocations alike. The default
    /// has the rules that skills give themselves, and runs nothing.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use skilldeck_runtime::{
    ///     ErrorKind, Memory, Policy, Registry, Request, Rules, SkillRules, Source, SourceInfo, Tier,
    /// };
    ///
    /// # let mine = Arc::new(Memory::default());
    /// # mine.insert("deploy", "---\ndescription: Deploys.\n---\nDeploy it.\n");
    /// # let source = Source::memory(mine, SourceInfo::new("mine", Tier::USER));
    /// let rules = Rules::new().skill("deploy", SkillRules::new().allowed_agents(["admin"]));
    /// let registry = Registry::builder().source(source).policy(Policy::new().rules(rules)).build()?;
    ///
    /// let request = Request::line("/deploy");
    /// let refused = registry.invoke(&request).expect_err("the agent is not known");
    /// assert_eq!(refused.kind(), &ErrorKind::Refused);
    /// assert!(registry.invoke(&request.agent("admin")).is_ok());
    /// # Ok::<(), skilldeck_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Adds an observer of every invocation.
    ///
    /// It has a thread of its own and a queue of 1,024 events. What comes while the queue is full
    /// is dropped for this observer and counted by [`Registry::lost_events`], so an observer that
    /// blocks or fails delays no invocation. Only registries with observers remember which session
    /// was given which text, for [`Observer::stale`].
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use std::time::Duration;
    ///
    /// use skilldeck_runtime::{Activation, Memory, Observer, Registry, Request, Source, SourceInfo, Tier};
    ///
    /// #[derive(Default)]
    /// struct Log(Mutex<Vec<String>>);
    ///
    /// impl Observer for Log {
    ///     fn observe(&self, it: &Activation) {
    ///         self.0.lock().expect("no panic").push(format!("{} {}", it.skill(), it.state().as_str()));
    ///     }
    /// }
    ///
    /// # let mine = Arc::new(Memory::default());
    /// # mine.insert("hello", "---\ndescription: Greets.\n---\nHello.\n");
    /// # let source = Source::memory(mine, SourceInfo::new("mine", Tier::USER));
    /// let log = Arc::new(Log::default());
    /// let registry = Registry::builder().source(source).observer(Arc::clone(&log) as _).build()?;
    /// registry.invoke(&Request::line("/hello"))?;
    /// assert!(registry.flush(Duration::from_secs(10)));
    /// assert_eq!(*log.0.lock().expect("no panic"), ["hello started", "hello completed"]);
    /// # Ok::<(), skilldeck_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observers.push(observer);
        self
    }

    /// Sets the secret behind the hashes of arguments in events; the default is the process's.
    #[must_use]
    pub fn hash_key(mut self, key: HashKey) -> Self {
        self.hash_key = key;
        self
    }

    /// Keeps the registry current while files change, until it is dropped.
    ///
    /// Every directory source is watched, also one whose directory does not exist yet. A saved,
    /// added, moved or removed skill is in a new snapshot within a fraction of a second; of files
    /// that are read again and again, or that lie beside a skill's own, nobody hears.
    /// [`Registry::on_change`] tells what changed, on the thread that watches: a handler that
    /// blocks delays the next look. Where the system cannot report changes, the files are polled:
    /// [`Registry::watching`] says so.
    ///
    /// Relative roots are taken from the working directory at the time of
    /// [`build`](Self::build).
    ///
    /// ```
    /// use std::{fs, sync::mpsc, time::Duration};
    ///
    /// use skilldeck_runtime::{Registry, Source, SourceInfo, Tier};
    ///
    /// # let project = tempfile::tempdir()?;
    /// # let root = project.path().join("skills");
    /// fs::create_dir_all(root.join("greet"))?;
    /// let mine = Source::directory(&root, SourceInfo::new("mine", Tier::PROJECT));
    /// let registry = Registry::builder().source(mine).watch().build()?;
    /// let (sender, changes) = mpsc::channel();
    /// registry.on_change(move |change| drop(sender.send(change.clone())));
    /// assert!(changes.recv()?.added.is_empty(), "the first change is what is there already");
    ///
    /// fs::write(root.join("greet/SKILL.md"), "---\ndescription: Greets.\n---\nHello.\n")?;
    /// assert_eq!(changes.recv_timeout(Duration::from_secs(10))?.added, ["greet"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "watch")]
    #[must_use]
    pub fn watch(self) -> Self {
        self.watch_with(WatchOptions::default())
    }

    /// The same with other times than the usual ones.
    #[cfg(feature = "watch")]
    #[must_use]
    pub fn watch_with(mut self, options: WatchOptions) -> Self {
        self.watch = Some(options);
        self
    }

    /// Loads every source.
    ///
    /// # Errors
    /// When the settings contradict each other (a tier stands twice in the order), or when it is to
    /// be watched or observed and no thread can be started. A source that cannot be read is no error here: it
    /// is a diagnostic of the snapshot.
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
        if self.watch.is_some() {
            self.sources.iter_mut().for_each(make_absolute);
        }
        let has_sources = !self.sources.is_empty();
        if !has_sources {
            log_no_source();
        }
        let observers = Observers::start(self.observers).map_err(|error| {
            Error::new(ErrorKind::Io, "no thread can be started for the observers").because(error)
        })?;
        let telemetry = Arc::new(Telemetry {
            observers,
            sessions: Sessions::default(),
            hash_key: self.hash_key,
        });
        let core = Arc::new(Core::new(Catalog::new(self.precedence, self.sources)));
        if telemetry.follows_sessions() {
            let told = Arc::clone(&telemetry);
            core.store.on_publication(move |change, _| {
                told.outdate(&change.body_changed, change.generation);
            });
        }
        let watched: Arc<dyn Watched> = Arc::clone(&core) as _;
        let watch = |options| Watcher::start(&watched, options);
        let watcher = self.watch.map(watch).transpose().map_err(|error| {
            Error::new(ErrorKind::Io, "no thread can be started to watch the sources")
                .because(error)
        })?;
        Ok(Registry {
            watcher,
            core,
            has_sources,
            telemetry,
            host: self.host.unwrap_or_else(|| Arc::new(NoHost)),
            policy: Arc::new(self.policy),
        })
    }
}

/// Ties a relative root to the working directory of now: it may be another one, or gone, when the
/// root is looked at again.
fn make_absolute(source: &mut Source) {
    let Kind::Directory(root) = &mut source.kind else { return };
    if let Ok(absolute) = path::absolute(&*root) {
        *root = absolute;
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("sources", &self.sources).finish_non_exhaustive()
    }
}
