//! `run --allow-shell`: what may run, and that nothing stays when the command line ends.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Workspace;

/// More than anything here takes, even on a busy machine.
const BOUND: Duration = Duration::from_secs(60);

fn run_in(workspace: &Workspace, root: &[&str], rest: &[&str]) -> crate::support::Ran {
    workspace.run(root.iter().chain(&["run"]).chain(rest))
}

#[test]
fn a_command_runs_if_it_is_allowed_and_its_source_trusted() {
    let workspace = Workspace::new();
    workspace.skill("mine", "look", "", "Here: !`pwd -P` !`printf %s \"$ARGUMENTS\"`\n");
    let trusted = ["--root", "mine", "--trust"];
    let project = workspace.project().canonicalize().unwrap();
    let out = run_in(&workspace, &trusted, &["look $(x)", "--allow-shell"]).ok();
    assert!(out.contains(&format!("Here: {} $(x)", project.display())), "{out}");
    let out = run_in(&workspace, &trusted, &["look"]).ok();
    assert!(out.contains("[shell command not run: shell is not allowed]"), "{out}");
    let out = run_in(&workspace, &["--root", "mine"], &["look", "--allow-shell"]).ok();
    assert!(out.contains("[shell command not run: the source"), "{out}");
    let input = b"{\"line\": \"/look a\"}\n";
    let arguments = ["--root", "mine", "--trust", "run", "--stdin-json", "--allow-shell"];
    let out = workspace.run_with_input(arguments, input).ok();
    assert!(out.contains(&format!("Here: {} a", project.display())), "{out}");
}

#[test]
fn a_failing_command_is_exit_1_with_its_status_and_stderr() {
    let workspace = Workspace::new();
    workspace.skill("mine", "bad", "", "!`echo no such branch >&2; exit 3`\n");
    let trusted = ["--root", "mine", "--trust"];
    let why = run_in(&workspace, &trusted, &["bad", "--allow-shell"]).fails(1);
    for part in ["`echo no such branch >&2; exit 3`", "`bad`", "exit status: 3: no such branch"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    workspace.skill("mine", "loud", "", "!`printf 'a\\033[2Jb' >&2; exit 3`\n");
    let why = run_in(&workspace, &trusted, &["loud", "--allow-shell"]).fails(1);
    assert!(why.contains("a\u{fffd}[2Jb"), "a terminal obeys nothing of it: {why:?}");
    let ran = run_in(&workspace, &trusted, &["bad", "--allow-shell", "--json"]);
    assert!(ran.stdout.contains("\"shell_failed\""), "{ran:?}");
}

#[test]
fn a_shell_that_is_not_there_is_named() {
    let workspace = Workspace::new();
    workspace.skill("mine", "lost", "shell: bash\n", "!`echo here`\n");
    let empty = workspace.project().join("empty");
    fs::create_dir(&empty).unwrap();
    let mut command =
        workspace.command(["--root", "mine", "--trust", "run", "lost", "--allow-shell"]);
    let why = crate::support::Ran::from(command.env("PATH", &empty).output().unwrap()).fails(1);
    assert!(why.contains("there is no `bash` on this system"), "{why}");
}

#[test]
fn the_forks_that_it_is_inside_of_come_from_the_environment() {
    let workspace = Workspace::new();
    workspace.skill("mine", "deep", "context: fork\n", "Deep.\n");
    workspace.skill("mine", "flat", "", "Flat.\n");
    let run = |word: &str, lineage: &str| {
        let mut command = workspace.command(["--root", "mine", "--trust", "run", word]);
        crate::support::Ran::from(command.env("SKILLDECK_LINEAGE", lineage).output().unwrap())
    };
    let fork = |word: &str| format!("{word}@0123456789abcdef0123456789abcdef");
    let why = run("deep", &fork("deep")).fails(1);
    assert!(why.contains("may not invoke itself"), "{why}");
    let four = ["a", "b", "c", "d"].map(fork).join(",");
    let why = run("deep", &four).fails(1);
    assert!(why.contains("at most 4"), "{why}");
    run("flat", &four).ok();
    let why = run("flat", "what?").fails(1);
    assert!(why.contains("SKILLDECK_LINEAGE") && why.contains("`what?`"), "{why}");
}

/// How a command may go on for longer than the test; `READY` tells that it does.
#[cfg(target_os = "linux")]
const LONG: &[&str] = &[
    "READY; sleep 300; :",
    "sleep 300 & sh -c 'sh -c \"READY; sleep 300; :\"; :'; :",
    "trap '' HUP INT TERM; (trap '' HUP INT TERM; sleep 300; :) & READY; while :; do sleep 1; done",
    "( ( READY; sleep 300; : ) & ); exec >&- 2>&-; sleep 300; :",
];

#[cfg(target_os = "linux")]
#[test]
fn no_signal_leaves_a_child() {
    for (number, signal) in [(2, "INT"), (15, "TERM"), (1, "HUP"), (9, "KILL")] {
        if is_ignored(number) {
            eprintln!("skipped: SIG{signal} is ignored by who runs this, and so by the command");
            continue;
        }
        for command in LONG {
            let workspace = Workspace::new();
            let mark = workspace.project().join("ready");
            let mark = mark.to_str().unwrap();
            let command = command.replace("READY", &format!("echo \"$$\" >> {mark}"));
            // Two at once, so that more than one is to end.
            let body = format!("```!\nexport MARK={mark}; {command}\n```\n\n");
            workspace.skill("mine", "long", "", &body.repeat(2));
            let mut child = workspace
                .command(["--root", "mine", "--trust", "run", "long", "--allow-shell"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let what = format!("{signal}: {command}");
            let lines = || fs::read_to_string(mark).unwrap_or_default().lines().count();
            wait_until(&what, || lines() == 2);
            let groups = groups_of(mark);
            assert_eq!(groups.len(), 2, "{what}");
            let pid = child.id().to_string();
            assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
            let status = wait(&mut child);
            assert_eq!(status.signal(), Some(number), "{what}");
            // Neither what was marked, nor what stood guard beside it.
            wait_until(&what, || groups_of(mark).is_empty());
            wait_until(&what, || !groups.iter().any(|group| is_alive(*group)));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let workspace = Workspace::new();
    let go = workspace.project().join("go");
    let body = format!("!`echo ready >&2; until [ -e {} ]; do sleep 0.02; done`\n", go.display());
    let ready = workspace.project().join("ready");
    let body = body.replace(">&2", &format!("> {}", ready.display()));
    workspace.skill("mine", "long", "", &body);
    let inner =
        workspace.command(["--root", "mine", "--trust", "run", "long done", "--allow-shell"]);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(inner.get_program());
    command.args(inner.get_args()).current_dir(workspace.project());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    wait_until("it runs", || ready.exists());
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "HUP", &pid]).status().unwrap().success());
    fs::write(go, "").unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "done"));
    assert!(wait(&mut child).success());
}

/// Whether this process ignores a signal, as under `nohup`, and with it whatever it starts.
#[cfg(target_os = "linux")]
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

fn wait(child: &mut Child) -> ExitStatus {
    let end = Instant::now() + BOUND;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > end {
            let _ = child.kill();
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + BOUND;
    while !holds() {
        assert!(Instant::now() < end, "{what}: not within {BOUND:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The process groups of those that have this mark in their environment or arguments.
#[cfg(target_os = "linux")]
fn groups_of(mark: &str) -> Vec<u32> {
    let has_mark = |bytes: Vec<u8>| bytes.windows(mark.len()).any(|part| part == mark.as_bytes());
    let mut groups: Vec<u32> = processes()
        .filter(|(id, ..)| {
            let read = |name| fs::read(format!("/proc/{id}/{name}")).unwrap_or_default();
            has_mark(read("environ")) || has_mark(read("cmdline"))
        })
        .map(|(_, group, _)| group)
        .collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// Whether a process group has a member that is not only waiting to be waited for.
#[cfg(target_os = "linux")]
fn is_alive(group: u32) -> bool {
    processes().any(|(_, its, state)| its == group && state != "Z")
}

/// Number, group and state of every process.
#[cfg(target_os = "linux")]
fn processes() -> impl Iterator<Item = (u32, u32, String)> {
    fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name stands in parentheses and may hold anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?.to_owned();
        Some((id, fields.nth(1)?.parse().ok()?, state))
    })
}
