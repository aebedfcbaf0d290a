//! Names that only some file systems can hold.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use super::{COMMANDS, SKILLS, lines, message, plant, tree};
use crate::diagnostic::Code;
use crate::scan::scan;

#[test]
fn of_two_cases_the_exact_one() {
    let root = tree(&["a/skill.md", "a/SKILL.md", "a/Skill.md", "b/skill.md", "b/Skill.md"]);
    let expected = [
        "a a/SKILL.md",
        "b b/Skill.md",
        "odd-case a/Skill.md",
        "odd-case a/skill.md",
        "odd-case b/Skill.md",
        "odd-case b/skill.md",
    ];
    assert_eq!(lines(root.path(), &SKILLS), expected);
    let root = tree(&["a/skill.md", "a/SKILL.md"]);
    let text = message(root.path(), &SKILLS, Code::OddCase);
    assert!(text.contains("a/skill.md` is ignored") && text.contains("a/SKILL.md` is read"));
}

#[test]
fn names_that_are_not_utf8() {
    let root = tree(&[]);
    let odd = OsStr::from_bytes(b"caf\xe9");
    let skill = root.path().join("g").join(odd);
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "x").unwrap();
    plant(root.path(), "g/good/SKILL.md");
    let expected = [
        "caf\u{fffd} g/caf\u{fffd}/SKILL.md",
        "good g/good/SKILL.md",
        "not-utf8-name g/caf\u{fffd}/SKILL.md",
    ];
    assert_eq!(lines(root.path(), &SKILLS), expected);
    assert_eq!(scan(root.path(), &SKILLS).files[0].path, skill.join("SKILL.md"));

    let expected = [
        "g:caf\u{fffd}:SKILL g/caf\u{fffd}/SKILL.md",
        "g:good:SKILL g/good/SKILL.md",
        "not-utf8-name g/caf\u{fffd}/SKILL.md",
    ];
    assert_eq!(lines(root.path(), &COMMANDS), expected);
}

#[test]
fn every_command_has_something_to_type() {
    let root = tree(&[":.md", "!.md", "SKILL.md", "git/!.md", "git/!/a.md", "git.md"]);
    let expected = [
        "x21 !.md",
        "x3a :.md",
        "SKILL SKILL.md",
        "git git.md",
        "git:x21 git/!.md",
        "git:x21:a git/!/a.md",
    ];
    assert_eq!(lines(root.path(), &COMMANDS), expected);
}
