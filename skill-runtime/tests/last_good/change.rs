//! What handlers and other skills see of a last good version.

use std::fs;
use std::sync::{Arc, Mutex};

use skilldeck_core::model::SkillCommand;
use skilldeck_runtime::{Registry, State, Tier};

use crate::support::{Tree, deck_of, directory, registry, skill_text, user};
use crate::{now, ready, stale, told};

const BROKEN: &str = "tags: [a, b\n";

#[test]
fn menus_hear_of_what_is_restricted_and_lifted() {
    let tree = Tree::new();
    let path = tree.skill("demo", "");
    let registry = registry([user(tree.root())]);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&heard);
    let take = move |word: &str, command: Option<SkillCommand<'_>>| {
        let invocable = command.map(|command| command.skill().user_invocable());
        into.lock().unwrap().push((word.to_owned(), invocable));
    };
    registry.on_command_change(take);
    fs::write(&path, skill_text("demo", &format!("user-invocable: false\n{BROKEN}"))).unwrap();
    registry.reload();
    fs::write(&path, skill_text("demo", "")).unwrap();
    registry.reload();
    let told = |invocable| ("demo".to_owned(), Some(invocable));
    assert_eq!(*heard.lock().unwrap(), [told(true), told(false), told(true)]);
}

#[test]
fn an_override_that_breaks_stays_over_what_it_shadows() {
    let tree = Tree::new();
    let path = tree.skill("project/skill-00001", "license: MIT\n");
    let registry = Registry::builder()
        .bundled(deck_of(3))
        .source(directory("project", Tier::PROJECT, tree.path("project")))
        .build()
        .unwrap();
    fs::write(&path, skill_text("skill-00001", BROKEN)).unwrap();
    assert_eq!(told(&registry.reload()), ["stale: skill-00001"]);
    let snapshot = registry.snapshot();
    let entry = snapshot.get("skill-00001").unwrap();
    assert_eq!((entry.source().name.as_str(), entry.shadows().len()), ("project", 1));
    fs::remove_file(&path).unwrap();
    assert_eq!(told(&registry.reload()), ["metadata: skill-00001", "recovered: skill-00001"]);
    assert_eq!(registry.snapshot().get("skill-00001").unwrap().source().name, "bundled");
}

#[test]
fn a_stale_version_that_loses_says_so_among_the_diagnostics() {
    let tree = Tree::new();
    let weak = tree.skill("user/demo", "");
    tree.skill("project/demo", "");
    let registry = registry([
        directory("project", Tier::PROJECT, tree.path("project")),
        user(tree.path("user")),
    ]);
    fs::write(&weak, skill_text("demo", BROKEN)).unwrap();
    let change = registry.reload();
    assert_eq!(told(&change), [""; 0]);
    let snapshot = registry.snapshot();
    let entry = snapshot.get("demo").unwrap();
    assert_eq!((entry.state(), entry.reason()), (State::Ready, None));
    assert!(snapshot.diagnostics().iter().any(|found| found.code.id() == "last-good-kept"));
    // When the stronger one goes, the last good version of the weaker one steps in.
    fs::remove_file(tree.path("project/demo/SKILL.md")).unwrap();
    assert_eq!(told(&registry.reload()), ["metadata: demo", "stale: demo"]);
    assert_eq!(now(&registry, "demo"), stale("Do demo.\n"));
}

#[test]
fn a_broken_text_takes_no_other_name() {
    let tree = Tree::new();
    let path = tree.skill("b", "");
    let registry = registry([user(tree.root())]);
    fs::write(&path, format!("---\nname: other\ndescription: d\n{BROKEN}---\nNew.\n")).unwrap();
    assert_eq!(told(&registry.reload()), ["stale: b"]);
    assert!(registry.snapshot().get("other").is_none());

    // A good text of another file may have the name: the smaller path wins, as always.
    tree.write("a/SKILL.md", skill_text("b", ""));
    assert_eq!(told(&registry.reload()), ["metadata: b", "recovered: b"]);
    let snapshot = registry.snapshot();
    let entry = snapshot.get("b").unwrap();
    assert_eq!(entry.path(), Some(&*tree.path("a/SKILL.md")));
    assert_eq!(entry.shadows().len(), 1);
    assert!(entry.diagnostics().iter().any(|found| found.code.id() == "duplicate-word"));
    fs::remove_file(tree.path("a/SKILL.md")).unwrap();
    registry.reload();
    assert_eq!(now(&registry, "b"), stale("Do b.\n"));
    // The new name comes with the good text.
    fs::write(&path, "---\nname: other\ndescription: d\n---\nNew.\n").unwrap();
    assert_eq!(told(&registry.reload()), ["added: other", "removed: b"]);
}

#[test]
fn dependencies_are_those_of_the_last_good_version() {
    let tree = Tree::new();
    tree.skill("base", "");
    let path = tree.skill("top", "depends-on: base\n");
    let registry = registry([user(tree.root())]);
    fs::write(&path, skill_text("top", &format!("depends-on: nowhere\n{BROKEN}"))).unwrap();
    assert_eq!(told(&registry.reload()), ["stale: top"]);
    let snapshot = registry.snapshot();
    let needed: Vec<_> = snapshot.dependencies(snapshot.get("top").unwrap());
    assert_eq!(needed.len(), 1);

    // A stale skill that loses what it needs is unavailable, and did not recover by that.
    fs::remove_file(tree.path("base/SKILL.md")).unwrap();
    assert_eq!(told(&registry.reload()), ["removed: base", "unavailable: top"]);
    tree.skill("base", "");
    assert_eq!(told(&registry.reload()), ["added: base", "stale: top", "available: top"]);
    fs::write(&path, skill_text("top", "depends-on: base\n")).unwrap();
    assert_eq!(told(&registry.reload()), ["recovered: top"]);
    assert_eq!(now(&registry, "top"), ready("Do top.\n"));
}
