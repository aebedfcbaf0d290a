//! What is in a file: half of it, an error in it, other content with the same numbers.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use skilldeck_runtime::State;

use crate::support::{Watch, save, text};
use crate::tree::{Tree, nobody};

const BROKEN: &str = "---\ndescription: x\ntags: [a, b\n---\nbroken\n";

#[test]
fn half_of_it_and_then_the_rest() {
    let tree = Tree::new();
    tree.write("old/SKILL.md", text("old\n"));
    let watch = Watch::on(tree.root());
    // Half of a new one is an entry that says what is wrong, and half of a known one changes nothing.
    for name in ["new", "old"] {
        tree.write(&format!("{name}/SKILL.md"), "---\ndescription: [half of\n");
    }
    watch.is_told("new", "unclosed-front-matter");
    let snapshot = watch.is_told("old", "unclosed-front-matter");
    let old = snapshot.get("old").unwrap();
    assert_eq!((old.state(), old.skill().body()), (State::Stale, "old\n"));
    for name in ["new", "old"] {
        tree.write(&format!("{name}/SKILL.md"), text("whole\n"));
        watch.says(name, "whole\n").is(name, State::Ready);
    }
}

#[test]
fn valid_then_invalid_then_valid() {
    let tree = Tree::new();
    tree.write("one/SKILL.md", text("first\n"));
    let watch = Watch::on(tree.root());
    watch.has_begun(tree.root());
    let mut heard = watch.registry.subscribe();
    // In one step each: nothing in the file, as between two, is an error of its own.
    save(tree.path("one/SKILL.md"), BROKEN);
    watch.is("one", State::Stale);
    // The same error written again is nothing new.
    let generation = watch.registry.snapshot().generation();
    save(tree.path("one/SKILL.md"), BROKEN);
    watch.settle(tree.root(), "settled");
    assert_eq!(watch.registry.snapshot().generation(), generation + 1, "{:?}", watch.taken());
    // Another error is.
    save(tree.path("one/SKILL.md"), BROKEN.replace("tags", "more-tags"));
    watch.until(|snapshot| snapshot.generation() == generation + 2);
    assert_eq!(watch.registry.snapshot().get("one").unwrap().skill().body(), "first\n");
    save(tree.path("one/SKILL.md"), text("first\n"));
    watch.is("one", State::Ready);
    let changes: Vec<_> = std::iter::from_fn(|| heard.try_recv().ok()).collect();
    let stale: Vec<&str> = changes.iter().flat_map(|it| &it.stale).map(|it| &**it).collect();
    let recovered: Vec<&str> =
        changes.iter().flat_map(|it| &it.recovered).map(|it| &**it).collect();
    assert_eq!([stale, recovered], [["one"], ["one"]], "{changes:?}");
}

/// Gives a file another time of its last modification.
fn set_modified(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

#[test]
fn other_content_of_the_same_size_and_time() {
    let tree = Tree::new();
    let path = tree.write("one/SKILL.md", text("body 0\n"));
    let noon = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    set_modified(&path, noon);
    let watch = Watch::on(tree.root());
    // In the same second, and to the nanosecond the same.
    for (at, nanos) in [(1, 1), (2, 999_999_999), (3, 999_999_999), (4, 0), (5, 0)] {
        let body = format!("body {at}\n");
        fs::write(&path, text(&body)).unwrap();
        set_modified(&path, noon + Duration::from_nanos(nanos));
        watch.says("one", &body);
    }
    // And renamed over, with all times of the old one.
    let new = tree.write("one/.new", text("body 6\n"));
    set_modified(&new, noon);
    fs::rename(new, &path).unwrap();
    watch.says("one", "body 6\n").is_reported();
}

#[test]
fn a_clock_that_is_set_back() {
    let tree = Tree::new();
    let path = tree.write("one/SKILL.md", text("now\n"));
    let watch = Watch::on(tree.root());
    for years in [1, 10, 40] {
        let body = format!("{years} years ago\n");
        let new = tree.write("one/.new", text(&body));
        set_modified(&new, SystemTime::now() - Duration::from_secs(years * 31_557_600));
        fs::rename(new, &path).unwrap();
        watch.says("one", &body);
    }
    // A restored backup: a new directory with an old file.
    let restored = tree.write("stage/two/SKILL.md", text("restored\n"));
    set_modified(&restored, SystemTime::UNIX_EPOCH);
    watch.until(|snapshot| snapshot.get("two").is_some());
    fs::rename(tree.path("stage/two"), tree.path("two")).unwrap();
    watch.says("two", "restored\n");
}

#[test]
fn a_file_that_may_not_be_read_for_a_while() {
    if !nobody::is_stopped("contents::a_file_that_may_not_be_read_for_a_while") {
        return;
    }
    let tree = Tree::new();
    let path = tree.write("one/SKILL.md", text("first\n"));
    tree.skill("other", "");
    let watch = Watch::on(tree.root());
    let set = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    let mut last = "first\n";
    for body in ["second\n", "third\n"] {
        set(0o000);
        let snapshot = watch.is_told("one", "unreadable");
        let one = snapshot.get("one").unwrap();
        assert_eq!((one.state(), one.skill().body()), (State::Stale, last));
        assert_eq!(snapshot.get("other").map(|it| it.state()), Some(State::Ready));
        set(0o644);
        watch.is("one", State::Ready);
        fs::write(&path, text(body)).unwrap();
        watch.says("one", body).is("one", State::Ready);
        last = body;
    }
    watch.is_reported();
}
