//! A registry to the thread that keeps it current.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::backend::{Start, system};
use super::inbox::Inbox;
use super::lookout::Lookout;
use super::{WatchOptions, Watched, Watching};

/// The name of the thread; Linux shows 15 bytes of it.
const THREAD: &str = "skilldeck-watch";
/// How long dropping a registry waits for a look that is under way. A handler that blocks, perhaps
/// on a lock of the one who drops, is left to itself then.
const PATIENCE: Duration = Duration::from_secs(1);

/// Keeps something current for as long as it lives, without keeping it alive.
pub(crate) struct Watcher {
    inbox: Arc<Inbox>,
    status: Arc<Mutex<Watching>>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Begins to watch: what changes from now on is noticed.
    ///
    /// # Errors
    /// When no thread can be started. A system that cannot report changes is no error: files are
    /// polled then.
    pub(crate) fn start(watched: &Arc<dyn Watched>, options: WatchOptions) -> io::Result<Self> {
        Self::with_backend(watched, options, Box::new(system))
    }

    pub(super) fn with_backend(
        watched: &Arc<dyn Watched>,
        options: WatchOptions,
        start: Start,
    ) -> io::Result<Self> {
        let inbox = Arc::new(Inbox::default());
        let lookout = Lookout::begin(watched, Arc::clone(&inbox), options, start);
        let status = Arc::clone(lookout.status());
        let ending = Ending(Arc::clone(&inbox));
        let run = move || {
            let _ending = ending;
            lookout.run();
        };
        let thread = Some(thread::Builder::new().name(THREAD.to_owned()).spawn(run)?);
        Ok(Self { inbox, status, thread })
    }

    /// Says that somebody else looked, so that what was found is watched.
    pub(crate) fn nudge(&self) {
        self.inbox.nudge();
    }

    /// How changes are noticed now.
    pub(crate) fn watching(&self) -> Watching {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.inbox.stop();
        let Some(thread) = self.thread.take() else { return };
        // A handler may drop the registry that calls it.
        let is_own = thread.thread().id() == thread::current().id();
        if !is_own && self.inbox.wait_for_end(PATIENCE) {
            // It has nothing left to do, and what it may have panicked with was counted.
            let _ = thread.join();
        }
    }
}

/// Says at the end of a thread that it ended.
struct Ending(Arc<Inbox>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end();
    }
}
