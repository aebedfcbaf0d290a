//! How editors save.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::Command;
use std::time::Duration;

use skilldeck_runtime::{State, WatchOptions};

use crate::support::{LIMIT, REPORTED, Watch, source, text, write};
use crate::tree::Tree;

fn tree() -> Tree {
    let tree = Tree::new();
    tree.write("one/SKILL.md", text("first\n"));
    tree.skill("other", "");
    tree
}

#[test]
fn appended() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    let mut file = OpenOptions::new().append(true).open(tree.path("one/SKILL.md")).unwrap();
    file.write_all(b"second\n").unwrap();
    watch.says("one", "first\nsecond\n").is_reported();
    // The descriptor is still open: a later write through it counts too.
    file.write_all(b"third\n").unwrap();
    watch.says("one", "first\nsecond\nthird\n");
}

#[test]
fn truncated_then_written() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    let mut file =
        OpenOptions::new().write(true).truncate(true).open(tree.path("one/SKILL.md")).unwrap();
    file.write_all(b"---\ndescription: x\n").unwrap();
    file.write_all(b"---\nwritten\n").unwrap();
    drop(file);
    watch.says("one", "written\n");
}

/// The two steps of a slow save, each of them noticed.
#[test]
fn truncated_and_seen_before_it_is_written() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    let whole = text("written at last\n");
    // Nothing, a line of the front matter, and all of that but its end.
    for seen in ["", "---\n", "---\ndescription: x\n"] {
        tree.write("one/SKILL.md", text("first\n"));
        watch.says("one", "first\n");
        fs::write(tree.path("one/SKILL.md"), seen).unwrap();
        let between = watch.is("one", State::Stale);
        assert_eq!(between.get("one").unwrap().skill().body(), "first\n", "{seen:?}");
        let mut file = OpenOptions::new().append(true).open(tree.path("one/SKILL.md")).unwrap();
        file.write_all(whole.strip_prefix(seen).unwrap().as_bytes()).unwrap();
        watch.says("one", "written at last\n").is("one", State::Ready);
    }
    let removed = watch.taken().iter().any(|change| !change.removed.is_empty());
    assert!(!removed, "a save is no removal");
}

#[test]
fn with_sed_in_place() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    // GNU's way to ask for a backup of this name, and BSD's.
    for (from, to) in [("first", "second"), ("second", "third")] {
        let expression = format!("s/{from}/{to}/");
        let path = tree.path("one/SKILL.md");
        let done = Command::new("sed").args(["-i.bak", "-e", &expression]).arg(path).status();
        if done.is_err() {
            eprintln!("skipped: there is no sed");
            return;
        }
        assert!(done.unwrap().success());
        watch.says("one", &format!("{to}\n"));
    }
    watch.has(&["one", "other"]).is_reported();
}

#[test]
fn renamed_over() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    for body in ["a\n", "b\n", "c\n"] {
        tree.write("one/.SKILL.md.tmp", text(body));
        fs::rename(tree.path("one/.SKILL.md.tmp"), tree.path("one/SKILL.md")).unwrap();
        let change = watch.says("one", body).registry.snapshot().generation();
        assert!(change > 1);
    }
    // From another directory, which is not watched.
    tree.write("one/deep/down/new", text("d\n"));
    fs::rename(tree.path("one/deep/down/new"), tree.path("one/SKILL.md")).unwrap();
    watch.says("one", "d\n");
}

#[test]
fn with_a_backup_as_vim_does() {
    let tree = tree();
    // Longer than this test may be interrupted between two of the steps.
    let options = WatchOptions { quiet: Duration::from_millis(500), delay: LIMIT, ..REPORTED };
    let watch = Watch::with(options, [source("user", tree.root())]);
    watch.has_begun(tree.root());
    for body in ["a\n", "b\n"] {
        fs::write(tree.path("one/4913"), "").unwrap();
        fs::remove_file(tree.path("one/4913")).unwrap();
        fs::rename(tree.path("one/SKILL.md"), tree.path("one/SKILL.md~")).unwrap();
        fs::write(tree.path("one/SKILL.md"), text(body)).unwrap();
        fs::remove_file(tree.path("one/SKILL.md~")).unwrap();
        watch.says("one", body);
    }
    let removed = watch.taken().iter().any(|change| !change.removed.is_empty());
    assert!(!removed, "it was gone for less than the quiet");
}

#[test]
fn two_hundred_times_in_a_row() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    for at in 0..200 {
        tree.write("one/SKILL.md", text(&format!("save {at}\n")));
    }
    watch.says("one", "save 199\n");
    assert!(watch.registry.snapshot().generation() < 150, "saves that follow fast are one");
}

#[test]
fn droppings_are_no_change() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    for name in ["SKILL.md~", ".SKILL.md.swp", "4913", "x.tmp", "#SKILL.md#", ".#SKILL.md"] {
        for directory in ["one", "other", "."] {
            tree.write(&format!("{directory}/{name}"), "dropped");
        }
    }
    for name in ["SKILL.md~", "4913"] {
        fs::remove_file(tree.path("one").join(name)).unwrap();
    }
    watch.settle(tree.root(), "zz");
    assert_eq!(watch.registry.snapshot().generation(), 2, "{:?}", watch.taken());
}

#[test]
fn a_file_becomes_a_directory_and_a_file_again() {
    let tree = tree();
    let watch = Watch::on(tree.root());
    fs::remove_file(tree.path("one/SKILL.md")).unwrap();
    fs::create_dir(tree.path("one/SKILL.md")).unwrap();
    watch.until(|snapshot| snapshot.get("one").is_none_or(|it| it.state() != State::Ready));
    fs::remove_dir(tree.path("one/SKILL.md")).unwrap();
    tree.write("one/SKILL.md", text("again\n"));
    watch.says("one", "again\n");

    // And the skill's own directory.
    fs::remove_dir_all(tree.path("other")).unwrap();
    fs::write(tree.path("other"), "").unwrap();
    watch.has(&["one"]);
    fs::remove_file(tree.path("other")).unwrap();
    write(tree.path("other/SKILL.md"), text("back\n"));
    watch.says("other", "back\n");
    tree.write("other/SKILL.md", text("and still heard\n"));
    watch.says("other", "and still heard\n");
}
