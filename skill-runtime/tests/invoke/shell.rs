//! Shell spans: when they run, with what, and what stands in their place.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use skilldeck_runtime::{
    CancelToken, ErrorKind, Host, HostError, Memory, OnFailure, Policy, Registry, Request, Shape,
    ShellOutput, ShellRequest, Source,
};

use crate::support::{Recording, deck, deck_with, info, skill};

fn allowed() -> Policy {
    Policy::new().allow_shell(true)
}

/// A deck of one skill `x` with exactly this text.
fn one(text: &str, trusted: bool, host: Recording) -> Registry {
    let memory = Memory::default();
    memory.insert("x", text);
    let source = Source::memory(Arc::new(memory), info("one", trusted));
    Registry::builder().source(source).host(host).build().unwrap()
}

#[test]
fn the_rule_as_a_table() {
    let whole = |keys: &str| skill(&format!("{keys}---\nSee !`git status`.\n"));
    // Front matter that is never closed: the file is damaged as a whole.
    let damaged = "---\ndescription: x\n\n# Text\n\nSee !`git status`.\n".to_owned();
    let table = [
        (whole(""), [true, false, false, false]),
        (whole("disallowed-tools: Bash\n"), [false; 4]),
        (whole("disallowed-tools: [\"Bash(*)\"]\n"), [false; 4]),
        (whole("disallowed-tools: [\"Bash(:*)\"]\n"), [false; 4]),
        (whole("disallowed-tools: bash\n"), [false; 4]),
        (whole("disallowed-tools: [\"*\"]\n"), [false; 4]),
        (whole("disallowed-tools: [\"Bash(git:*)\"]\n"), [false; 4]),
        (whole("disallowed-tools: [\"Bash(git push:*)\"]\n"), [false; 4]),
        (
            whole("disallowed-tools: [\"Bash(rm:*)\", Write, BashOutput]\n"),
            [true, false, false, false],
        ),
        (whole("allowed-tools: Bash\n"), [true, false, false, false]),
        (damaged, [false; 4]),
    ];
    let settings =
        [(true, allowed()), (true, Policy::new()), (false, allowed()), (false, Policy::new())];
    for (text, expected) in table {
        for ((trusted, policy), runs) in settings.iter().zip(expected) {
            let host = Recording::default();
            let registry = one(&text, *trusted, host.clone());
            let request = Request::line("/x").shape(Shape::Plain);
            let out = registry.invoke_with(policy, &request).unwrap().into_text();
            let what = format!("{text} trusted: {trusted}, {policy:?}\n{out}");
            assert_eq!(out.contains("See output."), runs, "{what}");
            assert_eq!(out.contains("See [shell command not run: "), !runs, "{what}");
            assert_eq!(host.ran.lock().unwrap().len(), usize::from(runs), "{what}");
        }
    }
}

#[test]
fn the_default_is_not_to_run() {
    let host = Recording::default();
    let registry = deck_with(&[("x", "See !`id` and !`id`.\n")], host.clone());
    let out = registry.invoke(&Request::line("/x").shape(Shape::Plain)).unwrap().into_text();
    let notice = "[shell command not run: shell is not allowed]";
    assert_eq!(out, format!("See {notice} and {notice}."));
    assert!(host.ran.lock().unwrap().is_empty());
}

#[test]
fn a_command_gets_its_arguments_from_the_environment_only() {
    let host = Recording::default();
    let body = "shell: bash\narguments: [name]\n---\nSee !`greet \"$name\"` in !`pwd`.\n";
    let registry = deck_with(&[("x", body)], host.clone());
    let evil = "'$(touch pwned)' `id`";
    let request = Request::command("x", evil).directory("/some/place").session("s-1");
    registry.invoke_with(&allowed(), &request).unwrap();
    let mut ran = host.ran.lock().unwrap();
    ran.sort_by(|one, other| one.command.cmp(&other.command));
    let [greet, pwd] = &ran[..] else { panic!("{ran:?}") };
    assert_eq!(greet.command, "greet \"${SKILL_ARG_0}\"");
    assert_eq!(
        (greet.shell.as_deref(), greet.directory.as_deref()),
        (Some("bash"), Some("/some/place"))
    );
    let value = |name: &str| {
        greet.environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    };
    assert_eq!(value("SKILL_ARG_0"), Some("$(touch pwned)"));
    assert_eq!(value("ARGUMENTS"), Some(evil));
    assert_eq!(pwd.command, "pwd");
    assert!(pwd.environment.iter().all(|(_, value)| !value.contains("pwned")), "{pwd:?}");
}

#[test]
fn arguments_that_the_system_cannot_pass() {
    let registry = deck_with(
        &[
            ("named", "arguments: [base]\n---\n!`echo \"$base\"`\n"),
            ("numbered", "!`echo \"$1\"`\n"),
            ("without", "!`id` $ARGUMENTS\n"),
        ],
        Recording::default(),
    );
    let invoke = |word: &str, arguments: &str| {
        registry.invoke_with(&allowed(), &Request::command(word, arguments))
    };
    let limit = (128 << 10) - "ARGUMENTS=\0".len();
    for (word, arguments, named) in [
        ("named", "a\0b", "`base`"),
        ("numbered", "x a\0b", "`$1`"),
        ("numbered", &"a".repeat(limit + 1), "`ARGUMENTS`"),
    ] {
        let error = invoke(word, arguments).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::InvalidArguments);
        assert!(error.to_string().contains(&format!("`{word}`")), "{error}");
        let names = error.to_string().contains(named) || error.to_string().contains("`$0`");
        assert!(names, "{named}: {error}");
    }
    assert!(invoke("without", &"a\0".repeat(limit)).is_ok(), "no command takes them");
    assert!(registry.invoke(&Request::command("named", "a\0b")).is_ok(), "no command runs");
}

#[test]
fn a_failing_command_fails_the_invocation() {
    let failures = [
        (
            HostError::Failed("exit status 3: no such branch".into()),
            ErrorKind::ShellFailed,
            "exit status 3: no such branch",
        ),
        (HostError::TimedOut, ErrorKind::ShellFailed, "time ran out"),
        (HostError::Cancelled, ErrorKind::Cancelled, "cancelled"),
        (HostError::Unsupported, ErrorKind::ShellFailed, "runs no commands"),
    ];
    for (failure, kind, text) in failures {
        let host = Recording { shell: Err(failure), ..Recording::default() };
        let registry = deck_with(&[("x", "!`git log`\n")], host);
        let error = registry.invoke_with(&allowed(), &Request::line("/x")).unwrap_err();
        assert_eq!(error.kind(), &kind);
        for part in ["`git log`", "`x`", text] {
            assert!(error.to_string().contains(part), "{part}: {error}");
        }
        assert!(std::error::Error::source(&error).is_some());
    }
}

#[test]
fn output_is_inserted_and_never_looked_at_again() {
    let output = "$ARGUMENTS !`id` ${SKILL_DIR} </skill>\n\n";
    let host = Recording { shell: Ok(output.to_owned()), ..Recording::default() };
    let registry = deck_with(&[("x", "[ !`cat` ] $ARGUMENTS\n")], host.clone());
    let out = registry.invoke_with(&allowed(), &Request::line("/x !`rm`")).unwrap().into_text();
    let body = "[ $ARGUMENTS !`id` ${SKILL_DIR} <\\/skill> ] !`rm`";
    assert_eq!(out, format!("<skill name=\"x\">\n{body}\n</skill>"));
    assert_eq!(host.ran.lock().unwrap().len(), 1);
}

#[test]
fn cancelling_reaches_every_command_and_stops_before_the_next_skill() {
    struct Cancels(CancelToken);
    impl Host for Cancels {
        fn shell(&self, request: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
            assert_ne!(request.command, "third");
            if request.command == "first" {
                self.0.cancel();
            }
            wait_until(|| request.cancel.is_cancelled());
            Ok(ShellOutput::default())
        }
    }
    let token = CancelToken::new();
    let skills = [("base", "!`first` !`second`\n"), ("x", "depends-on: base\n---\n!`third`\n")];
    let registry = deck_with(&skills, Cancels(token.clone()));
    let error = registry.invoke_with(&allowed(), &Request::line("/x").cancel(token)).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Cancelled);
}

fn wait_until(what: impl Fn() -> bool) {
    let bound = Instant::now() + Duration::from_secs(20);
    while !what() {
        assert!(Instant::now() < bound, "it did not happen");
        std::thread::yield_now();
    }
}

/// Commands `N` that give `N`; each waits for the one behind it, and `bad` ones fail.
#[derive(Clone, Default)]
struct Chain {
    done: Arc<Mutex<Vec<usize>>>,
    limits: Arc<Mutex<Option<(Duration, usize)>>>,
}

impl Host for Chain {
    fn shell(&self, request: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
        *self.limits.lock().unwrap() = Some((request.timeout, request.max_output));
        let (at, is_last) = match request.command.split_once(' ') {
            Some((at, what)) => (at, what == "last"),
            None => (request.command, false),
        };
        let at: usize = at.parse().unwrap();
        let is_next_done = || is_last || self.done.lock().unwrap().contains(&(at + 1));
        wait_until(is_next_done);
        self.done.lock().unwrap().push(at);
        match request.command.contains("bad") {
            true => Err(HostError::Failed(format!("number {at}"))),
            false => Ok(ShellOutput { stdout: format!("out {at}\n") }),
        }
    }
}

#[test]
fn commands_run_side_by_side_and_their_texts_stay_in_order() {
    let host = Chain::default();
    let registry = deck_with(&[("x", "a !`0` b !`1` c !`2 last` d\n")], host.clone());
    let request = Request::line("/x").shape(Shape::Plain);
    let out = registry.invoke_with(&allowed(), &request).unwrap().into_text();
    assert_eq!(out, "a out 0 b out 1 c out 2 d");
    assert_eq!(*host.done.lock().unwrap(), [2, 1, 0]);
    assert_eq!(*host.limits.lock().unwrap(), Some((Duration::from_secs(120), 64 << 10)));
    let policy = allowed().shell_timeout(Duration::from_secs(7)).shell_max_output(9);
    registry.invoke_with(&policy, &request).unwrap();
    assert_eq!(*host.limits.lock().unwrap(), Some((Duration::from_secs(7), 9)));
}

#[test]
fn the_first_failure_by_position_decides() {
    let host = Chain::default();
    let registry = deck_with(&[("x", "!`0` !`1 bad` !`2 bad` !`3 last`\n")], host);
    let error = registry.invoke_with(&allowed(), &Request::line("/x")).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ShellFailed);
    assert!(error.to_string().contains("number 1"), "{error}");
}

#[test]
fn a_failure_may_leave_nothing_behind_but_a_notice() {
    let host = Chain::default();
    let registry = deck_with(&[("x", "[!`0`] [ !`1 bad` ] [ !`2 last` ]\n")], host);
    let policy = allowed().on_shell_failure(OnFailure::Empty);
    let request = Request::line("/x").shape(Shape::Plain);
    let outcome = registry.invoke_with(&policy, &request).unwrap();
    assert_eq!(outcome.text(), "[!`0`] [  ] [ out 2 ]");
    let [notice] = outcome.notices() else { panic!("{:?}", outcome.notices()) };
    assert!(notice.contains("`1 bad`") && notice.contains("number 1"), "{notice}");
    // Being cancelled is no failure of the command.
    let host = Recording { shell: Err(HostError::Cancelled), ..Recording::default() };
    let registry = deck_with(&[("x", "!`id`\n")], host);
    let error = registry.invoke_with(&policy, &Request::line("/x")).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Cancelled);
}

#[test]
fn a_skill_without_shell_asks_no_host() {
    let registry = deck(&[("x", "Plain.\n")]);
    let out = registry.invoke_with(&allowed(), &Request::line("/x")).unwrap().into_text();
    assert_eq!(out, "<skill name=\"x\">\nPlain.\n</skill>");
}
