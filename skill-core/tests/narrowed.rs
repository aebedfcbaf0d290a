//! Pairs of skills to the one with the restrictions of both: it gives no right that either lacks.

use proptest::prelude::*;
use skilldeck_core::format::{Origin, narrowed, parse};
use skilldeck_core::model::{Agents, Restriction, Skill};

fn skill(keys: &str) -> Skill {
    let text = format!("---\nname: demo\ndescription: d\n{keys}---\nBody\n");
    parse(text.as_bytes(), &Origin::new("demo")).skill.expect("it is UTF-8")
}

/// Everything that may start, run or be approved, as one list of what is given: a right of the
/// narrower one is a right of both.
fn rights(skill: &Skill) -> Vec<String> {
    let mut rights = Vec::new();
    let mut right = |given: bool, name: &str| {
        if given {
            rights.push(name.to_owned());
        }
    };
    right(skill.user_invocable(), "people start it");
    right(!skill.disable_model_invocation(), "models start it");
    right(!skill.require_confirmation(), "nobody is asked");
    right(skill.slash_command().enabled, "it has a command");
    right(skill.restriction() == Restriction::None, "no key is lost");
    right(skill.restriction() != Restriction::Whole, "shell runs");
    for agent in [None, Some("a"), Some("b"), Some("c"), Some("d")] {
        right(skill.allowed_agents().allow(agent), &format!("agent {agent:?}"));
    }
    let has = |list: &[skilldeck_core::model::Text], tool: &str| {
        list.iter().any(|entry| entry == tool || entry == "*")
    };
    for tool in ["Read", "Edit", "Bash", "Bash(git:*)", "Other"] {
        right(has(skill.allowed_tools(), tool), &format!("{tool} is approved"));
        right(!has(skill.disallowed_tools(), tool), &format!("{tool} is not forbidden"));
    }
    rights
}

#[test]
fn the_narrower_of_each_restriction_holds() {
    // Two versions and what holds of both, written as a third.
    for (old, new, both) in [
        ("", "", ""),
        ("allowed-tools: Read, Edit\n", "allowed-tools: Edit, Bash\n", "allowed-tools: Edit\n"),
        ("allowed-tools: '*'\n", "allowed-tools: Read\n", "allowed-tools: Read\n"),
        ("allowed-tools: Read\n", "", ""),
        (
            "disallowed-tools: Bash\n",
            "disallowed-tools: Bash, Edit\n",
            "disallowed-tools: Bash, Edit\n",
        ),
        ("user-invocable: false\n", "user-invocable: true\n", "user-invocable: false\n"),
        ("", "disable-model-invocation: true\n", "disable-model-invocation: true\n"),
        ("require-confirmation: true\n", "", "require-confirmation: true\n"),
        ("allowed-agents: [a, b]\n", "allowed-agents: [b, c]\n", "allowed-agents: b\n"),
        ("allowed-agents: [a]\n", "", "allowed-agents: a\n"),
        ("", "slash-command: {enabled: false}\n", "slash-command: {enabled: false}\n"),
    ] {
        for (old, new) in [(old, new), (new, old)] {
            let kept = narrowed(&skill(old), &skill(new));
            assert_eq!(rights(&kept), rights(&skill(both)), "{old:?} and {new:?}");
        }
    }
}

#[test]
fn agents_without_one_in_common_are_nobody() {
    let kept = narrowed(&skill("allowed-agents: a\n"), &skill("allowed-agents: b\n"));
    assert_eq!(kept.allowed_agents(), &Agents::Nobody);
}

#[test]
fn what_a_damaged_text_lost_is_lost_and_nothing_else_is_taken_from_it() {
    let old = skill("license: MIT\nslash-command: {prefix: x}\nallowed-tools: Read\n");
    let new = "---\nname: other\ndescription: e\nlicense: ISC\nallowed-tools: Read\n";
    let new = parse(new.as_bytes(), &Origin::new("demo")).skill.expect("it is UTF-8");
    assert_eq!(new.restriction(), Restriction::Whole);
    let kept = narrowed(&old, &new);
    assert_eq!(kept.restriction(), Restriction::Whole);
    assert!(kept.disable_model_invocation() && kept.require_confirmation());
    assert!(kept.allowed_tools().is_empty());
    assert_eq!((kept.name(), kept.description(), kept.body()), ("demo", "d", "Body\n"));
    assert_eq!(kept.license(), Some("MIT"));
    assert_eq!(kept.slash_command().prefix.as_deref(), Some("x"));
}

/// Lines about restrictions, sound and damaged.
const LINES: [&str; 26] = [
    "allowed-tools: Read",
    "allowed-tools: Read, Edit, Bash(git:*)",
    "allowed-tools: '*'",
    "allowed-tools: {a: b}",
    "allowed-tools:",
    "disallowed-tools: Bash",
    "disallowed-tools: [Edit, Read]",
    "disallowed-tools: '*'",
    "disallowed-tools: {a: b}",
    "user-invocable: true",
    "user-invocable: false",
    "user-invocable: perhaps",
    "disable-model-invocation: true",
    "disable-model-invocation: false",
    "disable-model-invocation: [",
    "require-confirmation: true",
    "require-confirmation: no",
    "require-confirmation: {}",
    "allowed-agents: a",
    "allowed-agents: [b, c]",
    "allowed-agents: [a, b]",
    "allowed-agents: {a: b}",
    "slash-command: {enabled: false}",
    "slash-command: {enabled: true, prefix: x}",
    "just words",
    "license: \"open",
];

fn any_skill() -> impl Strategy<Value = Skill> {
    let lines = prop::collection::vec(prop::sample::select(&LINES[..]), 0..8);
    (lines, prop::bool::weighted(0.9)).prop_map(|(lines, is_closed)| {
        let mut text = "---\nname: demo\ndescription: d\n".to_owned();
        for line in lines {
            text.push_str(&format!("{line}\n"));
        }
        text.push_str(if is_closed { "---\nBody\n" } else { "" });
        parse(text.as_bytes(), &Origin::new("demo")).skill.expect("it is UTF-8")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn narrowing_never_widens(old in any_skill(), new in any_skill()) {
        let kept = narrowed(&old, &new);
        let (of_old, of_new) = (rights(&old), rights(&new));
        for right in rights(&kept) {
            prop_assert!(of_old.contains(&right) && of_new.contains(&right), "{right}");
        }
        // Every tool and agent that the list still names stood in the older one or in both.
        for tool in kept.allowed_tools() {
            prop_assert!(old.allowed_tools().contains(tool) || new.allowed_tools().contains(tool));
        }
        for tool in old.disallowed_tools().iter().chain(new.disallowed_tools()) {
            prop_assert!(kept.disallowed_tools().contains(tool), "{tool}");
        }
        prop_assert_eq!(rights(&kept), rights(&narrowed(&new, &old)));
        prop_assert_eq!(&narrowed(&kept, &new), &kept);
        prop_assert_eq!(kept.body(), old.body());
    }

    #[test]
    fn nothing_is_narrower_than_a_skill_and_itself(skill in any_skill()) {
        let kept = narrowed(&skill, &skill);
        prop_assert_eq!(rights(&kept), rights(&skill));
        prop_assert_eq!(kept.allowed_agents(), skill.allowed_agents());
    }
}
