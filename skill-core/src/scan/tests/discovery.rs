//! What is found and how it is named, without links and faults.

use std::path::{Path, PathBuf};

use super::{COMMANDS, SKILLS, lines, tree};
use crate::scan::{Entered, MAX_DEPTH, ScanOptions, scan};

#[test]
fn trees() {
    let cases: &[(&str, &ScanOptions, &[&str], &[&str])] = &[
        ("nothing", &SKILLS, &[], &[]),
        ("empty directories", &SKILLS, &["a/b/", "c/"], &[]),
        (
            "one level, and the first SKILL.md on a path",
            &SKILLS,
            &["b/SKILL.md", "a/SKILL.md", "a/inner/SKILL.md", "README.md", "a/notes.md"],
            &["a a/SKILL.md", "b b/SKILL.md"],
        ),
        (
            "groups",
            &SKILLS,
            &["git/commit/SKILL.md", "git/README.md", "git/deep/er/tag/SKILL.md"],
            &["commit git/commit/SKILL.md", "tag git/deep/er/tag/SKILL.md"],
        ),
        (
            "bytes of the whole path, not of one component",
            &SKILLS,
            &["a/x/SKILL.md", "a-b/SKILL.md", "a.c/SKILL.md", "B/SKILL.md", "é/SKILL.md"],
            &[
                "B B/SKILL.md",
                "a-b a-b/SKILL.md",
                "a.c a.c/SKILL.md",
                "x a/x/SKILL.md",
                "é é/SKILL.md",
            ],
        ),
        (
            "hidden directories and other people's",
            &SKILLS,
            &[
                ".git/x/SKILL.md",
                ".system/SKILL.md",
                "node_modules/x/SKILL.md",
                "a/vendor/x/SKILL.md",
                "target/SKILL.md",
                "a/targets/SKILL.md",
            ],
            &["targets a/targets/SKILL.md"],
        ),
        (
            "another case",
            &SKILLS,
            &["a/skill.md", "b/SKILL.MD"],
            &["a a/skill.md", "b b/SKILL.MD", "odd-case a/skill.md", "odd-case b/SKILL.MD"],
        ),
        (
            "a directory called skill.md is a directory",
            &SKILLS,
            &["a/skill.md/b/SKILL.md"],
            &["b a/skill.md/b/SKILL.md"],
        ),
        (
            "a directory in the place of the file",
            &SKILLS,
            &["a/SKILL.md/b/SKILL.md", "b/SKILL.md"],
            &["b b/SKILL.md", "! not-regular a a/SKILL.md"],
        ),
        (
            "commands",
            &COMMANDS,
            &["fix.md", "git/cm.md", "git/deep/x.y.md", "git/SKILL.md", "README.txt", "UP.MD"],
            &[
                "fix fix.md",
                "git:SKILL git/SKILL.md",
                "git:cm git/cm.md",
                "git:deep:x.y git/deep/x.y.md",
            ],
        ),
        (
            "commands: hidden ones and other people's",
            &COMMANDS,
            &[".md", ".draft.md", ".x/a.md", "node_modules/a.md", "vendor.md", "d.md/e.md"],
            &["d.md:e d.md/e.md", "vendor vendor.md"],
        ),
        (
            "what `link` made",
            &SKILLS,
            &[
                "made/SKILL.md",
                "made/.skilldeck-link = ",
                "own/SKILL.md",
                "g/made/x/SKILL.md",
                "g/made/.skilldeck-link = ",
            ],
            &["own own/SKILL.md"],
        ),
        (
            "a listed directory without a mark is somebody's own",
            &SKILLS,
            &[".skilldeck-link = a\nb\n", "a/SKILL.md", "b/SKILL.md", "b/.skilldeck-link = "],
            &["a a/SKILL.md"],
        ),
        (
            "a mark that lists nothing does not hide the root",
            &SKILLS,
            &[".skilldeck-link = \n", "a/SKILL.md"],
            &["a a/SKILL.md"],
        ),
    ];
    for (what, options, entries, expected) in cases {
        let root = tree(entries);
        assert_eq!(lines(root.path(), options), *expected, "{what}");
        // The order in which a tree is made is the order in which some systems list it.
        let backwards: Vec<&str> = entries.iter().rev().copied().collect();
        let other = tree(&backwards);
        assert_eq!(lines(other.path(), options), *expected, "{what}, made backwards");
    }
}

#[test]
fn depth() {
    let root = tree(&[
        "1/2/3/4/5/in/SKILL.md",
        "1/2/3/4/5/out/7/SKILL.md",
        "1/2/3/4/5/out/8/SKILL.md",
        "1/2/3/4/5/zero/",
        "1/2/3/4/5/also/x/",
        "1/2/3/4/5/not/.git/",
    ]);
    assert_eq!(MAX_DEPTH, 6);
    let expected = ["in 1/2/3/4/5/in/SKILL.md", "too-deep 1/2/3/4/5/also"];
    assert_eq!(lines(root.path(), &SKILLS), expected);
    let fault = scan(root.path(), &SKILLS).diagnostics.remove(0);
    assert_eq!(fault.related.len(), 1);
    assert_eq!(fault.related[0].path, Some(root.path().join("1/2/3/4/5/out")));

    let root = tree(&["1/2/3/4/5/6/in.md", "1/2/3/4/5/6/7/out.md"]);
    let expected = ["1:2:3:4:5:6:in 1/2/3/4/5/6/in.md", "too-deep 1/2/3/4/5/6"];
    assert_eq!(lines(root.path(), &COMMANDS), expected);
}

#[test]
fn a_root_that_is_a_skill() {
    let root = tree(&["deck/commit/SKILL.md", "deck/commit/inner/SKILL.md"]);
    let commit = root.path().join("deck/commit");
    assert_eq!(lines(&commit, &SKILLS), ["commit SKILL.md"]);
    assert_eq!(lines(&commit.join("."), &SKILLS), ["commit SKILL.md"]);
    assert_eq!(lines(&commit.join("inner/.."), &SKILLS), ["commit SKILL.md"]);
}

#[test]
fn roots_that_are_none() {
    let root = tree(&["file"]);
    let missing = root.path().join("nowhere/at/all");
    assert_eq!(lines(&missing, &SKILLS), ["missing-root "]);
    assert!(scan(&missing, &SKILLS).directories.is_empty());
    let file = root.path().join("file");
    assert_eq!(lines(&file, &SKILLS), ["root-not-a-directory "]);
    assert_eq!(lines(&file.join("below"), &SKILLS), ["root-not-a-directory "]);
}

#[test]
fn directories_for_a_watcher() {
    let root = tree(&["g/a/SKILL.md", "g/a/scripts/", "empty/", ".git/", "f.md"]);
    let relative = |options| {
        let scan = scan(root.path(), options);
        let below = |it: &Entered| it.path.strip_prefix(root.path()).unwrap().to_owned();
        scan.directories.iter().map(below).collect::<Vec<_>>()
    };
    assert_eq!(relative(&SKILLS), ["", "empty", "g", "g/a"].map(PathBuf::from));
    assert_eq!(relative(&COMMANDS), ["", "empty", "g", "g/a", "g/a/scripts"].map(PathBuf::from));
}

#[test]
fn a_relative_root_gives_relative_paths() {
    // The working directory of a crate's tests is the crate.
    let found = scan(Path::new("src/.."), &COMMANDS);
    assert_eq!(found.directories[0].path, Path::new("src/.."));
    let scan = Path::new("src/../src/scan");
    let entered = found.directories.iter().find(|it| it.path == scan).unwrap();
    assert_eq!(entered.real_path, scan.canonicalize().unwrap());
}
