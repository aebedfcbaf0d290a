//! What a subscription receives, when it ends, and what it holds.

use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use crate::registry::Registry;
use crate::snapshot::{Change, NoChange, Subscription};
use crate::source::{Memory, Source, SourceInfo, Tier};

const TEXT: &str = "---\ndescription: Does it.\n---\nDo it.\n";
/// More than any wait here takes.
const LONG: Duration = Duration::from_secs(60);

fn registry(names: &[&str]) -> (Arc<Memory>, Registry) {
    let memory = Arc::new(Memory::default());
    for name in names {
        memory.insert(*name, TEXT);
    }
    let source = Source::memory(Arc::clone(&memory), SourceInfo::new("mine", Tier::USER));
    (memory, Registry::builder().source(source).build().unwrap())
}

fn waiting(subscription: &mut Subscription) -> Vec<Change> {
    std::iter::from_fn(|| subscription.try_recv().ok()).collect()
}

fn generations(changes: &[Change]) -> Vec<u64> {
    changes.iter().map(|change| change.generation).collect()
}

#[test]
fn what_exists_comes_first_and_then_each_change_once() {
    let (memory, registry) = registry(&["a", "b"]);
    let mut subscription = registry.subscribe();
    assert!(subscription.snapshot().is_none());
    memory.insert("c", TEXT);
    let change = registry.reload();
    let replay = subscription.try_recv().unwrap();
    assert_eq!((replay.generation, replay.added), (1, vec!["a".into(), "b".into()]));
    assert_eq!(subscription.snapshot().unwrap().len(), 2, "that of the change, not the current");
    assert_eq!(subscription.recv_timeout(LONG), Ok(change));
    assert_eq!(subscription.snapshot().unwrap().len(), 3);
    assert_eq!(registry.reload().generation, 2, "nothing changed");
    assert_eq!(subscription.try_recv(), Err(NoChange::Yet));
    assert_eq!(subscription.recv_timeout(Duration::from_millis(1)), Err(NoChange::Yet));
}

#[test]
fn an_empty_deck_has_a_replay_too() {
    let registry = Registry::builder().build().unwrap();
    let replay = Change { generation: 1, ..Change::default() };
    assert_eq!(registry.subscribe().recv(), Some(replay));
}

#[test]
fn what_was_published_is_received_before_the_end() {
    let (memory, registry) = registry(&["a"]);
    let mut subscription = registry.subscribe();
    memory.insert("b", TEXT);
    registry.reload();
    drop(registry);
    assert_eq!(generations(&subscription.iter().collect::<Vec<_>>()), [1, 2]);
    assert_eq!(subscription.recv(), None);
    assert_eq!(subscription.try_recv(), Err(NoChange::Ended));
    assert_eq!(subscription.recv_timeout(LONG), Err(NoChange::Ended));
    // A clock cannot show this deadline.
    assert_eq!(subscription.recv_timeout(Duration::MAX), Err(NoChange::Ended));
    assert_eq!(subscription.into_iter().next(), None);
}

#[test]
fn a_reader_that_waits_is_woken_by_a_change_and_by_the_end() {
    let (memory, registry) = registry(&[]);
    let mut subscription = registry.subscribe();
    let replayed = Arc::new(Barrier::new(2));
    let reader = thread::spawn({
        let replayed = Arc::clone(&replayed);
        move || {
            let mut changes = vec![subscription.recv().unwrap()];
            replayed.wait();
            changes.push(subscription.recv_timeout(LONG).unwrap());
            changes.extend(subscription);
            changes
        }
    });
    replayed.wait();
    for name in ["a", "b"] {
        memory.insert(name, TEXT);
        registry.reload();
    }
    drop(registry);
    assert_eq!(generations(&reader.join().unwrap()), [1, 2, 3]);
}

#[test]
fn a_reader_that_falls_behind_loses_only_the_steps() {
    let (memory, registry) = registry(&["old"]);
    let mut behind = registry.subscribe();
    let mut never_read = registry.subscribe();
    assert_eq!(behind.recv().unwrap().generation, 1);
    let second = {
        memory.insert("passing", TEXT);
        registry.reload();
        Arc::downgrade(&registry.snapshot())
    };
    memory.remove("passing");
    memory.remove("old");
    registry.reload();
    // Now two wait for the one, and three for the other.
    for step in 0..Subscription::MAX_PENDING - 2 {
        assert!(second.upgrade().is_some(), "{step}: it may still be received");
        memory.insert(format!("new-{step:02}"), TEXT);
        registry.reload();
    }
    assert_eq!((behind.pending(), never_read.pending()), (Subscription::MAX_PENDING, 1));
    memory.insert("last", TEXT);
    registry.reload();
    assert_eq!((behind.pending(), never_read.pending()), (1, 2));
    assert!(second.upgrade().is_none(), "nobody will receive it");

    let news = |from: usize, to: usize| (from..to).map(|step| format!("new-{step:02}"));
    let last = Subscription::MAX_PENDING as u64 + 2;
    let merged = behind.try_recv().unwrap();
    let added: Vec<_> =
        ["last".to_owned()].into_iter().chain(news(0, Subscription::MAX_PENDING - 2)).collect();
    assert_eq!(merged.generation, last);
    assert_eq!((merged.added, merged.removed), (added, vec!["old".to_owned()]));
    assert_eq!(behind.snapshot().unwrap().generation(), last);
    assert_eq!(behind.try_recv(), Err(NoChange::Yet));

    let replay = never_read.try_recv().unwrap();
    assert_eq!(replay.generation, last - 1);
    assert_eq!(replay.added, news(0, Subscription::MAX_PENDING - 2).collect::<Vec<_>>());
    let next = never_read.try_recv().unwrap();
    assert_eq!((next.generation, next.added), (last, vec!["last".to_owned()]));
    assert_eq!(next.removed, Vec::<String>::new(), "it never saw the old one");
}

#[test]
fn what_waits_is_bounded_however_long_nobody_reads() {
    let (memory, registry) = registry(&["a"]);
    let mut subscription = registry.subscribe();
    let mut most = 0;
    for round in 0..3 * Subscription::MAX_PENDING {
        memory.insert("a", format!("{TEXT}{round}\n"));
        registry.reload();
        most = most.max(subscription.pending());
    }
    assert_eq!(most, Subscription::MAX_PENDING);
    let changes = waiting(&mut subscription);
    assert_eq!(changes.last().unwrap().generation, registry.snapshot().generation());
    assert_eq!(changes[0].added, ["a"]);
}

#[test]
fn a_dropped_subscription_leaves_nothing() {
    let (memory, registry) = registry(&["a"]);
    let (first, dropped) = (registry.subscribe(), registry.subscribe());
    let mut last = registry.subscribe();
    let snapshot = Arc::downgrade(&registry.snapshot());
    drop(dropped);
    drop(first);
    memory.insert("b", TEXT);
    registry.reload();
    assert!(snapshot.upgrade().is_some(), "the last one has still to receive it");
    assert_eq!(generations(&waiting(&mut last)), [1, 2]);
    assert!(snapshot.upgrade().is_none());
    drop(registry);
    drop(last);
}

#[test]
fn a_task_that_is_asked_in_vain_is_pending() {
    let (memory, registry) = registry(&[]);
    let mut subscription = registry.subscribe();
    let mut context = Context::from_waker(Waker::noop());
    assert!(subscription.poll_recv(&mut context).is_ready());
    assert_eq!(subscription.poll_recv(&mut context), Poll::Pending);
    memory.insert("a", TEXT);
    registry.reload();
    assert!(subscription.poll_recv(&mut context).is_ready());
    drop(registry);
    assert_eq!(subscription.poll_recv(&mut context), Poll::Ready(None));
}

#[test]
fn no_gap_and_no_doubles_while_others_publish() {
    let (memory, registry) = registry(&["a"]);
    let (writers, rounds) = (2, 40);
    let readers: Vec<_> = thread::scope(|scope| {
        for writer in 0..writers {
            let (memory, registry) = (&memory, &registry);
            scope.spawn(move || {
                for round in 0..rounds {
                    memory.insert(format!("w{writer}-{round}"), TEXT);
                    registry.reload();
                }
            });
        }
        let subscribe = |_| {
            let subscription = registry.subscribe();
            thread::spawn(move || subscription.into_iter().collect::<Vec<_>>())
        };
        (0..8).map(subscribe).collect()
    });
    registry.reload();
    let words: Vec<_> = registry.snapshot().iter().map(|entry| entry.word().to_owned()).collect();
    assert_eq!(words.len(), 1 + writers * rounds);
    drop(registry);
    for reader in readers {
        let changes = reader.join().unwrap();
        // A reader that is slow gets steps merged.
        assert!(changes.is_sorted_by(|a, b| a.generation < b.generation));
        let mut added: Vec<_> = changes.iter().flat_map(|change| change.added.clone()).collect();
        added.sort();
        assert_eq!(added, words);
    }
}

#[test]
fn it_may_go_to_another_thread() {
    fn goes<T: Send + Sync + Unpin>() {}
    goes::<Subscription>();
}
