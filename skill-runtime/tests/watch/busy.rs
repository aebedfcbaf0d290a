//! Much that happens at once, and much that does not matter.

use std::fs;
use std::sync::Arc;

use skilldeck_runtime::Snapshot;

use crate::support::{Watch, save, text};
use crate::tree::{Tree, words};

#[test]
fn a_build_in_the_directory_of_a_skill() {
    let tree = Tree::new();
    tree.skill("one", "");
    tree.skill("root.bak/x", "");
    let watch = Watch::on(tree.path("one"));
    let before = watch.registry.snapshot();
    for at in 0..10_000 {
        tree.write(&format!("one/target-{at}.o"), "built");
    }
    for at in 0..50 {
        tree.write(&format!("one/out/{at}/x.o"), "built");
    }
    save(tree.path("one/SKILL.md"), text("after the build\n"));
    watch.says("one", "after the build\n");
    let generations = watch.registry.snapshot().generation() - before.generation();
    assert_eq!(generations, 1, "only the skill's own file is a change");
    // What came from the build after that is no change either.
    watch.registry.reload();
    assert_eq!(watch.registry.snapshot().generation() - before.generation(), 1);
}

#[test]
fn a_checkout_of_a_thousand_skills() {
    let tree = Tree::new();
    tree.skill("root/first", "");
    for at in 0..1000 {
        tree.write(&format!("stage/g/s{at:04}/SKILL.md"), text("old\n"));
    }
    let watch = Watch::on(tree.path("root"));
    fs::rename(tree.path("stage/g"), tree.path("root/g")).unwrap();
    watch.until(|snapshot| snapshot.len() == 1001);
    for at in 0..1000 {
        tree.write(&format!("root/g/s{at:04}/SKILL.md"), text("new\n"));
    }
    let is_new = |snapshot: &Snapshot| {
        words(snapshot)
            .iter()
            .filter(|word| **word != "first")
            .all(|word| snapshot.get(word).is_some_and(|entry| entry.skill().body() == "new\n"))
    };
    watch.until(is_new);
    fs::remove_dir_all(tree.path("root/g")).unwrap();
    watch.has(&["first"]).is_reported();
}

#[test]
fn a_reload_by_hand_is_watched_too() {
    let tree = Tree::new();
    let watch = Watch::on(tree.path("root"));
    tree.write("root/one/SKILL.md", text("first\n"));
    watch.registry.reload();
    tree.write("root/one/SKILL.md", text("second\n"));
    watch.says("one", "second\n");
    let before = watch.registry.snapshot();
    watch.registry.reload();
    assert!(Arc::ptr_eq(&before, &watch.registry.snapshot()));
}
