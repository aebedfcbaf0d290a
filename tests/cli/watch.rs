//! `watch` on directories that change under it, and `roots` on how it would notice.

use std::collections::BTreeSet;
use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use std::process::{ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::running::Running;
#[cfg(unix)]
use crate::running::bounded;
use crate::support::Workspace;

const ROOT: &str = ".agents/skills";
const LISTS: [&str; 8] = [
    "added",
    "removed",
    "metadata_changed",
    "body_changed",
    "stale",
    "recovered",
    "unavailable",
    "available",
];
const BROKEN: &str = "---\nname: one\ndescription: Does one.\ntags: [a, b\n---\nx\n";

fn watch(workspace: &Workspace, arguments: &[&str]) -> Running {
    Running::start(workspace.command([&["watch", "--no-bundled"], arguments].concat()))
}

/// The lists of a change that are not empty; all of them are there.
fn lists(change: &Value) -> Value {
    let mut found = json!({});
    for list in LISTS {
        let names = change[list].as_array().unwrap_or_else(|| panic!("{list} in {change:#}"));
        if !names.is_empty() {
            found[list] = change[list].clone();
        }
    }
    found
}

#[test]
fn json_tells_of_every_change_with_all_lists() {
    let workspace = Workspace::new();
    let file = workspace.skill(ROOT, "one", "", "x\n");
    let running = watch(&workspace, &["--json"]);
    let ready = running.json();
    assert_eq!(ready, json!({ "ready": true, "generation": 1, "skills": 1 }));

    workspace.save_skill(ROOT, "one", "", "y\n");
    let edited = running.json();
    assert_eq!(lists(&edited), json!({ "body_changed": ["one"] }));
    let keys: BTreeSet<&str> = edited.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, LISTS.into_iter().chain(["generation", "diagnostics"]).collect());
    assert_eq!((&edited["generation"], &edited["diagnostics"]), (&json!(2), &json!([])));

    workspace.save_skill(ROOT, "one", "when_to_use: often\n", "y\n");
    assert_eq!(lists(&running.json()), json!({ "metadata_changed": ["one"] }));
    workspace.save_skill(ROOT, "two", "depends-on: [one]\n", "x\n");
    assert_eq!(lists(&running.json()), json!({ "added": ["two"] }));

    workspace.save(&file, BROKEN);
    let broken = running.json();
    assert_eq!(lists(&broken), json!({ "stale": ["one"] }));
    let fault = &broken["diagnostics"][0];
    assert_eq!((&fault["severity"], &fault["line"]), (&json!("error"), &json!(4)), "{broken:#}");
    workspace.save_skill(ROOT, "one", "", "z\n");
    let mended =
        json!({ "recovered": ["one"], "metadata_changed": ["one"], "body_changed": ["one"] });
    assert_eq!(lists(&running.json()), mended);

    fs::remove_dir_all(file.parent().unwrap()).unwrap();
    assert_eq!(lists(&running.json()), json!({ "removed": ["one"], "unavailable": ["two"] }));
    workspace.save_skill(ROOT, "one", "", "x\n");
    let back = running.json();
    assert_eq!(lists(&back), json!({ "added": ["one"], "available": ["two"] }));
    assert_eq!(back["generation"], 8);
}

#[test]
fn a_person_reads_one_line_for_each_change() {
    let workspace = Workspace::new();
    let file = workspace.skill(ROOT, "one", "", "x\n");
    let running = watch(&workspace, &[]);
    let first = running.line();
    assert!(first.starts_with("watching .agents/skills and "), "{first}");
    assert!(first.ends_with(" directories that are not there yet: 1 skill"), "{first}");

    workspace.save_skill(ROOT, "one", "when_to_use: often\n", "y\n");
    assert_eq!(running.line(), "2 changed one");
    workspace.save(&file, BROKEN);
    assert_eq!(running.line(), "3 stale one");
    let why = running.error_line();
    assert!(why.contains("SKILL.md:4:1: error[unreadable-key]"), "{why}");
    workspace.save_skill(ROOT, "one", "", "z\n");
    assert_eq!(running.line(), "4 recovered one");
    fs::rename(file.parent().unwrap(), workspace.project().join(ROOT).join(".away")).unwrap();
    assert_eq!(running.line(), "5 removed one");

    // Several at once are one line, and a person is not shown hundreds of names.
    for number in 0..20 {
        workspace.save_skill("new", &format!("n{number:02}"), "", "x\n");
    }
    fs::remove_dir_all(workspace.project().join(ROOT)).unwrap();
    running.lines_to("lost .agents/skills");
    fs::rename(workspace.project().join("new"), workspace.project().join(ROOT)).unwrap();
    let all = running.lines_to("n11 and 8 more").pop().unwrap();
    assert!(all.contains(" found .agents/skills; added n00, n01, n02, "), "{all}");
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let workspace = Workspace::new();
    let cases: [(&[&str], Option<&str>, bool); 4] = [
        (&[], None, false),
        (&["--color", "always"], None, true),
        (&["--color", "auto"], Some("1"), false),
        (&["--color", "never"], None, false),
    ];
    for (arguments, no_color, is_coloured) in cases {
        let mut command = workspace.command([&["watch"], arguments].concat());
        command.env_remove("NO_COLOR");
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        let running = Running::start(command);
        running.line();
        workspace.save_skill(ROOT, "one", "", "x\n");
        let line = running.lines_to("added").pop().unwrap();
        assert_eq!(line.contains('\u{1b}'), is_coloured, "{arguments:?}: {line:?}");
        assert!(line.contains("one"), "{line:?}");
        fs::remove_dir_all(workspace.project().join(ROOT)).unwrap();
    }
}

#[test]
fn a_root_that_is_missing_is_said_and_followed() {
    let workspace = Workspace::new();
    let running = watch(&workspace, &["--json", "--no-default-roots", "--root", "a/b/c"]);
    assert_eq!(running.json()["skills"], 0);
    let warning = running.error_line();
    assert!(warning.contains("warning[missing-root]") && warning.contains("a/b/c"), "{warning}");
    for directory in ["a", "a/b", "a/b/c", "a/b/c/one"] {
        fs::create_dir(workspace.project().join(directory)).unwrap();
    }
    workspace.save_skill("a/b/c", "one", "", "x\n");
    let added = loop {
        let change = running.json();
        if lists(&change) != json!({}) {
            break change;
        }
    };
    assert_eq!(lists(&added), json!({ "added": ["one"] }));
    fs::remove_dir_all(workspace.project().join("a")).unwrap();
    assert_eq!(lists(&running.json()), json!({ "removed": ["one"] }));
}

#[cfg(unix)]
#[test]
fn signals_end_it_with_0() {
    let workspace = Workspace::new();
    workspace.skill(ROOT, "one", "", "x\n");
    for name in ["INT", "TERM"] {
        for command in [&["watch"][..], &["watch", "--json"], &["check", "--watch"]] {
            let running = Running::start(workspace.command(command));
            match command {
                ["check", ..] => drop(running.error_lines_to("waiting for changes")),
                _ => drop(running.line()),
            }
            running.signal(name);
            let (status, rest, _) = running.end();
            assert_eq!(status.code(), Some(0), "{command:?}, {name}: {status:?}");
            assert_eq!(rest, [""; 0]);
        }
    }
}

/// As `nohup` starts it.
#[cfg(unix)]
#[test]
fn a_terminal_that_goes_does_not_end_what_was_told_to_stay() {
    let workspace = Workspace::new();
    let binary = workspace.command(["watch", "--no-bundled"]);
    let running = Running::start(under_shell("trap '' HUP", &binary));
    running.line();
    running.signal("HUP");
    workspace.save_skill(ROOT, "one", "", "x\n");
    running.lines_to("added one");
}

/// The same command, started by a shell that does something first.
#[cfg(unix)]
fn under_shell(first: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{first}; exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    shell.current_dir(command.get_current_dir().unwrap());
    for (key, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(key, value),
            None => shell.env_remove(key),
        };
    }
    shell
}

#[cfg(unix)]
#[test]
fn a_reader_who_goes_ends_it_though_nothing_changes() {
    let workspace = Workspace::new();
    for arguments in [["watch", "--json"], ["check", "--watch"]] {
        let (running, mut stdout) = Running::start_unread(workspace.command(arguments));
        if arguments[0] == "watch" {
            stdout = first_line_of(stdout);
        } else {
            running.error_lines_to("waiting for changes");
        }
        drop(stdout);
        let (status, _, said) = running.end();
        assert_eq!((status.code(), said), (Some(0), vec![]), "{arguments:?}");
    }
}

#[cfg(unix)]
fn first_line_of(mut stdout: BufReader<ChildStdout>) -> BufReader<ChildStdout> {
    bounded(move || {
        stdout.read_line(&mut String::new()).unwrap();
        stdout
    })
}

/// Starts to watch `root`, where there is nothing, and moves many skills there: the line that tells
/// of them is longer than a pipe. When this returns, a part of it was written.
#[cfg(unix)]
fn stuck(workspace: &Workspace) -> (Running, BufReader<ChildStdout>) {
    for number in 0..500 {
        workspace.skill("skills", &format!("{number:03}-{}", "x".repeat(200)), "", "x\n");
    }
    let command = workspace.command(["watch", "--json", "--no-bundled", "--root", "root"]);
    let (running, stdout) = Running::start_unread(command);
    let mut stdout = first_line_of(stdout);
    fs::rename(workspace.project().join("skills"), workspace.project().join("root")).unwrap();
    let stdout = bounded(move || {
        assert_eq!(stdout.fill_buf().unwrap(), b"{");
        stdout
    });
    (running, stdout)
}

#[cfg(unix)]
#[test]
fn a_reader_who_is_slow_sees_the_end_of_it() {
    let workspace = Workspace::new();
    let (mut running, stdout) = stuck(&workspace);
    // Another one, whose lines are read, tells when a change was noticed.
    let other = watch(&workspace, &["--json", "--root", "root"]);
    other.lines_to("ready");
    for number in 0..10 {
        let name = format!("n{number}");
        workspace.save_skill("root", &name, "", "x\n");
        other.lines_to(&format!("[\"{name}\"]"));
        fs::remove_dir_all(workspace.project().join("root").join(&name)).unwrap();
    }
    workspace.save_skill("root", "end", "", "x\n");
    other.lines_to("\"end\"");

    running.read(stdout);
    let mut deck = BTreeSet::new();
    while !(deck.len() == 501 && deck.contains("end")) {
        let change = running.json();
        let names =
            |list: &str| -> Vec<String> { serde_json::from_value(change[list].clone()).unwrap() };
        for name in names("removed") {
            assert!(deck.remove(&name), "{name} is removed and was not there");
        }
        for name in names("added") {
            assert!(deck.insert(name.clone()), "{name} is added twice");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_full_pipe_does_not_keep_it_from_ending() {
    let workspace = Workspace::new();
    let (running, _stdout) = stuck(&workspace);
    running.signal("TERM");
    assert_eq!(running.end().0.code(), Some(0));
}

#[test]
fn roots_say_how_changes_are_noticed() {
    let workspace = Workspace::new();
    workspace.skill(ROOT, "one", "", "x\n");
    let roots = workspace.run(["roots", "--json"]).json();
    for root in roots.as_array().unwrap() {
        let wanted = if root["path"].is_null() { Value::Null } else { json!("watched") };
        assert_eq!((&root["watch"], &root["watch_reason"]), (&wanted, &Value::Null), "{root:#}");
    }
    let text = workspace.run(["roots"]).ok();
    assert!(text.contains("1 skill, untrusted, watched\n"), "{text}");
    assert!(text.contains("not there, watched\n") && text.contains("8 skills\n"), "{text}");
}

/// A process may have so few descriptors that it can read files and not watch them.
#[cfg(target_os = "linux")]
#[test]
fn roots_that_are_polled_are_called_so_and_still_followed() {
    let workspace = Workspace::new();
    workspace.skill(ROOT, "one", "", "x\n");
    let limited = |limit: usize, arguments: &[&str]| {
        under_shell(&format!("ulimit -n {limit}"), &workspace.command(arguments))
    };
    let polled = |limit: &usize| {
        let output = limited(*limit, &["roots", "--json"]).output().unwrap();
        let roots: Value = serde_json::from_slice(&output.stdout).ok()?;
        let root = roots[0].clone();
        (root["watch"] == "polled" && root["skills"] == 1).then_some(root)
    };
    let limit = (4..32).find(|limit| polled(limit).is_some()).expect("a limit in between");
    let reason = polled(&limit).unwrap()["watch_reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("nofile"), "{reason}");
    let text = limited(limit, &["roots"]).output().unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("1 skill, untrusted, polled\n"), "{text}");
    assert_eq!(text.matches(&reason).count(), 1, "{text}");

    // Two more wait for signals.
    let running = Running::start(limited(limit + 2, &["watch", "--no-bundled"]));
    let first = running.line();
    assert!(first.starts_with("watching .agents/skills (polled) and "), "{first}");
    let warning = running.error_lines_to("polled: ").pop().unwrap();
    assert!(warning.contains("more directories are polled: changes are not reported"), "{warning}");
    workspace.save_skill(ROOT, "one", "", "y\n");
    assert_eq!(running.line(), "2 changed one");
}
