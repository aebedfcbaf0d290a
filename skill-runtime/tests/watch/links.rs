//! Links to roots, directories and files.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{Watch, text};
use crate::tree::Tree;

/// Puts a link in the place of another in one step.
fn point(link: &std::path::Path, target: impl AsRef<std::path::Path>) {
    let new = link.with_extension("new-link");
    symlink(target, &new).unwrap();
    fs::rename(new, link).unwrap();
}

#[test]
fn a_root_becomes_a_link_that_is_pointed_elsewhere() {
    let tree = Tree::new();
    tree.write("root/one/SKILL.md", text("itself\n"));
    tree.write("deep/down/a/one/SKILL.md", text("a\n"));
    tree.write("b/one/SKILL.md", text("b\n"));
    let watch = Watch::on(tree.path("root"));
    fs::remove_dir_all(tree.path("root")).unwrap();
    symlink(tree.path("deep/down/a"), tree.path("root")).unwrap();
    watch.says("one", "a\n");
    tree.write("deep/down/a/one/SKILL.md", text("a, edited\n"));
    watch.says("one", "a, edited\n");

    point(&tree.path("root"), tree.path("b"));
    watch.says("one", "b\n");
    tree.write("b/one/SKILL.md", text("b, edited\n"));
    watch.says("one", "b, edited\n");

    // The target goes and comes, by a directory above it.
    point(&tree.path("root"), tree.path("deep/down/a"));
    watch.says("one", "a, edited\n");
    fs::rename(tree.path("deep"), tree.path("shallow")).unwrap();
    watch.has(&[]);
    fs::rename(tree.path("shallow"), tree.path("deep")).unwrap();
    watch.has(&["one"]);
    tree.write("deep/down/a/one/SKILL.md", text("a, at last\n"));
    watch.says("one", "a, at last\n").is_reported();
}

#[test]
fn a_link_above_a_root() {
    let tree = Tree::new();
    tree.write("a/x/root/one/SKILL.md", text("a\n"));
    tree.write("b/x/root/one/SKILL.md", text("b\n"));
    symlink("a", tree.path("first")).unwrap();
    symlink(tree.path("first"), tree.path("second")).unwrap();
    let watch = Watch::on(tree.path("second/x/root"));
    watch.says("one", "a\n");
    // The link in between, which no path shows.
    point(&tree.path("first"), "b");
    watch.says("one", "b\n");
    tree.write("b/x/root/two/SKILL.md", text("new\n"));
    watch.has(&["one", "two"]);
    point(&tree.path("second"), tree.path("a"));
    watch.has(&["one"]).says("one", "a\n");
    tree.write("a/x/root/one/SKILL.md", text("edited\n"));
    watch.says("one", "edited\n");
}

#[test]
fn the_target_of_a_linked_file() {
    let tree = Tree::new();
    tree.write("texts/one.md", text("first\n"));
    tree.write("texts/two.md", text("two\n"));
    fs::create_dir_all(tree.path("root/one")).unwrap();
    symlink(tree.path("texts/one.md"), tree.path("root/one/SKILL.md")).unwrap();
    let watch = Watch::on(tree.path("root"));
    tree.write("texts/one.md", text("in place\n"));
    watch.says("one", "in place\n");
    tree.write("texts/tmp", text("renamed over\n"));
    fs::rename(tree.path("texts/tmp"), tree.path("texts/one.md")).unwrap();
    watch.says("one", "renamed over\n");
    point(&tree.path("root/one/SKILL.md"), tree.path("texts/two.md"));
    watch.says("one", "two\n");
    tree.write("texts/two.md", text("two, edited\n"));
    watch.says("one", "two, edited\n").is_reported();
}

#[test]
fn a_linked_skill() {
    let tree = Tree::new();
    tree.write("shelf/g/one/SKILL.md", text("first\n"));
    tree.write("other/SKILL.md", text("other\n"));
    fs::create_dir_all(tree.path("root")).unwrap();
    let watch = Watch::on(tree.path("root"));
    symlink(tree.path("shelf/g/one"), tree.path("root/one")).unwrap();
    watch.says("one", "first\n");
    tree.write("shelf/g/one/SKILL.md", text("edited\n"));
    watch.says("one", "edited\n");
    fs::rename(tree.path("shelf"), tree.path("away")).unwrap();
    watch.has(&[]);
    fs::rename(tree.path("away"), tree.path("shelf")).unwrap();
    watch.says("one", "edited\n");
    point(&tree.path("root/one"), tree.path("other"));
    watch.says("one", "other\n");
    tree.write("other/SKILL.md", text("other, edited\n"));
    watch.says("one", "other, edited\n");
    fs::remove_file(tree.path("root/one")).unwrap();
    watch.has(&[]);
}

#[test]
fn two_ways_to_one_directory() {
    let tree = Tree::new();
    tree.write("root/real/SKILL.md", text("first\n"));
    symlink("root", tree.path("alias")).unwrap();
    let watch = Watch::over([
        crate::support::source("direct", tree.path("root")),
        crate::support::source("linked", tree.path("alias")),
    ]);
    for body in ["a\n", "b\n", "c\n"] {
        tree.write("root/real/SKILL.md", text(body));
        watch.says("real", body);
    }
    fs::remove_file(tree.path("alias")).unwrap();
    watch.until(|snapshot| !snapshot.sources()[1].present);
    tree.write("root/real/SKILL.md", text("d\n"));
    watch.says("real", "d\n").is_reported();
}

#[test]
fn links_that_lead_nowhere_yet() {
    let tree = Tree::new();
    fs::create_dir_all(tree.path("root/two")).unwrap();
    symlink(tree.path("later/g/one"), tree.path("root/one")).unwrap();
    symlink(tree.path("later/two.md"), tree.path("root/two/SKILL.md")).unwrap();
    let watch = Watch::on(tree.path("root"));
    tree.write("later/g/one/SKILL.md", text("found\n"));
    watch.says("one", "found\n");
    tree.write("later/two.md", text("found too\n"));
    watch.says("two", "found too\n");
    fs::remove_dir_all(tree.path("later")).unwrap();
    watch.until(|snapshot| snapshot.get("one").is_none());
    tree.write("later/two.md", text("again\n"));
    watch.says("two", "again\n");
    tree.write("later/g/one/SKILL.md", text("again\n"));
    watch.says("one", "again\n").is_reported();
}
