//! Roots that come and go.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use skilldeck_runtime::{Attention, WatchOptions};

use crate::support::{REPORTED, Watch, eventually, source, text, write};
use crate::tree::{Tree, nobody};

#[test]
fn removed_and_made_again() {
    let tree = Tree::new();
    tree.skill("root/one", "");
    let watch = Watch::on(tree.path("root"));
    for round in 0..5 {
        fs::remove_dir_all(tree.path("root")).unwrap();
        watch.has(&[]);
        let body = format!("round {round}\n");
        tree.write("root/one/SKILL.md", text(&body));
        watch.says("one", &body);
        tree.write("root/one/SKILL.md", text("edited\n"));
        watch.says("one", "edited\n");
    }
    watch.is_reported();
}

#[test]
fn made_later_three_levels_deep() {
    let tree = Tree::new();
    let root = tree.path("a/b/c");
    let watch = Watch::on(&root);
    assert!(!tree.path("a").exists(), "it is not made by watching");
    // At once.
    tree.write("a/b/c/one/SKILL.md", text("at once\n"));
    watch.says("one", "at once\n");
    // Down to nothing, from above.
    fs::remove_dir_all(tree.path("a")).unwrap();
    watch.has(&[]);
    // And segment after segment, each after something else was noticed.
    fs::create_dir(tree.path("a")).unwrap();
    fs::create_dir(tree.path("a/b")).unwrap();
    fs::create_dir(tree.path("a/b/c")).unwrap();
    watch.until(|snapshot| snapshot.sources()[0].present);
    fs::create_dir(tree.path("a/b/c/one")).unwrap();
    write(tree.path("a/b/c/one/SKILL.md"), text("slowly\n"));
    watch.says("one", "slowly\n").is_reported();
}

#[test]
fn a_directory_above_gets_another_name_and_its_old_one() {
    let tree = Tree::new();
    tree.skill("a/b/root/one", "");
    let watch = Watch::on(tree.path("a/b/root"));
    for above in ["a", "a/b", "a/b/root"] {
        fs::rename(tree.path(above), tree.path("elsewhere")).unwrap();
        watch.has(&[]);
        fs::rename(tree.path("elsewhere"), tree.path(above)).unwrap();
        watch.has(&["one"]);
        tree.write("a/b/root/one/SKILL.md", text(above));
        watch.says("one", above);
    }
}

#[test]
fn a_file_in_its_place() {
    let tree = Tree::new();
    fs::write(tree.path("a"), "").unwrap();
    let watch = Watch::on(tree.path("a/root"));
    fs::remove_file(tree.path("a")).unwrap();
    tree.write("a/root/one/SKILL.md", text("there\n"));
    watch.says("one", "there\n");
    fs::remove_dir_all(tree.path("a/root")).unwrap();
    fs::write(tree.path("a/root"), "").unwrap();
    watch.has(&[]);
}

#[test]
fn many_that_do_not_exist() {
    let tree = Tree::new();
    let sources = (0..20).map(|at| source("it", tree.path(&format!("p{at}/x/skills"))));
    let watch = Watch::over(sources);
    for at in [3, 17] {
        tree.write(&format!("p{at}/x/skills/s{at}/SKILL.md"), text("there\n"));
        watch.says(&format!("s{at}"), "there\n");
    }
    watch.is_reported();
}

#[test]
fn may_not_be_read_for_a_while() {
    if !nobody::is_stopped("roots::may_not_be_read_for_a_while") {
        return;
    }
    let tree = Tree::new();
    tree.skill("root/one", "");
    tree.skill("root/g/two", "");
    let set = |path: &str, mode| {
        fs::set_permissions(tree.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("root/g", 0o000);
    let watch = Watch::on(tree.path("root"));
    watch.is_reported().until(|snapshot| snapshot.get("two").is_none());
    set("root", 0o000);
    watch.until(|snapshot| snapshot.sources()[0].failed);
    set("root", 0o755);
    watch.says("one", "Do one.\n");
    set("root/g", 0o755);
    watch.says("two", "Do two.\n");
    // What could not be watched at first is watched now.
    tree.write("root/g/two/SKILL.md", text("edited\n"));
    watch.says("two", "edited\n");
    tree.write("root/g/three/SKILL.md", text("new\n"));
    watch.says("three", "new\n").is_reported();
}

#[test]
fn a_directory_above_that_may_not_be_read() {
    if !nobody::is_stopped("roots::a_directory_above_that_may_not_be_read") {
        return;
    }
    let tree = Tree::new();
    tree.skill("shut/root/one", "");
    // It can be passed, as many a home of others.
    fs::set_permissions(tree.path("shut"), fs::Permissions::from_mode(0o311)).unwrap();
    let polled = WatchOptions { poll: Duration::from_millis(20), ..REPORTED };
    let sources = ["shut/root", "shut/missing"].map(|name| source(name, tree.path(name)));
    let watch = Watch::with(polled, sources);
    let roots = watch.registry.watching().roots;
    assert_eq!(roots[0].attention, Attention::Watched);
    let Attention::Polled { reason } = &roots[1].attention else { panic!("{roots:?}") };
    assert!(reason.contains("may not be read"), "{reason}");
    tree.write("shut/missing/two/SKILL.md", text("there\n"));
    watch.says("two", "there\n");
    eventually("it is watched now", || {
        watch.registry.watching().roots.iter().all(|it| it.attention == Attention::Watched)
    });
    fs::set_permissions(tree.path("shut"), fs::Permissions::from_mode(0o755)).unwrap();
}
