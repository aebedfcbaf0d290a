//! Commands that write to one root at the same time, or are ended in the middle.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use skilldeck::format::Layout;
use skilldeck::scan::{self, ScanOptions};

use crate::support::{Ran, Workspace};

const ROOT: &str = ".agents/skills";
/// More than any of these take, even on a busy machine.
const BOUND: Duration = Duration::from_secs(60);

fn spawn(workspace: &Workspace, arguments: &[&str]) -> Child {
    let mut command = workspace.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The names in a root, hidden ones included, sorted.
fn entries(root: &Path) -> Vec<String> {
    let names = fs::read_dir(root).unwrap();
    let mut names: Vec<_> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn text(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n{body}\n")
}

#[test]
fn of_two_who_add_one_name_one_wins() {
    let workspace = Workspace::new();
    let root = workspace.project().join(ROOT);
    for round in 0..8 {
        let name = format!("demo-{round}");
        for from in ["a", "b"] {
            workspace.write(format!("{from}/SKILL.md"), text(&name, from));
            for file in 0..20 {
                workspace.write(format!("{from}/{file}"), from);
            }
        }
        let both = ["a", "b"].map(|from| spawn(&workspace, &["add", from]));
        let both = both.map(|child| Ran::from(child.wait_with_output().unwrap()));
        let codes: Vec<_> = both.iter().map(|ran| ran.code).collect();
        assert!(codes.contains(&Some(0)) && codes.contains(&Some(1)), "{both:?}");
        let loser = both.iter().find(|ran| ran.code == Some(1)).unwrap();
        assert!(loser.stderr.contains("exists already"), "{loser:?}");
        let winner = if codes[0] == Some(0) { "a" } else { "b" };
        let skill = root.join(&name);
        assert_eq!(fs::read_to_string(skill.join("SKILL.md")).unwrap(), text(&name, winner));
        assert_eq!(entries(&skill).len(), 21);
        for file in 0..20 {
            assert_eq!(fs::read_to_string(skill.join(file.to_string())).unwrap(), winner);
        }
    }
    assert_eq!(entries(&root).len(), 8, "nothing is left behind");
}

#[test]
fn each_command_that_writes_waits_for_another_and_says_for_whom() {
    let workspace = Workspace::new();
    let root = workspace.project().join(ROOT);
    workspace.write("demo/SKILL.md", text("demo", "x"));
    workspace
        .write(format!("{ROOT}/mend/SKILL.md"), "---\nname: Mend\ndescription: a: b\n---\nx\n");
    for arguments in [
        &["new", "fresh"][..],
        &["add", "demo"],
        &["check", "--fix", ROOT],
        &["check", "--fix", ".agents/skills/mend/SKILL.md"],
    ] {
        workspace
            .write(format!("{ROOT}/mend/SKILL.md"), "---\nname: Mend\ndescription: a: b\n---\nx\n");
        let lock = root.join(".skilldeck-lock");
        let mut held = File::create(&lock).unwrap();
        held.lock().unwrap();
        held.write_all(b"skilldeck test (process 42)").unwrap();
        let before = entries(&root);
        let mut child = spawn(&workspace, arguments);
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(line.starts_with("waiting for skilldeck test (process 42)"), "{line}");
        assert_eq!(entries(&root), before);
        let mended = fs::read_to_string(root.join("mend/SKILL.md")).unwrap();
        assert!(mended.contains("name: Mend"), "{arguments:?}");
        fs::remove_file(&lock).unwrap();
        drop(held);
        let status = child.wait().unwrap();
        assert!(status.success(), "{arguments:?}");
        assert!(!lock.exists());
    }
    assert_eq!(entries(&root), ["demo", "fresh", "mend"]);
}

#[cfg(unix)]
#[test]
fn one_that_is_killed_leaves_no_half_skill_and_hinders_nobody() {
    let workspace = Workspace::new();
    let root = workspace.project().join(ROOT);
    workspace.write("demo/SKILL.md", text("demo", "x"));
    // Nobody reads what it says of each file, so it stops where the pipe is full: in the middle.
    for file in 0..500 {
        workspace.write(format!("demo/{file:03}-{}", "x".repeat(200)), "x");
    }
    for replaces in [false, true] {
        let mut arguments = vec!["add", "-v", "demo"];
        if replaces {
            workspace.write(format!("{ROOT}/demo/SKILL.md"), text("demo", "old"));
            arguments.push("--force");
        }
        let mut child = spawn(&workspace, &arguments);
        let staging = root.join(".skilldeck-new.demo");
        let deadline = Instant::now() + BOUND;
        while !staging.join(format!("100-{}", "x".repeat(200))).exists() {
            assert!(Instant::now() < deadline, "it does not write");
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let copied = entries(&staging).len();
        assert!((100..501).contains(&copied), "{copied} files");

        // What is visible is what was there before.
        let options = ScanOptions { layout: Layout::Skills, trusted: true };
        let found = scan::scan(&root, &options);
        let names: Vec<_> = found.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, if replaces { &["demo", "one"][..] } else { &[] });
        assert_eq!(found.diagnostics, []);
        if replaces {
            let shown = workspace.run(["show", "demo", "--json"]).json();
            assert_eq!(shown["body"], "old\n");
        }

        // Whoever writes next clears away, whatever they write.
        workspace.run(["new", if replaces { "two" } else { "one" }]).ok();
        assert!(!staging.exists());
        assert!(!root.join(".skilldeck-lock").exists());
    }
    workspace.run(["add", "demo", "--force", "-q"]).ok();
    assert_eq!(entries(&root), ["demo", "one", "two"]);
    assert_eq!(entries(&root.join("demo")).len(), 501);
}

#[test]
fn one_that_was_killed_between_the_renames_loses_nothing() {
    let workspace = Workspace::new();
    let root = workspace.project().join(ROOT);
    workspace.write(format!("{ROOT}/.skilldeck-old.demo/SKILL.md"), text("demo", "old"));
    workspace.write(format!("{ROOT}/.skilldeck-new.demo/SKILL.md"), text("demo", "new"));
    workspace.run(["new", "other"]).ok();
    assert_eq!(entries(&root), ["demo", "other"]);
    let shown = workspace.run(["show", "demo", "--json"]).json();
    assert_eq!(shown["body"], "old\n");
}

#[test]
fn a_reader_never_sees_half_a_skill() {
    let workspace = Workspace::new();
    let root = &workspace.project().join(ROOT);
    for from in ["a", "b"] {
        workspace
            .write(format!("{from}/SKILL.md"), text("demo", &format!("{from}\n").repeat(5000)));
    }
    let is_done = &AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let whole = ["a", "b"].map(|from| text("demo", &format!("{from}\n").repeat(5000)));
            let options = ScanOptions { layout: Layout::Skills, trusted: true };
            let mut seen = 0;
            while !is_done.load(Ordering::Acquire) {
                for found in scan::scan(root, &options).files {
                    // Between the two renames it may be gone.
                    let Ok(bytes) = scan::read(&found.path) else { continue };
                    assert!(whole.iter().any(|text| text.as_bytes() == bytes), "half a skill");
                    seen += 1;
                }
            }
            seen
        });
        for _ in 0..10 {
            for from in ["a", "b"] {
                workspace.run(["add", from, "--force"]).ok();
            }
        }
        is_done.store(true, Ordering::Release);
        assert!(reader.join().unwrap() > 0);
    });
}
