//! What a model is told of the skills there are, and of what changes.

use std::sync::Arc;

use skilldeck_runtime::{Announcer, Initiator, Memory, ModelTool, Registry, Request, Source};

use crate::support::{info, skill};

fn deck(texts: &[(&str, &str)]) -> (Arc<Memory>, Registry) {
    let memory = Arc::new(Memory::default());
    for (name, text) in texts {
        memory.insert(*name, skill(text));
    }
    let source = Source::memory(Arc::clone(&memory), info("mine", true));
    (memory, Registry::builder().source(source).build().unwrap())
}

#[test]
fn only_what_a_listing_shows_is_announced_and_once() {
    let (memory, registry) = deck(&[("a", "A.\n"), ("b", "B.\n"), ("c", "C.\n")]);
    let mut announcer = Announcer::new();
    let start = "- a: For a test.\n- b: For a test.\n- c: For a test.";
    assert_eq!(announcer.listing(&registry.snapshot()).text, start);

    let mut after = |change: &dyn Fn(&Memory)| {
        change(&memory);
        registry.reload();
        let update = announcer.update(&registry.snapshot());
        assert_eq!(announcer.update(&registry.snapshot()), None, "told already");
        update
    };
    let new = |lines: &str| Some(format!("New or changed skills:\n{lines}"));
    let gone = |words: &str| Some(format!("Skills no longer available: {words}"));
    assert_eq!(after(&|it| it.insert("a", skill("Another body.\n"))), None);
    let described = "---\ndescription: Another.\n---\nA.\n";
    assert_eq!(after(&|it| it.insert("a", described)), new("- a: Another."));
    let withdrawn = skill("disable-model-invocation: true\n---\nB.\n");
    assert_eq!(after(&|it| it.insert("b", withdrawn.as_str())), gone("b"));
    assert_eq!(after(&|it| it.insert("b", skill("B.\n"))), new("- b: For a test."));
    let many = after(&|it| {
        it.remove("a");
        it.remove("c");
        it.insert("d", skill("D.\n"));
    });
    let both = "New or changed skills:\n- d: For a test.\nSkills no longer available: a, c";
    assert_eq!(many.as_deref(), Some(both));
    assert_eq!(after(&|_| ()), None);
}

#[test]
fn a_budget_holds_for_updates_and_makes_none() {
    let long = |about: &str| format!("---\ndescription: {}\n---\nBody.\n", about.repeat(40));
    let (memory, registry) = deck(&[]);
    for name in ["a", "b"] {
        memory.insert(name, long("word "));
    }
    registry.reload();
    let mut announcer = Announcer::new().budget(100);
    let listing = announcer.listing(&registry.snapshot());
    assert!(listing.text.chars().count() <= 100 && listing.shortened == ["a", "b"], "{listing:?}");
    // More room for the others is no change of theirs.
    memory.remove("b");
    registry.reload();
    let update = announcer.update(&registry.snapshot());
    assert_eq!(update.as_deref(), Some("Skills no longer available: b"));
    for name in ["c", "d", "e"] {
        memory.insert(name, long("some "));
    }
    memory.remove("a");
    registry.reload();
    let update = announcer.update(&registry.snapshot()).unwrap();
    assert!(update.chars().count() <= 100, "{} {update}", update.chars().count());
    for line in ["- c: some", "- d: some", "- e: some", "Skills no longer available: a"] {
        assert!(update.contains(line), "{update}");
    }
}

#[test]
fn agents_hear_of_what_is_theirs() {
    let (_, registry) = deck(&[("theirs", "allowed-agents: [main]\n---\nFor main.\n")]);
    assert_eq!(Announcer::new().update(&registry.snapshot()), None);
    let update = Announcer::new().agent("main").update(&registry.snapshot());
    assert_eq!(update.as_deref(), Some("New or changed skills:\n- theirs: For a test."));
}

#[test]
fn the_tool_takes_a_name_as_models_write_it() {
    let (_, registry) = deck(&[
        ("greet", "Greet $ARGUMENTS.\n"),
        ("mine", "disable-model-invocation: true\n---\nMine.\n"),
    ]);
    let tool = ModelTool::new();
    for name in ["greet", "/greet", "/skill:greet", "skill:greet", "Greet"] {
        let outcome = registry.invoke(&tool.request(name, "Ada \"L\"")).unwrap();
        assert!(outcome.text().contains("Greet Ada \"L\"."), "{name}: {}", outcome.text());
        assert_eq!(outcome.events()[0].initiator(), Initiator::Model);
    }
    registry.invoke(&tool.request("mine", "")).unwrap_err();
    let parameters: serde_json::Value = serde_json::from_str(ModelTool::PARAMETERS).unwrap();
    assert_eq!(parameters["required"], serde_json::json!(["name"]));
    assert_eq!(parameters["properties"].as_object().unwrap().len(), 2);
}

#[test]
fn the_list_is_what_may_be_typed() {
    let (_, registry) = deck(&[
        ("hidden", "user-invocable: false\n---\nH.\n"),
        ("own", "slash-command: {prefix: \"do-\"}\n---\nO.\n"),
        ("review", "argument-hint: \"[path]  [depth]\"\n---\nR.\n"),
    ]);
    let expected = "/do-own: For a test.\n/skill:review [path] [depth]: For a test.";
    for line in ["/skills", "/skill", "/skill:", "/skills  "] {
        assert_eq!(registry.menu(&Request::line(line)).as_deref(), Some(expected), "{line}");
        let error = registry.invoke(&Request::line(line)).unwrap_err();
        assert!(error.to_string().contains("no skill is named"), "{error}");
    }
    let prefixed = Request::line("/x:").prefix("/x:");
    assert!(registry.menu(&prefixed).unwrap().contains("/x:review [path]"));
    for line in ["/skills review", "skills", "/review"] {
        assert_eq!(registry.menu(&Request::line(line)), None, "{line}");
    }
    let empty = Registry::builder().build().unwrap();
    let unavailable = empty.menu(&Request::line("/skills")).unwrap();
    assert!(unavailable.starts_with("skills are unavailable"), "{unavailable}");
}
