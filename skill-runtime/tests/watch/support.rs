//! A watched registry, and waiting for what it publishes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use skilldeck_runtime::{
    Attention, Change, Registry, Snapshot, Source, SourceInfo, State, Tier, WatchOptions,
};

use crate::tree::{skill_text, words};

/// How long to wait for what must come.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// No sweep and no poll within a test: what is noticed was reported.
pub(crate) const REPORTED: WatchOptions = WatchOptions {
    quiet: Duration::from_millis(20),
    delay: WatchOptions::DELAY,
    sweep: Duration::from_secs(3600),
    poll: Duration::from_secs(3600),
    force_polling: false,
};

/// A watched registry and what it published.
pub(crate) struct Watch {
    pub(crate) registry: Registry,
    changes: Mutex<Receiver<Change>>,
}

impl Watch {
    pub(crate) fn over(sources: impl IntoIterator<Item = Source>) -> Self {
        Self::with(REPORTED, sources)
    }

    /// A trusted root.
    pub(crate) fn on(root: impl Into<PathBuf>) -> Self {
        Self::over([source("user", root)])
    }

    pub(crate) fn with(options: WatchOptions, sources: impl IntoIterator<Item = Source>) -> Self {
        let builder = sources.into_iter().fold(Registry::builder(), |all, one| all.source(one));
        let registry = builder.watch_with(options).build().unwrap();
        let (sender, changes) = channel();
        registry.on_change(move |change| drop(sender.send(change.clone())));
        let watch = Self { registry, changes: Mutex::new(changes) };
        watch.next();
        watch
    }

    /// All that is watched is reported by the system.
    #[track_caller]
    pub(crate) fn is_reported(&self) -> &Self {
        let watching = self.registry.watching();
        let reported = watching.roots.iter().all(|root| root.attention == Attention::Watched);
        assert!(reported, "{watching:?}");
        self
    }

    /// The next change.
    #[track_caller]
    pub(crate) fn next(&self) -> Change {
        self.changes.lock().unwrap().recv_timeout(LIMIT).unwrap()
    }

    /// The changes that were published and not yet taken.
    pub(crate) fn taken(&self) -> Vec<Change> {
        self.changes.lock().unwrap().try_iter().collect()
    }

    /// Waits for a snapshot of which something is true.
    #[track_caller]
    pub(crate) fn until(&self, is_true: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let start = Instant::now();
        loop {
            let snapshot = self.registry.snapshot();
            if is_true(&snapshot) {
                return snapshot;
            }
            let left = LIMIT.saturating_sub(start.elapsed());
            let change = self.changes.lock().unwrap().recv_timeout(left);
            assert!(
                change.is_ok() || is_true(&self.registry.snapshot()),
                "it has {:?}: {snapshot:?}",
                words(&snapshot)
            );
        }
    }

    /// Waits until there are exactly these skills.
    #[track_caller]
    pub(crate) fn has(&self, expected: &[&str]) -> &Self {
        self.until(|snapshot| words(snapshot) == expected);
        self
    }

    /// Waits until a skill has this body.
    #[track_caller]
    pub(crate) fn says(&self, word: &str, body: &str) -> &Self {
        self.until(|snapshot| snapshot.get(word).is_some_and(|entry| entry.skill().body() == body));
        self
    }

    /// Waits until the look that watching begins with is over, at the price of two skills. It comes
    /// at once and not after some quiet, so it may see what is there for a moment only.
    #[track_caller]
    pub(crate) fn has_begun(&self, directory: &Path) -> &Self {
        // That look may find the first of them, but then not the second, which is not there yet.
        self.settle(directory, "x-begun").settle(directory, "x-begun-too")
    }

    /// Waits until a skill is in this state.
    #[track_caller]
    pub(crate) fn is(&self, word: &str, state: State) -> Arc<Snapshot> {
        self.until(|snapshot| snapshot.get(word).is_some_and(|entry| entry.state() == state))
    }

    /// Waits until this is among what is said about a skill. That something is said is no news: of
    /// a skill without a name there always is.
    #[track_caller]
    pub(crate) fn is_told(&self, word: &str, code: &str) -> Arc<Snapshot> {
        self.until(|snapshot| {
            let said = snapshot.get(word).map(|entry| entry.diagnostics());
            said.is_some_and(|said| said.iter().any(|found| found.code.id() == code))
        })
    }

    /// Waits until all that happened so far was looked at: reports come in order, so it was when a
    /// new skill is noticed.
    #[track_caller]
    pub(crate) fn settle(&self, directory: &Path, name: &str) -> &Self {
        save(directory.join(name).join("SKILL.md"), skill_text(name, ""));
        self.until(|snapshot| snapshot.get(name).is_some());
        self
    }
}

/// A trusted source.
pub(crate) fn source(name: &str, root: impl Into<PathBuf>) -> Source {
    let mut info = SourceInfo::new(name.to_owned(), Tier::USER);
    info.trusted = true;
    Source::directory(root, info)
}

/// Writes in place, with the directories above.
pub(crate) fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = path.as_ref();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// Writes in one step, with the directories above.
pub(crate) fn save(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = path.as_ref();
    let new = path.with_extension("tmp");
    write(&new, content);
    fs::rename(new, path).unwrap();
}

/// The text of a skill with this body.
pub(crate) fn text(body: &str) -> String {
    format!("---\ndescription: x\n---\n{body}")
}

/// Waits until something is true that nobody tells of.
#[track_caller]
pub(crate) fn eventually(what: &str, is_true: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < LIMIT, "{what}");
        std::thread::yield_now();
    }
}
