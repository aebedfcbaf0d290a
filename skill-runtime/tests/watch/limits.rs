//! The limits of the real system, lowered in a process of its own.

use std::env;
use std::fs;
use std::process::Command;
use std::time::Duration;

use skilldeck_runtime::{Attention, WatchOptions, Watching};

use crate::alone::{assert_success, command};
use crate::support::{REPORTED, Watch, eventually, source, text};
use crate::tree::Tree;

/// What the child is told of the limit.
const LIMITED: &str = "SKILLDECK_TEST_LIMITED";
const WATCHES: &str = "/proc/sys/user/max_inotify_watches";
const INSTANCES: &str = "/proc/sys/user/max_inotify_instances";

/// Runs a test again where a user of its own has its own limits; true in there.
fn is_limited(test: &str, file: &str) -> bool {
    if env::var_os(LIMITED).is_some() {
        return true;
    }
    // A limit that is too low to be reached by chance, to see whether it can be set at all.
    let set = format!("echo 7 > {file} && grep -qx 7 {file}");
    let probe = Command::new("unshare").args(["-Ur", "sh", "-c", &set]).output();
    if !probe.is_ok_and(|it| it.status.success()) {
        eprintln!("skipped: {file} cannot be set here");
        return false;
    }
    let output = command(test, &["unshare", "-Ur"]).env(LIMITED, "1").output().unwrap();
    assert_success(&output);
    false
}

fn set(file: &str, limit: usize) {
    fs::write(file, limit.to_string()).unwrap();
}

/// The reasons for polling.
fn reasons(watching: &Watching) -> Vec<&str> {
    let mut reasons = Vec::new();
    for root in &watching.roots {
        if let Attention::Polled { reason } = &root.attention {
            reasons.push(reason.as_str());
        }
    }
    reasons
}

const POLLED: WatchOptions = WatchOptions { poll: Duration::from_millis(20), ..REPORTED };

#[test]
fn too_few_watches() {
    if !is_limited("limits::too_few_watches", WATCHES) {
        return;
    }
    let tree = Tree::new();
    for at in 0..40 {
        tree.skill(&format!("many/s{at:02}"), "");
    }
    tree.skill("few/one", "");
    set(WATCHES, 20);
    let sources = [source("few", tree.path("few")), source("many", tree.path("many"))];
    let watch = Watch::with(POLLED, sources);
    let watching = watch.registry.watching();
    let said = reasons(&watching);
    assert!(said.iter().any(|it| it.contains("raise its limit `fs.inotify.max_user_watches`")));
    assert_eq!(watching.roots[0].attention, Attention::Watched, "it was there first");
    // What is not watched is noticed all the same.
    for at in [0, 39] {
        tree.write(&format!("many/s{at:02}/SKILL.md"), text("edited\n"));
        watch.says(&format!("s{at:02}"), "edited\n");
    }
    tree.skill("many/new", "");
    watch.until(|snapshot| snapshot.get("new").is_some());
    // Once there is room, it is watched.
    set(WATCHES, 1000);
    eventually("it recovers", || reasons(&watch.registry.watching()).is_empty());
    tree.write("many/s20/SKILL.md", text("at last\n"));
    watch.says("s20", "at last\n").is_reported();
}

#[test]
fn no_watcher_at_all() {
    if !is_limited("limits::no_watcher_at_all", INSTANCES) {
        return;
    }
    let tree = Tree::new();
    tree.skill("one", "");
    set(INSTANCES, 0);
    let watch = Watch::with(POLLED, [source("user", tree.root())]);
    let watching = watch.registry.watching();
    assert!(reasons(&watching)[0].contains("max_user_instances"), "{watching:?}");
    tree.write("one/SKILL.md", text("polled\n"));
    watch.says("one", "polled\n");
    set(INSTANCES, 100);
    eventually("it recovers", || reasons(&watch.registry.watching()).is_empty());
    tree.write("one/SKILL.md", text("reported\n"));
    watch.says("one", "reported\n").is_reported();
}

#[test]
fn a_directory_that_is_mounted_twice() {
    let tree = Tree::new();
    tree.skill("a/one", "");
    fs::create_dir(tree.path("b")).unwrap();
    let [a, b] = ["a", "b"].map(|name| tree.path(name));
    if env::var_os(LIMITED).is_none() {
        let probe =
            Command::new("unshare").args(["-Urm", "mount", "--bind"]).args([&a, &b]).output();
        if !probe.is_ok_and(|it| it.status.success()) {
            eprintln!("skipped: nothing can be mounted here");
            return;
        }
        let test = "limits::a_directory_that_is_mounted_twice";
        let output = command(test, &["unshare", "-Urm"]).env(LIMITED, "1").output().unwrap();
        return assert_success(&output);
    }
    let mount = Command::new("mount").arg("--bind").args([&a, &b]).status();
    assert!(mount.unwrap().success());
    let watch = Watch::with(POLLED, ["b", "a"].map(|name| source(name, tree.path(name))));
    let watching = watch.registry.watching();
    assert!(reasons(&watching)[0].contains("it is the same as"), "{watching:?}");
    for body in ["x\n", "y\n"] {
        tree.write("a/one/SKILL.md", text(body));
        watch.says("one", body);
    }
    drop(watch);
    let umount = Command::new("umount").arg(b).status();
    assert!(umount.unwrap().success());
}
