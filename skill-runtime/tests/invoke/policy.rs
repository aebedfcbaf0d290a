//! Who may start what, and what of it is recorded.

use std::sync::Arc;

use skilldeck_core::model::Restriction;
use skilldeck_runtime::{
    Caller, ErrorKind, Initiator, Policy, Reason, Registry, Request, Shape, Verdict,
};

use crate::support::{Events, deck, lines, source, untrusted};

const USER: Caller<'_> = Caller::new(Initiator::User);
const MODEL: Caller<'_> = Caller::new(Initiator::Model);

fn decide(registry: &Registry, word: &str, caller: Caller<'_>) -> (Verdict, Vec<Reason>) {
    let snapshot = registry.snapshot();
    let decision = Policy::default().decide(snapshot.get(word).unwrap(), &caller);
    (decision.verdict, decision.reasons)
}

fn agent(name: &str) -> Caller<'_> {
    Caller { agent: Some(name), ..Caller::new(Initiator::User) }
}

#[test]
fn the_rules_one_by_one() {
    let registry = deck(&[
        ("plain", "x\n"),
        ("for-models", "user-invocable: false\n---\nx\n"),
        ("for-users", "disable-model-invocation: true\n---\nx\n"),
        ("off", "slash-command: {enabled: false}\n---\nx\n"),
        ("guarded", "allowed-agents: [main, admin]\n---\nx\n"),
        ("careful", "require-confirmation: true\n---\nx\n"),
        ("garbled", "user-invocable: perhaps\n---\nx\n"),
        ("lost", "depends-on: nowhere\n---\nx\n"),
    ]);
    let allow =
        |word, caller| assert_eq!(decide(&registry, word, caller), (Verdict::Allow, vec![]));
    let deny = |word, caller, reason| {
        assert_eq!(decide(&registry, word, caller), (Verdict::Deny, vec![reason]), "{word}");
    };
    allow("plain", USER);
    allow("plain", MODEL);
    deny("for-models", USER, Reason::NotForUsers);
    allow("for-models", MODEL);
    allow("for-users", USER);
    deny("for-users", MODEL, Reason::NotForModels);
    deny("off", USER, Reason::Disabled);
    deny("off", MODEL, Reason::Disabled);
    deny("guarded", USER, Reason::UnknownAgent);
    deny("guarded", agent("sub"), Reason::Agent("sub".to_owned()));
    allow("guarded", agent("admin"));
    assert_eq!(decide(&registry, "careful", USER), (Verdict::Ask, vec![Reason::AsksFirst]));
    deny("garbled", USER, Reason::NotForUsers);
    let (verdict, reasons) = decide(&registry, "lost", USER);
    assert_eq!(verdict, Verdict::Deny);
    assert!(matches!(&reasons[..], [Reason::Unusable(why)] if why.contains("nowhere")));
}

#[test]
fn an_untrusted_skill_is_text_for_people_and_nothing_for_models() {
    let keys = "allowed-tools: Read\ndisallowed-tools: Bash(rm:*)\n";
    let registry = untrusted(&[("evil", &format!("{keys}---\nLook: !`touch pwned`\n"))]);
    assert_eq!(decide(&registry, "evil", USER).0, Verdict::Allow);
    assert_eq!(decide(&registry, "evil", MODEL), (Verdict::Deny, vec![Reason::Untrusted]));
    let request = Request::line("/evil").shape(Shape::Plain);
    let outcome = registry.invoke_with(&Policy::new().allow_shell(true), &request).unwrap();
    let expected = "Look: [shell command not run: the source of the skill is not trusted]";
    assert_eq!(outcome.text(), expected);
    assert_eq!(outcome.grant().allowed_tools, [""; 0]);
    assert_eq!(outcome.grant().disallowed_tools, ["Bash(rm:*)"]);
    let error = registry.invoke(&request.initiator(Initiator::Model)).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Refused);
    assert!(error.to_string().contains("not trusted"), "{error}");
}

#[test]
fn a_damaged_file_is_confirmed_and_kept_from_models() {
    let registry = untrusted_text("broken", "---\nallowed-tools: Bash\n\n# Text\n\nDo it.\n");
    let snapshot = registry.snapshot();
    let entry = snapshot.get("broken").unwrap();
    assert_eq!(entry.skill().restriction(), Restriction::Whole);
    assert_eq!(decide(&registry, "broken", USER), (Verdict::Ask, vec![Reason::DamagedAsksFirst]));
    assert_eq!(decide(&registry, "broken", MODEL), (Verdict::Deny, vec![Reason::Damaged]));
    assert_eq!(Policy::default().grant(entry).allowed_tools, [""; 0]);
}

/// A trusted deck of one skill with exactly this text.
fn untrusted_text(name: &str, text: &str) -> Registry {
    let memory = skilldeck_runtime::Memory::default();
    memory.insert(name, text);
    let info = crate::support::info("mine", true);
    let source = skilldeck_runtime::Source::memory(Arc::new(memory), info);
    Registry::builder().source(source).build().unwrap()
}

#[test]
fn refusals_are_recorded_and_are_no_activation() {
    let registry = deck(&[
        ("plain", "x\n"),
        ("for-models", "user-invocable: false\n---\nx\n"),
        ("lost", "depends-on: nowhere\n---\nx\n"),
        ("careful", "require-confirmation: true\n---\nx\n"),
    ]);
    let events = Arc::new(Events::default());
    let invoke = |line: &str| {
        let result = registry.invoke(&Request::line(line).observer(events.clone()));
        (result, events.lines())
    };
    let (result, seen) = invoke("/for-models");
    assert_eq!(result.unwrap_err().kind(), &ErrorKind::Refused);
    assert_eq!(seen, ["for-models refused refused"]);
    let (result, seen) = invoke("/lost");
    let error = result.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Unavailable);
    assert!(error.to_string().contains("nowhere"), "{error}");
    assert_eq!(seen, ["lost refused unavailable"]);
    let (result, seen) = invoke("/careful");
    assert!(matches!(result.unwrap_err().kind(), ErrorKind::NeedsConfirmation { .. }));
    assert_eq!(seen, [""; 0]);
    let (result, seen) = invoke("/unknown");
    assert!(matches!(result.unwrap_err().kind(), ErrorKind::UnknownSkill { .. }));
    assert_eq!(seen, [""; 0]);
    let (result, seen) = invoke("/plain x");
    assert_eq!(seen, ["plain started", "plain completed"]);
    assert_eq!(lines(result.unwrap().events()), seen);
}

#[test]
fn events_say_who_and_what_and_never_the_arguments() {
    let registry = deck(&[("plain", "name: Plain It\nversion: 1.10\n---\n$ARGUMENTS\n")]);
    let request = Request::line("/plain secret")
        .protocol("acp")
        .agent("main")
        .session("s-1")
        .initiator(Initiator::Model);
    let outcome = registry.invoke(&request).unwrap();
    let [started, completed] = outcome.events() else { panic!("{:?}", outcome.events()) };
    assert_eq!(started.id(), completed.id());
    assert_eq!((started.duration(), completed.success()), (None, Some(true)));
    assert!(completed.duration_ms().is_some());
    for event in outcome.events() {
        assert_eq!((event.skill(), event.name()), ("plain-it", "Plain It"));
        assert_eq!((event.version(), event.source()), (Some("1.10"), "mine"));
        assert_eq!((event.protocol(), event.agent()), ("acp", Some("main")));
        assert_eq!((event.session(), event.initiator()), (Some("s-1"), Initiator::Model));
        assert_eq!((event.generation(), event.parent()), (outcome.generation(), None));
        assert!(!format!("{event:?}").contains("secret"));
    }
    let again = registry.invoke(&request).unwrap();
    let other = registry.invoke(&Request::line("/plain other")).unwrap();
    let hash = |outcome: &skilldeck_runtime::Outcome| outcome.events()[0].arguments_hash();
    assert_eq!(hash(&again), hash(&outcome));
    assert_ne!(hash(&other), hash(&outcome));
    assert!(!format!("{request:?}").contains("secret"));
}

#[test]
fn an_untrusted_skill_that_shadows_a_trusted_one_is_named() {
    let theirs = source("theirs", false, &[("commit", "theirs\n")]);
    let mine = source("mine", true, &[("commit", "mine\n"), ("other", "mine\n")]);
    let registry = Registry::builder().source(theirs).source(mine).build().unwrap();
    let outcome = registry.invoke(&Request::line("/commit")).unwrap();
    assert!(outcome.text().contains("theirs"));
    let [notice] = outcome.notices() else { panic!("{:?}", outcome.notices()) };
    assert!(notice.contains("`theirs`") && notice.contains("`mine`"), "{notice}");
    assert_eq!(registry.invoke(&Request::line("/other")).unwrap().notices(), [""; 0]);
}

#[test]
fn a_skill_can_keep_its_outcome_from_being_delivered() {
    let registry = deck(&[
        ("quiet", "slash-command: {auto-inject: false}\nallowed-tools: Read\n---\nx\n"),
        ("loud", "x\n"),
    ]);
    let quiet = registry.invoke(&Request::line("/quiet")).unwrap();
    assert!(!quiet.inject());
    assert_eq!(quiet.grant().allowed_tools, ["Read"]);
    assert!(registry.invoke(&Request::line("/loud")).unwrap().inject());
}
