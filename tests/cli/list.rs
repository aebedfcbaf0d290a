//! `list`, `graph` and `roots`.

use crate::support::{Workspace, entry};

#[test]
fn json_has_every_field_that_scripts_rely_on() {
    let workspace = Workspace::new();
    let list = workspace.run(["list", "--json"]).json();
    let commit = entry(&list, "/skill:commit");
    for key in [
        "name",
        "command",
        "description",
        "scope",
        "source",
        "path",
        "state",
        "reason",
        "aliases",
        "argument_hint",
        "arguments",
        "allowed_tools",
        "user_invocable",
        "disable_model_invocation",
        "restricted",
        "version",
        "depends_on",
        "shadows",
        "diagnostics",
    ] {
        assert!(commit.get(key).is_some(), "{key} is missing in {commit:#}");
    }
    assert_eq!(commit["scope"], "bundled");
    assert_eq!(commit["state"], "ready");
    assert_eq!(commit["path"], serde_json::Value::Null);
}

#[test]
fn the_list_is_sorted_by_name() {
    let workspace = Workspace::new();
    for name in ["zeta", "alpha", "mid"] {
        workspace.skill(".agents/skills", name, "", "x\n");
    }
    let list = workspace.run(["list", "--json"]).json();
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    assert!(names.contains(&"zeta") && names.contains(&"commit"));
}

#[test]
fn hidden_and_unavailable_skills_come_with_all() {
    let workspace = Workspace::new();
    workspace.skill(".agents/skills", "quiet", "user-invocable: false\n", "x\n");
    workspace.skill(".agents/skills", "broken", "depends-on: nowhere\n", "x\n");
    let commands = |arguments: &[&str]| -> Vec<String> {
        let list = workspace.run(arguments).json();
        let commands = list.as_array().unwrap();
        commands.iter().map(|entry| entry["command"].as_str().unwrap().to_owned()).collect()
    };
    let menu = commands(&["list", "--json"]);
    let all = commands(&["list", "--json", "--all"]);
    for command in ["/skill:quiet", "/skill:broken"] {
        assert!(!menu.iter().any(|listed| listed == command), "{menu:?}");
        assert!(all.iter().any(|listed| listed == command), "{all:?}");
    }
    let list = workspace.run(["list", "--json", "--all"]).json();
    let broken = entry(&list, "/skill:broken");
    assert_eq!(broken["state"], "unavailable");
    assert!(broken["reason"].as_str().unwrap().contains("nowhere"), "{broken:#}");
}

#[test]
fn the_model_is_not_shown_what_it_may_not_start() {
    let workspace = Workspace::new();
    workspace.skill("mine", "open", "", "x\n");
    workspace.skill("mine", "manual", "disable-model-invocation: true\n", "x\n");
    let listing = |more: &[&str]| {
        let arguments = ["list", "--no-bundled", "--root", "mine", "--for", "model"];
        workspace.run(arguments.iter().chain(more)).ok()
    };
    let trusted = listing(&["--trust"]);
    assert!(trusted.contains("open") && !trusted.contains("manual"), "{trusted}");
    let untrusted = listing(&[]);
    assert!(!untrusted.contains("open"), "{untrusted}");
}

#[test]
fn a_table_without_colours_when_piped() {
    let workspace = Workspace::new();
    let table = workspace.run(["list"]).ok();
    assert!(table.contains("/skill:commit") && !table.contains('\u{1b}'), "{table}");
    let coloured = workspace.run(["list", "--color", "always"]).ok();
    assert!(coloured.contains('\u{1b}'));
    let ran: crate::support::Ran =
        workspace.command(["list"]).env("NO_COLOR", "1").output().unwrap().into();
    assert!(!ran.ok().contains('\u{1b}'));
}

#[test]
fn the_graph_names_dependencies_and_overrides() {
    let workspace = Workspace::new();
    workspace.skill(".agents/skills", "top", "depends-on: base\n", "x\n");
    workspace.skill(".agents/skills", "base", "", "x\n");
    workspace.skill(".agents/skills", "commit", "", "x\n");
    let graph = workspace.run(["graph", "--format", "text"]).ok();
    assert!(graph.contains("needs base"), "{graph}");
    assert!(graph.contains("lies over bundled"), "{graph}");
}

#[test]
fn roots_name_every_source() {
    let workspace = Workspace::new();
    workspace.skill(".claude/skills", "mine", "", "x\n");
    let roots = workspace.run(["roots", "--json"]).json();
    let roots = roots.as_array().unwrap();
    let claude = roots
        .iter()
        .find(|root| root["path"].as_str().is_some_and(|path| path.ends_with(".claude/skills")))
        .unwrap();
    assert_eq!(claude["present"], true);
    assert_eq!(claude["skills"], 1);
    assert!(roots.iter().any(|root| root["tier"] == "bundled"));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::Stdio;
    let workspace = Workspace::new();
    let mut child = workspace
        .command(["list", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn usage_errors_end_with_two() {
    let workspace = Workspace::new();
    workspace.run(["list", "--nonsense"]).fails(2);
    workspace.run(["frobnicate"]).fails(2);
    workspace.run(["list", "--budget", "3"]).fails(2);
    workspace.run(["run"]).fails(2);
    let help = workspace.run(Vec::<&str>::new()).ok();
    assert!(help.contains("run") && help.contains("list"), "{help}");
}
