//! Handlers that misbehave, and the end of a registry.

use std::fs;
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use skilldeck_runtime::Registry;

use crate::support::{LIMIT, REPORTED, Watch, eventually, source, text};
use crate::tree::Tree;

/// The threads that watch in this process, by name; the other tests have theirs.
fn watching_threads() -> Vec<String> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return Vec::new() };
    let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).ok();
    let names = tasks.flatten().filter_map(name);
    names.filter(|name| ["skilldeck", "notify"].iter().any(|it| name.starts_with(it))).collect()
}

fn watched(tree: &Tree) -> Registry {
    let builder = Registry::builder().source(source("user", tree.root()));
    builder.watch_with(REPORTED).build().unwrap()
}

#[test]
fn one_that_panics() {
    let tree = Tree::new();
    tree.skill("one", "");
    let watch = Watch::on(tree.root());
    watch.registry.on_change(|change| assert!(change.generation < 2, "a handler that panics"));
    for body in ["a\n", "b\n"] {
        tree.write("one/SKILL.md", text(body));
        watch.says("one", body);
    }
    eventually("both are counted", || watch.registry.handler_faults() >= 2);
    assert_eq!(watch.registry.watching().faults, 0, "it is no fault of the watcher");
}

#[test]
fn one_that_drops_the_registry() {
    let tree = Tree::new();
    tree.skill("one", "");
    let registry = Arc::new(Mutex::new(Some(watched(&tree))));
    let (sender, dropped) = channel();
    let held = Arc::clone(&registry);
    let begun = Instant::now();
    registry.lock().unwrap().as_ref().unwrap().on_change(move |change| {
        if change.generation > 1 {
            let registry = held.lock().unwrap().take();
            sender.send(registry.is_some()).unwrap();
            drop(registry);
            sender.send(true).unwrap();
        }
    });
    tree.write("one/SKILL.md", text("edited\n"));
    assert!(dropped.recv_timeout(LIMIT).unwrap(), "it was there to be dropped");
    assert!(dropped.recv_timeout(LIMIT).unwrap());
    // Its sender goes with the registry's last part.
    assert!(dropped.recv_timeout(LIMIT).is_err());
    assert!(begun.elapsed() < LIMIT);
    assert!(registry.lock().unwrap().is_none());
}

#[test]
fn one_that_blocks_while_the_registry_is_dropped() {
    let tree = Tree::new();
    tree.skill("one", "");
    let registry = watched(&tree);
    let (entered, enter) = channel();
    let (release, released) = sync_channel::<()>(0);
    let released = Mutex::new(released);
    registry.on_change(move |change| {
        if change.generation > 1 {
            entered.send(()).unwrap();
            // Until the test is over.
            let _ = released.lock().unwrap().recv();
        }
    });
    tree.write("one/SKILL.md", text("edited\n"));
    enter.recv_timeout(LIMIT).unwrap();
    let begun = Instant::now();
    drop(registry);
    assert!(begun.elapsed() < LIMIT, "dropping does not wait for it");
    drop(release);
    assert!(enter.recv_timeout(LIMIT).is_err(), "the handler is dropped too");
}

#[test]
fn what_happens_while_a_handler_is_busy_is_not_lost() {
    let tree = Tree::new();
    tree.skill("one", "");
    let watch = Watch::on(tree.root());
    let (entered, enter) = channel();
    let (release, released) = channel::<()>();
    let released = Mutex::new(released);
    watch.registry.on_change(move |change| {
        if change.generation == 2 {
            entered.send(()).unwrap();
            released.lock().unwrap().recv_timeout(LIMIT).unwrap();
        }
    });
    tree.write("one/SKILL.md", text("a\n"));
    enter.recv_timeout(LIMIT).unwrap();
    tree.write("one/SKILL.md", text("b\n"));
    tree.write("two/SKILL.md", text("new\n"));
    release.send(()).unwrap();
    watch.says("one", "b\n").has(&["one", "two"]);
    tree.write("two/SKILL.md", text("edited\n"));
    watch.says("two", "edited\n");
}

/// Runs alone in a process (see `alone`), so that it can count threads.
#[test]
fn nothing_is_left_after_a_drop() {
    if !crate::alone::is_child("handlers::nothing_is_left_after_a_drop") {
        return;
    }
    let tree = Tree::new();
    for at in 0..50 {
        tree.skill(&format!("s{at}"), "");
    }
    for round in 0..20 {
        let registry = watched(&tree);
        assert!(!watching_threads().is_empty(), "the names are known");
        // Dropped at once, and while what follows is looked at.
        if round % 2 == 0 {
            let (sender, changes) = channel();
            registry.on_change(move |change| sender.send(change.generation).unwrap_or_default());
            for at in 0..50 {
                tree.write(&format!("s{at}/SKILL.md"), text(&format!("{round}\n")));
            }
            while changes.recv_timeout(LIMIT).unwrap() < 2 {}
        }
        drop(registry);
        let own = |name: &String| name.starts_with("skilldeck");
        assert!(!watching_threads().iter().any(own), "the thread ended before the drop");
        eventually("the system's thread ends", || watching_threads().is_empty());
    }
}
