//! Directories and roots that go, or cannot be looked into any more.

use std::fs;
use std::os::unix::fs::symlink;

use skilldeck_core::format::Layout;
use skilldeck_runtime::{Registry, SourceStatus, State, Tier};

use crate::faults::chmod;
use crate::support::nobody::unprivileged;
use crate::support::{Tree, directory, registry, skill_text, user, words};
use crate::{codes, now, ready, stale, told};

/// The first source, as it was found last.
fn source(registry: &Registry) -> SourceStatus {
    registry.snapshot().sources()[0].clone()
}

#[test]
fn a_root_that_is_shut_tears_nothing_down() {
    unprivileged("places::a_root_that_is_shut_tears_nothing_down", || {
        for shut in ["above/root", "above"] {
            let tree = Tree::new();
            let one = tree.skill("above/root/one", "");
            tree.skill("above/root/group/two", "");
            tree.write("above/root/cold/SKILL.md", skill_text("cold", "tags: [a, b\n"));
            let registry = registry([user(tree.path("above/root"))]);
            chmod(&tree.path(shut), 0o000);
            let change = registry.reload();
            // One with an error is not good, and better than none.
            assert_eq!(told(&change), ["stale: cold one two"]);
            assert_eq!(now(&registry, "one"), stale("Do one.\n"));
            assert_eq!(now(&registry, "two"), stale("Do two.\n"));
            assert_eq!(codes(&registry, "one"), ["unreadable", "last-good-kept"]);
            let status = source(&registry);
            assert!(status.failed && status.present && status.skills == 3, "{status:?}");
            assert_eq!(status.diagnostics[0].code.id(), "unreadable-directory");
            let of_source = |it: &&skilldeck_core::diagnostic::Diagnostic| {
                it.code.id() == "unreadable-directory"
            };
            assert_eq!(change.diagnostics.iter().filter(of_source).count(), 1);
            assert_eq!(registry.reload().generation, 2, "twice the same");

            chmod(&tree.path(shut), 0o755);
            let change = registry.reload();
            assert_eq!(told(&change), ["recovered: cold one two"]);
            assert!(!source(&registry).failed);
            assert_eq!(now(&registry, "one"), ready("Do one.\n"));
            // A file that was deleted behind the door is gone when it opens.
            chmod(&tree.path(shut), 0o000);
            registry.reload();
            chmod(&tree.path(shut), 0o755);
            fs::remove_file(&one).unwrap();
            registry.reload();
            assert_eq!(words(&registry.snapshot()), ["cold", "two"]);
        }
    });
}

#[test]
fn a_directory_that_is_shut_keeps_what_was_in_it() {
    unprivileged("places::a_directory_that_is_shut_keeps_what_was_in_it", || {
        let tree = Tree::new();
        for path in ["own", "group/one", "group/deep/two", "other"] {
            tree.skill(path, "");
        }
        let registry = registry([user(tree.root())]);
        chmod(&tree.path("own"), 0o000);
        assert_eq!(told(&registry.reload()), ["stale: own"]);
        assert_eq!(codes(&registry, "own"), ["unreadable-directory", "last-good-kept"]);
        assert_eq!(now(&registry, "own"), stale("Do own.\n"));

        chmod(&tree.path("group"), 0o000);
        let change = registry.reload();
        assert_eq!(told(&change), ["stale: one two"]);
        assert_eq!(words(&registry.snapshot()), ["one", "other", "own", "two"]);
        let status = source(&registry);
        // The root is well: what is wrong is said of the source, and the others are known.
        assert!(!status.failed && status.skills == 4);
        assert_eq!(status.diagnostics.len(), 1);
        assert_eq!(status.diagnostics[0].path.as_deref(), Some(&*tree.path("group")));
        assert_eq!(registry.reload().generation, 3, "twice the same");

        chmod(&tree.path("own"), 0o755);
        chmod(&tree.path("group"), 0o755);
        assert_eq!(told(&registry.reload()), ["recovered: one own two"]);
        assert_eq!(source(&registry).diagnostics, []);
    });
}

#[test]
fn a_directory_of_commands_that_is_shut() {
    unprivileged("places::a_directory_of_commands_that_is_shut", || {
        let tree = Tree::new();
        tree.write("root/git/cm.md", "Commit.\n");
        tree.write("root/top.md", "Top.\n");
        let commands = directory("commands", Tier::USER, tree.path("root"))
            .with_info(|info| info.layout = Layout::Commands);
        let registry = registry([commands]);
        let before = words(&registry.snapshot()).join(" ");
        chmod(&tree.path("root/git"), 0o000);
        assert_eq!(told(&registry.reload()), ["stale: git:cm"]);
        assert_eq!(words(&registry.snapshot()).join(" "), before);
        chmod(&tree.path("root/git"), 0o755);
        assert_eq!(told(&registry.reload()), ["recovered: git:cm"]);
    });
}

#[test]
fn a_root_that_is_gone_takes_its_skills_with_it() {
    let tree = Tree::new();
    let registry = registry([user(tree.path("root"))]);
    let fill = || {
        tree.skill("root/demo", "");
        assert_eq!(told(&registry.reload()), ["added: demo"]);
    };
    fill();
    fs::remove_dir_all(tree.path("root")).unwrap();
    assert_eq!(told(&registry.reload()), ["removed: demo"]);
    assert!(!source(&registry).present);

    fill();
    fs::rename(tree.path("root"), tree.path("elsewhere")).unwrap();
    fs::write(tree.path("root"), "a file").unwrap();
    assert_eq!(told(&registry.reload()), ["removed: demo"]);
    assert!(source(&registry).failed);

    fs::remove_file(tree.path("root")).unwrap();
    fill();
    fs::remove_dir_all(tree.path("root")).unwrap();
    symlink("nowhere", tree.path("root")).unwrap();
    assert_eq!(told(&registry.reload()), ["removed: demo"]);
}

#[test]
fn a_group_that_is_gone_takes_its_skills_with_it() {
    let tree = Tree::new();
    tree.skill("group/one", "");
    tree.skill("two", "");
    let registry = registry([user(tree.root())]);
    fs::remove_dir_all(tree.path("group")).unwrap();
    assert_eq!(told(&registry.reload()), ["removed: one"]);
    // A skill that takes the place of a group hides what is below it, as always.
    tree.skill("group/one", "");
    registry.reload();
    tree.skill("group", "");
    assert_eq!(told(&registry.reload()), ["added: group", "removed: one"]);
    assert_eq!(now(&registry, "group").unwrap().0, State::Ready);
}
