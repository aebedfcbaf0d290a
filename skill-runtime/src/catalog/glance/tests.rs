//! Events as data: a tree, a path in it, and what it asks for.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use skilldeck_core::format::Layout;
use skilldeck_core::scan::{LINK_MARK, ScanOptions, scan};

use super::{Glance, Ground};
use crate::catalog::look::Territory;
use crate::catalog::stock::load_files;
use crate::source::{SourceInfo, Tier};

const TEXT: &str = "---\ndescription: x\n---\nDo it.\n";

fn write(path: impl AsRef<Path>) {
    let path = path.as_ref();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, TEXT).unwrap();
}

/// What events at these paths below the root ask for, in a tree that was made by `make`, looked at,
/// and changed by `change`.
#[track_caller]
fn check(
    layout: Layout,
    make: impl Fn(&Path),
    change: impl Fn(&Path),
    expected: &[(&str, Glance)],
) {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("root");
    fs::create_dir(&root).unwrap();
    make(&root);
    let mut info = SourceInfo::new("mine", Tier::USER);
    (info.layout, info.trusted) = (layout, true);
    let found = scan(&root, &ScanOptions { layout, trusted: true });
    let territory = Territory::of(&root, &found);
    let is_quiet = found.diagnostics.is_empty();
    let slots = load_files(found, Vec::new(), &info);
    change(&root);
    let ground = Ground { territory: &territory, slots: &slots, layout, is_quiet };
    for (path, wanted) in expected {
        assert_eq!(ground.glance(&root.join(path)), *wanted, "{path}");
    }
}

/// Names before and behind those of other entries in the order of bytes.
fn skills(root: &Path) {
    for path in ["a", "a-b", "a.b", "group/c", "group/sub/d", "z"] {
        write(root.join(path).join("SKILL.md"));
    }
    fs::create_dir(root.join("empty")).unwrap();
}

#[test]
fn the_file_of_a_skill_is_looked_at_alone() {
    // In the order of bytes: a-b, a.b, a, group/c, group/sub/d, z.
    let expected = [
        ("a/SKILL.md", Glance::File(2)),
        ("a-b/SKILL.md", Glance::File(0)),
        ("a.b/SKILL.md", Glance::File(1)),
        ("group/sub/d/SKILL.md", Glance::File(4)),
        ("z/SKILL.md", Glance::File(5)),
        // Written in an odd way: slower, not wrong.
        ("a//SKILL.md", Glance::Discovery),
    ];
    check(Layout::Skills, skills, |_| {}, &expected);
    // Its absence is seen by whoever looks at it.
    let remove = |root: &Path| fs::remove_dir_all(root.join("a")).unwrap();
    check(Layout::Skills, skills, remove, &[("a/SKILL.md", Glance::File(2))]);
}

#[test]
fn what_lies_beside_a_skill_is_of_no_consequence() {
    let change = |root: &Path| {
        write(root.join("a/notes.md"));
        write(root.join("group/sub/d/deep/er/SKILL.md"));
        fs::create_dir(root.join("z/build")).unwrap();
        symlink("nowhere", root.join("z/link")).unwrap();
    };
    let expected = [
        ("a/notes.md", Glance::Nothing),
        ("a/gone", Glance::Nothing),
        ("a/SKILL.md~", Glance::Nothing),
        ("group/sub/d/deep", Glance::Nothing),
        ("group/sub/d/deep/er/SKILL.md", Glance::Nothing),
        ("z/build", Glance::Nothing),
        ("z/link", Glance::Nothing),
        // These are not beside it: they may decide about it.
        ("a/skill.md", Glance::Discovery),
        ("a/.skilldeck-link", Glance::Discovery),
        ("a", Glance::Discovery),
    ];
    check(Layout::Skills, skills, change, &expected);
}

#[test]
fn a_root_that_is_a_skill_has_nothing_else_in_it() {
    let make = |root: &Path| write(root.join("SKILL.md"));
    let change = |root: &Path| write(root.join("sub/SKILL.md"));
    let expected = [
        ("SKILL.md", Glance::File(0)),
        ("sub/SKILL.md", Glance::Nothing),
        ("sub", Glance::Nothing),
        ("", Glance::Discovery),
    ];
    check(Layout::Skills, make, change, &expected);
}

#[test]
fn what_comes_and_goes_among_skills_asks_for_discovery_if_it_can_matter() {
    let change = |root: &Path| {
        write(root.join("new/SKILL.md"));
        write(root.join("group/README.md"));
        write(root.join(".git/objects/SKILL.md"));
        write(root.join("node_modules/x/SKILL.md"));
        symlink("a", root.join("link")).unwrap();
        symlink("a", root.join(".hidden")).unwrap();
        fs::remove_dir_all(root.join("group/sub")).unwrap();
        fs::remove_dir_all(root.join("empty")).unwrap();
    };
    let expected = [
        ("new", Glance::Discovery),
        ("new/SKILL.md", Glance::Discovery),
        ("link", Glance::Discovery),
        ("group/sub", Glance::Discovery),
        ("empty", Glance::Discovery),
        ("group", Glance::Discovery),
        ("SKILL.md", Glance::Discovery),
        (LINK_MARK, Glance::Discovery),
        ("group/README.md", Glance::Nothing),
        ("4913", Glance::Nothing),
        ("gone/SKILL", Glance::Nothing),
        // Nothing of this was known, and there is nothing.
        ("gro", Glance::Nothing),
        (".hidden", Glance::Nothing),
        (".git/objects", Glance::Nothing),
        (".git/objects/SKILL.md", Glance::Nothing),
        ("node_modules", Glance::Nothing),
        ("node_modules/x/SKILL.md", Glance::Nothing),
    ];
    check(Layout::Skills, skills, change, &expected);
}

#[test]
fn what_discovery_spoke_of_is_looked_at_again() {
    let make = |root: &Path| {
        skills(root);
        symlink("nowhere", root.join("dangling")).unwrap();
    };
    let change = |root: &Path| fs::remove_file(root.join("dangling")).unwrap();
    let expected = [("dangling", Glance::Discovery), ("a/gone", Glance::Nothing)];
    check(Layout::Skills, make, change, &expected);
}

#[test]
fn only_discovery_follows_links_and_knows_what_is_no_file() {
    let make = |root: &Path| {
        write(root.join("real/SKILL.md"));
        write(root.with_file_name("elsewhere/SKILL.md"));
        symlink(root.with_file_name("elsewhere"), root.join("by-directory")).unwrap();
        fs::create_dir(root.join("by-file")).unwrap();
        symlink("../real/notes", root.join("by-file/SKILL.md")).unwrap();
        write(root.join("real/notes"));
        fs::create_dir_all(root.join("odd/SKILL.md")).unwrap();
    };
    let expected = [
        ("by-directory/SKILL.md", Glance::File(0)),
        ("by-directory/notes", Glance::Nothing),
        ("by-directory", Glance::Discovery),
        ("by-file/SKILL.md", Glance::Discovery),
        ("by-file/notes", Glance::Nothing),
        ("odd/SKILL.md", Glance::Discovery),
        ("odd/notes", Glance::Discovery),
        ("real/SKILL.md", Glance::File(3)),
    ];
    check(Layout::Skills, make, |_| {}, &expected);
}

#[test]
fn among_commands_every_markdown_file_matters() {
    let make = |root: &Path| {
        write(root.join("a.md"));
        write(root.join("git/cm.md"));
    };
    let change = |root: &Path| {
        write(root.join("new.md"));
        write(root.join("notes.txt"));
        write(root.join(".hidden.md"));
        write(root.join("git/cm.md.tmp"));
    };
    let expected = [
        ("a.md", Glance::File(0)),
        ("git/cm.md", Glance::File(1)),
        ("new.md", Glance::Discovery),
        ("gone.md", Glance::Discovery),
        ("git", Glance::Discovery),
        ("notes.txt", Glance::Nothing),
        (".hidden.md", Glance::Nothing),
        ("git/cm.md.tmp", Glance::Nothing),
        ("git/4913", Glance::Nothing),
    ];
    check(Layout::Commands, make, change, &expected);
}
