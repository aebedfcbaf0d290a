//! `show`: by word, by path, and the chain of what lost.

use crate::support::Workspace;

#[test]
fn an_override_wins_and_says_so() {
    let workspace = Workspace::new();
    let file = workspace.skill(".agents/skills", "commit", "", "My own way.\n");
    let why = workspace.run(["show", "commit", "--why"]).ok();
    assert!(why.contains("wins   project"), "{why}");
    assert!(why.contains("loses  bundled"), "{why}");
    assert!(why.contains(".agents/skills/commit/SKILL.md"), "{why}");
    let shown = workspace.run(["show", "commit", "--json"]).json();
    assert_eq!(shown["scope"], "project");
    assert_eq!(shown["body"], "My own way.\n");
    assert_eq!(shown["shadows"][0]["source"], "bundled");
    assert!(!shown["shadows"][0]["why"].as_str().unwrap().is_empty());
    let path = shown["path"].as_str().unwrap();
    assert_eq!(std::fs::canonicalize(path).unwrap(), file.canonicalize().unwrap());
    let run = workspace.run(["run", "/skill:commit"]).ok();
    assert!(run.contains("My own way."), "{run}");
}

#[test]
fn without_an_override_the_bundled_one_stands_alone() {
    let workspace = Workspace::new();
    let why = workspace.run(["show", "/skill:commit", "--why"]).ok();
    assert!(why.contains("wins   bundled") && why.contains("nothing else"), "{why}");
}

#[test]
fn a_path_is_read_by_itself() {
    let workspace = Workspace::new();
    let file = workspace.skill("somewhere", "demo", "argument-hint: [a] [b]\n", "Body\n");
    let by_file = workspace.run(["show".as_ref(), file.as_os_str(), "--json".as_ref()]).json();
    let by_directory = workspace.run(["show", "./somewhere/demo", "--json"]).json();
    let by_bare_directory = workspace.run(["show", "somewhere/demo/", "--json"]).json();
    for shown in [&by_file, &by_directory, &by_bare_directory] {
        assert_eq!(shown["name"], "demo");
        assert_eq!(shown["command"], "/skill:demo");
        assert_eq!(shown["argument_hint"], "[a] [b]");
        assert_eq!(shown["body"], "Body\n");
    }
}

#[test]
fn a_command_file_is_named_by_its_stem() {
    let workspace = Workspace::new();
    workspace.write("tidy-up.md", "Tidy $1.\n");
    let shown = workspace.run(["show", "tidy-up.md", "--json"]).json();
    assert_eq!(shown["name"], "tidy-up");
    assert_eq!(shown["diagnostics"], serde_json::json!([]));
}

#[test]
fn the_directory_is_the_default_name_however_it_is_reached() {
    let workspace = Workspace::new();
    workspace.write("here/SKILL.md", "---\ndescription: d\n---\nB\n");
    let ran: crate::support::Ran = workspace
        .command(["show", "SKILL.md", "--json"])
        .current_dir(workspace.project().join("here"))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.json()["name"], "here");
}

#[test]
fn diagnostics_do_not_fail_it() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", "---\nname: other\nzzz: 1\n---\nText.\n");
    let shown = workspace.run(["show", "demo/SKILL.md", "--json"]).json();
    let diagnostics = shown["diagnostics"].as_array().unwrap();
    assert!(diagnostics.len() >= 2, "{shown:#}");
    for diagnostic in diagnostics {
        assert!(diagnostic["line"].as_u64().unwrap() >= 1);
        assert!(diagnostic["path"].as_str().unwrap().ends_with("SKILL.md"));
    }
}

#[test]
fn an_unknown_word_is_no_with_the_nearest() {
    let workspace = Workspace::new();
    let why = workspace.run(["show", "comit"]).fails(1);
    assert!(why.contains("commit"), "{why}");
    workspace.run(["show", "no/such/file.md"]).fails(1);
}

#[test]
fn a_terminal_obeys_no_skill() {
    let workspace = Workspace::new();
    let text = "---\nname: demo\ndescription: \"a \\e[31m red \u{202e} text\"\n---\nBody \u{1b}]0;title\u{7}\n";
    workspace.write("demo/SKILL.md", text);
    for arguments in [
        ["show", "demo/SKILL.md"].as_slice(),
        &["check", "demo"],
        &["list", "--root", "."],
        &["list", "--root", ".", "-v"],
    ] {
        let ran = workspace.run(arguments);
        for stream in [&ran.stdout, &ran.stderr] {
            assert!(!stream.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{arguments:?}: {ran:?}");
        }
    }
}
