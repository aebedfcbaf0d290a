//! Tests that change the process they run in: each runs itself again in a process of its own.

use std::env;
use std::fs;
use std::process::{Command, Output};

use crate::support::{Watch, source, text};
use crate::tree::Tree;

/// Says to the child which test it is for.
const CHILD: &str = "SKILLDECK_TEST_ALONE";

/// Whether this is the process for one test alone; if it is not, starts that and waits for its
/// success.
pub(crate) fn is_child(test: &str) -> bool {
    if env::var_os(CHILD).is_some() {
        return true;
    }
    let output = command(test, &[]).output().unwrap();
    assert_success(&output);
    false
}

/// The command that runs one test alone, behind other words.
pub(crate) fn command(test: &str, before: &[&str]) -> Command {
    let program = env::current_exe().unwrap();
    let mut words = before.iter().map(|word| (*word).into()).chain([program.into_os_string()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(CHILD, "1");
    command
}

#[track_caller]
pub(crate) fn assert_success(output: &Output) {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (shown(&output.stdout), shown(&output.stderr));
    assert!(output.status.success(), "{}\n{out}\n{err}", output.status);
    assert!(out.contains("1 passed"), "the test is not there: {out}");
}

#[test]
fn a_relative_root_stays_where_it_was() {
    if !is_child("alone::a_relative_root_stays_where_it_was") {
        return;
    }
    let tree = Tree::new();
    tree.skill("work/skills/one", "");
    tree.skill("elsewhere/skills/wrong", "");
    env::set_current_dir(tree.path("work")).unwrap();
    let watch = Watch::over([source("relative", "skills"), source("missing", "none/yet")]);
    watch.is_reported();
    env::set_current_dir(tree.path("elsewhere")).unwrap();
    tree.write("work/skills/one/SKILL.md", text("edited\n"));
    watch.says("one", "edited\n");
    tree.write("work/none/yet/two/SKILL.md", text("new\n"));
    watch.has(&["one", "two"]);

    // The working directory itself goes, and another comes in the place of the old one.
    env::set_current_dir(tree.path("work")).unwrap();
    fs::remove_dir_all(tree.path("work")).unwrap();
    assert!(env::current_dir().is_err());
    watch.has(&[]);
    tree.write("work/skills/one/SKILL.md", text("again\n"));
    watch.says("one", "again\n");
    let roots = watch.registry.watching().roots;
    assert!(roots.iter().all(|root| root.root.is_absolute()), "{roots:?}");
}
