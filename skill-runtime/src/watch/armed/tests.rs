//! What is armed, let go of and refused.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::backend::Refusal;
use super::super::tests::{System, place};
use super::{Armed, Settled};

fn armed(system: &System) -> Armed {
    let mut armed = Armed::default();
    armed.set_backend(Some(Box::new(system.clone())));
    armed
}

fn new(settled: &Settled) -> Vec<&Path> {
    let mut new: Vec<&Path> = settled.new.iter().map(PathBuf::as_path).collect();
    new.sort();
    new
}

#[test]
fn only_the_difference_is_changed() {
    let [a, ab, c] = ["/x/a", "/x/a/b", "/x/c"].map(Path::new);
    let system = System::default();
    let mut armed = armed(&system);
    assert_eq!(new(&armed.settle([a, ab].into_iter())), [a, ab]);
    assert_eq!(armed.settle([a, ab].into_iter()), Settled::default());
    assert_eq!(new(&armed.settle([ab, c].into_iter())), [c]);
    assert!(!system.watches(a) && system.watches(ab) && system.watches(c));

    // Names that only begin the same do not lie below.
    assert!(!armed.replaced(Path::new("/x/a/b2")));
    assert!(!armed.replaced(Path::new("/x/a/b/below")));
    assert!(armed.replaced(Path::new("/x/a")));
    assert_eq!(new(&armed.settle([ab, c].into_iter())), [ab]);
    armed.lost();
    assert_eq!(new(&armed.settle([ab, c].into_iter())), [ab, c]);
}

#[test]
fn what_was_refused_is_not_asked_for_again_unless_something_happened() {
    let [a, b] = ["/x/a", "/x/b"].map(Path::new);
    let system = System::default();
    system.set(|state| drop(state.refused.insert(a.to_path_buf(), Refusal::Denied)));
    let mut armed = armed(&system);
    assert_eq!(new(&armed.settle([a, b].into_iter())), [b]);
    assert_eq!(armed.refused().collect::<Vec<_>>(), [(a, &Refusal::Denied)]);
    system.set(|state| state.refused.clear());
    assert_eq!(armed.settle([a, b].into_iter()), Settled::default());
    assert!(armed.changed(a) && !armed.changed(b));
    assert_eq!(new(&armed.settle([a, b].into_iter())), [a]);
    assert_eq!(armed.refused().count(), 0);
}

#[test]
fn what_is_gone_makes_the_plan_old() {
    let a = Path::new("/x/a");
    let system = System::default();
    system.set(|state| drop(state.refused.insert(a.to_path_buf(), Refusal::Gone)));
    let mut armed = armed(&system);
    let settled = armed.settle([a].into_iter());
    assert!(settled.is_outdated && settled.new.is_empty());
    assert_eq!(armed.refused().count(), 0);
}

#[test]
fn another_directory_at_the_same_path_is_told_apart() {
    let (_directory, base) = place();
    let (a, b) = (base.join("a"), base.join("b"));
    fs::create_dir(&a).unwrap();
    fs::create_dir(&b).unwrap();
    let system = System::default();
    let mut armed = armed(&system);
    let wanted = [a.as_path(), b.as_path()];
    armed.settle(wanted.into_iter());
    armed.check();
    assert_eq!(armed.settle(wanted.into_iter()), Settled::default());
    fs::remove_dir(&a).unwrap();
    fs::create_dir(&a).unwrap();
    fs::write(b.join("file"), "").unwrap();
    armed.check();
    assert_eq!(new(&armed.settle(wanted.into_iter())), [a.as_path()]);
}

#[test]
fn without_a_backend_nothing_is_armed() {
    let mut armed = Armed::default();
    assert!(!armed.has_backend());
    assert_eq!(armed.settle([Path::new("/x")].into_iter()), Settled::default());
}

/// A directory that was given another name stands for one whose number a new one was given: for
/// both, the number is known of a path where it is no more.
#[test]
fn what_was_the_same_as_something_that_is_let_go_of_is_watched() {
    let (_directory, root) = place();
    let [old, new_one] = ["old", "new"].map(|name| root.join(name));
    fs::create_dir(&old).unwrap();
    let system = System::default();
    let mut armed = armed(&system);
    armed.settle([old.as_path()].into_iter());
    fs::rename(&old, &new_one).unwrap();
    fs::create_dir(&old).unwrap();
    // Nobody said that the old one was replaced.
    let both = || [old.as_path(), new_one.as_path()].into_iter();
    assert_eq!(armed.settle(both()), Settled::default());
    assert_eq!(armed.refused().collect::<Vec<_>>(), [(&*new_one, &Refusal::Twice(old.clone()))]);
    assert!(armed.replaced(&old));
    assert_eq!(new(&armed.settle(both())), [new_one.as_path(), old.as_path()]);
    assert_eq!(armed.refused().count(), 0);
}
