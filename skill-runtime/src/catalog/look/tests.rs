//! Paths as data: what of them a source is asked for, and where directories stand.

#![cfg(unix)]

use std::path::Path;

use skilldeck_core::scan::{Entered, Scan};

use super::{Asked, Look, Territory};

/// A territory at `/given`, which is `/real`, with these directories.
fn territory(directories: &[&str]) -> Territory {
    let place = |base: &str, rest: &str| Path::new(base).join(rest).components().collect();
    let entered = directories
        .iter()
        .map(|rest| Entered { path: place("/given", rest), real_path: place("/real", rest) });
    let scan = Scan { directories: entered.collect(), ..Scan::default() };
    Territory::of(Path::new("/given"), &scan)
}

#[test]
fn paths_are_asked_of_the_root_they_lie_below() {
    let territory = territory(&["", "a"]);
    let cases: &[(&[&str], Option<&[&str]>)] = &[
        (&["/given/a/SKILL.md", "/givens/b", "/other"], Some(&["/given/a/SKILL.md"])),
        (&["/real/a/SKILL.md"], Some(&["/given/a/SKILL.md"])),
        (&["/given/b", "/given/a", "/real/c"], Some(&["/given/a", "/given/b", "/given/c"])),
        (&["/elsewhere"], Some(&[])),
        (&[], Some(&[])),
        (&["/given"], None),
        (&["/given/"], None),
        (&["/real", "/given/a"], None),
        (&["/"], None),
    ];
    for (paths, expected) in cases {
        let look = Look::Paths(paths.iter().map(Into::into).collect());
        let wanted = match expected {
            Some(below) => Asked::Paths(below.iter().map(|path| Path::new(path).into()).collect()),
            None => Asked::Everything,
        };
        assert_eq!(look.asks(&territory), wanted, "{paths:?}");
    }
    assert_eq!(Look::Everything.asks(&territory), Asked::Everything);
}

#[test]
fn directories_are_found_whatever_bytes_their_names_have() {
    let names = ["", "a", "a-b", "a.b", "a.b/c", "a/b", "a/b/c", "b"];
    let forwards = territory(&names);
    let mut backwards = names;
    backwards.reverse();
    assert_eq!(territory(&backwards), forwards, "the order of listing is of no consequence");
    for name in &names[1..] {
        let real = Path::new("/real").join(name);
        assert_eq!(forwards.real_path(&Path::new("/given").join(name)), Some(&*real), "{name}");
    }
    assert_eq!(forwards.real_path(Path::new("/given")), Some(Path::new("/real")));
    for (path, known) in [("a", true), ("a/b", true), ("a.", false), ("c", false), ("a/bc", false)]
    {
        let path = Path::new("/given").join(path);
        assert_eq!(forwards.has_at_or_below(&path), known, "{}", path.display());
    }
    assert_eq!(forwards.real_path(Path::new("/given/a.")), None);
}
