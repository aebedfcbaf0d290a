//! The current snapshot, and those who are told when there is another.

use std::collections::VecDeque;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use skilldeck_core::model::SkillCommand;

use super::mailbox::Mailboxes;
use super::sync::{ArcSwap, Mutex, lock};
use super::{Change, Snapshot, Subscription};

/// Somebody who is told about publications.
type Handler = Arc<dyn Fn(&Change, &Snapshot) + Send + Sync>;

/// Holds the current snapshot. Readers never wait. Publications, new handlers and new subscriptions
/// take turns at one queue, so that nobody misses anything and nobody hears anything twice.
///
/// No code of others runs under a lock of this: neither handlers nor wakers, nor what drops them or
/// what they panicked with.
pub(crate) struct Store {
    current: ArcSwap<Snapshot>,
    queue: Mutex<Queue>,
    mailboxes: Arc<Mailboxes>,
    faults: Arc<Faults>,
}

/// How often code of others panicked.
#[derive(Default)]
struct Faults(AtomicU64);

#[derive(Default)]
struct Queue {
    handlers: Vec<Handler>,
    waiting: VecDeque<Delivery>,
    /// Whether somebody is delivering: one at a time, so that all hear everything in order.
    delivering: bool,
}

/// A snapshot that handlers have still to hear of.
enum Delivery {
    /// What exists, to one who is new.
    Replay { to: Handler, snapshot: Arc<Snapshot> },
    /// A publication, to everyone who was there when it happened.
    Published { to: Vec<Handler>, change: Arc<Change>, snapshot: Arc<Snapshot> },
}

impl Store {
    pub(crate) fn new(first: Snapshot) -> Self {
        Self {
            current: ArcSwap::from_pointee(first),
            queue: Mutex::default(),
            mailboxes: Arc::default(),
            faults: Arc::default(),
        }
    }

    pub(crate) fn load(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Makes a snapshot the current one and gives what it changed. Only one thread at a time may
    /// publish. Handlers and tasks hear of it at the next [`deliver`](Self::deliver), which has to
    /// follow once the caller holds no lock any more.
    pub(crate) fn publish(&self, next: Snapshot) -> Arc<Change> {
        // Held to the end, so that a large deck is not dropped under the lock.
        let last = self.load();
        let snapshot = Arc::new(next);
        let change = Arc::new(Change::between(&last, &snapshot));
        let mut queue = lock(&self.queue);
        self.current.store(Arc::clone(&snapshot));
        self.mailboxes.post(&change, &snapshot);
        if !queue.handlers.is_empty() {
            let to = queue.handlers.clone();
            let change = Arc::clone(&change);
            queue.waiting.push_back(Delivery::Published { to, change, snapshot });
        }
        drop(queue);
        change
    }

    /// Adds a handler that hears of what exists first, then of every publication.
    pub(crate) fn on_change(&self, handler: impl Fn(&Change, &Snapshot) + Send + Sync + 'static) {
        let to: Handler = Arc::new(handler);
        let mut queue = lock(&self.queue);
        queue.handlers.push(Arc::clone(&to));
        queue.waiting.push_back(Delivery::Replay { to, snapshot: self.load() });
        drop(queue);
        self.deliver();
    }

    /// Adds a handler that hears of every publication from now on: what exists costs it nothing.
    pub(crate) fn on_publication(
        &self,
        handler: impl Fn(&Change, &Snapshot) + Send + Sync + 'static,
    ) {
        lock(&self.queue).handlers.push(Arc::new(handler));
    }

    /// Adds a handler as [`on_change`](Self::on_change) does, told of one command at a time. If it panics at one, it still hears of the others.
    pub(crate) fn on_command_change(
        &self,
        handler: impl Fn(&str, Option<SkillCommand<'_>>) + Send + Sync + 'static,
    ) {
        let faults = Arc::clone(&self.faults);
        self.on_change(move |change, snapshot| {
            change.each_command(snapshot, |word, command| {
                faults.isolate(|| handler(word, command));
            });
        });
    }

    /// Opens a subscription that receives what exists first, then every publication.
    pub(crate) fn subscribe(&self) -> Subscription {
        // Nothing is published between the look at what exists and the first post.
        let _queue = lock(&self.queue);
        Subscription::new(&self.mailboxes, self.load())
    }

    /// Wakes tasks and calls the handlers until nothing waits. If another thread, or a handler
    /// further up on this one, is calling handlers already, that one does the rest.
    pub(crate) fn deliver(&self) {
        self.wake();
        let mut queue = lock(&self.queue);
        if queue.delivering {
            return;
        }
        queue.delivering = true;
        while let Some(delivery) = queue.waiting.pop_front() {
            drop(queue);
            match delivery {
                Delivery::Replay { to, snapshot } => {
                    self.faults.isolate(|| to(&Change::replay(&snapshot), &snapshot));
                }
                Delivery::Published { to, change, snapshot } => {
                    for handler in &to {
                        self.faults.isolate(|| handler(&change, &snapshot));
                    }
                }
            }
            queue = lock(&self.queue);
        }
        queue.delivering = false;
    }

    /// How often a handler panicked.
    pub(crate) fn faults(&self) -> u64 {
        self.faults.0.load(Ordering::Relaxed)
    }

    fn wake(&self) {
        for waker in self.mailboxes.wakers() {
            self.faults.isolate(|| waker.wake());
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.mailboxes.end();
        self.wake();
    }
}

impl Faults {
    /// Runs code of others. It sees only what never changes, so that a panic of it leaves nothing of
    /// ours half done; a panic is counted.
    fn isolate(&self, run: impl FnOnce()) {
        let Err(payload) = catch_unwind(AssertUnwindSafe(run)) else { return };
        self.0.fetch_add(1, Ordering::Relaxed);
        // To drop what it panicked with is to run code of others again.
        if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            mem::forget(another);
        }
    }
}

#[cfg(test)]
mod tests;
