//! Damaged front matter with a restriction in it to assertions: nothing around the line lifts it.

use proptest::prelude::*;
use skilldeck_core::format::{Layout, Origin, fix, parse};
use skilldeck_core::model::{Agents, Skill};

/// Whether a skill obeys a restriction.
type Obeys = fn(&Skill) -> bool;

/// Each restriction as a line.
const RESTRICTIONS: [(&str, Obeys); 5] = [
    ("disable-model-invocation: true", Skill::disable_model_invocation),
    ("user-invocable: false", |skill| !skill.user_invocable()),
    ("require-confirmation: yes", Skill::require_confirmation),
    ("allowed-agents: a", |skill| *skill.allowed_agents() != Agents::All),
    ("disallowed-tools: Bash", |skill| {
        skill.disallowed_tools().iter().any(|tool| tool == "Bash" || tool == "*")
    }),
];

/// Lines that open something, close something or are none.
const AROUND: [&str; 44] = [
    "license: \"foo",
    "license: 'foo",
    "license: [a,",
    "license: {a: b,",
    "license: |",
    "license: >1",
    "license: &a \"foo",
    "license: !!str 'foo",
    "license: *a",
    "license: a: b",
    "license:",
    "tags: [a, b",
    "tags:",
    "  - \"a",
    "  - [a",
    "- a",
    "- \"a",
    "- - 'a",
    "  a: {",
    "  \"a",
    "  b\"",
    "b'",
    "bar\"",
    "  b]",
    "]",
    "}",
    "{",
    "\"",
    "? \"a",
    "? a",
    ": b",
    ": c\"",
    "<<: *a",
    "base: &a",
    "  text",
    "\ttext",
    "text",
    "----",
    "...",
    "# comment",
    "",
    "&a",
    "!x",
    "disallowed-tools:",
];

/// What may stand before a key without making it another.
const MARKS: [&str; 12] =
    ["", "", "", "", "- ", "* ", "> ", "&k ", "!!str ", "\u{200b}", "? ", "\"\" "];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn a_restriction_in_the_column_of_the_keys_is_obeyed(
        before in prop::collection::vec(prop::sample::select(&AROUND[..]), 0..5),
        after in prop::collection::vec(prop::sample::select(&AROUND[..]), 0..5),
        mark in prop::sample::select(&MARKS[..]),
        which in 0..RESTRICTIONS.len(),
        is_closed in prop::bool::weighted(0.8),
        is_crlf in any::<bool>(),
    ) {
        let (line, is_obeyed) = RESTRICTIONS[which];
        let mut text = "---\nname: demo\ndescription: d\n".to_owned();
        for around in before {
            text.push_str(&format!("{around}\n"));
        }
        text.push_str(&format!("{mark}{line}\n"));
        for around in after {
            text.push_str(&format!("{around}\n"));
        }
        if is_closed {
            text.push_str("---\nbody\n");
        }
        if is_crlf {
            text = text.replace('\n', "\r\n");
        }
        for layout in [Layout::Skills, Layout::Commands] {
            let origin = Origin { layout, ..Origin::new("demo") };
            let parsed = parse(text.as_bytes(), &origin);
            let skill = parsed.skill.expect("it is text");
            prop_assert!(is_obeyed(&skill), "{text:?}: {:#?}", parsed.diagnostics);
            if let Some(fixed) = fix(text.as_bytes(), &origin) {
                let skill = parse(&fixed.bytes, &origin).skill.expect("it is text");
                prop_assert!(is_obeyed(&skill), "{text:?} became {:?}", String::from_utf8_lossy(&fixed.bytes));
            }
        }
    }
}
