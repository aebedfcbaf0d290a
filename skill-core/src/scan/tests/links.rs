//! Symbolic links: where they are followed, and what is said when they are not.

use std::path::Path;

use super::{COMMANDS, SKILLS, UNTRUSTED, lines, message, tree};
use crate::diagnostic::Code;
use crate::scan::{ScanOptions, scan};

const DECK: &str = "deck";

#[test]
fn trees() {
    // The root is the directory `deck` of each tree.
    let cases: &[(&str, &ScanOptions, &[&str], &[&str])] = &[
        (
            "a directory and a file elsewhere",
            &SKILLS,
            &["deck/a -> ../other/x", "other/x/SKILL.md", "deck/b/SKILL.md -> ../../b.md", "b.md"],
            &["a a/SKILL.md", "b b/SKILL.md"],
        ),
        (
            "the same, not trusted",
            &UNTRUSTED,
            &[
                "deck/a -> ../other/x",
                "other/x/SKILL.md",
                "deck/b/SKILL.md -> ../../b.md",
                "b.md",
                "deck/README -> ../b.md",
                "deck/c/SKILL.md",
            ],
            &["c c/SKILL.md", "link-outside a", "link-outside b/SKILL.md"],
        ),
        (
            "not trusted, but inside",
            &UNTRUSTED,
            &["deck/z/SKILL.md", "deck/a -> z", "deck/b/SKILL.md -> ../y/text", "deck/y/text"],
            &["a a/SKILL.md", "b b/SKILL.md"],
        ),
        (
            "a link to nowhere",
            &SKILLS,
            &["deck/a -> ../gone", "deck/b -> file/x", "deck/file", "deck/c/SKILL.md"],
            &["c c/SKILL.md", "dangling-link a", "dangling-link b"],
        ),
        (
            "a SKILL.md to nowhere, to itself, to a directory",
            &SKILLS,
            &["deck/a/SKILL.md -> gone", "deck/b/SKILL.md -> SKILL.md", "deck/c/SKILL.md -> ."],
            &[
                "! unreadable a a/SKILL.md",
                "! unreadable b b/SKILL.md",
                "! not-regular c c/SKILL.md",
            ],
        ),
        (
            "a directory that leads to itself",
            &SKILLS,
            &["deck/a/loop -> .", "deck/b/SKILL.md"],
            &["b b/SKILL.md", "link-cycle a/loop"],
        ),
        (
            "two directories that lead to each other",
            &SKILLS,
            &["deck/a/to-b -> ../b", "deck/b/to-a -> ../a", "deck/a/x/SKILL.md"],
            &["x a/x/SKILL.md", "link-cycle a/to-b/to-a"],
        ),
        (
            "to the root, to its parent",
            &SKILLS,
            &["deck/a/up -> ../..", "deck/b/SKILL.md", "deck/d -> ../deck"],
            &["b b/SKILL.md", "link-cycle a/up", "link-cycle d"],
        ),
        (
            "through another directory to above the root",
            &SKILLS,
            &["deck/a -> ../other", "other/back -> ..", "other/x/SKILL.md"],
            &["x a/x/SKILL.md", "link-cycle a/back"],
        ),
        (
            "links that lead to each other and nowhere else: one circle, one warning",
            &SKILLS,
            &[
                "deck/a -> b",
                "deck/b -> ../deck/c",
                "deck/c -> a",
                "deck/to -> b",
                "deck/self -> self",
                "deck/under -> under/x",
            ],
            &["link-cycle a", "link-cycle self", "link-cycle under"],
        ),
        (
            "one file by many ways",
            &SKILLS,
            &["deck/m/SKILL.md", "deck/z -> m", "deck/b/SKILL.md -> ../m/SKILL.md", "deck/c -> m"],
            &["b b/SKILL.md"],
        ),
        (
            "the smaller path is that of the whole file",
            &SKILLS,
            &["deck/a -> a-b", "deck/a-b/x/SKILL.md"],
            &["x a-b/x/SKILL.md"],
        ),
        (
            "a long way first does not hide what a short way reaches",
            &SKILLS,
            &["deck/a/b/c/d/e/link -> ../../../../../z", "deck/z/1/2/SKILL.md"],
            &["2 z/1/2/SKILL.md"],
        ),
        (
            "hidden and skipped names are not even followed",
            &SKILLS,
            &[
                "deck/.lock -> gone",
                "deck/node_modules -> gone",
                "deck/target -> ../x",
                "x/y/SKILL.md",
            ],
            &[],
        ),
        (
            "what `link` made: listed links, but not a link that is not listed",
            &SKILLS,
            &[
                "deck/.skilldeck-link = a\r\ngone\n",
                "deck/a -> ../x",
                "deck/b -> ../y",
                "x/SKILL.md",
                "y/SKILL.md",
            ],
            &["b b/SKILL.md"],
        ),
        (
            "what `link` made, seen through a link",
            &SKILLS,
            &["deck/a -> ../made", "made/.skilldeck-link = ", "made/SKILL.md"],
            &[],
        ),
        (
            "only a file is a mark",
            &SKILLS,
            &["deck/a/.skilldeck-link -> ../../empty", "empty = ", "deck/a/SKILL.md"],
            &["a a/SKILL.md"],
        ),
        (
            "commands",
            &COMMANDS,
            &[
                "deck/a.md -> ../x.md",
                "x.md",
                "deck/b.md -> gone",
                "deck/c -> ../d",
                "d/e.md",
                "deck/f.md -> ../g",
                "g/h.md",
                "deck/i.md -> i.md",
                "deck/j -> gone",
                "deck/z.md -> a.md",
            ],
            &[
                "a a.md",
                "c:e c/e.md",
                "f.md:h f.md/h.md",
                "! unreadable b b.md",
                "! unreadable i i.md",
                "dangling-link j",
            ],
        ),
        (
            "commands, not trusted",
            &ScanOptions { trusted: false, ..COMMANDS },
            &[
                "deck/a.md -> ../x.md",
                "x.md",
                "deck/c -> ../d",
                "d/e.md",
                "deck/f.md -> ../d",
                "deck/k.md",
            ],
            &["k k.md", "link-outside a.md", "link-outside c", "link-outside f.md"],
        ),
    ];
    for (what, options, entries, expected) in cases {
        let root = tree(&[&["deck/"], *entries].concat());
        let mut found = lines(&root.path().join(DECK), options);
        // Diagnostics come in the order of the walk; a file's come before its siblings' below.
        let from = found.len() - diagnostics(&root.path().join(DECK), options);
        found[from..].sort();
        assert_eq!(found, *expected, "{what}");
    }
}

fn diagnostics(root: &Path, options: &ScanOptions) -> usize {
    scan(root, options).diagnostics.len()
}

#[test]
fn a_linked_root() {
    let root = tree(&["real/commit/SKILL.md", "deck -> real", "gone -> nowhere/at/all"]);
    for options in [&SKILLS, &UNTRUSTED] {
        assert_eq!(lines(&root.path().join(DECK), options), ["commit commit/SKILL.md"]);
        assert_eq!(lines(&root.path().join("gone"), options), ["missing-root "]);
    }
    let text = message(&root.path().join("gone"), &SKILLS, Code::MissingRoot);
    assert!(text.contains("nowhere/at/all"), "{text}");
}

#[test]
fn messages_name_link_and_target() {
    let root = tree(&["deck/a -> ../gone", "deck/b/SKILL.md -> lost", "deck/c/up -> .."]);
    let deck = root.path().join(DECK);
    for (code, link, target) in [
        (Code::DanglingLink, "deck/a`", "`../gone`"),
        (Code::Unreadable, "deck/b/SKILL.md`", "`lost`"),
        (Code::LinkCycle, "deck/c/up`", "deck`"),
    ] {
        let text = message(&deck, &SKILLS, code);
        assert!(text.contains(link) && text.contains(target), "{text}");
    }
}

#[test]
fn a_fan_of_links_is_walked_once() {
    // Six levels of eight links each to the next level: 8^6 ways.
    let mut entries = Vec::new();
    for level in 0..6 {
        for way in 0..8 {
            let next =
                if level == 5 { "../end".to_owned() } else { format!("../level-{}", level + 1) };
            entries.push(format!("level-{level}/{way} -> {next}"));
        }
    }
    entries.push("end/SKILL.md".to_owned());
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let root = tree(&entries);
    let scan = scan(root.path(), &SKILLS);
    assert_eq!(scan.files.len(), 1);
    assert_eq!(scan.files[0].name, "end");
    assert!(scan.directories.len() <= 1 + 7 * 7, "{}", scan.directories.len());
}

#[test]
fn what_hangs_on_more_than_listings_is_not_plain() {
    let cases: &[(&str, &ScanOptions, &[&str], bool)] = &[
        ("directories and files", &SKILLS, &["deck/a/SKILL.md", "deck/g/b/SKILL.md"], true),
        ("nothing", &SKILLS, &["deck/"], true),
        ("no root", &SKILLS, &[], false),
        ("a linked directory", &SKILLS, &["deck/a/SKILL.md", "deck/b -> a"], false),
        ("a linked file", &SKILLS, &["deck/a/SKILL.md -> ../../x", "x"], false),
        ("a link to no directory", &SKILLS, &["deck/README -> ../x", "x"], false),
        ("a link that is passed over", &SKILLS, &["deck/.git -> ../x", "deck/a/SKILL.md"], true),
        ("a link beside a skill", &SKILLS, &["deck/a/SKILL.md", "deck/a/x -> ../gone"], true),
        ("a mark", &SKILLS, &["deck/a/.skilldeck-link", "deck/a/SKILL.md"], false),
        ("a command", &COMMANDS, &["deck/a.md", "deck/b/c.md"], true),
        ("a linked command", &COMMANDS, &["deck/a.md -> ../x", "x"], false),
    ];
    for (name, options, entries, plain) in cases {
        let tree = tree(entries);
        assert_eq!(scan(&tree.path().join(DECK), options).plain, *plain, "{name}");
    }
}
