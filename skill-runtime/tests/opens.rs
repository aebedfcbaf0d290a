//! Which files a reload opens, as the system sees it. Where there is no `strace`, or it may not be
//! used, this says so and shows nothing; the loader's own count stands in the tests of the catalog.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

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

fn mark(name: &str) {
    fs::read(format!("{MARK}{name}")).unwrap_err();
}

/// What the child does: it loads a deck of 1,000, and reloads after each of three events.
fn reload(root: &Path) {
    let registry = registry([user(root)]);
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

/// The same where nobody says what was edited: the registry watches. A build leaves 10,000 files.
#[cfg(feature = "watch")]
fn watch(root: &Path) {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use skilldeck_runtime::{Registry, WatchOptions};

    // No sweep: what is looked at was reported.
    let options = WatchOptions { sweep: Duration::from_secs(3600), ..WatchOptions::default() };
    let registry = Registry::builder().source(user(root)).watch_with(options).build().unwrap();
    let (sender, changes) = channel();
    registry.on_change(move |change| sender.send(change.clone()).unwrap_or_default());
    changes.recv().unwrap();
    // In one step: what is seen between two would be a change of its own.
    let edit = |name: &str| {
        let new = root.join(name).join("new");
        fs::write(&new, skill_text(name, "license: MIT\n")).unwrap();
        fs::rename(new, root.join(name).join("SKILL.md")).unwrap();
        let change = changes.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(change.metadata_changed, [name]);
    };
    // The look that watching begins with may see the first of these, and reads it again when it is
    // reported. It is over when the second one is seen.
    edit("skill-1");
    edit("skill-2");
    mark("look");
    edit("skill-500");
    mark("build");
    fs::create_dir(root.join("skill-7/out")).unwrap();
    for at in 0..5_000 {
        fs::write(root.join(format!("skill-7/{at}.o")), "x").unwrap();
        fs::write(root.join(format!("skill-7/out/{at}.o")), "x").unwrap();
    }
    // Reports come in order: those of the build have been looked at when this one is.
    edit("skill-8");
    assert_eq!(registry.snapshot().generation(), 5, "the build is no change");
    mark("end");
}

/// Runs a test again under `strace`. Gives what was opened below the root up to the first mark, and
/// behind each of these marks up to the next; nothing where nothing can be traced.
fn trace(test: &str, root: &Path, marks: &[&str]) -> Option<Vec<Vec<String>>> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let traced = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=open,openat,openat2", "-o"])
        .arg(log.path())
        .arg(env::current_exe().unwrap())
        .args(["--exact", test])
        .env(DECK, root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let text = fs::read_to_string(log.path()).unwrap();
    let Some(places) = marks
        .iter()
        .map(|mark| text.find(&format!("{MARK}{mark}\"")))
        .collect::<Option<Vec<usize>>>()
    else {
        // Not there, or not allowed to trace: then it has not run the test to its end.
        assert!(!traced.is_ok_and(|status| status.success()), "the marks are missing in {text}");
        eprintln!("skipped: there is no strace, or it may trace nothing");
        return None;
    };
    let starts = [0].into_iter().chain(places.iter().copied());
    let ends = places.iter().copied().chain([text.len()]);
    let ours = |line: &&str| line.contains(root.to_str().unwrap()) && line.contains("open");
    let part = |(start, end): (usize, usize)| {
        text[start..end].lines().filter(ours).map(str::to_owned).collect()
    };
    Some(starts.zip(ends).map(part).collect())
}

fn deck() -> Tree {
    let tree = Tree::new();
    for at in 0..1000 {
        tree.skill(&format!("skill-{at}"), "");
    }
    tree
}

#[test]
fn an_edit_among_a_thousand_skills_opens_one_file() {
    if let Some(root) = env::var_os(DECK) {
        return reload(Path::new(&root));
    }
    let tree = deck();
    let test = "an_edit_among_a_thousand_skills_opens_one_file";
    let Some(parts) = trace(test, tree.root(), &["edit", "look", "build", "look-again", "end"])
    else {
        return;
    };
    assert!(parts[0].len() >= 1000, "the trace shows what is opened");
    let [edited] = &parts[2][..] else { panic!("{:#?}", parts[2]) };
    assert!(edited.contains("skill-500/SKILL.md"), "{edited}");
    assert_eq!(parts[4], [""; 0], "files beside a skill");
}

#[cfg(feature = "watch")]
#[test]
fn a_watching_registry_opens_what_was_edited() {
    if let Some(root) = env::var_os(DECK) {
        return watch(Path::new(&root));
    }
    let tree = deck();
    let test = "a_watching_registry_opens_what_was_edited";
    let Some(parts) = trace(test, tree.root(), &["look", "build", "end"]) else { return };
    assert!(parts[0].len() >= 1000, "the trace shows what is opened");
    // The test writes them under another name.
    let read = |part: &[String]| -> Vec<String> {
        part.iter().filter(|line| line.contains("SKILL.md")).cloned().collect()
    };
    let [edited] = &read(&parts[1])[..] else { panic!("{:#?}", read(&parts[1])) };
    assert!(edited.contains("skill-500/SKILL.md"), "{edited}");
    let built = read(&parts[2]);
    let [edited] = &built[..] else { panic!("{built:#?}") };
    assert!(edited.contains("skill-8/SKILL.md"), "{edited}");
}
