//! What the last good version may do: never more than either of the two texts says.

use std::fs;

use skilldeck_core::model::{Agents, Restriction, Skill};
use skilldeck_runtime::{Audience, Caller, Policy, ShellRule, Verdict};

use crate::now;
use crate::stale;
use crate::support::{Tree, registry, user};

/// Whether a skill obeys something.
type Obeys = fn(&Skill) -> bool;

#[test]
fn the_narrower_of_both_restrictions_holds() {
    let rows: [(&str, &str, Obeys); 16] = [
        ("", "user-invocable: false\n", |it| !it.user_invocable()),
        ("user-invocable: false\n", "", |it| !it.user_invocable()),
        ("", "user-invocable: perhaps\n", |it| !it.user_invocable()),
        ("", "disable-model-invocation: true\n", Skill::disable_model_invocation),
        ("disable-model-invocation: true\n", "", Skill::disable_model_invocation),
        ("", "require-confirmation: true\n", Skill::require_confirmation),
        ("require-confirmation: true\n", "require-confirmation: false\n", |it| {
            it.require_confirmation()
        }),
        ("", "allowed-agents: [a]\n", |it| !it.allowed_agents().allow(Some("b"))),
        ("allowed-agents: [a]\n", "allowed-agents: [a, b]\n", |it| {
            !it.allowed_agents().allow(Some("b")) && it.allowed_agents().allow(Some("a"))
        }),
        ("allowed-agents: [a]\n", "allowed-agents: [b]\n", |it| {
            *it.allowed_agents() == Agents::Nobody
        }),
        ("allowed-tools: Read, Edit\n", "allowed-tools: Read, Bash\n", |it| {
            it.allowed_tools() == ["Read"]
        }),
        ("allowed-tools: Read\n", "", |it| it.allowed_tools().is_empty()),
        ("disallowed-tools: Bash\n", "disallowed-tools: Edit\n", |it| {
            it.disallowed_tools() == ["Bash", "Edit"]
        }),
        ("", "disallowed-tools: {a: b}\n", |it| it.disallowed_tools() == ["*"]),
        ("", "slash-command: {enabled: false}\n", |it| !it.slash_command().enabled),
        ("slash-command: {enabled: false}\n", "", |it| !it.slash_command().enabled),
    ];
    for (old, new, obeys) in rows {
        let tree = Tree::new();
        let text = |keys: &str, body| format!("---\nname: demo\ndescription: d\n{keys}---\n{body}");
        let path = tree.write("demo/SKILL.md", text(old, "Old."));
        let registry = registry([user(tree.root())]);
        fs::write(&path, text(&format!("{new}tags: [a\n"), "New.")).unwrap();
        registry.reload();
        assert_eq!(now(&registry, "demo"), stale("Old."), "{old:?} {new:?}");
        let snapshot = registry.snapshot();
        assert!(obeys(snapshot.get("demo").unwrap().skill()), "{old:?} {new:?}");
        fs::write(&path, text(old, "Old.")).unwrap();
        registry.reload();
        let snapshot = registry.snapshot();
        let fresh = text(old, "Old.");
        let origin = skilldeck_core::format::Origin::new("demo");
        let fresh = skilldeck_core::format::parse(fresh.as_bytes(), &origin).skill.unwrap();
        assert_eq!(*snapshot.get("demo").unwrap().skill(), fresh, "{old:?} {new:?}");
    }
}

#[test]
fn a_front_matter_that_is_lost_as_a_whole_takes_shell_and_the_model_away() {
    let tree = Tree::new();
    let path = tree.write("demo/SKILL.md", "---\nname: demo\ndescription: d\n---\n!`date`\n");
    let registry = registry([user(tree.root())]);
    let policy = Policy::default().allow_shell(true);
    let before = registry.snapshot();
    let entry = before.get("demo").unwrap();
    assert!(matches!(policy.shell_rule(entry), ShellRule::Run { .. }));
    assert!(before.listing(Audience::Model, None).text.contains("demo"));

    fs::write(&path, "---\nname: demo\ndescription: d\n\n!`date`\n").unwrap();
    registry.reload();
    let snapshot = registry.snapshot();
    let entry = snapshot.get("demo").unwrap();
    assert_eq!(entry.skill().restriction(), Restriction::Whole);
    assert!(matches!(policy.shell_rule(entry), ShellRule::Not(_)));
    assert!(!snapshot.listing(Audience::Model, None).text.contains("demo"));
    // A person still gets it, and is asked.
    assert_eq!(policy.decide(entry, &Caller::default()).verdict, Verdict::Ask);
}
