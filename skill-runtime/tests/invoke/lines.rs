//! Lines to skills, and the errors of lines that reach none.

use skilldeck_core::format::Layout;
use skilldeck_runtime::{ErrorKind, Initiator, Registry, Request, Shape};

use crate::support::{deck, source};

fn kind(registry: &Registry, request: &Request) -> (ErrorKind, String) {
    let error = registry.invoke(request).unwrap_err();
    (error.kind().clone(), error.to_string())
}

#[test]
fn every_form_reaches_the_skill() {
    let registry = deck(&[("git-helper", "aliases: [gh]\n---\nDo $ARGUMENTS\n")]);
    let forms = [
        "/skill:git-helper a  b",
        "/skill git-helper a  b",
        "/skills git-helper a  b",
        "/git-helper a  b",
        "/skill:Git_Helper a  b",
        "/gh a  b",
        "/skill:gh\u{2003}a  b",
    ];
    for form in forms {
        let outcome = registry.invoke(&Request::line(form).shape(Shape::Plain)).unwrap();
        assert_eq!((outcome.text(), outcome.word()), ("Do a  b", "git-helper"), "{form}");
    }
    let bare = Request::line("gh a  b").bare(true).shape(Shape::Plain);
    assert_eq!(registry.invoke(&bare).unwrap().text(), "Do a  b");
    let prefixed = Request::line("/s:gh a  b").prefix("/s:").shape(Shape::Plain);
    assert_eq!(registry.invoke(&prefixed).unwrap().text(), "Do a  b");
}

#[test]
fn an_unknown_word_names_the_nearest_that_may_be_used() {
    let registry = deck(&[
        ("commit", "x\n"),
        ("commits", "user-invocable: false\n---\nx\n"),
        ("other", "x\n"),
    ]);
    let (kind_of, message) = kind(&registry, &Request::line("/skill:comit x"));
    assert_eq!(kind_of, ErrorKind::UnknownSkill { nearest: vec!["commit".to_owned()] });
    assert_eq!(message, "no skill is called `comit`; did you mean `commit`?");
    let (_, message) =
        kind(&registry, &Request::line("/skill:comit x").initiator(Initiator::Model));
    assert!(message.contains("`commits`"), "{message}");
    let (kind_of, message) = kind(&registry, &Request::command("zzzzzzzz", ""));
    assert_eq!(kind_of, ErrorKind::UnknownSkill { nearest: Vec::new() });
    assert_eq!(message, "no skill is called `zzzzzzzz`; there are commit, other");
}

#[test]
fn several_matches_are_an_error_that_lists_them() {
    let source = source("mine", true, &[("git-helper", "x\n"), ("git:helper", "x\n")])
        .with_info(|info| info.layout = Layout::Commands);
    let registry = Registry::builder().source(source).build().unwrap();
    let (kind_of, message) = kind(&registry, &Request::line("/skill:Git_Helper x"));
    let ErrorKind::Ambiguous { candidates } = kind_of else { panic!("{message}") };
    assert_eq!(candidates, ["git-helper", "git:helper"]);
    assert!(message.contains("git-helper or git:helper"), "{message}");
}

#[test]
fn lines_that_name_no_skill() {
    let registry = deck(&[("commit", "x\n"), ("help", "x\n")]);
    let messages = [
        ("/skills", "no skill is named; there are commit, help"),
        ("hello there", "the line is no command: it names no skill; there are commit, help"),
        ("/help me", "`/help` is a command of the host and no skill; there are commit, help"),
    ];
    for (line, expected) in messages {
        let (kind, message) = kind(&registry, &Request::line(line).native_commands(["help"]));
        assert_eq!(kind, ErrorKind::UnknownSkill { nearest: Vec::new() });
        assert_eq!(message, expected);
    }
    assert!(registry.invoke(&Request::line("/skill:help me").native_commands(["help"])).is_ok());
}

#[test]
fn without_any_source_skills_are_unavailable() {
    let registry = Registry::builder().build().unwrap();
    let (_, message) = kind(&registry, &Request::line("/skill:x"));
    assert_eq!(message, "skills are unavailable: there is no source of skills");
}
