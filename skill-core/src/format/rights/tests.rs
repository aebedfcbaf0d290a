//! Damaged restrictions to assertions: what is lost must not widen rights.

use crate::diagnostic::{Code, Severity};
use crate::format::MAX_FRONT_MATTER_BYTES;
use crate::format::tests::{front, read};
use crate::model::{Agents, Restriction};

#[test]
fn what_restricts_fails_closed() {
    // Front matter lines, and whether the skill is restricted.
    for (lines, restricted) in [
        ("allowed-tools: Read", Restriction::None),
        ("allowed-tools: {Read: true}", Restriction::Keys),
        ("allowed-tools: [Read, {a: b}]", Restriction::None),
        ("disallowed-tools: [Read, {a: b}]", Restriction::Keys),
        ("allowed-tools: Bash(git", Restriction::Keys),
        ("allowed-tools: [a] [b]", Restriction::Keys),
        ("allowed-tools: \"Read", Restriction::Keys),
        ("allowed-agents: [{a: b}]", Restriction::Keys),
        ("allowed-agents:", Restriction::None),
        ("disable-model-invocation:true", Restriction::Keys),
        ("disable-model-invocation true", Restriction::Keys),
        ("disable-model-invocation: [true]", Restriction::Keys),
        ("user-invocable: perhaps", Restriction::Keys),
        ("userInvocable: perhaps", Restriction::Keys),
        ("license: a: b\n  user-invocable: false", Restriction::Keys),
        ("license: a\n  user-invocable: false", Restriction::Keys),
        ("license:\n  user-invocable: false", Restriction::Keys),
        ("license: \"a\n  user-invocable: false", Restriction::Keys),
        ("license: \"a\nuser-invocable: false\n\"", Restriction::Keys),
        ("license: |\n  user-invocable: false", Restriction::None),
        ("argument-hint: [a] [b]\n  user-invocable: false", Restriction::Keys),
        ("<<: {user-invocable: false}", Restriction::Keys),
        ("? user-invocable\n: maybe", Restriction::Keys),
        ("? [a]\n: b\nuser-invocable: maybe", Restriction::Keys),
        ("tags: [a, b", Restriction::None),
    ] {
        let (skill, found) = front(lines);
        assert_eq!(skill.restriction(), restricted, "{lines:?}: {found:#?}");
        let has_error = found.iter().any(|found| found.severity == Severity::Error);
        assert!(restricted == Restriction::None || has_error, "{lines:?}");
        assert_eq!((skill.name(), skill.description()), ("demo", "d"), "{lines:?}");
    }
}

#[test]
fn a_lost_restriction_takes_its_narrowest_value() {
    let (skill, _) = front(
        "disable-model-invocation: ?\nuser-invocable: [\nrequire-confirmation: {}\n\
         allowed-agents: {a: b}\nallowed-tools: Read\ndisallowed-tools: {a: b}",
    );
    assert!(skill.disable_model_invocation() && skill.require_confirmation());
    assert!(!skill.user_invocable());
    assert_eq!(skill.allowed_agents(), &Agents::Nobody);
    assert!(skill.allowed_tools().is_empty());
    assert_eq!(skill.disallowed_tools(), ["*"]);
}

#[test]
fn of_two_restrictions_the_narrower_holds() {
    let (skill, found) = front(
        "allowed-tools: [Read, Grep, Edit]\nallowed_tools: Edit, Read\n\
         disallowed-tools: Bash\ndisallowed-tools: Write\n\
         disable-model-invocation: true\ndisable-model-invocation: false\n\
         user-invocable: false\nuser-invocable: true\n\
         allowed-agents: [a, b]\nallowed-agents: [b, c]",
    );
    assert_eq!(skill.allowed_tools(), ["Read", "Edit"]);
    assert_eq!(skill.disallowed_tools(), ["Bash", "Write"]);
    assert!(skill.disable_model_invocation() && !skill.user_invocable());
    assert_eq!(skill.allowed_agents(), &Agents::Only(vec!["b".into()].into()));
    assert_eq!(found.iter().filter(|found| found.code == Code::DuplicateKey).count(), 5);

    let (skill, _) = front("allowed-agents: [a]\nallowed-agents: [b]");
    assert_eq!(skill.allowed_agents(), &Agents::Nobody);
    let (skill, _) = front("allowed-tools: '*'\nallowed-tools: Read");
    assert_eq!(skill.allowed_tools(), ["Read"]);
}

#[test]
fn an_unreadable_whole_is_restricted() {
    let many = "[".repeat(MAX_FRONT_MATTER_BYTES - 200);
    let large = format!("x: {}", "y".repeat(MAX_FRONT_MATTER_BYTES));
    for text in [
        "---\nname: demo\ndescription: d\n",
        "---\nname: demo\n\ndescription: d\n",
        "---\njust text\n---\n",
        "---\n- a\n- b\n---\n",
        "---x\nallowed-tools: Read\n---\n",
        "\u{feff}\u{feff}---\nallowed-tools: Read\n---\n",
        "```yaml\nallowed_tools: Read\n```\n",
        "```skill\n---\nallowed-tools: Read\n---\nnever closed\n",
        &format!("---\nname: demo\nallowed-tools: Read\nx: {many}\n---\n"),
        &format!("---\nname: demo\n{large}\n---\n"),
    ] {
        let (skill, found) = read(text);
        let start = &text[..text.len().min(40)];
        assert_eq!(skill.restriction(), Restriction::Whole, "{start:?}: {found:#?}");
        assert!(skill.allowed_tools().is_empty(), "{start:?}");
        assert!(skill.disable_model_invocation() && skill.require_confirmation(), "{start:?}");
        assert_eq!(skill.name(), "demo");
        assert!(found.iter().any(|found| found.severity == Severity::Error), "{start:?}");
    }
    let (skill, _) = read("---\nname: demo\n\nuser-invocable: false\n");
    assert!(!skill.user_invocable());
    let (skill, _) = read(&format!("---\n{large}\nuser-invocable: false\n---\n"));
    assert!(!skill.user_invocable());
    let (skill, _) = read("Text about allowed-tools: none.\n\n# T\n\nallowed-tools: Read\n");
    assert_eq!(skill.restriction(), Restriction::None);
}
