//! Whatever lies in a directory: it is named in a diagnostic, and everything else loads.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod support;

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use skilldeck_runtime::{Snapshot, State, Tier};
use support::{Tree, directory, ready, registry, user};

/// Makes something bad in a tree and gives the path that has to be named.
type Make = fn(&Tree) -> PathBuf;

fn named(snapshot: &Snapshot, code: &str) -> Vec<PathBuf> {
    let found = snapshot.diagnostics().iter().filter(|found| found.code.id() == code);
    found.filter_map(|found| found.path.clone()).collect()
}

#[test]
fn one_bad_thing_is_named_and_hides_nothing() {
    let cases: [(&str, Make); 18] = [
        ("dangling-link", |tree| link(tree, "bad", "nowhere")),
        ("unreadable", |tree| {
            fs::create_dir(tree.path("bad")).unwrap();
            link(tree, "bad/SKILL.md", "nowhere")
        }),
        ("link-cycle", |tree| {
            fs::create_dir(tree.path("bad")).unwrap();
            link(tree, "bad/again", "..")
        }),
        ("not-regular", |tree| {
            let path = tree.path("bad/SKILL.md");
            fs::create_dir(tree.path("bad")).unwrap();
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            path
        }),
        ("too-large", |tree| {
            let path = tree.write("bad/SKILL.md", "---\nname: bad\n---\n");
            File::options().write(true).open(&path).unwrap().set_len(100 << 20).unwrap();
            path
        }),
        ("not-utf8", |tree| tree.write("bad/SKILL.md", b"---\nname: bad\n---\n\xff")),
        ("not-regular", |tree| {
            fs::create_dir_all(tree.path("bad/SKILL.md")).unwrap();
            tree.path("bad/SKILL.md")
        }),
        ("not-utf8-name", |tree| {
            let directory = tree.root().join(OsStr::from_bytes(b"bad\xff"));
            fs::create_dir(&directory).unwrap();
            fs::write(directory.join("SKILL.md"), "---\ndescription: x\n---\n").unwrap();
            directory
        }),
        ("odd-case", |tree| tree.write("bad/skill.md", "---\ndescription: x\n---\n")),
        ("odd-case", |tree| {
            tree.skill("bad", "");
            tree.write("bad/skill.md", "---\ndescription: x\n---\n")
        }),
        ("unreadable", |tree| {
            fs::create_dir(tree.path("bad")).unwrap();
            link(tree, "bad/SKILL.md", "SKILL.md")
        }),
        ("duplicate-word", |tree| {
            tree.write("a/SKILL.md", "---\nname: bad\ndescription: x\n---\n");
            tree.write("b/SKILL.md", "---\nname: bad\ndescription: x\n---\n")
        }),
        ("dependency-cycle", |tree| {
            tree.skill("bad", "depends-on: worse\n");
            tree.skill("worse", "depends-on: bad\n")
        }),
        ("dependency-cycle", |tree| tree.skill("bad", "depends-on: bad\n")),
        ("missing-dependency", |tree| tree.skill("bad", "depends-on: nowhere\n")),
        ("stray-line", |tree| tree.write("bad/SKILL.md", "---\ndescription: x\n----\n---\n")),
        ("unclosed-front-matter", |tree| tree.write("bad/SKILL.md", "---\ndescription: x\n")),
        ("no-front-matter", |tree| tree.write("bad/SKILL.md", "")),
    ];
    for (code, make) in cases {
        let tree = Tree::new();
        tree.skill("fine", "");
        tree.skill("zz-last", "");
        let path = make(&tree);
        let registry = registry([user(tree.root())]);
        let snapshot = registry.snapshot();
        let usable = ready(&snapshot);
        assert!(usable.contains(&"fine") && usable.contains(&"zz-last"), "{code}: {usable:?}");
        let found = named(&snapshot, code);
        assert!(
            found.iter().any(|found| found.starts_with(&path)),
            "{code} does not name {path:?} but {found:?} of {:#?}",
            snapshot.diagnostics()
        );
        assert_eq!(registry.reload().generation, 1, "{code}: twice the same");
    }
}

fn link(tree: &Tree, path: &str, target: &str) -> PathBuf {
    let path = tree.path(path);
    symlink(target, &path).unwrap();
    path
}

#[test]
fn what_is_there_and_cannot_be_read_is_an_entry() {
    let tree = Tree::new();
    tree.write("bytes/SKILL.md", [0xff]);
    tree.write("large/SKILL.md", vec![b'x'; (1 << 20) + 1]);
    fs::create_dir_all(tree.path("pipe")).unwrap();
    let made = Command::new("mkfifo").arg(tree.path("pipe/SKILL.md")).status().unwrap();
    assert!(made.success());
    let snapshot = registry([user(tree.root())]).snapshot();
    for word in ["bytes", "large", "pipe"] {
        let entry = snapshot.get(word).unwrap();
        assert_eq!(entry.state(), State::Unreadable, "{word}");
        assert!(!entry.reason().unwrap().is_empty(), "{word}");
        assert_eq!(entry.path(), Some(&*tree.path(&format!("{word}/SKILL.md"))));
        assert!(!entry.diagnostics().is_empty(), "{word}");
    }
}

#[test]
fn the_exact_spelling_wins_over_another_case() {
    let tree = Tree::new();
    tree.write("one/SKILL.md", "---\nname: one\ndescription: exact\n---\n");
    tree.write("one/skill.md", "---\nname: one\ndescription: odd\n---\n");
    let snapshot = registry([user(tree.root())]).snapshot();
    assert_eq!(snapshot.get("one").unwrap().skill().description(), "exact");
    assert_eq!(snapshot.len(), 1);
}

#[test]
fn a_bad_root_is_said_of_its_source() {
    let tree = Tree::new();
    tree.skill("good/fine", "");
    let file = tree.write("file", "x");
    fs::create_dir(tree.path("empty")).unwrap();
    let missing = tree.path("missing");
    let snapshot = registry([
        directory("missing", Tier::USER, &missing),
        directory("file", Tier::USER, &file),
        directory("empty", Tier::USER, tree.path("empty")),
        directory("good", Tier::USER, tree.path("good")),
        directory("optional", Tier::USER, &missing).optional(),
    ])
    .snapshot();
    assert_eq!(ready(&snapshot), ["fine"]);
    assert_eq!(named(&snapshot, "missing-root"), [missing]);
    assert_eq!(named(&snapshot, "root-not-a-directory"), [file]);
    let said: Vec<_> = snapshot
        .sources()
        .iter()
        .map(|source| {
            let state = (source.present, source.failed);
            (&*source.info.name, state, source.skills, source.diagnostics.len())
        })
        .collect();
    let wanted = [
        ("missing", (false, false), 0, 1),
        ("file", (true, true), 0, 1),
        ("empty", (true, false), 0, 0),
        ("good", (true, false), 1, 0),
        ("optional", (false, false), 0, 0),
    ];
    assert_eq!(said, wanted);
}

/// Names the tree to the copy of this test that runs without root's rights.
const UNDER_ANOTHER_USER: &str = "SKILLDECK_TEST_TREE";
const NOBODY: u32 = 65_534;

#[test]
fn what_may_not_be_read_is_an_entry_and_hides_nothing() {
    if let Some(root) = std::env::var_os(UNDER_ANOTHER_USER) {
        return check_forbidden(Path::new(&root));
    }
    let tree = Tree::new();
    tree.skill("strong/fine", "");
    tree.skill("strong/locked", "");
    tree.skill("strong/both", "");
    tree.skill("strong/closed/inside", "");
    tree.skill("weak/both", "");
    tree.skill("sealed/none", "");
    let mode = |path: &str, mode| {
        fs::set_permissions(tree.path(path), Permissions::from_mode(mode)).unwrap();
    };
    mode("strong/locked/SKILL.md", 0o000);
    mode("strong/both/SKILL.md", 0o000);
    mode("strong/closed", 0o000);
    mode("sealed", 0o000);
    if fs::metadata(tree.root()).unwrap().uid() == 0 {
        // Root may read everything, so somebody else has to look.
        let program = tree.path("program");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        mode("", 0o755);
        let name = "what_may_not_be_read_is_an_entry_and_hides_nothing";
        let status = Command::new(program)
            .args(["--exact", name, "--nocapture"])
            .env(UNDER_ANOTHER_USER, tree.root())
            .current_dir("/")
            .gid(NOBODY)
            .uid(NOBODY)
            .status()
            .unwrap();
        assert!(status.success());
    } else {
        check_forbidden(tree.root());
    }
    mode("strong/closed", 0o755);
    mode("sealed", 0o755);
}

fn check_forbidden(root: &Path) {
    let snapshot = registry([
        directory("strong", Tier::PROJECT, root.join("strong")),
        directory("weak", Tier::USER, root.join("weak")),
        directory("sealed", Tier::USER, root.join("sealed")),
    ])
    .snapshot();
    assert!(ready(&snapshot).contains(&"fine"));
    let locked = snapshot.get("locked").unwrap();
    assert_eq!(locked.state(), State::Unreadable);
    assert!(locked.reason().is_some());

    // The version that can be read stays, and says what would have won.
    let both = snapshot.get("both").unwrap();
    assert_eq!((both.source().name.as_str(), both.state()), ("weak", State::Ready));
    assert_eq!(both.shadows().len(), 1);
    assert_eq!(both.shadows()[0].source.name, "strong");
    assert!(both.diagnostics().iter().any(|found| found.code.id() == "unreadable"));

    let mut unreadable = named(&snapshot, "unreadable");
    unreadable.extend(named(&snapshot, "unreadable-directory"));
    for path in ["strong/locked/SKILL.md", "strong/both/SKILL.md", "strong/closed", "sealed"] {
        let path = root.join(path);
        assert!(
            unreadable.iter().any(|found| found.starts_with(&path)),
            "{path:?}: {unreadable:?}"
        );
    }
    let sealed = &snapshot.sources()[2];
    assert!(!sealed.diagnostics.is_empty(), "an error of the source, not no skills");
    assert!(sealed.present && sealed.failed && sealed.skills == 0);
}
