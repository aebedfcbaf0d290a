//! A subscription as a stream, with the smallest executor that can lose a wake-up.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use futures_core::Stream;

use crate::registry::Registry;
use crate::snapshot::{Change, Subscription};
use crate::source::{Memory, Source, SourceInfo, Tier};

/// A wake-up that does not come in this time is lost.
const BOUND: Duration = Duration::from_secs(60);

fn registry() -> (Arc<Memory>, Registry) {
    let memory = Arc::new(Memory::default());
    let source = Source::memory(Arc::clone(&memory), SourceInfo::new("mine", Tier::USER));
    (memory, Registry::builder().source(source).build().unwrap())
}

fn publish(memory: &Memory, registry: &Registry, name: &str) {
    memory.insert(name, "---\ndescription: Does it.\n---\nDo it.\n");
    registry.reload();
}

struct Parked {
    thread: Thread,
    wakes: AtomicUsize,
}

impl Parked {
    fn here() -> Arc<Self> {
        Arc::new(Self { thread: thread::current(), wakes: AtomicUsize::new(0) })
    }
}

impl Wake for Parked {
    fn wake(self: Arc<Self>) {
        self.wakes.fetch_add(1, Ordering::Release);
        self.thread.unpark();
    }
}

/// Polls only when it was woken, until the end of the stream.
fn collect(stream: impl Stream<Item = Change>) -> Vec<Change> {
    let mut stream = pin!(stream);
    let parked = Parked::here();
    let waker = Waker::from(Arc::clone(&parked));
    let mut changes = Vec::new();
    loop {
        let seen = parked.wakes.load(Ordering::Acquire);
        match stream.as_mut().poll_next(&mut Context::from_waker(&waker)) {
            Poll::Ready(Some(change)) => changes.push(change),
            Poll::Ready(None) => return changes,
            Poll::Pending => {
                let begun = Instant::now();
                while parked.wakes.load(Ordering::Acquire) == seen {
                    assert!(begun.elapsed() < BOUND, "the wake-up is lost");
                    thread::park_timeout(BOUND);
                }
            }
        }
    }
}

fn poll(subscription: &mut Subscription, waker: &Waker) -> Poll<Option<Change>> {
    std::pin::Pin::new(subscription).poll_next(&mut Context::from_waker(waker))
}

#[test]
fn a_task_gets_every_change_and_the_end() {
    let (memory, registry) = registry();
    let tasks: Vec<_> = (0..3)
        .map(|_| {
            let subscription = registry.subscribe();
            thread::spawn(move || collect(subscription))
        })
        .collect();
    for round in 0..40 {
        publish(&memory, &registry, &format!("s{round:02}"));
    }
    drop(registry);
    for task in tasks {
        let generations: Vec<_> = task.join().unwrap().iter().map(|c| c.generation).collect();
        assert_eq!(generations, (1..=41).collect::<Vec<_>>());
    }
}

#[test]
fn only_the_last_waker_is_woken_and_once() {
    let (memory, registry) = registry();
    let mut subscription = registry.subscribe();
    let (first, second) = (Parked::here(), Parked::here());
    let (early, late) = (Waker::from(Arc::clone(&first)), Waker::from(Arc::clone(&second)));
    assert!(poll(&mut subscription, &early).is_ready());
    assert!(poll(&mut subscription, &early).is_pending());
    assert!(poll(&mut subscription, &late).is_pending());
    assert_eq!(Arc::strong_count(&first), 2, "the waker that was replaced is gone");
    publish(&memory, &registry, "a");
    publish(&memory, &registry, "b");
    let wakes = |parked: &Parked| parked.wakes.load(Ordering::Acquire);
    assert_eq!((wakes(&first), wakes(&second)), (0, 1));
    assert!(poll(&mut subscription, &late).is_ready());
    assert!(poll(&mut subscription, &late).is_ready());
    assert!(poll(&mut subscription, &late).is_pending());
    drop(registry);
    assert_eq!(wakes(&second), 2);
    assert_eq!(poll(&mut subscription, &late), Poll::Ready(None));
}

/// A waker that runs the task at once, on the thread that wakes it.
struct Inline {
    registry: OnceLock<Arc<Registry>>,
    memory: Arc<Memory>,
    subscription: Mutex<Subscription>,
    received: AtomicUsize,
}

impl Wake for Inline {
    fn wake(self: Arc<Self>) {
        let waker = Waker::from(Arc::clone(&self));
        let registry = self.registry.get().unwrap();
        loop {
            let next = poll(&mut self.subscription.lock().unwrap(), &waker);
            let Poll::Ready(Some(change)) = next else { return };
            self.received.fetch_add(1, Ordering::Release);
            if change.generation == 2 {
                // Wakes this task again, which finds the lock free: it was left.
                publish(&self.memory, registry, "from the task");
            }
        }
    }
}

#[test]
fn a_waker_may_run_the_task_and_a_panicking_one_stops_nobody() {
    struct Panics;
    impl Wake for Panics {
        fn wake(self: Arc<Self>) {
            panic!("expected by the test");
        }
    }
    let (memory, registry) = registry();
    let registry = Arc::new(registry);
    let mut faulty = registry.subscribe();
    let bad = Waker::from(Arc::new(Panics));
    assert!(poll(&mut faulty, &bad).is_ready());
    assert!(poll(&mut faulty, &bad).is_pending());

    let task = Arc::new(Inline {
        registry: OnceLock::new(),
        memory: Arc::clone(&memory),
        subscription: Mutex::new(registry.subscribe()),
        received: AtomicUsize::new(0),
    });
    assert!(task.registry.set(Arc::clone(&registry)).is_ok());
    Arc::clone(&task).wake();
    assert_eq!(task.received.load(Ordering::Acquire), 1, "the replay");
    publish(&memory, &registry, "a");
    assert_eq!(task.received.load(Ordering::Acquire), 3);
    assert_eq!(registry.handler_faults(), 1);
    assert_eq!(registry.snapshot().generation(), 3);
}
