//! Entries that are there and cannot be used: they are kept, and the others load.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{COMMANDS, SKILLS, lines, tree};
use crate::diagnostic::Code;
use crate::scan::{ScanOptions, read, scan, side_files};

/// Where a test that was started again as another user finds its tree.
const TREE: &str = "SKILLDECK_SCAN_TREE";

#[test]
fn what_is_no_file() {
    let root = tree(&["a/SKILL.md", "fifo/", "socket/", "device/SKILL.md -> /dev/zero"]);
    mkfifo(&root.path().join("fifo/SKILL.md"));
    let socket = root.path().join("socket/SKILL.md");
    let _listener = std::os::unix::net::UnixListener::bind(socket).unwrap();
    let expected = [
        "a a/SKILL.md",
        "! not-regular device device/SKILL.md",
        "! not-regular fifo fifo/SKILL.md",
        "! not-regular socket socket/SKILL.md",
    ];
    assert_eq!(lines(root.path(), &SKILLS), expected);
}

#[test]
fn what_is_no_command() {
    let root = tree(&["a.md"]);
    mkfifo(&root.path().join("b.md"));
    mkfifo(&root.path().join("c.txt"));
    assert_eq!(lines(root.path(), &COMMANDS), ["a a.md", "! not-regular b b.md"]);
}

#[test]
fn what_may_not_be_read() {
    let setup = |root: &Path| {
        for entry in ["a/SKILL.md", "shut/SKILL.md", "g/x/SKILL.md", "seen/SKILL.md"] {
            super::plant(root, entry);
        }
        super::plant(root, "out -> shut/below");
        super::plant(root, "walled/SKILL.md -> ../shut/SKILL.md");
        chmod(&root.join("a/SKILL.md"), 0o000);
        chmod(&root.join("shut"), 0o000);
        chmod(&root.join("g"), 0o000);
    };
    unprivileged("what_may_not_be_read", setup, |root| {
        let expected = [
            // That a file does not open is found out by opening it.
            "a a/SKILL.md",
            "seen seen/SKILL.md",
            "! unreadable-directory g g/SKILL.md",
            "! unreadable out out/SKILL.md",
            "! unreadable-directory shut shut/SKILL.md",
            "! unreadable walled walled/SKILL.md",
        ];
        assert_eq!(lines(root, &SKILLS), expected);
        let found = scan(root, &SKILLS);
        assert_eq!(read(&found.files[0].path).unwrap_err().code, Code::Unreadable);
        assert!(read(&found.files[1].path).is_ok());
        let watched = ["", "a", "g", "seen", "shut", "walled"].map(|name| root.join(name));
        let entered: Vec<_> = found.directories.iter().map(|it| it.path.clone()).collect();
        assert_eq!(entered, watched.map(|path| path.components().collect::<PathBuf>()));
        assert!(found.unreadable[0].1.message.contains("ermission denied"));
    });
}

#[test]
fn commands_that_may_not_be_read() {
    let setup = |root: &Path| {
        super::plant(root, "a.md");
        super::plant(root, "git/shut/x.md");
        chmod(&root.join("git/shut"), 0o000);
    };
    unprivileged("commands_that_may_not_be_read", setup, |root| {
        let expected = ["a a.md", "! unreadable-directory git:shut git/shut"];
        assert_eq!(lines(root, &COMMANDS), expected);
    });
}

#[test]
fn a_root_that_may_not_be_read() {
    let setup = |root: &Path| {
        super::plant(root, "deck/a/SKILL.md");
        super::plant(root, "above/deck/a/SKILL.md");
        chmod(&root.join("deck"), 0o000);
        chmod(&root.join("above"), 0o000);
    };
    unprivileged("a_root_that_may_not_be_read", setup, |root| {
        for options in [&SKILLS, &COMMANDS, &ScanOptions { trusted: false, ..SKILLS }] {
            for deck in ["deck", "above/deck"] {
                let deck = root.join(deck);
                assert_eq!(lines(&deck, options), ["unreadable-directory "]);
                let entered = scan(&deck, options).directories;
                assert_eq!(entered.iter().map(|it| &it.path).collect::<Vec<_>>(), [&deck]);
            }
        }
        let error = side_files(&root.join("deck")).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
        assert!(error.to_string().contains("deck"), "{error}");
    });
}

pub(super) fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs `check` on a tree as a user whom permissions stop. The superuser is not stopped: the test
/// then starts itself again as another user, from a copy that user can reach.
fn unprivileged(test: &str, setup: impl Fn(&Path), check: impl Fn(&Path)) {
    if let Some(root) = std::env::var_os(TREE) {
        return check(Path::new(&root));
    }
    let outer = tree(&["deck/", "closed"]);
    let root = outer.path().join("deck");
    chmod(outer.path(), 0o755);
    setup(&root);
    let closed = outer.path().join("closed");
    chmod(&closed, 0o000);
    if fs::read(&closed).is_err() {
        check(&root);
    } else {
        let program = outer.path().join("tests");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        chmod(&program, 0o755);
        let name = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
        let output = Command::new(&program)
            .args(["--exact", &name, "--nocapture"])
            .env(TREE, &root)
            .current_dir("/")
            .uid(65534)
            .gid(65534)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("1 passed"), "{text}\n{errors}");
    }
    // So that the tree can be removed.
    for path in fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()) {
        if !path.is_symlink() {
            chmod(&path, 0o755);
        }
    }
    let shut = root.join("git/shut");
    if shut.exists() {
        chmod(&shut, 0o755);
    }
}
