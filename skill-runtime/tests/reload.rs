//! What a reload publishes, and what it leaves as it is.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use skilldeck_runtime::{Change, Memory, Registry, Source, SourceInfo, State, Tier};
use support::{Tree, deck_of, directory, registry, skill_text, user, words};

#[track_caller]
fn check(change: &Change, expected: &[(&str, &[&str])]) {
    let lists = [
        ("added", &change.added),
        ("removed", &change.removed),
        ("metadata", &change.metadata_changed),
        ("body", &change.body_changed),
        ("stale", &change.stale),
        ("recovered", &change.recovered),
        ("unavailable", &change.unavailable),
        ("available", &change.available),
    ];
    let found: Vec<_> = lists
        .iter()
        .filter(|(_, words)| !words.is_empty())
        .map(|(name, words)| (*name, words.iter().map(String::as_str).collect::<Vec<_>>()))
        .collect();
    let expected: Vec<_> = expected.iter().map(|(name, words)| (*name, words.to_vec())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_reload_without_a_change_publishes_nothing() {
    let tree = Tree::new();
    tree.skill("one", "unknown: x\n");
    tree.write("broken/SKILL.md", [0xff]);
    let registry = Registry::builder().bundled(deck_of(3)).source(user(tree.root()));
    let registry = registry.build().unwrap();
    let before = registry.snapshot();
    let change = registry.reload();
    assert_eq!(change, Change { generation: 1, ..Change::default() });
    assert!(change.is_empty());
    assert!(Arc::ptr_eq(&before, &registry.snapshot()));

    // A file that is only written again is no change either.
    tree.skill("one", "unknown: x\n");
    assert_eq!(registry.reload().generation, 1);
    assert!(Arc::ptr_eq(&before, &registry.snapshot()));
}

#[test]
fn each_kind_of_edit_is_told_apart() {
    let tree = Tree::new();
    for name in ["body", "both", "gone", "meta", "same"] {
        tree.skill(name, "");
    }
    let registry = registry([user(tree.root())]);
    let before = registry.snapshot();
    tree.write("body/SKILL.md", skill_text("body", "") + "More.\n");
    tree.write("both/SKILL.md", skill_text("both", "license: MIT\n") + "More.\n");
    tree.skill("meta", "license: MIT\n");
    tree.skill("new", "");
    fs::remove_dir_all(tree.path("gone")).unwrap();
    let change = registry.reload();
    check(
        &change,
        &[
            ("added", &["new"]),
            ("removed", &["gone"]),
            ("metadata", &["both", "meta"]),
            ("body", &["body", "both"]),
        ],
    );
    assert_eq!(change.generation, 2);
    let after = registry.snapshot();
    assert_eq!(after.generation(), 2);
    assert_eq!(words(&after), ["body", "both", "meta", "new", "same"]);
    assert_eq!(words(&before), ["body", "both", "gone", "meta", "same"], "a snapshot stays");
    let skill = |snapshot: &skilldeck_runtime::Snapshot, word| -> *const _ {
        snapshot.get(word).unwrap().skill()
    };
    assert_eq!(skill(&before, "same"), skill(&after, "same"), "what is the same is shared");
    assert_ne!(skill(&before, "body"), skill(&after, "body"));
}

#[test]
fn an_edit_of_the_same_length_is_seen_however_quick_it_is() {
    let tree = Tree::new();
    tree.skill("one", "");
    let registry = registry([user(tree.root())]);
    for generation in 2..40 {
        let body = if generation % 2 == 0 { "A.\n" } else { "B.\n" };
        tree.write("one/SKILL.md", format!("---\ndescription: x\n---\n{body}"));
        assert_eq!(registry.reload().generation, generation);
        assert_eq!(registry.snapshot().get("one").unwrap().skill().body(), body);
    }
}

#[test]
fn a_link_that_is_pointed_elsewhere_is_a_change() {
    let tree = Tree::new();
    tree.write("one.md", skill_text("s", "license: MIT\n"));
    tree.write("two.md", skill_text("s", "license: ISC\n"));
    fs::create_dir_all(tree.path("root/s")).unwrap();
    symlink(tree.path("one.md"), tree.path("root/s/SKILL.md")).unwrap();
    let registry = registry([user(tree.path("root"))]);
    assert_eq!(registry.snapshot().get("s").unwrap().skill().license(), Some("MIT"));
    fs::remove_file(tree.path("root/s/SKILL.md")).unwrap();
    symlink(tree.path("two.md"), tree.path("root/s/SKILL.md")).unwrap();
    check(&registry.reload(), &[("metadata", &["s"])]);
    tree.write("two.md", skill_text("s", "license: EPL\n"));
    check(&registry.reload(), &[("metadata", &["s"])]);
    assert_eq!(registry.snapshot().get("s").unwrap().skill().license(), Some("EPL"));
}

#[test]
fn overrides_come_and_go() {
    let tree = Tree::new();
    let registry = Registry::builder()
        .bundled(deck_of(3))
        .source(directory("project", Tier::PROJECT, tree.path("project")))
        .build()
        .unwrap();
    let source = || registry.snapshot().get("skill-00001").unwrap().source().name.clone();
    let missing = |snapshot: &skilldeck_runtime::Snapshot| {
        snapshot.diagnostics().iter().any(|found| found.code.id() == "missing-root")
    };
    assert!(missing(&registry.snapshot()));
    assert_eq!(source(), "bundled");

    tree.skill("project/skill-00001", "");
    check(&registry.reload(), &[("metadata", &["skill-00001"])]);
    assert_eq!(source(), "project");
    assert!(!missing(&registry.snapshot()));

    fs::remove_dir_all(tree.path("project")).unwrap();
    let change = registry.reload();
    check(&change, &[("metadata", &["skill-00001"])]);
    assert_eq!(change.diagnostics.len(), 1);
    assert_eq!(source(), "bundled");
}

#[test]
fn availability_follows_the_dependency() {
    let tree = Tree::new();
    tree.skill("top", "depends-on: base\n");
    let registry = registry([user(tree.root())]);
    assert_eq!(registry.snapshot().get("top").unwrap().state(), State::Unavailable);
    let file = tree.skill("base", "");
    check(&registry.reload(), &[("added", &["base"]), ("available", &["top"])]);
    fs::write(&file, [0xff, 0xfe, 0xfd]).unwrap();
    let change = registry.reload();
    check(&change, &[("stale", &["base"])]);
    assert_eq!(registry.snapshot().get("top").unwrap().state(), State::Ready);
    let diagnosed = change.diagnostics.iter().any(|found| found.path.as_ref() == Some(&file));
    assert!(diagnosed, "{change:?}");
    fs::remove_file(&file).unwrap();
    check(&registry.reload(), &[("removed", &["base"]), ("unavailable", &["top"])]);
}

#[test]
fn what_is_registered_by_hand_survives_reloads() {
    let tree = Tree::new();
    tree.skill("one", "");
    let mine = Arc::new(Memory::default());
    mine.insert("by-hand", "---\ndescription: x\n---\nDo it.\n");
    let memory = Source::memory(Arc::clone(&mine), SourceInfo::new("mine", Tier::USER));
    let registry = registry([user(tree.root()), memory]);
    tree.skill("two", "");
    check(&registry.reload(), &[("added", &["two"])]);
    assert_eq!(words(&registry.snapshot()), ["by-hand", "one", "two"]);
    mine.insert("another", "---\ndescription: y\n---\nDo it.\n");
    assert_eq!(words(&registry.snapshot()), ["by-hand", "one", "two"], "a reload publishes");
    check(&registry.reload(), &[("added", &["another"])]);
    assert!(mine.remove("by-hand") && !mine.remove("by-hand"));
    check(&registry.reload(), &[("removed", &["by-hand"])]);
}

#[test]
fn a_large_tree_is_read_on_threads_with_the_same_result() {
    let tree = Tree::new();
    for at in 0..700 {
        tree.skill(&format!("skill-{at}"), "");
    }
    let registry = registry([user(tree.root())]);
    let snapshot = registry.snapshot();
    assert_eq!(snapshot.len(), 700);
    for entry in snapshot.iter() {
        assert_eq!(entry.skill().body(), format!("Do {}.\n", entry.word()));
    }
    tree.skill("skill-13", "license: MIT\n");
    check(&registry.reload(), &[("metadata", &["skill-13"])]);
    let after = registry.snapshot();
    let same = |word: &str| {
        std::ptr::eq(after.get(word).unwrap().skill(), snapshot.get(word).unwrap().skill())
    };
    assert_eq!(snapshot.iter().filter(|entry| same(entry.word())).count(), 699);
}

#[test]
fn a_look_at_paths_sees_what_they_name_and_nothing_else() {
    let tree = Tree::new();
    for name in ["one", "two", "three"] {
        tree.skill(&format!("real/{name}"), "");
    }
    symlink(tree.path("real"), tree.path("given")).unwrap();
    let registry = registry([user(tree.path("given"))]);
    let before = registry.snapshot();
    let nobody = Vec::<std::path::PathBuf>::new();
    assert_eq!(registry.reload_paths(nobody).generation, 1);
    let one = tree.skill("real/one", "license: MIT\n");
    let two = tree.skill("real/two", "license: MIT\n");
    let beside =
        [tree.write("real/one/notes.txt", "x"), tree.path("elsewhere"), tree.path("given/4913")];
    assert_eq!(registry.reload_paths(beside).generation, 1);
    assert!(Arc::ptr_eq(&before, &registry.snapshot()));
    // Below the root as it was given, and below the canonical one.
    check(&registry.reload_paths([tree.path("given/one/SKILL.md")]), &[("metadata", &["one"])]);
    check(&registry.reload_paths([&one, &two]), &[("metadata", &["two"])]);
    // A directory stands for what lies in it.
    tree.skill("real/four/five", "");
    fs::remove_dir_all(tree.path("real/three")).unwrap();
    let change = registry.reload_paths([tree.path("given/four"), tree.path("given/three")]);
    check(&change, &[("added", &["five"]), ("removed", &["three"])]);
    let after = registry.snapshot();
    assert_eq!(words(&after), ["five", "one", "two"]);
    assert_eq!(registry.reload(), Change { generation: 4, ..Change::default() });
}

#[test]
fn an_edit_leaves_every_other_entry_where_it_was() {
    let tree = Tree::new();
    for at in 0..50 {
        tree.skill(&format!("skill-{at:02}"), "");
    }
    tree.skill("over/skill-07", "");
    let sources = [user(tree.root()), directory("project", Tier::PROJECT, tree.path("over"))];
    let registry = registry(sources);
    let before = registry.snapshot();
    let edited = tree.write("skill-20/SKILL.md", skill_text("skill-20", "") + "More.\n");
    // What loses is read too, and is no change of the entry that wins.
    let lost = tree.write("skill-07/SKILL.md", skill_text("skill-07", "") + "More.\n");
    check(&registry.reload_paths([edited, lost]), &[("body", &["skill-20"])]);
    let after = registry.snapshot();
    for (a, b) in before.iter().zip(after.iter()) {
        assert_eq!(a.word(), b.word());
        assert_eq!(std::ptr::eq(a.skill(), b.skill()), a.word() != "skill-20", "{}", a.word());
    }
}
