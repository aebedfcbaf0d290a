//! Files that change between being found and being read.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use skilldeck_core::scan::{self, ScanOptions};

use crate::catalog::stock::load_files;
use crate::source::{SourceInfo, Tier};

/// What is loaded of a deck that this was done to after it was listed: name, and whether it can be
/// read.
fn loaded(trusted: bool, change: impl FnOnce(&Path)) -> Vec<(String, bool)> {
    let root = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        fs::create_dir(root.path().join(name)).unwrap();
    }
    fs::write(root.path().join("a/SKILL.md"), "---\ndescription: x\n---\n").unwrap();
    fs::write(root.path().join("b/real.md"), "---\ndescription: x\n---\n").unwrap();
    std::os::unix::fs::symlink("real.md", root.path().join("b/SKILL.md")).unwrap();
    let mut info = SourceInfo::new("mine", Tier::USER);
    info.trusted = trusted;
    let found = scan::scan(root.path(), &ScanOptions { layout: info.layout, trusted });
    change(root.path());
    load_files(found, Vec::new(), &info)
        .iter()
        .map(|slot| (slot.loaded.skill.word().to_owned(), slot.loaded.unreadable.is_none()))
        .collect()
}

#[test]
fn a_file_that_was_removed_is_gone_and_not_unreadable() {
    let (a, b) = (("a".to_owned(), true), ("b".to_owned(), true));
    for trusted in [true, false] {
        let all = loaded(trusted, |_| {});
        assert_eq!(all, [a.clone(), b.clone()]);
        let file = loaded(trusted, |root| fs::remove_file(root.join("a/SKILL.md")).unwrap());
        assert_eq!(file, std::slice::from_ref(&b));
        let directory = loaded(trusted, |root| fs::remove_dir_all(root.join("a")).unwrap());
        assert_eq!(directory, std::slice::from_ref(&b));
        let link = loaded(trusted, |root| fs::remove_dir_all(root.join("b")).unwrap());
        assert_eq!(link, std::slice::from_ref(&a));
        // The link is still there: that it leads nowhere is to be seen.
        let target = loaded(trusted, |root| fs::remove_file(root.join("b/real.md")).unwrap());
        assert_eq!(target, [a.clone(), ("b".to_owned(), false)]);
        // Something else is wrong: the file is there.
        let replaced = loaded(trusted, |root| {
            fs::remove_file(root.join("a/SKILL.md")).unwrap();
            fs::create_dir(root.join("a/SKILL.md")).unwrap();
        });
        assert_eq!(replaced, [("a".to_owned(), false), b.clone()]);
    }
}
