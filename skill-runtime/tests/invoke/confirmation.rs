//! Asking a person, directly or by a token.

use skilldeck_runtime::{Answer, ErrorKind, Initiator, Registry, Request, Shape};

use crate::support::{Recording, deck_with};

const CAREFUL: &[(&str, &str)] = &[
    ("base", "require-confirmation: true\n---\nBase.\n"),
    ("other", "require-confirmation: true\n---\nOther.\n"),
    ("top", "depends-on: [base, plain]\nrequire-confirmation: true\n---\nTop $ARGUMENTS.\n"),
    ("plain", "Plain.\n"),
];

fn registry(answer: Answer) -> (Registry, Recording) {
    let host = Recording { answer, ..Recording::default() };
    (deck_with(CAREFUL, host.clone()), host)
}

/// The token of a request that needs one.
fn token(registry: &Registry, request: &Request) -> String {
    let error = registry.invoke(request).unwrap_err();
    match error.kind() {
        ErrorKind::NeedsConfirmation { token, .. } => token.clone(),
        other => panic!("{other:?}: {error}"),
    }
}

#[test]
fn a_person_is_asked_once_for_all() {
    let (registry, host) = registry(Answer::Yes);
    let text = registry.invoke(&Request::line("/top secret")).unwrap().into_text();
    assert!(text.contains("Base.") && text.contains("Top secret."), "{text}");
    let asked = host.asked.lock().unwrap();
    let [question] = &asked[..] else { panic!("{asked:?}") };
    assert!(question.starts_with("base,top: run skill `top`?"), "{question}");
    assert!(!question.contains("secret") && !question.contains('\n'), "{question}");
}

#[test]
fn no_is_no() {
    let (registry, _) = registry(Answer::No);
    let error = registry.invoke(&Request::line("/top x")).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Refused);
    assert_eq!(error.to_string(), "skill `top` is refused: it was not confirmed");
}

#[test]
fn a_repeated_request_with_its_token_goes_through() {
    let (registry, _) = registry(Answer::CannotAsk);
    let request = Request::line("/top x").session("s-1").agent("main");
    let token = token(&registry, &request);
    assert_eq!(token.len(), 32);
    let confirmed = request.confirmation(token);
    assert!(registry.invoke(&confirmed).unwrap().text().contains("Top x."));
    let same = Request::command("TOP", "x").session("s-1").agent("main");
    let error = registry.invoke(&same).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NeedsConfirmation { .. }), "{error}");
}

#[test]
fn a_token_is_for_one_request_only() {
    let (registry, _) = registry(Answer::CannotAsk);
    let request = || Request::line("/top x").session("s-1").agent("main");
    let token = token(&registry, &request());
    let others = [
        ("arguments", Request::line("/top y").session("s-1").agent("main")),
        ("skill", Request::line("/other x").session("s-1").agent("main")),
        ("session", Request::line("/top x").session("s-2").agent("main")),
        ("agent", Request::line("/top x").session("s-1").agent("sub")),
        ("no agent", Request::line("/top x").session("s-1")),
        ("empty agent", Request::line("/top x").session("s-1").agent("")),
        ("shape", request().shape(Shape::Plain)),
        ("directory", request().directory("/elsewhere")),
        ("project", request().project("/elsewhere")),
        ("initiator", request().initiator(Initiator::Model)),
    ];
    for (what, other) in others {
        let error = registry.invoke(&other.confirmation(token.as_str())).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NeedsConfirmation { .. }), "{what}: {error}");
    }
    for wrong in ["", "0", "x", &token[1..], &"0".repeat(32), &format!("+{}", &token[1..])] {
        let error = registry.invoke(&request().confirmation(wrong)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NeedsConfirmation { .. }), "{wrong}: {error}");
    }
}

#[test]
fn nothing_and_an_empty_text_are_two_things() {
    let (registry, _) = registry(Answer::CannotAsk);
    let request = || Request::line("/top x");
    let token = token(&registry, &request());
    let agent = request().agent("").confirmation(token.as_str());
    let session = request().session("").confirmation(token.as_str());
    for other in [agent, session] {
        let error = registry.invoke(&other).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NeedsConfirmation { .. }), "{error}");
    }
    assert!(registry.invoke(&request().confirmation(token)).is_ok());
}

#[test]
fn a_token_is_for_one_registry_and_one_source() {
    let request = Request::line("/top x");
    let build = |name| {
        let source = crate::support::source(name, true, CAREFUL);
        Registry::builder().source(source).build().unwrap()
    };
    let (mine, twin, theirs) = (build("mine"), build("mine"), build("theirs"));
    let confirmed = request.clone().confirmation(token(&mine, &request));
    for other in [&twin, &theirs] {
        let error = other.invoke(&confirmed).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NeedsConfirmation { .. }), "{error}");
    }
    assert!(mine.invoke(&confirmed).is_ok());
}

#[test]
fn a_token_ends_with_its_generation() {
    use std::sync::Arc;

    use skilldeck_runtime::{Memory, Source};

    let memory = Arc::new(Memory::default());
    let text = "---\ndescription: x\nrequire-confirmation: true\n---\n";
    memory.insert("top", format!("{text}One.\n"));
    let source = Source::memory(memory.clone(), crate::support::info("mine", true));
    let registry = Registry::builder().source(source).build().unwrap();
    let token = token(&registry, &Request::line("/top"));
    assert!(registry.invoke(&Request::line("/top").confirmation(token.as_str())).is_ok());
    memory.insert("top", format!("{text}Two.\n"));
    registry.reload();
    let error = registry.invoke(&Request::line("/top").confirmation(token)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NeedsConfirmation { .. }), "{error}");
}
