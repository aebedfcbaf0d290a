//! Which files a reload opens, as the system sees it. Where there is no `strace`, or it may not be
//! used, nothing is shown here; the loader's own count stands in the tests of the catalog.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod support;

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{Tree, registry, skill_text, user};

/// Names the deck to the child; the child is this test, run again.
const DECK: &str = "SKILLDECK_TEST_DECK";
/// What the child opens, without success, to mark where one part ends.
const MARK: &str = "/nowhere/mark-";

/// What the child does: it loads a deck of 1,000, and reloads after each of three events.
fn reload(root: &Path) {
    let registry = registry([user(root)]);
    let mark = |name: &str| fs::read(format!("{MARK}{name}")).unwrap_err();
    mark("edit");
    let file = root.join("skill-500/SKILL.md");
    fs::write(&file, skill_text("skill-500", "license: MIT\n")).unwrap();
    mark("look");
    assert_eq!(registry.reload_paths([&file]).metadata_changed, ["skill-500"]);
    mark("build");
    let files: Vec<_> = (0..100).map(|at| root.join(format!("skill-7/out/{at}.o"))).collect();
    fs::create_dir(root.join("skill-7/out")).unwrap();
    files.iter().for_each(|file| fs::write(file, "x").unwrap());
    mark("look-again");
    assert_eq!(registry.reload_paths(&files).generation, 2);
    mark("end");
}

#[test]
fn an_edit_among_a_thousand_skills_opens_one_file() {
    if let Some(root) = env::var_os(DECK) {
        return reload(Path::new(&root));
    }
    let tree = Tree::new();
    for at in 0..1000 {
        tree.skill(&format!("skill-{at}"), "");
    }
    let log = tempfile::NamedTempFile::new().unwrap();
    let traced = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=open,openat,openat2", "-o"])
        .arg(log.path())
        .arg(env::current_exe().unwrap())
        .args(["--exact", "an_edit_among_a_thousand_skills_opens_one_file"])
        .env(DECK, tree.root())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let text = fs::read_to_string(log.path()).unwrap();
    let part = |from: &str, to: &str| {
        let from = text.find(&format!("{MARK}{from}\""))?;
        let length = text[from..].find(&format!("{MARK}{to}\""))?;
        Some(text[from..from + length].lines().skip(1).filter(|line| line.contains("open")))
    };
    let ours = |line: &&str| line.contains(tree.root().to_str().unwrap());
    let Some(edited) = part("look", "build") else {
        // Not there, or not allowed to trace: then it has not run the test to its end.
        assert!(!traced.is_ok_and(|status| status.success()), "the marks are missing in {text}");
        return;
    };
    let edited: Vec<_> = edited.filter(ours).collect();
    assert_eq!(edited.len(), 1, "{edited:#?}");
    assert!(edited[0].contains("skill-500/SKILL.md"), "{edited:#?}");
    assert_eq!(part("look-again", "end").unwrap().filter(ours).count(), 0, "files beside a skill");
    let loaded = text.split(MARK).next().unwrap_or_default();
    assert!(loaded.lines().filter(ours).count() >= 1000, "the trace shows what is opened");
}
