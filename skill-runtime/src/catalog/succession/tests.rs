//! Versions of a skill, and directories that are shut, to what is kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skilldeck_core::diagnostic::{Code, Diagnostic};
use skilldeck_core::format::Origin;
use skilldeck_core::scan::{Found, Scan};

use super::super::item::Loaded;
use super::{keep_unreached, succeed};

const GOOD: &str = "---\nname: demo\ndescription: d\n---\nGood.\n";
const BROKEN: &str = "---\nname: demo\ndescription: d\nallowed-tools: {a: b}\n---\nBroken.\n";

fn loaded(path: &str, text: &str) -> Loaded {
    Loaded::parse(text.as_bytes(), &Origin { path: Some(Path::new(path)), ..Origin::new("demo") })
}

#[test]
fn versions_are_shared() {
    let good = succeed(loaded("a", GOOD), None);
    assert!(Arc::ptr_eq(&good, &succeed(loaded("a", GOOD), Some(Arc::clone(&good)))));
    let stale = succeed(loaded("a", BROKEN), Some(Arc::clone(&good)));
    assert_eq!(stale.skill.body(), "Good.\n");
    assert!(Arc::ptr_eq(&stale, &succeed(loaded("a", BROKEN), Some(Arc::clone(&stale)))));
    let back = succeed(loaded("a", GOOD), Some(Arc::clone(&stale)));
    assert!(Arc::ptr_eq(&good, &back), "the good version as it was");
    // The broken text as it is loaded cold is no good version.
    let cold = succeed(loaded("a", BROKEN), None);
    assert!(cold.stale.is_none());
    let worse = succeed(loaded("a", &BROKEN.replace("Broken", "Worse")), Some(cold));
    assert_eq!((worse.skill.body(), worse.stale.is_none()), ("Worse.\n", true));
}

#[test]
fn each_text_with_an_error_is_told_from_the_others() {
    let said = |text: &str, before: &Arc<Loaded>| {
        let stale = succeed(loaded("a", text), Some(Arc::clone(before)));
        let kept = |it: &&Diagnostic| it.code == Code::LastGoodKept;
        assert_eq!(stale.diagnostics.iter().filter(kept).count(), 1);
        let kept = stale.diagnostics.iter().find(kept).cloned().unwrap();
        (stale, kept)
    };
    let good = succeed(loaded("a", GOOD), None);
    let (first, one) = said(BROKEN, &good);
    let (second, two) = said(&BROKEN.replace("Broken", "Worse"), &first);
    assert_ne!(one, two);
    assert_eq!(said(BROKEN, &second).1, one);
    assert_eq!((one.line, one.path.as_deref()), (4, Some(Path::new("a"))));
    assert!(one.message.contains("line 4: `allowed-tools`"), "{}", one.message);
}

#[test]
fn what_no_text_lifts_stays_restricted() {
    let unreadable = || {
        let why = Diagnostic::new(Code::Unreadable, "shut").in_file(Path::new("a"));
        let origin = Origin { path: Some(Path::new("a")), ..Origin::new("demo") };
        Loaded::unreadable(vec![why], &origin)
    };
    let good = succeed(loaded("a", GOOD), None);
    let shut = succeed(unreadable(), Some(Arc::clone(&good)));
    assert!(shut.skill.user_invocable() && shut.skill == good.skill);
    let hides = BROKEN.replace("allowed-tools", "user-invocable: false\nallowed-tools");
    let stale = succeed(loaded("a", &hides), Some(shut));
    assert!(!stale.skill.user_invocable());
    let shut = succeed(unreadable(), Some(stale));
    assert!(!shut.skill.user_invocable());
    assert_eq!(succeed(loaded("a", GOOD), Some(shut)).skill, good.skill);
}

#[test]
fn a_text_with_an_error_gives_way_to_a_text_only() {
    let origin = Origin { path: Some(Path::new("a")), ..Origin::new("demo") };
    let cold = succeed(loaded("a", BROKEN), None);
    let why = Diagnostic::new(Code::Unreadable, "shut").in_file(Path::new("a"));
    let shut = succeed(Loaded::unreadable(vec![why], &origin), Some(Arc::clone(&cold)));
    assert_eq!(shut.skill, cold.skill);
    let said = &shut.diagnostics.last().unwrap().message;
    assert!(said.starts_with("the last version that could be read stays in force"), "{said}");
    assert!(Arc::ptr_eq(&cold, &succeed(loaded("a", BROKEN), Some(Arc::clone(&shut)))));
    let other = succeed(loaded("a", &BROKEN.replace("Broken", "Worse")), Some(shut));
    assert_eq!((other.skill.body(), other.stale.is_none()), ("Worse.\n", true));
}

/// What is unreadable and what is said of the source, after these were there before.
fn kept(mut scan: Scan, before: &[&str]) -> (Vec<String>, Vec<String>) {
    let before: Vec<Loaded> = before.iter().map(|path| loaded(path, GOOD)).collect();
    keep_unreached(&mut scan, before.iter());
    let mut entries: Vec<String> =
        scan.unreadable.iter().map(|(found, _)| found.path.display().to_string()).collect();
    entries.sort();
    let said = scan.diagnostics.iter().map(|why| why.path.as_ref().unwrap().display().to_string());
    (entries, said.collect())
}

fn found(path: &str) -> Found {
    Found { path: path.into(), real_path: path.into(), name: "demo".to_owned() }
}

fn shut(path: &str) -> Diagnostic {
    Diagnostic::new(Code::UnreadableDirectory, "shut").in_file(Path::new(path))
}

#[test]
fn what_was_below_a_directory_that_is_shut_is_kept() {
    let all = ["r/a/SKILL.md", "r/g/b/SKILL.md", "r/g/c/SKILL.md", "r/ga/SKILL.md"];
    let scan = |unreadable: Vec<(Found, Diagnostic)>, files: &[&str]| Scan {
        files: files.iter().map(|path| found(path)).collect(),
        unreadable,
        ..Scan::default()
    };
    // The group itself is no skill any more, and what stands for one is a skill's own directory.
    let group = scan(vec![(found("r/g/SKILL.md"), shut("r/g"))], &["r/a/SKILL.md"]);
    let (entries, said) = kept(group, &all);
    assert_eq!(entries, ["r/g/b/SKILL.md", "r/g/c/SKILL.md"]);
    assert_eq!(said, ["r/g"]);
    let own = scan(vec![(found("r/a/SKILL.md"), shut("r/a"))], &[]);
    let (entries, said) = kept(own, &all);
    assert_eq!(entries, ["r/a/SKILL.md"]);
    assert_eq!(said, Vec::<String>::new());
    // Nothing was below it: it stands for what it may be.
    let new = scan(vec![(found("r/n/SKILL.md"), shut("r/n"))], &[]);
    assert_eq!(kept(new, &all).0, ["r/n/SKILL.md"]);
    // A link to a directory.
    let why = Diagnostic::new(Code::Unreadable, "shut").in_file(Path::new("r/g"));
    let link = scan(vec![(found("r/g/SKILL.md"), why)], &[]);
    assert_eq!(kept(link, &all).0, ["r/g/b/SKILL.md", "r/g/c/SKILL.md"]);
    // A file that cannot be read covers nothing, whatever was below it in another layout.
    let why = Diagnostic::new(Code::Unreadable, "shut").in_file(Path::new("r/g"));
    let file = scan(vec![(found("r/g"), why)], &[]);
    assert_eq!(kept(file, &all).0, ["r/g"]);
    // The whole root.
    let root = Scan { diagnostics: vec![shut("r")], ..Scan::default() };
    let (entries, said) = kept(root, &all);
    assert_eq!(entries, all);
    assert_eq!(said, ["r"]);
}

#[test]
fn what_is_reached_another_way_is_not_kept_twice() {
    let mut before = loaded("r/g/b/SKILL.md", GOOD);
    before.real_path = Some(PathBuf::from("elsewhere/SKILL.md"));
    let mut other = found("r/z/SKILL.md");
    other.real_path = "elsewhere/SKILL.md".into();
    let mut scan = Scan {
        files: vec![other],
        unreadable: vec![(found("r/g/SKILL.md"), shut("r/g"))],
        ..Scan::default()
    };
    keep_unreached(&mut scan, std::iter::once(&before));
    assert_eq!(scan.unreadable.len(), 1);
    assert_eq!(scan.unreadable[0].0, found("r/g/SKILL.md"));
}
