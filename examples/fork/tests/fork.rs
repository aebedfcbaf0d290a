//! Forks through real processes: answers come back, and neither circles nor depth get lost on the way.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
#[cfg(target_os = "linux")]
use std::{
    process::Stdio,
    time::{Duration, Instant},
};

const HOST: &str = env!("CARGO_BIN_EXE_fork-host");

/// A directory of skills that fork: `(name, body)`.
fn deck(skills: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, body) in skills {
        let path = directory.path().join(name);
        fs::create_dir(&path).unwrap();
        let text = format!("---\nname: {name}\ndescription: x\ncontext: fork\n---\n{body}\n");
        fs::write(path.join("SKILL.md"), text).unwrap();
    }
    directory
}

fn run(deck: &Path, agent: &str, line: &str) -> Output {
    Command::new(HOST)
        .args(["--root", deck.to_str().unwrap(), "--agent", agent, line])
        .env("HOST", HOST)
        .env("DECK", deck)
        .env("AGENT", agent)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap().trim_end()
}

/// An agent that does what its prompt says: `next: /LINE` starts this host once more.
const OBEYS: &str = r#"
prompt=$(cat)
case $prompt in
  *next:*)
    line=${prompt#*next: }
    line=${line%%.*}
    exec "$HOST" --root "$DECK" --agent "$AGENT" "$line" ;;
esac
printf 'answer: %s\n' "${prompt#*>}""#;

#[test]
fn the_agent_gets_the_prompt_and_its_answer_comes_back() {
    let deck = deck(&[("count", "How long is $ARGUMENTS?")]);
    let out = run(deck.path(), "tr a-z A-Z", "/count 'it $(x)'");
    assert!(out.status.success(), "{out:?}");
    assert!(text(&out.stdout).contains("HOW LONG IS 'IT $(X)'?"), "{out:?}");
    // A prompt and an answer that are larger than what a pipe holds.
    let long = "a".repeat(100_000);
    let out = run(deck.path(), "tee /dev/stderr", &format!("/count {long}"));
    assert!(text(&out.stdout).contains(&long), "{:?}", out.status);
}

#[test]
fn an_agent_that_fails_fails_the_skill() {
    let deck = deck(&[("count", "Count.")]);
    let out = run(deck.path(), "echo no credit >&2; exit 4", "/count");
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    let why = text(&out.stderr);
    assert!(why.contains("`count`") && why.contains("exit status: 4: no credit"), "{why}");
}

#[test]
fn a_fork_inside_of_a_fork_answers_through_both() {
    let deck = deck(&[("outer", "next: /inner x."), ("inner", "Do $ARGUMENTS.")]);
    let out = run(deck.path(), OBEYS, "/outer");
    assert!(out.status.success(), "{out:?}");
    assert!(text(&out.stdout).contains("answer:") && text(&out.stdout).contains("Do x."));
}

#[test]
fn no_skill_starts_itself_through_other_processes() {
    let deck = deck(&[("one", "next: /two."), ("two", "next: /one."), ("self", "next: /self.")]);
    for (line, again) in [("/self", "`self`"), ("/one", "`one`"), ("/two", "`two`")] {
        let out = run(deck.path(), OBEYS, line);
        assert_eq!(out.status.code(), Some(1), "{out:?}");
        let why = text(&out.stderr);
        assert!(why.contains(&format!("skill {again} is refused")), "{why}");
        assert!(why.contains("a fork may not invoke itself"), "{why}");
    }
}

#[test]
fn depth_is_bounded_through_other_processes() {
    let skills = [
        ("d1", "next: /d2."),
        ("d2", "next: /d3."),
        ("d3", "next: /d4."),
        ("d4", "next: /d5."),
        ("d5", "The end"),
    ];
    let deck = deck(&skills);
    let out = run(deck.path(), OBEYS, "/d2");
    assert!(out.status.success() && text(&out.stdout).contains("The end"), "{out:?}");
    let out = run(deck.path(), OBEYS, "/d1");
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert!(text(&out.stderr).contains("skill `d5` is refused"), "{out:?}");
    assert!(text(&out.stderr).contains("at most 4"), "{out:?}");
}

/// The deepest agent of several writes its number and stays; the outermost host is killed.
#[cfg(target_os = "linux")]
#[test]
fn no_agent_outlives_a_host_that_is_killed() {
    let deck = deck(&[("outer", "next: /inner."), ("inner", "Stay.")]);
    let ready = deck.path().join("ready");
    let stays =
        OBEYS.replace("printf 'answer", "echo $$ > \"$DECK/ready\"; sleep 300; printf 'answer");
    let mut host = Command::new(HOST)
        .args(["--root", deck.path().to_str().unwrap(), "--agent", &stays, "/outer"])
        .env("HOST", HOST)
        .env("DECK", deck.path())
        .env("AGENT", &stays)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let written = || fs::read_to_string(&ready).unwrap_or_default();
    wait_until(|| written().ends_with('\n'));
    let agent = format!("/proc/{}/cmdline", written().trim());
    // A process that only waits to be waited for has no command line any more.
    let is_alive = || fs::read(&agent).is_ok_and(|line| !line.is_empty());
    assert!(is_alive());
    host.kill().unwrap();
    host.wait().unwrap();
    wait_until(|| !is_alive());
}

#[cfg(target_os = "linux")]
fn wait_until(holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < end, "it did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_lineage_that_cannot_be_read_is_no_lineage_at_all() {
    let deck = deck(&[("count", "Count.")]);
    let out = Command::new(HOST)
        .args(["--root", deck.path().to_str().unwrap(), "--agent", "cat", "/count"])
        .env("SKILLDECK_LINEAGE", "count")
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert!(text(&out.stderr).contains("lineage of forks"), "{out:?}");
}
