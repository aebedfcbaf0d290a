//! The current snapshot, and those who are told when there is another.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;

use super::{Change, Snapshot};

/// Somebody who is told about publications.
type Handler = Arc<dyn Fn(&Change, &Snapshot) + Send + Sync>;

/// Holds the current snapshot. Readers never wait; publications and new handlers take turns in one
/// queue, so a handler misses nothing and hears nothing twice.
pub(crate) struct Store {
    current: ArcSwap<Snapshot>,
    queue: Mutex<Queue>,
    faults: AtomicU64,
}

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
            faults: AtomicU64::new(0),
        }
    }

    pub(crate) fn load(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Makes a snapshot the current one and gives what it changed. Only one thread at a time may
    /// publish. Handlers hear of it at the next [`deliver`](Self::deliver).
    pub(crate) fn publish(&self, next: Snapshot) -> Arc<Change> {
        let snapshot = Arc::new(next);
        let change = Arc::new(Change::between(&self.current.load(), &snapshot));
        let mut queue = self.lock();
        self.current.store(Arc::clone(&snapshot));
        if !queue.handlers.is_empty() {
            let to = queue.handlers.clone();
            let change = Arc::clone(&change);
            queue.waiting.push_back(Delivery::Published { to, change, snapshot });
        }
        change
    }

    /// Adds a handler that hears of what exists first, then of every publication.
    pub(crate) fn subscribe(&self, handler: impl Fn(&Change, &Snapshot) + Send + Sync + 'static) {
        let to: Handler = Arc::new(handler);
        let mut queue = self.lock();
        queue.handlers.push(Arc::clone(&to));
        queue.waiting.push_back(Delivery::Replay { to, snapshot: self.load() });
        drop(queue);
        self.deliver();
    }

    /// Calls the handlers, outside of every lock, until nothing waits. If another thread, or a
    /// handler further up on this one, is at it already, that one does the rest.
    pub(crate) fn deliver(&self) {
        let mut queue = self.lock();
        if queue.delivering {
            return;
        }
        queue.delivering = true;
        while let Some(delivery) = queue.waiting.pop_front() {
            drop(queue);
            match delivery {
                Delivery::Replay { to, snapshot } => {
                    self.call(&to, &Change::replay(&snapshot), &snapshot);
                }
                Delivery::Published { to, change, snapshot } => {
                    for handler in &to {
                        self.call(handler, &change, &snapshot);
                    }
                }
            }
            queue = self.lock();
        }
        queue.delivering = false;
    }

    /// How often a handler panicked.
    pub(crate) fn faults(&self) -> u64 {
        self.faults.load(Ordering::Relaxed)
    }

    fn call(&self, handler: &Handler, change: &Change, snapshot: &Snapshot) {
        // The handler sees only what never changes, so a panic leaves nothing of ours half done.
        let result = catch_unwind(AssertUnwindSafe(|| handler(change, snapshot)));
        if result.is_err() {
            self.faults.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
