//! Files that somebody damaged on purpose to assertions: each of them is restricted.

use crate::diagnostic::Severity;
use crate::format::tests::read;
use crate::format::{Origin, fix, parse};
use crate::model::{Agents, Restriction};

/// Stands for a restriction that must not be lost.
const D: &str = "disable-model-invocation: true\n";

fn file(lines: &str) -> String {
    format!("---\nname: demo\ndescription: d\n{}---\nbody\n", lines.replace("<D>\n", D))
}

fn assert_restricted(text: &str) {
    let (skill, found) = read(text);
    assert!(skill.disable_model_invocation(), "{text:?}: {found:#?}");
    let is_said = found.iter().any(|found| found.severity == Severity::Error);
    assert!(is_said || skill.restriction() == Restriction::None, "{text:?}: nothing is said");
    // To mend the file must not undo it.
    if let Some(fixed) = fix(text.as_bytes(), &Origin::new("demo")) {
        let skill = parse(&fixed.bytes, &Origin::new("demo")).skill.expect("it is text");
        assert!(skill.disable_model_invocation(), "{text:?} was mended to another right");
    }
}

#[test]
fn a_key_that_a_value_swallows_restricts() {
    for lines in [
        "license: !!str \"foo\n<D>\nbar\"\n",
        "license: &a \"foo\n<D>\nbar\"\n",
        "license:\n  \"foo\n<D>\n  bar\"\n",
        "license: 'foo\n<D>\n  bar'\n",
        "tags:\n  [a,\n<D>\n  b]\n",
        "tags: {a: b,\n<D>\n  c: d}\n",
        "tags:\n  - \"foo\n<D>\n    bar\"\n",
        "x:\n - - \"a\n<D>\n   b\"\n",
        "? \"a\n<D>\n  b\"\n: c\n",
        "license: \"a\ndisable-model-invocatoin: true\nb\"\n",
        "license: \"a\n\"\nx: \"\n<D>\n\"\n",
        "license: \"a\u{2028}<D>\n\"\n",
        ">1\n text\n<D>\n",
        "license: >1\n text\n<D>\n",
        "license: |2\n  text\n<D>\n",
    ] {
        assert_restricted(&file(lines));
    }
}

#[test]
fn a_key_behind_marks_restricts() {
    for line in [
        "- <D>\n",
        "* <D>\n",
        "+ <D>\n",
        "1. <D>\n",
        "> <D>\n",
        "**disable-model-invocation**: true\n",
        "__disable-model-invocation__: true\n",
        "`disable-model-invocation`: true\n",
        "!!str <D>\n",
        "&k <D>\n",
        "!!str &k <D>\n",
        "\u{200b}<D>\n",
        "\u{feff}<D>\n",
        "disable-model-invocation:true\n",
        "disable-model-invocation = true\n",
        "disable-model-invocation :true\n",
        "\"disable\\x2dmodel-invocation\": true\n",
        "? \"disable\\x2dmodel-invocation\"\n: true\n",
        "k: &k disable-model-invocation\n*k : true\n",
    ] {
        assert_restricted(&file(line));
        assert_restricted(&file(&format!("tags: [a, b\n{line}")));
        assert_restricted(&file(&format!("{line}tags: [a, b\n")));
    }
}

#[test]
fn a_key_without_front_matter_restricts() {
    for text in [
        "- name: x\n- <D>\n",
        "> name: x\n> <D>\n",
        "+++\ndisable-model-invocation = true\n+++\n",
        "---x\nname: x\n# Rights\ntags: a\n<D>\n",
        "# Title\n---\nname: x\n<D>\n---\nbody\n",
        "# Title\n\n---\n<D>\n---\nbody\n",
        "--- # skill\nname: x\n<D>\n---\nbody\n",
        "<!--\n---\n<D>\n---\n-->\n",
        "---x\nname: x\n# Rights\n**disable-model-invocation**: true\n",
        "{\"name\": \"x\", \"disable-model-invocation\": true}\n",
        "---x\nname: x\n# Rights\n<D>\n",
        "---x\nname: x\n\n# Rights\n# of the skill\n<D>\n",
        "---\n---\nname: x\n<D>\n",
        "---\n\n---\n<D>\n",
        "---\nname: x\ndescription: d\n# Rights\n<D>\nuser-invocable: false\n\nbody\n",
        "---\nname: x\ndescription: d\n\n# Rights\n<D>\n\nbody\n",
        "---\nname: x\ndescription: d\n\n# Rights\n\nSome text.\n\n<D>\n\nbody\n",
        "---\n{name: x, description: d, disable-model-invocation:true}\n---\nbody\n",
        "---\n- name: x\n- <D>\n---\nbody\n",
    ] {
        assert_restricted(&text.replace("<D>\n", D));
    }
}

#[test]
fn a_key_with_the_name_of_another_restricts() {
    for line in [
        "disable-model-invocation = true: x\n",
        "disable-model-invocation, user-invocable: false\n",
        "set disable-model-invocation: true\n",
        "disable-model-invokatoin: true\n",
        "dizable-model-invocation: true\n",
        "disable-model-invocatio\u{43d}: true\n",
        "d\u{456}sable-model-\u{456}nv\u{43e}cat\u{456}on: true\n",
        "ｄisable-model-invocation: true\n",
        "disable-\u{200b}model-invocation: true\n",
        "allowed-tools: Bash\n  disable-model-invocation true\n",
        "allowed-tools:\n  - Bash\n  - <D>\n",
        "allowed-agents:\n  - a\n  - <D>\n",
    ] {
        assert_restricted(&file(line));
    }
}

#[test]
fn a_key_in_a_value_restricts_where_it_was_meant_to() {
    for lines in [
        "base: &b\n  <D>\n<<: *b\n",
        "base: &b\n  <D>\ntags: [a, b\n<<: *b\n",
        "<<: {<<: {disable-model-invocation: true}}\n",
        "<<: [{a: {disable-model-invocation: true}}]\n",
        "<<: {disable-model-invocation: true\n",
        "base: &b\n  <D>\ntags: [a, b\n!!merge <<: *b\n",
        "base: &b\n  <D>\n&x <<: *b\n",
        "slash-command:\n  enabled: true\n  <D>\n",
        "slash-command: {disable-model-invocation: true}\n",
        "slash-command: {disable-model-invocation: true, enabled: [\n",
        "arguments:\n  - a\n  - <D>\n",
        "arguments: [a, {disable-model-invocation: true}]\n",
    ] {
        assert_restricted(&file(lines));
    }
    for lines in ["metadata:\n  <D>\n", "hooks:\n  <D>\n", "other:\n  a:\n    <D>\n"] {
        let (skill, found) = read(&file(lines));
        assert_eq!(skill.restriction(), Restriction::None, "{lines:?}: {found:#?}");
        let is_said = |found: &&crate::diagnostic::Diagnostic| {
            found.severity == Severity::Warning && found.message.contains("restricts nothing")
        };
        assert_eq!(found.iter().filter(is_said).count(), 1, "{lines:?}: {found:#?}");
    }
}

#[test]
fn a_command_whose_settings_are_lost_is_not_enabled() {
    for (value, enabled) in [
        ("false", false),
        ("maybe", false),
        ("[a]", false),
        ("{enabled: [", false),
        ("{enabled: perhaps}", false),
        ("!x", false),
        ("{prefix: a}", true),
        ("", true),
    ] {
        let (skill, found) = read(&file(&format!("slash-command: {value}\n")));
        assert_eq!(skill.slash_command().enabled, enabled, "{value:?}: {found:#?}");
        let is_said = found.iter().any(|found| found.severity == Severity::Error);
        assert_eq!(is_said, !enabled, "{value:?}: {found:#?}");
    }
}

#[test]
fn tools_that_cannot_be_understood_are_all_disallowed() {
    for value in [
        "Bash]",
        "[Bash Read]",
        "\"@Bash\"",
        "@Bash",
        "\"**\"",
        "**",
        "Bash;Read",
        "Bash，Read",
        "\",\"",
        "!Bash",
        "!Bash Read",
        "'Bash\"'",
        "Bash()x",
        "[Bash, !x ]",
        "\"[Bash]\"",
        "(Bash)",
        "\"!Bash\"",
        "Bash: x",
        "Bash- Read",
    ] {
        let (skill, found) = read(&file(&format!("disallowed-tools: {value}\n")));
        assert_eq!(skill.disallowed_tools(), ["*"], "{value:?}: {found:#?}");
        assert_eq!(skill.restriction(), Restriction::Keys, "{value:?}");
    }
    for (value, tools) in [
        ("\"Bash\", \"Write\"", &["Bash", "Write"][..]),
        ("[\"Bash, Read\"]", &["Bash", "Read"]),
        ("['Bash(git add, rm -rf *)', mcp__x__y]", &["Bash(git add, rm -rf *)", "mcp__x__y"]),
        ("Bash(git:*) Read", &["Bash(git:*)", "Read"]),
        ("'*'", &["*"]),
        ("mcp__*", &["mcp__*"]),
        ("", &[]),
        ("[]", &[]),
    ] {
        let (skill, found) = read(&file(&format!("disallowed-tools: {value}\n")));
        assert_eq!(skill.disallowed_tools(), tools, "{value:?}: {found:#?}");
        assert_eq!(skill.restriction(), Restriction::None, "{value:?}: {found:#?}");
    }
}

#[test]
fn a_value_of_nothing_but_a_tag_is_lost() {
    for value in ["!false", "!admin", "&a", "!!str", "!x # y"] {
        for key in ["user-invocable", "allowed-agents", "require-confirmation", "allowed-tools"] {
            let (skill, found) = read(&file(&format!("{key}: {value}\n")));
            assert_eq!(skill.restriction(), Restriction::Keys, "{key}: {value}: {found:#?}");
            assert!(key != "user-invocable" || !skill.user_invocable());
            assert!(key != "allowed-agents" || skill.allowed_agents() == &Agents::Nobody);
            assert!(key != "require-confirmation" || skill.require_confirmation());
        }
    }
    let (skill, _) = read(&file("allowed-agents: \",\"\n"));
    assert_eq!(skill.allowed_agents(), &Agents::Nobody);
    for value in ["", "~", "null", "''", "\"\"", "# why", "~ # why", "'' # why"] {
        for key in ["user-invocable", "allowed-agents", "require-confirmation", "allowed-tools"] {
            let (skill, found) = read(&file(&format!("{key}: {value}\n")));
            assert_eq!(skill.restriction(), Restriction::None, "{key}: {value}: {found:#?}");
        }
    }
}

#[test]
fn prose_restricts_nothing() {
    for text in [
        format!("---\nname: demo\ndescription: d\n---\n{D}\n# T\n- {D}"),
        format!("---\nname: demo\ndescription: >\n  What\n  {D}  does.\n---\nbody\n"),
        format!("---\nname: demo\ndescription: d\n# {D}---\nbody\n"),
        format!("# Title\n\nSome prose.\n\n{D}"),
        "Sets disable-model-invocation: true where it is needed.\n".to_owned(),
        "Allowed tools are listed below:\n- Read\n".to_owned(),
    ] {
        let (skill, found) = read(&text);
        assert_eq!(skill.restriction(), Restriction::None, "{text:?}: {found:#?}");
    }
}
