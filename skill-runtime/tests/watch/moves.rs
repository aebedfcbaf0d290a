//! Directories that come, go and get other names.

use std::fs;

use crate::support::{Watch, source, text};
use crate::tree::Tree;

#[test]
fn a_new_skill_whose_file_is_there_at_once() {
    let tree = Tree::new();
    let watch = Watch::on(tree.root());
    let mut names = Vec::new();
    for at in 0..20 {
        let name = format!("new-{at:02}");
        tree.write(&format!("{name}/SKILL.md"), text("at once\n"));
        names.push(name);
        let expected: Vec<&str> = names.iter().map(String::as_str).collect();
        watch.has(&expected);
    }
    tree.write("new-07/SKILL.md", text("edited\n"));
    watch.says("new-07", "edited\n").is_reported();
    // Several levels at once, and a file that comes late.
    fs::create_dir_all(tree.path("a/b/c/late")).unwrap();
    tree.write("a/b/c/early/SKILL.md", text("deep\n"));
    watch.says("early", "deep\n");
    tree.write("a/b/c/late/SKILL.md", text("late\n"));
    watch.says("late", "late\n");
}

#[test]
fn moved_in_out_and_about() {
    let tree = Tree::new();
    tree.skill("outside/g/moved", "");
    tree.skill("root/stays", "");
    let watch = Watch::on(tree.path("root"));
    fs::rename(tree.path("outside/g"), tree.path("root/g")).unwrap();
    watch.has(&["moved", "stays"]);
    tree.write("root/g/moved/SKILL.md", text("edited\n"));
    watch.says("moved", "edited\n");

    fs::rename(tree.path("root/g"), tree.path("root/h")).unwrap();
    watch.until(|snapshot| {
        let path = snapshot.get("moved").and_then(|it| it.path().map(|it| it.to_owned()));
        path.is_some_and(|path| path.starts_with(tree.path("root/h")))
    });
    tree.write("root/h/moved/SKILL.md", text("there\n"));
    watch.says("moved", "there\n");

    fs::rename(tree.path("root/h"), tree.path("outside/h")).unwrap();
    watch.has(&["stays"]);
    fs::rename(tree.path("outside/h"), tree.path("root/g")).unwrap();
    watch.has(&["moved", "stays"]);
    tree.write("root/g/moved/SKILL.md", text("and back\n"));
    watch.says("moved", "and back\n").is_reported();
}

#[test]
fn two_directories_change_places() {
    let tree = Tree::new();
    tree.write("a/SKILL.md", text("first\n"));
    tree.write("b/SKILL.md", text("second\n"));
    let watch = Watch::on(tree.root());
    for round in 0..5 {
        for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
            fs::rename(tree.path(from), tree.path(to)).unwrap();
        }
        let (a, b) = if round % 2 == 0 { ("second\n", "first\n") } else { ("first\n", "second\n") };
        watch.says("a", a).says("b", b);
        for (name, other) in [("a", a), ("b", b)] {
            tree.write(&format!("{name}/SKILL.md"), text("edited\n"));
            watch.says(name, "edited\n");
            tree.write(&format!("{name}/SKILL.md"), text(other));
            watch.says(name, other);
        }
    }
}

#[test]
fn removed_and_made_again() {
    let tree = Tree::new();
    tree.skill("one", "");
    tree.skill("two", "");
    let watch = Watch::on(tree.root());
    for round in 0..10 {
        fs::remove_dir_all(tree.path("one")).unwrap();
        if round % 2 == 0 {
            watch.has(&["two"]);
        }
        let body = format!("round {round}\n");
        tree.write("one/SKILL.md", text(&body));
        watch.says("one", &body);
        tree.write("one/SKILL.md", text("edited\n"));
        watch.says("one", "edited\n");
    }
    watch.has(&["one", "two"]).is_reported();
}

#[test]
fn one_directory_in_two_roots() {
    let tree = Tree::new();
    tree.skill("g/one", "");
    let watch = Watch::over([source("whole", tree.root()), source("part", tree.path("g"))]);
    tree.write("g/one/SKILL.md", text("edited\n"));
    watch.says("one", "edited\n");
    tree.write("g/two/SKILL.md", text("new\n"));
    watch.has(&["one", "two"]);
    fs::rename(tree.path("g"), tree.path("h")).unwrap();
    watch.until(|snapshot| snapshot.sources()[1].skills == 0);
    watch.has(&["one", "two"]);
    tree.write("h/two/SKILL.md", text("still\n"));
    watch.says("two", "still\n");
}
