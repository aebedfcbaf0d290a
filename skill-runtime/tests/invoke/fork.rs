//! Skills that run in a sub-session.

use skilldeck_runtime::{CancelToken, ErrorKind, Request};

use crate::support::{Recording, deck, deck_with, lines};

const FORKS: &[(&str, &str)] = &[
    ("research", "context: fork\n---\nResearch $ARGUMENTS.\n"),
    ("one", "context: fork\n---\nOne.\n"),
    ("two", "context: fork\n---\nTwo.\n"),
    ("three", "context: fork\n---\nThree.\n"),
    ("four", "context: fork\n---\nFour.\n"),
    ("inline", "context: inline\n---\nInline.\n"),
];

#[test]
fn the_answer_comes_instead_of_the_prompt() {
    let host = Recording::default();
    let registry = deck_with(FORKS, host.clone());
    let outcome = registry.invoke(&Request::line("/research bees").session("s-1")).unwrap();
    assert_eq!((outcome.text(), outcome.is_answer()), ("the answer", true));
    let prompt = "<skill name=\"research\">\nResearch bees.\n</skill>";
    assert_eq!(outcome.parts().instructions, prompt);
    assert_eq!(lines(outcome.events()), ["research started", "research completed"]);
    let forked = host.forked.lock().unwrap();
    let [fork] = &forked[..] else { panic!("{forked:?}") };
    assert_eq!((fork.skill.as_str(), fork.prompt.as_str()), ("research", prompt));
    assert_eq!((fork.session.as_deref(), fork.depth), (Some("s-1"), 1));
    let inline = registry.invoke(&Request::line("/inline")).unwrap();
    assert!(!inline.is_answer() && inline.text().contains("Inline."));
}

#[test]
fn a_host_without_sub_sessions_says_so() {
    let error = deck(FORKS).invoke(&Request::line("/research bees")).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ForkFailed);
    assert!(error.to_string().contains("`research`"), "{error}");
    assert!(error.to_string().contains("sub-session"), "{error}");
}

#[test]
fn a_fork_may_not_invoke_itself() {
    let host = Recording::default();
    let registry = deck_with(FORKS, host.clone());
    registry.invoke(&Request::line("/one")).unwrap();
    let outer = host.forked.lock().unwrap().pop().unwrap().lineage;
    registry.invoke(&Request::line("/two").within(outer)).unwrap();
    let inner = host.forked.lock().unwrap().pop().unwrap().lineage;
    assert_eq!(inner.words().collect::<Vec<_>>(), ["two", "one"]);
    for again in ["/two", "/one"] {
        let error = registry.invoke(&Request::line(again).within(inner.clone())).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Refused);
        assert!(error.to_string().contains("itself"), "{error}");
    }
    assert!(host.forked.lock().unwrap().is_empty());
}

#[test]
fn forks_are_not_endless() {
    let host = Recording::default();
    let registry = deck_with(FORKS, host.clone());
    let mut lineage = skilldeck_runtime::Lineage::default();
    let mut parent = None;
    for (depth, next) in (1..).zip(["/research", "/one", "/two", "/three"]) {
        let outcome = registry.invoke(&Request::line(next).within(lineage)).unwrap();
        assert_eq!(outcome.events()[0].parent(), parent);
        parent = Some(outcome.events()[0].id());
        let fork = host.forked.lock().unwrap().pop().unwrap();
        assert_eq!((fork.depth, fork.lineage.depth()), (depth, depth));
        lineage = fork.lineage;
    }
    let error = registry.invoke(&Request::line("/four").within(lineage.clone())).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Refused);
    assert!(error.to_string().contains("at most 4"), "{error}");
    let text = registry.invoke(&Request::line("/inline").within(lineage)).unwrap();
    assert_eq!(text.events()[0].parent(), parent);
}

#[test]
fn a_cancelled_request_runs_nothing() {
    let host = Recording::default();
    let registry = deck_with(FORKS, host.clone());
    let token = CancelToken::new();
    token.cancel();
    let error = registry.invoke(&Request::line("/research").cancel(token)).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Cancelled);
    assert!(host.forked.lock().unwrap().is_empty());
}
