//! How commands end that do not want to.

use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use skilldeck_core::template::Dialect;
use skilldeck_runtime::{CancelToken, ErrorKind, HostError, Request, Shape, Subprocess};

use crate::support::{
    BOUND, allowed, deck, mark, marked, shell, shell_with, wait_for_none, wait_until,
};

/// Commands that run for ever, each in its own way. `sleep 1000` would outlast any test.
const ENDLESS: &[&str] = &[
    "sleep 1000",
    "while :; do :; done",
    "yes",
    "yes >&2",
    "sleep 1000 & sleep 1000 & wait",
    "sh -c 'sh -c \"sleep 1000; :\"; :'; :",
    "exec >&- 2>&-; sleep 1000; :",
    "exec >/dev/null 2>&1 </dev/null; while :; do sleep 1; done",
    "trap '' TERM; while :; do sleep 1; done",
    "trap 'echo still here' HUP INT TERM; while :; do sleep 1; done",
    "trap '' HUP INT QUIT TERM; (trap '' TERM; sleep 1000; :) & sleep 1000; wait",
    "( ( sleep 1000; : ) & sleep 1000; : ) & wait",
    "kill -STOP $$",
    "kill -USR1 0; sleep 1000; :",
    "exec setsid sh -c 'trap \"\" TERM; sleep 1000; :'",
];

#[test]
fn time_runs_out_for_everything() {
    for command in ENDLESS {
        let mark = mark();
        let command = format!("export MARK={mark}; trap '' USR1; {command}");
        let begun = Instant::now();
        let policy = allowed().shell_timeout(Duration::from_millis(300));
        let error = shell_with(&policy, "", &command, None, &CancelToken::new()).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::ShellFailed, "{command}");
        assert!(error.to_string().contains("time ran out"), "{command}: {error}");
        assert!(begun.elapsed() < BOUND / 2, "{command}: {:?}", begun.elapsed());
        wait_for_none(&mark);
    }
}

#[test]
fn cancelling_ends_everything() {
    for command in ENDLESS {
        let mark = mark();
        let command = format!("export MARK={mark}; trap '' USR1; {command}");
        let cancel = CancelToken::new();
        let begun = thread::scope(|scope| {
            scope.spawn(|| {
                wait_until("the command runs", || !marked(&mark).is_empty());
                cancel.cancel();
            });
            let error = shell_with(&allowed(), "", &command, None, &cancel).unwrap_err();
            assert_eq!(error.kind(), &ErrorKind::Cancelled, "{command}");
            Instant::now()
        });
        wait_for_none(&mark);
        assert!(begun.elapsed() < BOUND / 2, "{command}");
    }
}

#[test]
fn what_is_left_in_the_background_holds_nobody_up() {
    for command in [
        "sleep 1000 &",
        "yes &",
        "( ( sleep 1000 & ) & )",
        "trap '' TERM HUP; sleep 1000 &",
        "sleep 1000 >/dev/null 2>&1 &",
        "(sleep 1000; :) | cat &",
    ] {
        let mark = mark();
        let command = format!("export MARK={mark}; echo done >&1; {command}");
        let begun = Instant::now();
        let out = shell(&command).unwrap();
        assert!(out.starts_with("done"), "{command}: {out}");
        assert!(begun.elapsed() < BOUND / 2, "{command}: {:?}", begun.elapsed());
        wait_for_none(&mark);
    }
}

#[test]
fn what_follows_at_once_is_still_read() {
    // A busy machine may take longer for it than it is given, but not every time.
    let command = "echo one; (sleep 0.02; echo two) &";
    let is_read = || shell(command).unwrap() == "one\ntwo";
    assert!((0..20).any(|_| is_read()));
    // As much as pipes hold, written by something that is gone when it is read.
    let out = shell_with(
        &allowed().shell_max_output(1 << 20),
        "",
        "head -c 300000 /dev/zero | tr '\\0' x",
        None,
        &CancelToken::new(),
    );
    assert_eq!(out.unwrap().len(), 300_000);
}

#[test]
fn a_gentle_end_comes_first() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    let command = "trap 'echo yes > cleaned; exit 0' TERM; touch ready; while :; do :; done";
    let cancel = CancelToken::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            wait_until("the command runs", || file("ready").exists());
            cancel.cancel();
        });
        let error =
            shell_with(&allowed(), "", command, Some(directory.path()), &cancel).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Cancelled);
    });
    assert_eq!(std::fs::read_to_string(file("cleaned")).unwrap(), "yes\n");
}

#[test]
fn a_failure_ends_what_runs_beside_it() {
    let mark = mark();
    let body = format!(
        "!`sleep 0.2; echo a` !`until [ -e go ]; do sleep 0.01; done; exit 7` \
         !`export MARK={mark}; touch go; sleep 1000; :`\n"
    );
    let directory = tempfile::tempdir().unwrap();
    let registry = deck(Dialect::Claude, "", &body);
    let request = Request::line("/x").shape(Shape::Plain).directory(directory.path());
    let begun = Instant::now();
    let error = registry.invoke_with(&allowed(), &request).unwrap_err();
    assert!(error.to_string().contains("exit status: 7"), "{error}");
    assert!(begun.elapsed() < BOUND / 2);
    wait_for_none(&mark);
}

#[test]
fn input_is_given_and_may_be_left_unread() {
    let run = |script: &str, input: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let process = Subprocess::new(command).input(input).max_output(8 << 20).timeout(BOUND);
        process.run(&CancelToken::new())
    };
    // More than the pipes hold, both ways at once.
    let long = "line\n".repeat(1 << 20);
    assert!(run("cat", &long).unwrap() == long);
    assert_eq!(run("wc -c", &long).unwrap().trim(), long.len().to_string());
    assert_eq!(run("cat", "").unwrap(), "");
    for script in ["echo done", "exec <&-; sleep 0.1; echo done", "read -r line; echo done"] {
        assert_eq!(run(script, &long).unwrap(), "done\n", "{script}");
    }
    let error = run("echo why >&2; exit 5", &long).unwrap_err();
    assert_eq!(error, HostError::Failed("exit status: 5: why".to_owned()));
}

#[test]
fn many_at_a_time_stay_apart() {
    let spans: Vec<String> = (0..40).map(|at| format!("!`echo {at} \"$0\"`")).collect();
    let registry = Arc::new(deck(Dialect::Claude, "", &format!("{}\n", spans.join(" "))));
    thread::scope(|scope| {
        for who in 0..4 {
            let registry = &registry;
            scope.spawn(move || {
                let request = Request::command("x", who.to_string()).shape(Shape::Plain);
                let out = registry.invoke_with(&allowed(), &request).unwrap().into_text();
                let expected: Vec<String> = (0..40).map(|at| format!("{at} {who}")).collect();
                assert_eq!(out, expected.join(" "));
            });
        }
    });
}
