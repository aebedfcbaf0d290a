//! What holds in every order in which threads may take their turns at a store. Only with
//! `--cfg loom`, and only by `.ci/run model`: the locks of loom work nowhere else.

use std::sync::{Arc, Mutex as Notes, OnceLock, Weak};
use std::task::{Context, Poll, Wake, Waker};

use loom::sync::{Condvar, Mutex};
use loom::thread;

use crate::catalog::{Catalog, Deckview, Look, SourceStatus};
use crate::snapshot::{Change, NoChange, Snapshot, Store, Subscription};
use crate::source::{Memory, Precedence, Source, SourceInfo, Tier};

/// Runs this in every order, without a bound on interruptions.
fn model(run: impl Fn() + Send + Sync + 'static) {
    snapshot(1); // The decks are read once, outside of the model.
    loom::model(run);
}

/// The command that generation `n` adds.
fn word(generation: u64) -> String {
    format!("w{generation}")
}

/// Generation `n` has the commands `w1` to `wn`.
fn snapshot(generation: u64) -> Snapshot {
    static DECKS: OnceLock<Vec<(Deckview, Arc<[SourceStatus]>)>> = OnceLock::new();
    let decks = DECKS.get_or_init(|| {
        let memory = Arc::new(Memory::default());
        let source = Source::memory(Arc::clone(&memory), SourceInfo::new("mine", Tier::USER));
        let mut catalog = Catalog::new(Precedence::default(), vec![source]);
        let load = |generation| {
            memory.insert(word(generation), "---\ndescription: Does it.\n---\nDo it.\n");
            catalog.load(&Look::Everything, None)
        };
        (1..=5).map(load).collect()
    });
    let (deck, sources) = decks[generation as usize - 1].clone();
    Snapshot::new(1, generation, deck, sources)
}

/// A store, and the lock that makes publishers take turns, as a registry has them.
struct Registry {
    catalog: Mutex<()>,
    store: Store,
}

impl Registry {
    fn new() -> Arc<Self> {
        Arc::new(Self { catalog: Mutex::new(()), store: Store::new(snapshot(1)) })
    }

    fn publish(&self) {
        let turn = self.catalog.lock().unwrap();
        self.store.publish(snapshot(self.store.load().generation() + 1));
        drop(turn);
        self.store.deliver();
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Notes<Vec<Change>>>);

impl Heard {
    fn listen(registry: &Registry) -> Self {
        let heard = Self::default();
        let keep = heard.clone();
        registry.store.on_change(move |change, _| keep.0.lock().unwrap().push(change.clone()));
        heard
    }

    fn changes(&self) -> Vec<Change> {
        self.0.lock().unwrap().clone()
    }
}

/// Nothing is missing, nothing comes twice, nothing is merged.
#[track_caller]
fn each_once(changes: &[Change], last: u64) {
    let generations: Vec<_> = changes.iter().map(|change| change.generation).collect();
    let first = generations[0];
    assert_eq!(generations, (first..=last).collect::<Vec<_>>());
    assert_eq!(changes[0].added, (1..=first).map(word).collect::<Vec<_>>());
    for change in &changes[1..] {
        assert_eq!(change.added, [word(change.generation)]);
    }
}

/// Nothing is missing and nothing comes twice, though steps may be merged.
#[track_caller]
fn all_in_order(changes: &[Change], last: u64) {
    assert!(changes.is_sorted_by(|a, b| a.generation < b.generation), "{changes:?}");
    let added: Vec<_> = changes.iter().flat_map(|change| change.added.clone()).collect();
    assert_eq!(added, (1..=last).map(word).collect::<Vec<_>>());
}

fn waiting(subscription: &mut Subscription) -> Vec<Change> {
    std::iter::from_fn(|| subscription.try_recv().ok()).collect()
}

#[test]
fn a_subscription_beside_publications() {
    model(|| {
        let registry = Registry::new();
        let publisher = Arc::clone(&registry);
        let publisher = thread::spawn(move || publisher.publish());
        let mut subscription = registry.store.subscribe();
        publisher.join().unwrap();
        registry.store.deliver();
        each_once(&waiting(&mut subscription), 2);
        assert_eq!(subscription.try_recv(), Err(NoChange::Yet));
    });
}

#[test]
fn a_handler_beside_publications() {
    model(|| {
        let registry = Registry::new();
        let publisher = Arc::clone(&registry);
        let publisher = thread::spawn(move || {
            publisher.publish();
            publisher.publish();
        });
        let heard = Heard::listen(&registry);
        publisher.join().unwrap();
        each_once(&heard.changes(), 3);
    });
}

#[test]
fn two_publishers_and_a_handler_that_adds_a_handler() {
    model(|| {
        let registry = Registry::new();
        let inner: Arc<OnceLock<Heard>> = Arc::default();
        let (weak, keep) = (Arc::downgrade(&registry), Arc::clone(&inner));
        registry.store.on_change(move |change, _| {
            if change.generation == 2 {
                let registry = weak.upgrade().unwrap();
                assert!(keep.set(Heard::listen(&registry)).is_ok());
            }
        });
        let outer = Heard::listen(&registry);
        let other = Arc::clone(&registry);
        let other = thread::spawn(move || other.publish());
        registry.publish();
        other.join().unwrap();
        each_once(&outer.changes(), 3);
        each_once(&inner.get().unwrap().changes(), 3);
    });
}

#[test]
fn a_subscription_that_is_dropped_beside_publications() {
    model(|| {
        let registry = Registry::new();
        let mut subscription = registry.store.subscribe();
        let reader = thread::spawn(move || {
            subscription.try_recv().unwrap();
            drop(subscription);
        });
        registry.publish();
        let second: Weak<Snapshot> = Arc::downgrade(&registry.store.load());
        registry.publish();
        reader.join().unwrap();
        assert_eq!(registry.store.mailboxes.count(), 0);
        assert!(second.upgrade().is_none(), "nobody holds what only the subscription waited for");
    });
}

#[test]
fn a_reader_that_waits_beside_publications_and_the_end() {
    model(|| {
        let registry = Registry::new();
        let subscription = registry.store.subscribe();
        let reader = thread::spawn(move || subscription.into_iter().collect::<Vec<_>>());
        registry.publish();
        drop(registry);
        each_once(&reader.join().unwrap(), 2);
    });
}

#[test]
fn a_reader_that_falls_behind() {
    model(|| {
        let registry = Registry::new();
        let mut subscription = registry.store.subscribe();
        let publisher = Arc::clone(&registry);
        let publisher = thread::spawn(move || {
            for _ in 0..3 {
                publisher.publish();
            }
        });
        let mut changes = vec![subscription.recv().unwrap()];
        assert!(subscription.pending() <= Subscription::MAX_PENDING);
        changes.extend(subscription.try_recv().ok());
        publisher.join().unwrap();
        changes.extend(waiting(&mut subscription));
        all_in_order(&changes, 4);
    });
}

/// Wakes a thread that waits with the locks of the model.
#[derive(Default)]
struct Alarm {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        *self.rung.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

impl Alarm {
    fn wait(&self) {
        let mut rung = self.rung.lock().unwrap();
        while !*rung {
            rung = self.changed.wait(rung).unwrap();
        }
        *rung = false;
    }
}

#[test]
fn a_task_that_polls_beside_publications_and_the_end() {
    model(|| {
        let registry = Registry::new();
        let mut subscription = registry.store.subscribe();
        let reader = thread::spawn(move || {
            let alarm = Arc::new(Alarm::default());
            let waker = Waker::from(Arc::clone(&alarm));
            let mut changes = Vec::new();
            loop {
                match subscription.poll_recv(&mut Context::from_waker(&waker)) {
                    Poll::Ready(Some(change)) => changes.push(change),
                    Poll::Ready(None) => return changes,
                    Poll::Pending => alarm.wait(),
                }
            }
        });
        registry.publish();
        drop(registry);
        each_once(&reader.join().unwrap(), 2);
    });
}
