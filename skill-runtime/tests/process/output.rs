//! What commands print, where they run, and what the error says.

use skilldeck_core::template::Dialect;
use skilldeck_runtime::{Answer, Memory, ProcessHost, Registry, Source, SourceInfo, Tier};
use skilldeck_runtime::{CancelToken, ErrorKind, Host, Policy, Question, Request, Shape};

use crate::support::{allowed, deck, shell, shell_with};

#[test]
fn output_is_what_the_command_prints() {
    for (command, expected) in [
        ("echo hello", "hello"),
        ("printf 'a\\n\\n\\n'", "a"),
        ("printf ' a \\n b'", " a \n b"),
        ("true", ""),
        ("echo out; echo err >&2", "out"),
        ("printf '\\377'", "\u{fffd}"),
        ("cat", ""),
        ("-x 2>/dev/null || echo no option", "no option"),
        ("echo one\necho two", "one\ntwo"),
    ] {
        assert_eq!(shell(command).unwrap(), expected, "{command}");
    }
}

#[test]
fn the_shell_is_the_one_the_skill_asks_for() {
    let which = "if [ -n \"${BASH_VERSION:-}\" ]; then echo bash; else echo other; fi";
    let run = |keys: &str| shell_with(&allowed(), keys, which, None, &CancelToken::new());
    assert_eq!(run("shell: bash\n").unwrap(), "bash");
    run("shell: sh\n").unwrap();
    run("").unwrap();
    let arrays = "a=(one two); echo ${a[1]}";
    let out = shell_with(&allowed(), "shell: bash\n", arrays, None, &CancelToken::new());
    assert_eq!(out.unwrap(), "two");
    for other in ["powershell", "zsh", "/bin/sh"] {
        let error = run(&format!("shell: {other}\n")).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::ShellFailed);
        assert!(error.to_string().contains(&format!("`{other}` is not on this system")), "{error}");
    }
}

#[test]
fn it_runs_in_the_directory_of_the_session() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().canonicalize().unwrap();
    let run = |path| shell_with(&allowed(), "", "pwd -P", Some(path), &CancelToken::new());
    assert_eq!(run(&path).unwrap(), path.to_str().unwrap());
    let missing = path.join("missing");
    let error = run(&missing).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ShellFailed);
    let text = error.to_string();
    assert!(text.contains("no directory") && text.contains(missing.to_str().unwrap()), "{text}");
}

#[test]
fn an_error_has_command_status_and_stderr() {
    for (command, parts) in [
        ("echo out; echo no such branch >&2; exit 3", &["exit status: 3", "no such branch"][..]),
        ("kill -KILL $$", &["signal: 9"]),
        ("false", &["exit status: 1"]),
        ("no-such-program-at-all", &["exit status: 127", "not found"]),
    ] {
        let error = shell(command).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::ShellFailed);
        let text = error.to_string();
        for part in parts.iter().chain(&[&*format!("`{command}`"), "`x`"]) {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("out:"), "{text}");
    }
    let error = shell("yes error | head -c 1000000 >&2; echo last >&2; exit 1").unwrap_err();
    let text = error.to_string();
    assert!(text.contains("bytes before this]") && text.ends_with("last"), "{text}");
    assert!(text.len() < 5 << 10, "{}", text.len());
}

#[test]
fn a_gigabyte_is_cut_and_fills_no_memory() {
    let registry =
        deck(Dialect::Claude, "", "```!\nhead -c 1073741824 /dev/zero | tr '\\0' x\n```\n");
    let request = Request::line("/x").shape(Shape::Plain);
    let mut text = String::new();
    let info = allocation_counter::measure(|| {
        text = registry.invoke_with(&allowed(), &request).unwrap().into_text();
    });
    let (shown, mark) = text.split_once('\n').unwrap();
    assert!(shown.len() == 64 << 10 && shown.bytes().all(|byte| byte == b'x'), "{}", shown.len());
    assert_eq!(mark, "[output cut: 65536 of 1073741824 bytes]");
    assert!(info.bytes_max < 1 << 20, "{info:?}");
}

#[test]
fn the_bound_is_the_one_of_the_policy() {
    let policy = allowed().shell_max_output(5);
    let run = |command| shell_with(&policy, "", command, None, &CancelToken::new()).unwrap();
    assert_eq!(run("echo 1234"), "1234");
    assert_eq!(run("echo 12345"), "12345\n[output cut: 5 of 6 bytes]");
    assert_eq!(run("echo 1234567"), "12345\n[output cut: 5 of 8 bytes]");
}

#[test]
fn arguments_of_an_outer_skill_are_not_inherited() {
    let outer = ["SKILL_ARG_0", "SKILL_ARG_REST", "ARGUMENTS"].map(|name| (name, "from-above"));
    if !inside("output::arguments_of_an_outer_skill_are_not_inherited", ":", &outer) {
        return;
    }
    assert_eq!(std::env::var("SKILL_ARG_0").unwrap(), "from-above");
    let body = "[ !`echo \"$0\" \"$1\" \"$ARGUMENTS\"` ] [ !`env | grep -c from-above || true` ]\n";
    let registry = deck(Dialect::Claude, "", body);
    let request = Request::line("/x").shape(Shape::Plain);
    let out = registry.invoke_with(&allowed(), &request).unwrap().into_text();
    assert_eq!(out, "[    ] [ 0 ]");
}

#[test]
fn arguments_up_to_what_the_system_passes() {
    let registry = deck(Dialect::Claude, "", "!`printf %s \"$ARGUMENTS\" | wc -c`\n");
    let invoke = |arguments: &str| {
        let request = Request::command("x", arguments).shape(Shape::Plain);
        registry.invoke_with(&allowed(), &request).map(|outcome| outcome.into_text())
    };
    let limit = (128 << 10) - "SKILL_ARG_0=\0".len();
    // Each value fits, but not all of them together.
    if inside("output::arguments_up_to_what_the_system_passes", "ulimit -s 512", &[]) {
        let error = invoke(&"a".repeat(limit)).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::InvalidArguments, "{error}");
        assert!(error.to_string().contains("more than the system passes"), "{error}");
        return;
    }
    assert_eq!(invoke(&"a".repeat(limit)).unwrap().trim(), limit.to_string());
    let error = invoke(&"a".repeat(128 << 10)).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InvalidArguments);
    // As many words as there can be: each is a variable of its own.
    let many = "a ".repeat(limit / 2);
    match invoke(&many) {
        Ok(text) => assert_eq!(text.trim(), many.len().to_string()),
        Err(error) => assert_eq!(error.kind(), &ErrorKind::InvalidArguments),
    }
}

/// Runs a test once more, in a process that was prepared by a shell. There it gives `true`.
fn inside(test: &str, prepare: &str, environment: &[(&str, &str)]) -> bool {
    const INNER: &str = "SKILLDECK_TEST_INNER";
    if std::env::var_os(INNER).is_some() {
        return true;
    }
    let inner = std::process::Command::new("sh")
        .args(["-c", &format!("{prepare} && exec \"$0\" --exact {test}")])
        .arg(std::env::current_exe().unwrap())
        .env(INNER, "1")
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    assert!(inner.status.success(), "{inner:?}");
    let out = String::from_utf8_lossy(&inner.stdout);
    assert!(out.contains("1 passed"), "{out}");
    false
}

#[test]
fn a_host_keeps_what_it_has_around_it() {
    struct Asks;
    impl Host for Asks {
        fn confirm(&self, _: &Question<'_>) -> Answer {
            Answer::Yes
        }
    }
    let memory = Memory::default();
    memory.insert("x", "---\ndescription: x\nrequire-confirmation: true\n---\n!`echo ran`\n");
    let mut info = SourceInfo::new("mine", Tier::USER);
    info.trusted = true;
    let source = Source::memory(std::sync::Arc::new(memory), info);
    let host = ProcessHost::around(Asks);
    let registry = Registry::builder().source(source).host(host).build().unwrap();
    let request = Request::line("/x").shape(Shape::Plain);
    assert_eq!(registry.invoke_with(&allowed(), &request).unwrap().text(), "ran");
    let text = registry.invoke_with(&Policy::new(), &request).unwrap().into_text();
    assert!(text.contains("not run"), "{text}");
}
