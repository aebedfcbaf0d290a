//! Ways through real directories.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::trace;

/// The steps below the base, each as `directory:entry`, and the end.
fn steps(base: &Path, path: &str) -> (Vec<String>, String, bool) {
    let trace = trace(&base.join(path));
    let below = |path: &Path| path.strip_prefix(base).map(|it| it.display().to_string());
    let shown = trace.steps.iter().filter_map(|(directory, name)| {
        Some(format!("{}:{}", below(directory).ok()?, name.display()))
    });
    (shown.collect(), below(&trace.end).unwrap(), trace.missing)
}

#[test]
fn ways() {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    fs::create_dir_all(base.join("a/b")).unwrap();
    fs::create_dir_all(base.join("c")).unwrap();
    fs::write(base.join("c/file"), "").unwrap();
    symlink("../c", base.join("a/near")).unwrap();
    symlink(base.join("a/near"), base.join("far")).unwrap();
    symlink("nothing/at/all", base.join("a/dangling")).unwrap();
    symlink("circle", base.join("circle")).unwrap();
    symlink(base.join("c/file"), base.join("a/b/SKILL.md")).unwrap();

    let cases: &[(&str, &[&str], &str, bool)] = &[
        ("a/b", &[":a", "a:b"], "a/b", false),
        ("a/./b/../b", &[":a", "a:b", "a:b"], "a/b", false),
        ("a/x/y/z", &[":a", "a:x"], "a", true),
        ("a/near", &[":a", "a:near", ":c"], "c", false),
        ("far/sub", &[":far", ":a", "a:near", ":c", "c:sub"], "c", true),
        ("a/dangling", &[":a", "a:dangling", "a:nothing"], "a", true),
        ("a/b/SKILL.md", &[":a", "a:b", "a/b:SKILL.md", ":c", "c:file"], "c", false),
        ("c/file/below", &[":c", "c:file"], "c", true),
    ];
    for (path, expected, end, missing) in cases {
        let expected: Vec<String> = expected.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(steps(&base, path), (expected, (*end).to_owned(), *missing), "{path}");
    }
    assert!(trace(&base.join("circle")).steps.len() > 1, "it ends");
}

#[test]
fn it_begins_at_the_top() {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    let trace = trace(&base);
    let parents: Vec<PathBuf> = trace.steps.iter().map(|(parent, _)| parent.clone()).collect();
    let mut ancestors: Vec<PathBuf> = base.ancestors().skip(1).map(Path::to_path_buf).collect();
    ancestors.reverse();
    assert_eq!(parents, ancestors);
    assert_eq!(trace.end, base);
}
