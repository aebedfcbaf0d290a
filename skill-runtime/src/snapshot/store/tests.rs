//! What handlers see of publications, and in which order.

#[cfg(loom)]
mod model;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use crate::Change;
use crate::registry::Registry;
use crate::source::{Memory, Source, SourceInfo, Tier};

fn text(body: &str) -> String {
    format!("---\ndescription: Does it.\n---\n{body}\n")
}

fn registry(names: &[&str]) -> (Arc<Memory>, Registry) {
    let memory = Arc::new(Memory::default());
    for name in names {
        memory.insert(*name, text("first"));
    }
    let source = Source::memory(Arc::clone(&memory), SourceInfo::new("mine", Tier::USER));
    (memory, Registry::builder().source(source).build().unwrap())
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<Change>>>);

impl Heard {
    fn listen(registry: &Registry) -> Self {
        let heard = Self::default();
        let keep = heard.clone();
        registry.on_change(move |change| keep.0.lock().unwrap().push(change.clone()));
        heard
    }

    fn changes(&self) -> Vec<Change> {
        self.0.lock().unwrap().clone()
    }
}

#[test]
fn a_handler_hears_what_exists_and_then_each_change_once() {
    let (memory, registry) = registry(&["a", "b"]);
    let heard = Heard::listen(&registry);
    memory.insert("c", text("new"));
    memory.insert("a", text("second"));
    memory.remove("b");
    let change = registry.reload();
    assert_eq!(registry.reload().generation, 2, "nothing changed");
    let replay = Change { generation: 1, added: vec!["a".into(), "b".into()], ..Change::default() };
    let heard = heard.changes();
    assert_eq!(heard.len(), 2);
    assert_eq!(heard[0].added, replay.added);
    assert_eq!(heard[1], change);
    assert_eq!(change.generation, 2);
    assert_eq!(change.added, ["c"]);
    assert_eq!(change.removed, ["b"]);
    assert_eq!(change.body_changed, ["a"]);
    assert_eq!(change.metadata_changed, Vec::<String>::new());
}

#[test]
fn a_panicking_handler_stops_nobody() {
    let (memory, registry) = registry(&["a"]);
    registry.on_change(|_| panic!("expected by the test"));
    let heard = Heard::listen(&registry);
    memory.remove("a");
    registry.reload();
    assert_eq!(heard.changes().len(), 2);
    assert_eq!(registry.handler_faults(), 2);
    assert!(registry.snapshot().is_empty());
}

#[test]
fn a_handler_may_reload_and_subscribe() {
    let (memory, registry) = registry(&["a"]);
    let registry = Arc::new(registry);
    let late = Arc::new(OnceLock::new());
    let (inner, inner_late) = (Arc::clone(&registry), Arc::clone(&late));
    let inner_memory = Arc::clone(&memory);
    registry.on_change(move |change| {
        if change.generation == 2 {
            inner_memory.remove("b");
            inner.reload();
            inner_late.set(Heard::listen(&inner)).ok();
        }
    });
    let heard = Heard::listen(&registry);
    memory.insert("b", text("new"));
    registry.reload();
    let generations: Vec<_> = heard.changes().iter().map(|change| change.generation).collect();
    assert_eq!(generations, [1, 2, 3]);
    let late: Vec<_> = late.get().unwrap().changes().iter().map(|c| c.generation).collect();
    assert_eq!(late, [3], "a replay of what was current, and nothing before it");
}

/// What a handler panicked with, and panics itself when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("expected by the test: dropped");
    }
}

#[test]
fn a_panic_whose_payload_panics_stops_nobody() {
    let (memory, registry) = registry(&["a"]);
    registry.on_change(|_| std::panic::panic_any(Bomb));
    let heard = Heard::listen(&registry);
    for name in ["b", "c"] {
        memory.insert(name, text("new"));
        registry.reload();
    }
    let generations: Vec<_> = heard.changes().iter().map(|change| change.generation).collect();
    assert_eq!(generations, [1, 2, 3]);
    assert_eq!(registry.handler_faults(), 3);
}

#[test]
fn a_panic_at_one_command_takes_no_other() {
    let (_, registry) = registry(&["a", "b", "c"]);
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let keep = Arc::clone(&told);
    registry.on_command_change(move |name, _| {
        assert_ne!(name, "b", "expected by the test");
        keep.lock().unwrap().push(name.to_owned());
    });
    assert_eq!(*told.lock().unwrap(), ["a", "c"]);
    assert_eq!(registry.handler_faults(), 1);
}

#[test]
fn no_lock_is_held_while_a_handler_runs() {
    let (memory, registry) = registry(&["a"]);
    let registry = Arc::new(registry);
    let inner = Arc::clone(&registry);
    let received = Arc::new(OnceLock::new());
    let keep = Arc::clone(&received);
    registry.on_change(move |change| {
        // Each on a thread of its own, so that a lock is not entered again but waited for.
        let registry = Arc::clone(&inner);
        let other = thread::spawn(move || {
            registry.reload();
            registry.on_change(|_| {});
            (registry.snapshot().generation(), registry.subscribe())
        });
        let (generation, mut subscription) = other.join().unwrap();
        assert_eq!(generation, change.generation);
        keep.set(subscription.try_recv().unwrap()).ok();
    });
    memory.insert("b", text("new"));
    registry.reload();
    assert_eq!(registry.handler_faults(), 0);
    assert_eq!(received.get().unwrap().generation, 1);
}

#[test]
fn a_handler_may_drop_the_registry_that_a_host_holds() {
    let (memory, registry) = registry(&["a"]);
    let registry = Arc::new(registry);
    let held = Mutex::new(Some(Arc::clone(&registry)));
    registry.on_change(move |change| {
        if change.generation == 2 {
            drop(held.lock().unwrap().take());
        }
    });
    let heard = Heard::listen(&registry);
    let mut subscription = registry.subscribe();
    memory.insert("b", text("new"));
    registry.reload();
    assert_eq!(Arc::strong_count(&registry), 1);
    assert_eq!(heard.changes().len(), 2, "those behind it hear of the change all the same");
    drop(registry);
    assert_eq!(subscription.iter().count(), 2, "and then the end");
}

#[test]
fn no_gap_and_no_doubles_while_others_publish() {
    let (memory, registry) = registry(&["a"]);
    let writers = 2;
    let rounds = 50;
    let running = AtomicUsize::new(writers);
    let listeners: Mutex<Vec<Heard>> = Mutex::default();
    thread::scope(|scope| {
        for writer in 0..writers {
            let (memory, registry, running) = (&memory, &registry, &running);
            scope.spawn(move || {
                for round in 0..rounds {
                    memory.insert(format!("w{writer}-{round}"), text("new"));
                    registry.reload();
                }
                running.fetch_sub(1, Ordering::Release);
            });
        }
        scope.spawn(|| {
            while running.load(Ordering::Acquire) > 0 {
                // A few come while others publish; more of them only make each change dearer.
                if listeners.lock().unwrap().len() < 20 {
                    listeners.lock().unwrap().push(Heard::listen(&registry));
                }
                let mut seen = 0;
                let snapshot = registry.snapshot();
                for entry in snapshot.iter() {
                    seen += usize::from(snapshot.get(entry.word()).is_some());
                }
                assert_eq!(seen, snapshot.len());
            }
        });
    });
    registry.reload();
    let last = registry.snapshot();
    let words: Vec<_> = last.iter().map(|entry| entry.word().to_owned()).collect();
    assert_eq!(words.len(), 1 + writers * rounds);
    for heard in listeners.into_inner().unwrap() {
        let changes = heard.changes();
        let generations: Vec<_> = changes.iter().map(|change| change.generation).collect();
        let wanted: Vec<_> = (generations[0]..=last.generation()).collect();
        assert_eq!(generations, wanted);
        let mut added: Vec<_> = changes.iter().flat_map(|change| change.added.clone()).collect();
        added.sort();
        assert_eq!(added, words);
    }
}

#[test]
fn commands_are_announced_one_by_one() {
    let (memory, registry) = registry(&["a", "b"]);
    memory.insert("broken", "---\ndescription: x\ndepends-on: late\n---\n");
    registry.reload();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let keep = Arc::clone(&told);
    registry.on_command_change(move |name, command| {
        let description = command.map_or("gone".to_owned(), |c| c.description().to_owned());
        keep.lock().unwrap().push(format!("{name}: {description}"));
    });
    let take = || std::mem::take(&mut *told.lock().unwrap());
    assert_eq!(take(), ["a: Does it.", "b: Does it."]);

    memory.insert("a", text("another body"));
    registry.reload();
    assert_eq!(take(), Vec::<String>::new(), "a body is no command change");

    memory.insert("a", "---\ndescription: New.\n---\n");
    memory.insert("late", text("it"));
    memory.remove("b");
    registry.reload();
    assert_eq!(take(), ["a: New.", "b: gone", "broken: x", "late: Does it."]);

    memory.remove("late");
    let change = registry.reload();
    assert_eq!(take(), ["broken: gone", "late: gone"]);
    assert_eq!((change.unavailable, change.removed), (vec!["broken".into()], vec!["late".into()]));
}
