//! What events mean in plans over real directories.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skilldeck_core::scan::Entered;

use super::super::notice::Notice;
use super::super::tests::{place, territory};
use super::Plan;
use crate::catalog::Territory;

/// What an event means, as paths below the base.
fn meaning(plan: &Plan, base: &Path, notice: &Notice) -> (Vec<String>, bool) {
    let (paths, leads_elsewhere) = plan.meaning(notice);
    let below = |path: &PathBuf| path.strip_prefix(base).unwrap().display().to_string();
    (paths.iter().map(below).collect(), leads_elsewhere)
}

#[test]
fn events() {
    let (_directory, base) = place();
    for directory in ["real/root/g/a", "shelf/b", "texts"] {
        fs::create_dir_all(base.join(directory)).unwrap();
    }
    fs::write(base.join("texts/c.md"), "").unwrap();
    symlink("real", base.join("way")).unwrap();
    symlink(base.join("shelf/b"), base.join("real/root/b")).unwrap();
    fs::create_dir(base.join("real/root/c")).unwrap();
    symlink(base.join("texts/c.md"), base.join("real/root/c/SKILL.md")).unwrap();
    let root = base.join("way/root");
    let entered = |path: &str, real: &str| Entered {
        path: base.join("way/root").join(path).components().collect(),
        real_path: base.join(real),
    };
    let territory = Territory {
        root: root.clone(),
        directories: vec![
            entered("", "real/root"),
            entered("b", "shelf/b"),
            entered("c", "real/root/c"),
            entered("g", "real/root/g"),
            entered("g/a", "real/root/g/a"),
        ],
        linked: vec![(root.join("c/SKILL.md"), base.join("texts/c.md"))],
    };
    let plan = Plan::of(&[Arc::new(territory)]);

    let watched: Vec<&Path> = plan.directories().collect();
    for directory in ["", "real", "real/root", "real/root/g/a", "shelf", "shelf/b", "texts"] {
        let directory: PathBuf = base.join(directory).components().collect();
        assert!(watched.contains(&&*directory), "{directory:?}");
    }
    assert!(!watched.iter().any(|path| path.starts_with(base.join("way"))), "a link");

    // A path, what is to be looked at when its content changed, and whether ways lead elsewhere.
    let cases: &[(&str, &[&str], bool)] = &[
        ("real/root/g/a/SKILL.md", &["way/root/g/a/SKILL.md"], false),
        ("real/root/g/a", &["way/root/g/a"], false),
        ("real/root/new", &["way/root/new"], false),
        ("real/root", &["way/root"], true),
        ("way", &["way/root"], true),
        ("real", &["way/root"], true),
        ("shelf/b/SKILL.md", &["way/root/b/SKILL.md"], false),
        ("shelf/b", &["way/root/b"], true),
        ("shelf", &["way/root/b"], true),
        ("shelf/other", &[], false),
        ("texts/c.md", &["way/root/c/SKILL.md"], true),
        ("texts/d.md", &[], false),
        ("real/root/c/SKILL.md", &["way/root/c/SKILL.md"], true),
        ("other", &[], false),
        ("way/root/g", &[], false),
    ];
    for (path, expected, leads_elsewhere) in cases {
        let (found, elsewhere) = meaning(&plan, &base, &Notice::Changed(base.join(path)));
        assert_eq!((&*found, elsewhere), (&*strings(expected), *leads_elsewhere), "{path}");
    }
    // A directory that is another one now is another way for all that it leads to.
    let replaced = meaning(&plan, &base, &Notice::Replaced(base.join("shelf")));
    assert_eq!(replaced, (strings(&["way/root/b"]), true));
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}

#[test]
fn a_missing_root_is_awaited_at_the_last_directory() {
    let (_directory, base) = place();
    fs::create_dir(base.join("a")).unwrap();
    let root = base.join("a/b/c");
    let missing = Territory { directories: Vec::new(), ..territory(&root, &[]) };
    let plan = Plan::of(&[Arc::new(missing)]);
    let cases: &[(&str, &[&str])] =
        &[("a/b", &["a/b/c"]), ("a", &["a/b/c"]), ("a/other", &[]), ("a/b/c", &[])];
    for (path, expected) in cases {
        let (found, _) = meaning(&plan, &base, &Notice::Replaced(base.join(path)));
        assert_eq!(found, strings(expected), "{path}");
    }
    assert_eq!(plan.sources(&base.join("a"), true), BTreeSet::from([0]));
    assert_eq!(plan.sources(&base, true), BTreeSet::new());
    assert_eq!(plan.sources(&base, false), BTreeSet::from([0]));

    // What appeared after discovery passed is still to be found.
    fs::create_dir_all(&root).unwrap();
    let missing = Territory { directories: Vec::new(), ..territory(&root, &[]) };
    let plan = Plan::of(&[Arc::new(missing)]);
    assert_eq!(plan.sources(&base.join("a/b"), true), BTreeSet::from([0]));
    let plan = Plan::of(&[Arc::new(territory(&root, &[]))]);
    assert_eq!(plan.sources(&base.join("a/b"), true), BTreeSet::new());
}

#[test]
fn only_what_nobody_saw_is_unseen() {
    let (_directory, root) = place();
    let plan = |below: &[&str]| Plan::of(&[Arc::new(territory(&root, below))]);
    let (before, after) = (plan(&["a"]), plan(&["a", "b"]));
    let none = HashSet::new();
    assert_eq!(before.unseen(&before, &none), BTreeSet::new());
    assert_eq!(after.unseen(&before, &none), BTreeSet::from([root.join("b")]));
    assert_eq!(before.unseen(&after, &none), BTreeSet::new());
    let new = HashSet::from([root.join("a")]);
    assert_eq!(before.unseen(&before, &new), BTreeSet::from([root.join("a")]));
    // A second source at the same place.
    let both = Plan::of(&[Arc::new(territory(&root, &["a"])), Arc::new(territory(&root, &["a"]))]);
    assert_eq!(both.unseen(&before, &none), BTreeSet::from([root.clone(), root.join("a")]));
    assert_eq!(both.directories().count(), before.directories().count());
}
