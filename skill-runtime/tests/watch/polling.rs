//! Polling and sweeping.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use skilldeck_runtime::{Attention, Memory, Registry, Source, SourceInfo, Tier, WatchOptions};

use crate::support::{REPORTED, Watch, source, text};
use crate::tree::Tree;

#[test]
fn polled_because_it_was_asked_for() {
    let tree = Tree::new();
    tree.skill("root/one", "");
    let options = WatchOptions { force_polling: true, poll: Duration::from_millis(20), ..REPORTED };
    let watch = Watch::with(options, [source("user", tree.path("root"))]);
    let watching = watch.registry.watching();
    assert_eq!(watching.roots[0].root, tree.path("root"));
    let Attention::Polled { reason } = &watching.roots[0].attention else {
        panic!("{watching:?}");
    };
    assert_eq!(reason, "polling was asked for");
    // The same length within the same second: only the finer times tell.
    for body in ["a\n", "b\n", "c\n"] {
        tree.write("root/one/SKILL.md", text(body));
        watch.says("one", body);
    }
    fs::remove_dir_all(tree.path("root")).unwrap();
    watch.has(&[]);
    tree.write("root/two/SKILL.md", text("new\n"));
    watch.has(&["two"]);
}

#[test]
fn a_sweep_finds_what_nobody_reported() {
    let tree = Tree::new();
    tree.write("stage/one/SKILL.md", text("found\n"));
    fs::create_dir_all(tree.path("root")).unwrap();
    let options = WatchOptions { sweep: Duration::from_millis(20), ..REPORTED };
    // What is kept in memory has nothing that the system could report.
    let memory = Arc::new(Memory::default());
    let info = SourceInfo::new("memory", Tier::USER);
    let kept = Source::memory(Arc::clone(&memory), info);
    let watch = Watch::with(options, [source("user", tree.path("root")), kept]);
    memory.insert("kept", text("found\n"));
    watch.says("kept", "found\n");
    fs::rename(tree.path("stage/one"), tree.path("root/one")).unwrap();
    watch.says("one", "found\n").is_reported();
}

#[test]
fn not_watched() {
    let tree = Tree::new();
    let registry = Registry::builder().source(source("user", tree.root())).build().unwrap();
    assert_eq!(registry.watching().roots, []);
    // A registry without any directory can be watched all the same.
    let registry = Registry::builder().watch().build().unwrap();
    assert_eq!(registry.watching().roots, []);
}
