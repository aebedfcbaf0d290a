//! `run`: the line, its words, who starts it, and what is refused.

use crate::support::Workspace;

#[test]
fn a_bundled_skill_renders() {
    let workspace = Workspace::new();
    let typed = workspace.run(["run", "/skill:commit fix the parser"]).ok();
    assert!(typed.starts_with("<skill name=\"commit\">\n"), "{typed}");
    assert!(typed.contains("fix the parser"), "{typed}");
    let named = workspace.run(["run", "commit fix the parser"]).ok();
    let joined = workspace.run(["run", "commit", "fix", "the", "parser"]).ok();
    let piped = workspace.run_with_input(["run", "-"], b"/skill:commit fix the parser\n").ok();
    assert!(typed == named && typed == joined && typed == piped);
}

#[test]
fn every_form_of_a_command_is_the_same() {
    let workspace = Workspace::new();
    workspace.skill(".agents/skills", "echo", "", "Say $ARGUMENTS.\n");
    let forms = ["/skill:echo a  b", "/skill echo a  b", "/skills echo a  b", "/echo a  b"];
    let outs: Vec<String> = forms.iter().map(|form| workspace.run(["run", form]).ok()).collect();
    assert!(outs[0].contains("Say a  b."), "{}", outs[0]);
    assert!(outs.iter().all(|out| *out == outs[0]), "{outs:#?}");
}

#[test]
fn the_list_is_shown_where_it_is_asked_for() {
    let workspace = Workspace::new();
    workspace.skill(".agents/skills", "echo", "argument-hint: \"[text]\"\n", "Say $ARGUMENTS.\n");
    for line in ["/skills", "/skill", "/skill:"] {
        let out = workspace.run(["run", line]).ok();
        assert!(out.contains("/skill:echo [text] (untrusted): "), "{line}: {out}");
        assert!(out.lines().count() > 8 && out.contains("\n/skill:debug "), "{line}: {out}");
    }
    let json = workspace.run(["run", "/skills", "--json"]).json();
    assert!(json["menu"].as_array().unwrap().len() > 8, "{json:#}");
}

#[cfg(feature = "schema")]
#[test]
fn arguments_are_held_against_the_schema() {
    let workspace = Workspace::new();
    let schema =
        "arguments: [count]\ninput-schema: {type: object, properties: {count: {type: integer}}}\n";
    workspace.skill(".agents/skills", "count", schema, "Count to $count.\n");
    assert!(workspace.run(["run", "count", "3"]).ok().contains("Count to 3."));
    let why = workspace.run(["run", "count", "many"]).fails(1);
    assert!(why.contains("argument `count`: the value is not of type \"integer\""), "{why}");
}

#[test]
fn words_of_the_shell_stay_words() {
    let workspace = Workspace::new();
    workspace.skill(".agents/skills", "two", "arguments: [a, b]\n", "[$a] [$b]\n");
    let out = workspace.run(["run", "two", "one word", "it's"]).ok();
    assert!(out.contains("[one word] [it's]"), "{out}");
    let dashed = workspace.run(["run", "two", "--", "--json", "-y"]).ok();
    assert!(dashed.contains("[--json] [-y]"), "{dashed}");
}

#[test]
fn options_may_follow_the_line() {
    let workspace = Workspace::new();
    let out = workspace.run(["run", "/skill:commit x", "--as", "plain", "--json"]).json();
    assert_eq!(out["skill"], "commit");
    assert!(!out["text"].as_str().unwrap().contains("<skill"), "{out:#}");
    assert!(out["generation"].as_u64().unwrap() >= 1);
    let states: Vec<&str> = out["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["started", "completed"]);
}

#[test]
fn an_unknown_skill_names_the_nearest() {
    let workspace = Workspace::new();
    let why = workspace.run(["run", "/skill:comit x"]).fails(1);
    assert!(why.contains("comit") && why.contains("commit"), "{why}");
}

#[test]
fn who_may_start_what() {
    let workspace = Workspace::new();
    workspace.skill("mine", "hidden", "user-invocable: false\n", "x\n");
    workspace.skill("mine", "manual", "disable-model-invocation: true\n", "x\n");
    workspace.skill("mine", "guarded", "allowed-agents: [main]\n", "x\n");
    workspace.skill("mine", "careful", "require-confirmation: true\n", "x\n");
    let run = |arguments: &[&str]| {
        workspace.run(["--root", "mine", "--trust", "run"].iter().chain(arguments))
    };
    run(&["hidden"]).fails(1);
    run(&["hidden", "--initiator", "model"]).ok();
    run(&["manual"]).ok();
    run(&["manual", "--initiator", "model"]).fails(1);
    run(&["guarded"]).fails(1);
    run(&["guarded", "--as-agent", "main"]).ok();
    let why = run(&["careful"]).fails(1);
    assert!(why.contains("--yes"), "{why}");
    run(&["careful", "--yes"]).ok();
}

#[test]
fn an_untrusted_skill_is_text_for_a_person_and_nothing_for_the_model() {
    let workspace = Workspace::new();
    workspace.skill("theirs", "evil", "allowed-tools: Bash\n", "Look: !`touch pwned`\n");
    let out = workspace.run(["--root", "theirs", "run", "evil"]).ok();
    assert!(out.contains("[shell command not run:"), "{out}");
    let refused =
        workspace.run(["--root", "theirs", "run", "evil", "--initiator", "model"]).fails(1);
    assert!(refused.contains("trust"), "{refused}");
    assert!(!workspace.project().join("pwned").exists());
}

#[test]
fn a_dependency_renders_first() {
    let workspace = Workspace::new();
    workspace.skill("mine", "base", "", "Base rules.\n");
    workspace.skill("mine", "top", "depends-on: base\n", "Top work.\n");
    let out = workspace.run(["--root", "mine", "run", "top go"]).ok();
    let base = out.find("Base rules.").unwrap();
    let top = out.find("Top work.").unwrap();
    assert!(base < top, "{out}");
    assert_eq!(out.matches("<skill name=").count(), 2, "{out}");
}

#[test]
fn requests_come_as_json_lines() {
    let workspace = Workspace::new();
    let input =
        b"{\"line\": \"/skill:commit a\"}\n\n{\"name\": \"nope\"}\nnot json\n{\"nmae\": \"x\"}\n";
    let ran = workspace.run_with_input(["run", "--stdin-json"], input);
    assert_eq!(ran.code, Some(1));
    let answers: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["skill"], "commit");
    assert_eq!(answers[1]["error"]["kind"], "unknown_skill");
    assert_eq!(answers[2]["error"]["kind"], "invalid_request");
    assert!(answers[3]["error"]["message"].as_str().unwrap().contains("nmae"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_a_usage_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let workspace = Workspace::new();
    let bad = OsStr::from_bytes(b"commit \xff");
    let why = workspace.run(["run".as_ref(), bad]).fails(2);
    assert!(why.contains("UTF-8"), "{why}");
    workspace.run_with_input(["run", "-"], b"commit \xff\n").fails(2);
}

#[test]
fn hashes_of_arguments_are_those_of_other_runs_of_this_installation() {
    let workspace = Workspace::new();
    let hash = |workspace: &Workspace, line: &str| {
        let json = workspace.run(["--json", "run", line]).json();
        json["events"][0]["arguments_hash"].as_str().unwrap().to_owned()
    };
    let first = hash(&workspace, "commit the parser");
    assert_eq!(hash(&workspace, "commit the parser"), first);
    assert_ne!(hash(&workspace, "commit"), first);
    assert_ne!(hash(&Workspace::new(), "commit the parser"), first);

    let key = workspace.project().join("../home/.local/state/skilldeck/arguments.key");
    std::fs::write(key, "short").unwrap();
    let ran = workspace.run(["--json", "run", "commit the parser"]);
    assert!(ran.stderr.contains("is no file of 32 hex digits"), "{ran:?}");
    assert!(ran.ok().contains("arguments_hash"));
}
