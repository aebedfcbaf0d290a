//! What a skill depends on comes first, each once, under its own rules.

use std::sync::Arc;

use skilldeck_runtime::{
    Audience, Caller, ErrorKind, HostError, Initiator, Policy, Reason, Registry, Request, Shape,
    Verdict,
};

use crate::support::{Events, Recording, deck, deck_with, lines, source};

const DIAMOND: &[(&str, &str)] = &[
    ("base", "disallowed-tools: [Write]\n---\nBase [$ARGUMENTS].\n"),
    ("left", "depends-on: base\nallowed-tools: [Write]\n---\nLeft.\n"),
    ("right", "depends-on: base\n---\nRight.\n"),
    ("top", "depends-on: [right, left]\nallowed-tools: [Read]\n---\nTop.\n"),
];

#[test]
fn blocks_stand_in_order_with_empty_arguments() {
    let registry = deck(DIAMOND);
    let invoke = |shape| registry.invoke(&Request::line("/top go on").shape(shape)).unwrap();
    let block = |name: &str, body: &str| format!("<skill name=\"{name}\">\n{body}\n</skill>");
    let first = [block("base", "Base []."), block("left", "Left."), block("right", "Right.")];
    let instructions = format!("{}\n\n{}", first.join("\n\n"), block("top", "Top."));
    let user = invoke(Shape::User);
    assert_eq!(user.text(), format!("{instructions}\n\ngo on"));
    let parts = user.parts();
    assert_eq!((&*parts.instructions, parts.arguments), (instructions.as_str(), "go on"));
    let plain = invoke(Shape::Plain);
    let bodies = "Base [].\n\nLeft.\n\nRight.\n\nTop.";
    assert_eq!(plain.text(), format!("{bodies}\n\nARGUMENTS: go on"));
    assert_eq!(plain.parts().instructions, bodies);
    let agui = invoke(Shape::Agui);
    assert_eq!(agui.text(), "Base [].\n\nLeft.\n\nRight.\n\nUser input: go on\n\nTop.");
    assert_eq!(agui.parts().instructions, bodies);
    let tool = invoke(Shape::Tool);
    assert_eq!(tool.text().matches("<skill_content name=").count(), 4);
    assert!(tool.text().ends_with("ARGUMENTS: go on\n</skill_instructions>\n</skill_content>"));
    assert!(!tool.parts().instructions.contains("go on"));
}

#[test]
fn what_they_disallow_holds_and_what_they_allow_does_not() {
    let registry = deck(DIAMOND);
    let outcome = registry.invoke(&Request::line("/top")).unwrap();
    assert_eq!(outcome.grant().allowed_tools, ["Read"]);
    assert_eq!(outcome.grant().disallowed_tools, ["Write"]);
}

#[test]
fn each_has_an_activation_with_its_parent() {
    let registry = deck(DIAMOND);
    let events = Arc::new(Events::default());
    let request = Request::line("/top secret").observer(events.clone());
    let outcome = registry.invoke(&request).unwrap();
    let expected = [
        "top started",
        "base started",
        "base completed",
        "left started",
        "left completed",
        "right started",
        "right completed",
        "top completed",
    ];
    assert_eq!(lines(outcome.events()), expected);
    assert_eq!(events.take(), outcome.events());
    let (top, inner) = (&outcome.events()[0], &outcome.events()[1..7]);
    assert_eq!(top.parent(), None);
    assert!(inner.iter().all(|event| event.parent() == Some(top.id())));
    assert!(inner.iter().all(|event| event.arguments_hash() != top.arguments_hash()));
    assert_eq!((outcome.word(), outcome.skill()), ("top", "top"));
}

#[test]
fn one_that_is_refused_refuses_the_dependant() {
    let registry = deck(&[
        ("base", "disable-model-invocation: true\n---\nBase.\n"),
        ("guarded", "allowed-agents: [main]\n---\nGuarded.\n"),
        ("top", "depends-on: base\n---\nTop.\n"),
        ("over", "depends-on: guarded\n---\nOver.\n"),
    ]);
    assert!(registry.invoke(&Request::line("/top")).is_ok());
    let error = registry.invoke(&Request::line("/top").initiator(Initiator::Model)).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Refused);
    let message = "skill `top` is refused: its dependency `base`: it is not for models to start";
    assert!(error.to_string().starts_with(message), "{error}");
    assert!(registry.invoke(&Request::line("/over")).is_err());
    assert!(registry.invoke(&Request::line("/over").agent("main")).is_ok());
}

/// Decks in which `top` depends on `middle`, and that on `base` with these keys; whether each caller
/// may start `top`.
#[test]
fn nothing_is_offered_that_a_dependency_refuses() {
    let user = Caller::new(Initiator::User);
    let model = Caller::new(Initiator::Model);
    let main = |caller: Caller<'static>| Caller { agent: Some("main"), ..caller };
    let callers = [user, model, main(user), main(model)];
    let table = [
        ("", true, [true, true, true, true]),
        ("disable-model-invocation: true\n", true, [true, false, true, false]),
        // A person types the dependant; its helpers are hidden from menus on purpose.
        ("user-invocable: false\n", true, [true, true, true, true]),
        ("slash-command: {enabled: false}\n", true, [false, false, false, false]),
        ("allowed-agents: [main]\n", true, [false, false, true, true]),
        ("allowed-agents: [other]\n", true, [false, false, false, false]),
        ("", false, [true, false, true, false]),
    ];
    for (keys, trusted, expected) in table {
        let base = [("base", &*format!("{keys}---\nBase.\n"))];
        let over = [
            ("middle", "depends-on: base\n---\nMiddle.\n"),
            ("top", "depends-on: middle\n---\nTop.\n"),
        ];
        let builder = Registry::builder().source(source("low", trusted, &base));
        let registry = builder.source(source("mine", true, &over)).build().unwrap();
        let snapshot = registry.snapshot();
        for (caller, expected) in callers.iter().zip(expected) {
            let decision = Policy::default().decide(snapshot.get("top").unwrap(), caller);
            assert_eq!(!decision.is_denied(), expected, "{keys} {caller:?}: {decision:?}");
            let offered = snapshot.listing_for(caller, None).text.contains("- top");
            assert_eq!(offered, expected, "{keys} {caller:?}");
            let mut request = Request::line("/top").initiator(caller.initiator);
            if let Some(agent) = caller.agent {
                request = request.agent(agent);
            }
            let invoked = registry.invoke(&request);
            assert_eq!(invoked.is_ok(), expected, "{keys} {caller:?}: {invoked:?}");
            for reason in decision.reasons {
                assert!(invoked.as_ref().unwrap_err().to_string().ends_with(&reason.to_string()));
            }
        }
        let offered = snapshot.listing(Audience::Model, None).text.contains("- top");
        assert_eq!(offered, expected[1], "{keys}");
        let offered = snapshot.listing(Audience::User, None).text.contains("- top");
        assert_eq!(offered, expected[0], "{keys}");
    }
}

#[test]
fn a_dependency_that_asks_makes_the_decision_ask() {
    let registry = deck(&[
        ("base", "require-confirmation: true\n---\nBase.\n"),
        ("top", "depends-on: base\n---\nTop.\n"),
    ]);
    let snapshot = registry.snapshot();
    let decision = Policy::default().decide(snapshot.get("top").unwrap(), &Caller::default());
    let reason = Box::new(Reason::AsksFirst);
    let reasons = vec![Reason::Dependency { word: "base".to_owned(), reason }];
    assert_eq!((decision.verdict, decision.reasons), (Verdict::Ask, reasons));
}

#[test]
fn each_has_its_own_trust() {
    let theirs = source("theirs", false, &[("base", "Base !`id`.\n")]);
    let mine = source("mine", true, &[("top", "depends-on: base\n---\nTop !`id`.\n")]);
    let host = Recording::default();
    let builder = Registry::builder().source(theirs).source(mine).host(host.clone());
    let registry = builder.build().unwrap();
    let policy = Policy::new().allow_shell(true);
    let request = Request::line("/top").shape(Shape::Plain);
    let text = registry.invoke_with(&policy, &request).unwrap().into_text();
    let base = "Base [shell command not run: the source of the skill is not trusted].";
    assert_eq!(text, format!("{base}\n\nTop output."));
    assert_eq!(host.ran.lock().unwrap().len(), 1);
    assert!(registry.invoke(&request.initiator(Initiator::Model)).is_err());
}

#[test]
fn one_that_fails_fails_the_dependant() {
    let host = Recording { shell: Err(HostError::Failed("exit 3".into())), ..Recording::default() };
    let skills = [("base", "Base !`false`.\n"), ("top", "depends-on: base\n---\nTop.\n")];
    let registry = deck_with(&skills, host);
    let events = Arc::new(Events::default());
    let request = Request::line("/top").observer(events.clone());
    let error = registry.invoke_with(&Policy::new().allow_shell(true), &request).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ShellFailed);
    let expected =
        ["top started", "base started", "base failed shell_failed", "top failed shell_failed"];
    assert_eq!(events.lines(), expected);
}

#[test]
fn arguments_are_looked_at_before_anything_runs() {
    let host = Recording::default();
    let top = "depends-on: base\n---\nTop !`echo \"$0\"`.\n";
    let registry = deck_with(&[("base", "Base !`touch x`.\n"), ("top", top)], host.clone());
    let request = Request::command("top", "a\0b");
    let error = registry.invoke_with(&Policy::new().allow_shell(true), &request).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InvalidArguments);
    assert!(host.ran.lock().unwrap().is_empty());
}

#[test]
fn a_chain_of_reasons_reaches_the_one_who_asks() {
    let registry = deck(&[
        ("low", "depends-on: nowhere\n---\nx\n"),
        ("middle", "depends-on: low\n---\nx\n"),
        ("high", "depends-on: middle\n---\nx\n"),
    ]);
    let error = registry.invoke(&Request::line("/high")).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Unavailable);
    for part in ["`high`", "middle", "low", "nowhere"] {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
}
