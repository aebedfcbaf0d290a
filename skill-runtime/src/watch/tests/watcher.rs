//! The thread, with and without a real system below it.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use super::super::notice::Notice;
use super::super::watcher::Watcher;
use super::super::{WatchOptions, Watched};
use super::{AT_ONCE, Found, LIMIT, System, eventually, paths, place, territory};
use crate::catalog::Look;

fn watch(found: &Arc<Found>, system: &System, options: WatchOptions) -> Watcher {
    let watched: Arc<dyn Watched> = Arc::clone(found) as _;
    Watcher::with_backend(&watched, options, system.start()).unwrap()
}

/// Waits for the look at everything that watching begins with.
fn begun(found: &Found) {
    eventually("it looks at everything", || found.looks.lock().unwrap().len() == 1);
    assert_eq!(found.looks(), [Look::Everything]);
}

#[test]
fn reading_is_no_reason_to_look() {
    let (_directory, root) = place();
    let file = root.join("SKILL.md");
    fs::write(&file, "x").unwrap();
    let found = Found::new([territory(&root, &[])]);
    let watched: Arc<dyn Watched> = Arc::clone(&found) as _;
    let watcher = Watcher::start(&watched, AT_ONCE).unwrap();
    begun(&found);
    for _ in 0..100 {
        assert_eq!(fs::read(&file).unwrap(), b"x");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        fs::metadata(&file).unwrap();
    }
    // Reports come in order: what follows the reads is heard, and it alone.
    fs::write(root.join("other"), "").unwrap();
    eventually("the write is noticed", || !found.looks.lock().unwrap().is_empty());
    drop(watcher);
    let looks = found.looks();
    assert!(looks.iter().all(|look| *look == paths([&*root.join("other")])), "{looks:?}");
}

#[test]
fn a_look_that_panics_is_counted_and_made_good() {
    let (_directory, root) = place();
    let found = Found::new([territory(&root, &[])]);
    *found.panics.lock().unwrap() = 2;
    let system = System::default();
    let options = WatchOptions { poll: Duration::ZERO, ..AT_ONCE };
    let watcher = watch(&found, &system, options);
    eventually("it looks until it can", || found.looks.lock().unwrap().len() >= 3);
    assert_eq!(watcher.watching().faults, 2);
    let looks = found.looks();
    assert!(looks[..3].iter().all(|look| *look == Look::Everything), "{looks:?}");
    // And it hears again.
    let file = root.join("SKILL.md");
    system.inbox().put([Notice::Changed(file.clone())]);
    eventually("it is looked at", || found.looks.lock().unwrap().contains(&paths([&*file])));
}

#[test]
fn it_keeps_nothing_alive() {
    let (_directory, root) = place();
    let found = Found::new([territory(&root, &[])]);
    let system = System::default();
    let watcher = watch(&found, &system, AT_ONCE);
    begun(&found);
    eventually("only this test has it", || Arc::strong_count(&found) == 1);
    let weak = Arc::downgrade(&found);
    drop(found);
    assert!(weak.upgrade().is_none());
    // Its thread ends at the next report.
    let inbox = system.inbox();
    inbox.put([Notice::Changed(root)]);
    assert!(inbox.wait_for_end(LIMIT));
    drop(watcher);
}

#[test]
fn dropping_it_ends_its_thread() {
    let (_directory, root) = place();
    for _ in 0..20 {
        let found = Found::new([territory(&root, &["one"])]);
        let system = System::default();
        let watcher = watch(&found, &system, AT_ONCE);
        let inbox = system.inbox();
        inbox.put([Notice::Changed(root.join("one/SKILL.md")), Notice::Lost]);
        drop(watcher);
        assert!(inbox.wait_for_end(Duration::ZERO), "it ended before the drop");
        assert_eq!(Arc::strong_count(&found), 1);
    }
}
