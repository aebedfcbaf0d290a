//! A real `git` that goes from one branch to another.

use std::path::Path;
use std::process::Command;

use skilldeck_runtime::{Entry, Snapshot, WatchOptions};

use crate::support::{REPORTED, Watch, source, text};
use crate::tree::Tree;

fn git(directory: &Path, arguments: &[&str]) -> bool {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "gc.auto=0"])
        .arg("-C")
        .arg(directory)
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output();
    output.is_ok_and(|it| it.status.success())
}

/// The body that every skill has, if there are so many and all have it.
fn all_say(snapshot: &Snapshot, count: usize, body: &str) -> bool {
    let says = |entry: Entry<'_>| entry.skill().body() == body;
    snapshot.len() == count && snapshot.iter().all(says)
}

#[test]
fn between_two_branches_with_a_thousand_skills() {
    let tree = Tree::new();
    if !git(tree.root(), &["init", "-q", "-b", "one"]) {
        eprintln!("skipped: there is no git");
        return;
    }
    let write = |body: &str, range: std::ops::Range<u32>| {
        for at in range {
            tree.write(&format!("skills/s{at:04}/SKILL.md"), text(body));
        }
    };
    let commit = |name: &str| {
        assert!(git(tree.root(), &["add", "-A"]) && git(tree.root(), &["commit", "-qm", name]));
    };
    write("one\n", 0..1000);
    commit("one");
    assert!(git(tree.root(), &["checkout", "-qb", "two"]));
    // 900 are edited, 100 are gone, 100 are new.
    write("two\n", 100..1100);
    assert!(git(tree.root(), &["rm", "-rq", "--cached", "skills"]));
    for at in 0..100 {
        std::fs::remove_dir_all(tree.path(&format!("skills/s{at:04}"))).unwrap();
    }
    commit("two");

    // The times that everybody has.
    let options =
        WatchOptions { quiet: WatchOptions::QUIET, delay: WatchOptions::DELAY, ..REPORTED };
    let watch = Watch::with(options, [source("project", tree.path("skills"))]);
    assert!(all_say(&watch.registry.snapshot(), 1000, "two\n"));
    for (branch, body) in [("one", "one\n"), ("two", "two\n"), ("one", "one\n")] {
        let before = watch.registry.snapshot().generation();
        let begun = std::time::Instant::now();
        assert!(git(tree.root(), &["checkout", "-q", branch]));
        let took = begun.elapsed();
        let after = watch.until(|snapshot| all_say(snapshot, 1000, body)).generation();
        // One or two, and one for each time that a slow machine is longer at it than the delay.
        let most = 2 + took.as_millis() / WatchOptions::DELAY.as_millis();
        assert!(u128::from(after - before) <= most, "{branch}: {} in {took:?}", after - before);
    }
    watch.is_reported();
}
