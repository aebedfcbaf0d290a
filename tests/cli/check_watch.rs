//! `check --watch`: a round for each change of what is checked, and for nothing else.

use std::fs;

use serde_json::{Value, json};

use crate::running::Running;
use crate::support::Workspace;

const GOOD: &str = "---\nname: demo\ndescription: Does it.\n---\nBody\n";
const WARNS: &str = "---\nname: demo\ndescription: a: b\n---\nBody\n";
const FAILS: &str = "---\nname: demo\ndescription: d\ntags: [a, b\n---\nBody\n";

fn check(workspace: &Workspace, arguments: &[&str]) -> Running {
    Running::start(workspace.command([&["check", "--watch"], arguments].concat()))
}

/// Code and path of each finding of a round.
fn findings(running: &Running) -> Vec<(String, String)> {
    let round = running.json();
    let text = |value: &Value| value.as_str().unwrap().replace('\\', "/");
    let findings = round.as_array().unwrap().iter();
    findings.map(|finding| (text(&finding["code"]), text(&finding["path"]))).collect()
}

fn found(code: &str, path: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), path.to_owned())]
}

#[test]
fn each_change_is_a_round_that_says_what_check_says() {
    let workspace = Workspace::new();
    let file = workspace.write("skills/demo/SKILL.md", FAILS);
    let running = check(&workspace, &["skills", "--json"]);
    let same = |running: &Running| {
        let checked = workspace.run(["check", "skills", "--json"]);
        let checked: Value = serde_json::from_str(&checked.stdout).unwrap();
        let round = running.json();
        assert_eq!(round, checked);
        round.as_array().unwrap().len()
    };
    assert_eq!(same(&running), 1);
    workspace.save(&file, WARNS);
    assert_eq!(same(&running), 1);
    // It is broken in the same way again, elsewhere.
    workspace.save(&file, FAILS);
    assert_eq!(same(&running), 1);
    workspace.save(&file, FAILS.replace("Body", "Another"));
    assert_eq!(same(&running), 1);
    workspace.save("skills/new/SKILL.md", WARNS.replace("demo", "new"));
    assert_eq!(same(&running), 2);
    fs::remove_dir_all(file.parent().unwrap()).unwrap();
    assert_eq!(same(&running), 1);
    workspace.save_skill("skills", "new", "", "x\n");
    assert_eq!(same(&running), 0);
    // Another source is no matter, unless what is checked depends on it.
    workspace.save_skill(".agents/skills", "else", "", "x\n");
    workspace.save_skill("skills", "new", "depends-on: [dep]\n", "x\n");
    assert_eq!(findings(&running), found("missing-dependency", "skills/new/SKILL.md"));
    workspace.save_skill(".agents/skills", "dep", "", "x\n");
    assert_eq!(same(&running), 0);
}

#[test]
fn rounds_are_kept_apart_for_people() {
    let workspace = Workspace::new();
    let file = workspace.write("skills/demo/SKILL.md", GOOD);
    let running = check(&workspace, &["skills"]);
    assert_eq!(running.error_line(), "ok: 1 file checked");
    assert_eq!(running.error_line(), "waiting for changes; Ctrl-C ends it");

    workspace.save(&file, WARNS);
    assert_eq!(running.line(), "");
    assert_eq!(running.line(), "--- skills/demo/SKILL.md was changed");
    let page = running.lines_to("= help:");
    assert!(page[0].starts_with("warning[repaired-value]"), "{page:?}");
    assert!(page.iter().any(|line| line.contains("^^^")), "{page:?}");
    assert_eq!(running.error_line(), "1 warning; 1 file checked");

    workspace.save_skill("skills", "new", "", "x\n");
    running.lines_to("--- skills/new/SKILL.md is new");
    assert_eq!(running.error_line(), "1 warning; 2 files checked");
    fs::remove_dir_all(file.parent().unwrap()).unwrap();
    let lines = running.lines_to("--- skills/demo/SKILL.md is gone");
    assert!(!lines.iter().any(|line| line.contains('\u{1b}')), "{lines:?}");
    assert_eq!(running.error_line(), "ok: 1 file checked");
}

#[test]
fn the_whole_deck_is_checked_without_a_path() {
    let workspace = Workspace::new();
    let running = check(&workspace, &["--json"]);
    assert_eq!(running.json(), json!([]));
    let file = workspace.save(".agents/skills/demo/SKILL.md", WARNS);
    let path = file.canonicalize().unwrap().to_string_lossy().replace('\\', "/");
    let round = findings(&running);
    assert_eq!((round.len(), &*round[0].0), (1, "repaired-value"), "{round:?}");
    assert!(path.ends_with(round[0].1.rsplit("project").next().unwrap()), "{round:?}");
}

#[test]
fn files_are_followed_by_themselves() {
    let workspace = Workspace::new();
    let as_command = |text: &str| text.replace("name: demo\n", "");
    for (path, name, good, warns) in [
        ("demo/SKILL.md", "demo/SKILL.md", GOOD.to_owned(), WARNS.to_owned()),
        ("demo", "demo/SKILL.md", GOOD.to_owned(), WARNS.to_owned()),
        ("notes/demo.md", "notes/demo.md", as_command(GOOD), as_command(WARNS)),
    ] {
        let file = workspace.write(name, &good);
        let running = check(&workspace, &[path, "--json"]);
        assert_eq!(running.json(), json!([]), "{path}");
        fs::write(&file, &warns).unwrap();
        assert_eq!(findings(&running), found("repaired-value", name), "{path}");
        // As editors save: what was there is replaced.
        workspace.save(name, &good);
        assert_eq!(running.json(), json!([]), "{path}");
        // What is gone is a finding, and comes back.
        if path != "demo" {
            fs::remove_file(&file).unwrap();
            assert_eq!(findings(&running), found("unreadable", name), "{path}");
            fs::write(&file, &warns).unwrap();
            assert_eq!(findings(&running), found("repaired-value", name), "{path}");
        }
        fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }
}

#[test]
fn what_is_not_there_yet_is_waited_for() {
    let workspace = Workspace::new();
    let running = check(&workspace, &["a/b", "--json"]);
    assert_eq!(findings(&running), found("unreadable", "a/b"));
    workspace.save("a/b/demo/SKILL.md", WARNS);
    loop {
        // The directory may be seen before the file in it.
        let round = findings(&running);
        if round == found("repaired-value", "a/b/demo/SKILL.md") {
            break;
        }
        assert_eq!(round, []);
    }
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    let workspace = Workspace::new();
    for arguments in [
        &["--fix"][..],
        &["--explain", "repaired-value"],
        &["--format", "sarif"],
        &["--format", "github"],
    ] {
        let why = workspace.run([&["check", "--watch"], arguments].concat()).fails(2);
        assert!(why.contains("--watch"), "{why}");
    }
}
