//! The limits of the real system, lowered in a process of its own.

use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
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

/// Names the deck to the child.
const DECK: &str = "SKILLDECK_TEST_FLOODED";

/// The child: watches, says so, and waits for the end.
fn flooded(root: &Path) {
    let watch = Watch::on(root);
    watch.is_reported();
    fs::write(root.join("ready"), "").unwrap();
    watch.says("last", "edited\n").is_reported();
    // What is reported now is heard as before.
    fs::write(root.join("last/SKILL.md"), text("heard\n")).unwrap();
    watch.says("last", "heard\n");
}

/// While the process stands still, so much happens that the queue of the system is full when a
/// skill is edited: of that nothing is reported.
#[test]
fn more_reports_than_the_queue_holds() {
    if let Some(root) = env::var_os(DECK) {
        return flooded(Path::new(&root));
    }
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    let limit: usize = limit.trim().parse().unwrap();
    if limit > 100_000 {
        eprintln!("skipped: {limit} reports would have to be made");
        return;
    }
    let tree = Tree::new();
    for name in ["built", "last"] {
        tree.skill(name, "");
    }
    let test = "limits::more_reports_than_the_queue_holds";
    let child = command(test, &[]).env(DECK, tree.root()).stdout(Stdio::piped()).spawn().unwrap();
    eventually("it watches", || tree.path("ready").exists());
    let signal = |name: &str| {
        let done = Command::new("kill").args([name, &child.id().to_string()]).status();
        assert!(done.unwrap().success());
    };
    let mut built = ["a.o", "b.o"].map(|name| File::create(tree.path("built").join(name)).unwrap());
    signal("-STOP");
    // Two files in turn: the same twice would be one report, and many paths would have everything
    // looked at for their number.
    for at in 0..=limit {
        built[at % 2].write_all(b"x").unwrap();
    }
    tree.write("last/SKILL.md", text("edited\n"));
    signal("-CONT");
    assert_success(&child.wait_with_output().unwrap());
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
