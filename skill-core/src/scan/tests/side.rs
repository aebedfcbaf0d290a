//! The files beside a SKILL.md.

use std::fs;
use std::path::PathBuf;

use super::tree;
use crate::scan::{MAX_SIDE_DEPTH, MAX_SIDE_DIRECTORIES, MAX_SIDE_FILES, side_files, side_listing};

#[test]
fn listed_by_bytes() {
    let root = tree(&[
        "SKILL.md",
        "LICENSE",
        "scripts/run.sh",
        "scripts-old/run.sh",
        "scripts/lib/a.py",
        "examples/SKILL.md",
        "vendor/x.js",
        "empty/",
        ".hidden",
        ".git/config",
        "node_modules/x.js",
        "target/debug/x",
        "scripts/target/x",
        "b/target = a file of that name",
    ]);
    let expected = [
        "LICENSE",
        "b/target",
        "examples/SKILL.md",
        "scripts-old/run.sh",
        "scripts/lib/a.py",
        "scripts/run.sh",
        "vendor/x.js",
    ];
    assert_eq!(side_files(root.path()).unwrap(), expected.map(PathBuf::from));
}

#[test]
fn the_skill_itself_in_another_case() {
    let root = tree(&["skill.md", "x"]);
    assert_eq!(side_files(root.path()).unwrap(), [PathBuf::from("x")]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_ignored_case_is_a_side_file() {
    let root = tree(&["SKILL.md", "skill.md"]);
    assert_eq!(side_files(root.path()).unwrap(), [PathBuf::from("skill.md")]);
}

#[cfg(unix)]
#[test]
fn links_stay_inside() {
    let root = tree(&[
        "skill/SKILL.md",
        "skill/real/x",
        "skill/again -> real",
        "skill/one -> real/x",
        "skill/out -> ../secret",
        "skill/out-dir -> ..",
        "skill/abs -> /etc",
        "skill/gone -> nowhere",
        "skill/me -> me",
        "skill/real/up -> ..",
        "secret",
        "linked -> skill",
    ]);
    super::faults::mkfifo(&root.path().join("skill/fifo"));
    let expected = ["again/x", "one", "real/x"].map(PathBuf::from);
    assert_eq!(side_files(&root.path().join("skill")).unwrap(), expected);
    assert_eq!(side_files(&root.path().join("linked")).unwrap(), expected);
    let out = side_listing(&root.path().join("skill")).unwrap().links_out;
    assert_eq!(out, ["abs", "gone", "me", "out", "out-dir"].map(PathBuf::from));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let root = tree(&["SKILL.md", "a"]);
    let odd = std::ffi::OsStr::from_bytes(b"\xff\xfe.bin");
    fs::write(root.path().join(odd), "x").unwrap();
    assert_eq!(side_files(root.path()).unwrap(), [PathBuf::from("a"), PathBuf::from(odd)]);
}

#[test]
fn limits() {
    let root = tree(&["SKILL.md"]);
    for number in 0..MAX_SIDE_FILES {
        fs::write(root.path().join(format!("{number}")), "").unwrap();
    }
    assert_eq!(side_files(root.path()).unwrap().len(), MAX_SIDE_FILES);
    fs::write(root.path().join("one more"), "").unwrap();
    let error = side_files(root.path()).unwrap_err().to_string();
    assert!(error.contains("more than 512 files"), "{error}");

    let deep = |depth: usize| tree(&["SKILL.md", &format!("{}x", "d/".repeat(depth))]);
    assert_eq!(side_files(deep(MAX_SIDE_DEPTH).path()).unwrap().len(), 1);
    let error = side_files(deep(MAX_SIDE_DEPTH + 1).path()).unwrap_err().to_string();
    assert!(error.contains("more than 16 deep"), "{error}");

    let wide: Vec<String> = (0..MAX_SIDE_DIRECTORIES).map(|number| format!("{number}/")).collect();
    let wide = tree(&wide.iter().map(String::as_str).collect::<Vec<_>>());
    let error = side_files(wide.path()).unwrap_err().to_string();
    assert!(error.contains("more than 1024 directories"), "{error}");
}

#[test]
fn a_directory_that_is_none() {
    let root = tree(&["file"]);
    let error = side_files(&root.path().join("gone")).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(side_files(&root.path().join("file")).is_err());
}
