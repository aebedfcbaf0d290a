//! Events to observers that may be slow: for each a bounded queue and a thread.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Activation, Observer, StaleContext, notify, notify_stale};

/// How many events wait for one observer before further ones are dropped.
const CAPACITY: usize = 1024;

/// The observers of a registry. None of them is ever waited for by an invocation.
#[derive(Default)]
pub(crate) struct Observers {
    queues: Vec<Arc<Queue>>,
}

/// What one observer has still to hear.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    moved: Condvar,
    lost: AtomicU64,
}

#[derive(Default)]
struct Waiting {
    events: VecDeque<Event>,
    /// Whether the observer is at one now.
    busy: bool,
    closed: bool,
}

#[derive(Clone)]
enum Event {
    Activation(Activation),
    Stale(StaleContext),
}

impl Observers {
    /// Starts a thread for each observer.
    pub(crate) fn start(observers: Vec<Arc<dyn Observer>>) -> io::Result<Self> {
        // Dropped on the way out, this ends the threads that were started.
        let mut started = Self::default();
        for observer in observers {
            let queue = Arc::<Queue>::default();
            let served = Arc::clone(&queue);
            thread::Builder::new()
                .name("skilldeck-observer".to_owned())
                .spawn(move || served.serve(&*observer))?;
            started.queues.push(queue);
        }
        Ok(started)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }

    pub(crate) fn tell(&self, activation: &Activation) {
        self.queues.iter().for_each(|queue| queue.push(Event::Activation(activation.clone())));
    }

    pub(crate) fn tell_stale(&self, stale: &StaleContext) {
        self.queues.iter().for_each(|queue| queue.push(Event::Stale(stale.clone())));
    }

    /// How many events no observer was told of, because too many waited for it.
    pub(crate) fn lost(&self) -> u64 {
        self.queues.iter().map(|queue| queue.lost.load(Ordering::Relaxed)).sum()
    }

    /// Waits until every observer has heard of all there was, for so long at most.
    pub(crate) fn flush(&self, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        self.queues.iter().all(|queue| queue.flush(end))
    }
}

impl Drop for Observers {
    /// The threads tell what waits and end; one that never comes back holds nobody up.
    fn drop(&mut self) {
        for queue in &self.queues {
            queue.lock().closed = true;
            queue.moved.notify_all();
        }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // No code of others runs under the lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, event: Event) {
        let mut waiting = self.lock();
        if waiting.events.len() >= CAPACITY {
            drop(waiting);
            self.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        waiting.events.push_back(event);
        drop(waiting);
        self.moved.notify_all();
    }

    fn serve(&self, observer: &dyn Observer) {
        let mut waiting = self.lock();
        loop {
            if let Some(event) = waiting.events.pop_front() {
                waiting.busy = true;
                drop(waiting);
                match event {
                    Event::Activation(activation) => notify(observer, &activation),
                    Event::Stale(stale) => notify_stale(observer, &stale),
                }
                waiting = self.lock();
                waiting.busy = false;
                if waiting.events.is_empty() {
                    self.moved.notify_all();
                }
            } else if waiting.closed {
                return;
            } else {
                waiting = self.moved.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn flush(&self, end: Instant) -> bool {
        let mut waiting = self.lock();
        while waiting.busy || !waiting.events.is_empty() {
            let Some(left) = end.checked_duration_since(Instant::now()) else { return false };
            let woken = self.moved.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}
