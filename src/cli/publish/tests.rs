//! Entries that are put in their place, and what runs that were ended have left.

use std::fs;
use std::path::Path;

use clap::Parser;

use super::{NEW, OLD, Root};
use crate::cli::args::Cli;
use crate::cli::output::{Failure, Output};

fn open(path: &Path) -> Root {
    Root::open(path, "test", &Output::new(&Cli::parse_from(["skilldeck", "-q"]).global)).unwrap()
}

fn skill(at: &Path, text: &str) {
    fs::create_dir(at).unwrap();
    fs::write(at.join("SKILL.md"), text).unwrap();
}

/// Every file below a directory and its text, sorted.
fn files(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut left = vec![root.to_path_buf()];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

fn expect(root: &Path, expected: &[(&str, &str)]) {
    let expected: Vec<_> =
        expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    assert_eq!(files(root), expected);
}

#[test]
fn an_entry_is_published_replaced_or_refused() {
    let outer = tempfile::tempdir().unwrap();
    let path = &outer.path().join("made/on/the/way");
    let root = open(path);
    let staging = root.stage("demo");
    skill(&staging.path(), "1");
    staging.publish(false).unwrap();

    let staging = root.stage("demo");
    skill(&staging.path(), "2");
    let refused = staging.publish(false);
    assert!(matches!(refused, Err(Failure::No(why)) if why.contains("exists already")));

    let staging = root.stage("demo");
    skill(&staging.path(), "3");
    assert_eq!(staging.publish(true).unwrap(), path.join("demo"));

    let staging = root.stage("gone");
    skill(&staging.path(), "4");
    drop(staging);

    for text in ["5", "6"] {
        let staging = root.stage("command.md");
        fs::write(staging.path(), text).unwrap();
        staging.publish(true).unwrap();
    }
    drop(root);
    expect(path, &[("command.md", "6"), ("demo/SKILL.md", "3")]);
}

#[test]
fn what_cannot_get_its_place_leaves_the_old_one_there() {
    let outer = tempfile::tempdir().unwrap();
    let root = open(outer.path());
    skill(&outer.path().join("demo"), "old");
    // Nothing was written, so nothing can be renamed.
    let refused = root.stage("demo").publish(true);
    assert!(refused.is_err());
    drop(root);
    expect(outer.path(), &[("demo/SKILL.md", "old")]);
}

#[test]
fn what_was_left_over_is_put_right() {
    let outer = tempfile::tempdir().unwrap();
    let at = |prefix: &str, name: &str| outer.path().join(format!("{prefix}{name}"));
    // While it was written; between the two renames; behind them.
    skill(&at(NEW, "half"), "half");
    fs::write(at(NEW, "half.md"), "half").unwrap();
    skill(&at(NEW, "between"), "new");
    skill(&at(OLD, "between"), "old");
    skill(&at("", "done"), "new");
    skill(&at(OLD, "done"), "old");
    fs::write(at("", ".other"), "of somebody else").unwrap();
    drop(open(outer.path()));
    expect(
        outer.path(),
        &[(".other", "of somebody else"), ("between/SKILL.md", "old"), ("done/SKILL.md", "new")],
    );
}

#[cfg(unix)]
#[test]
fn links_are_removed_and_not_followed() {
    let outer = tempfile::tempdir().unwrap();
    skill(&outer.path().join("precious"), "precious");
    let link = outer.path().join("link");
    std::os::unix::fs::symlink("precious", &link).unwrap();
    std::os::unix::fs::symlink("precious", outer.path().join(format!("{NEW}x"))).unwrap();
    let root = open(outer.path());
    let staging = root.stage("link");
    skill(&staging.path(), "new");
    staging.publish(true).unwrap();
    drop(root);
    expect(outer.path(), &[("link/SKILL.md", "new"), ("precious/SKILL.md", "precious")]);
}
