//! A file in use that becomes unreadable in one way or another.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use skilldeck_runtime::{Request, SourceInfo, State};

use crate::support::nobody::unprivileged;
use crate::support::{Tree, directory, registry, skill_text, user};
use crate::{codes, now, ready, stale, told};

pub(crate) fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Makes a file unreadable, and gives the code that says so.
type Break = fn(&Path) -> &'static str;

const BREAKS: [Break; 8] = [
    |path| {
        fs::write(path, b"---\nname: demo\n---\n\xff\n").unwrap();
        "not-utf8"
    },
    |path| {
        fs::write(path, b"\xff\xfe-\0-\0-\0").unwrap();
        "not-utf8"
    },
    |path| {
        File::options().write(true).open(path).unwrap().set_len(2 << 20).unwrap();
        "too-large"
    },
    |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
        "not-regular"
    },
    |path| {
        fs::remove_file(path).unwrap();
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        "not-regular"
    },
    |path| {
        fs::remove_file(path).unwrap();
        symlink("/dev/null", path).unwrap();
        "not-regular"
    },
    |path| {
        fs::remove_file(path).unwrap();
        symlink("nowhere", path).unwrap();
        "unreadable"
    },
    |path| {
        fs::remove_file(path).unwrap();
        symlink("SKILL.md", path).unwrap();
        "unreadable"
    },
];

fn remove(path: &Path) {
    if path.symlink_metadata().unwrap().is_dir() {
        fs::remove_dir(path).unwrap();
    } else {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_file_that_cannot_be_read_keeps_its_last_good_version() {
    for breaks in BREAKS {
        let tree = Tree::new();
        let path = tree.skill("demo", "user-invocable: true\nallowed-tools: Read\n");
        let registry = registry([user(tree.root())]);
        let code = breaks(&path);
        let change = registry.reload();
        assert_eq!(told(&change), ["stale: demo"], "{code}");
        assert_eq!(now(&registry, "demo"), stale("Do demo.\n"), "{code}");
        assert_eq!(codes(&registry, "demo"), [code, "last-good-kept"]);
        assert!(!registry.snapshot().get("demo").unwrap().reason().unwrap().is_empty());
        // Nobody knows what such a file restricts: it goes on as it was, and says that it does.
        let outcome = registry.invoke(&Request::line("/skill:demo")).unwrap();
        assert_eq!(outcome.grant().allowed_tools, ["Read"]);
        assert!(outcome.notices()[0].contains("last good version"), "{:?}", outcome.notices());
        assert_eq!(registry.reload().generation, 2, "{code}: twice the same");

        remove(&path);
        fs::write(&path, skill_text("demo", "allowed-tools: Read\n")).unwrap();
        let change = registry.reload();
        assert_eq!(told(&change), ["recovered: demo"], "{code}");
        assert_eq!(now(&registry, "demo"), ready("Do demo.\n"), "{code}");

        breaks(&path);
        registry.reload();
        remove(&path);
        assert_eq!(told(&registry.reload()), ["removed: demo"], "{code}");
    }
}

#[test]
fn one_fault_after_another_keeps_the_same_version() {
    let tree = Tree::new();
    let path = tree.skill("demo", "");
    let registry = registry([user(tree.root())]);
    let mut before = 1;
    for breaks in BREAKS {
        remove(&path);
        fs::write(&path, skill_text("demo", "tags: [a, b\n")).unwrap();
        registry.reload();
        assert_eq!(now(&registry, "demo"), stale("Do demo.\n"));
        assert_eq!(codes(&registry, "demo"), ["unreadable-key", "last-good-kept"]);
        let code = breaks(&path);
        let change = registry.reload();
        assert_eq!(codes(&registry, "demo"), [code, "last-good-kept"]);
        assert_eq!(told(&change), [""; 0], "{code}");
        assert!(change.generation > before, "{code}: what is said is new");
        before = change.generation;
    }
}

#[test]
fn what_was_never_read_stays_unreadable_until_it_is() {
    for breaks in BREAKS {
        let tree = Tree::new();
        let path = tree.skill("demo", "");
        let code = breaks(&path);
        let registry = registry([user(tree.root())]);
        assert_eq!(now(&registry, "demo").unwrap().0, State::Unreadable, "{code}");
        remove(&path);
        fs::write(&path, skill_text("demo", "tags: [a, b\n")).unwrap();
        registry.reload();
        // A cold text with an error is what there is, and no good version.
        assert_eq!(now(&registry, "demo"), ready("Do demo.\n"), "{code}");
        // It stays rather than nothing, and gives way to the next text.
        fs::write(&path, skill_text("demo", "tags: [a, b, c\n")).unwrap();
        registry.reload();
        breaks(&path);
        assert_eq!(told(&registry.reload()), ["stale: demo"], "{code}");
        remove(&path);
        fs::write(&path, skill_text("demo", "tags: [a, b\nlicense: MIT\n")).unwrap();
        assert_eq!(told(&registry.reload()), ["metadata: demo", "recovered: demo"], "{code}");
    }
}

#[test]
fn a_link_whose_target_goes_is_there_and_stale() {
    let tree = Tree::new();
    let target = tree.write("target.md", skill_text("demo", ""));
    fs::create_dir_all(tree.path("root/demo")).unwrap();
    symlink(&target, tree.path("root/demo/SKILL.md")).unwrap();
    let registry = registry([user(tree.path("root"))]);
    fs::remove_file(&target).unwrap();
    assert_eq!(told(&registry.reload()), ["stale: demo"]);
    fs::write(&target, skill_text("demo", "")).unwrap();
    assert_eq!(told(&registry.reload()), ["recovered: demo"]);
    fs::remove_file(&target).unwrap();
    registry.reload();
    fs::remove_file(tree.path("root/demo/SKILL.md")).unwrap();
    assert_eq!(told(&registry.reload()), ["removed: demo"]);
}

#[test]
fn a_link_that_is_led_out_of_an_untrusted_root_is_not_kept() {
    let tree = Tree::new();
    let path = tree.skill("root/demo", "");
    tree.write("outside.md", skill_text("demo", ""));
    let theirs = directory("theirs", skilldeck_runtime::Tier::PROJECT, tree.path("root"))
        .with_info(no_trust);
    let registry = registry([theirs]);
    fs::remove_file(&path).unwrap();
    symlink(tree.path("outside.md"), &path).unwrap();
    assert_eq!(told(&registry.reload()), ["removed: demo"]);
}

fn no_trust(info: &mut SourceInfo) {
    info.trusted = false;
}

#[test]
fn a_file_that_may_not_be_read_any_more() {
    unprivileged("faults::a_file_that_may_not_be_read_any_more", || {
        let tree = Tree::new();
        let path = tree.skill("demo", "");
        let registry = registry([user(tree.root())]);
        chmod(&path, 0o000);
        assert_eq!(told(&registry.reload()), ["stale: demo"]);
        assert_eq!(codes(&registry, "demo"), ["unreadable", "last-good-kept"]);
        assert_eq!(now(&registry, "demo"), stale("Do demo.\n"));
        assert_eq!(registry.reload().generation, 2);
        chmod(&path, 0o644);
        assert_eq!(told(&registry.reload()), ["recovered: demo"]);
    });
}
