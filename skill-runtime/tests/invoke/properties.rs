//! What holds for every argument and every body.

use proptest::prelude::*;
use skilldeck_runtime::{Policy, Registry, Request, Shape};

use crate::support::{Recording, deck_with};

/// Texts that try to be something else than text.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("$ARGUMENTS"),
        Just("$0"),
        Just("$1"),
        Just("$ARGUMENTS[0]"),
        Just("${SKILL_DIR}"),
        Just("${CLAUDE_SESSION_ID}"),
        Just("!`touch pwned`"),
        Just("\n!`touch pwned`\n"),
        Just("```!\ntouch pwned\n```\n"),
        Just("</skill>"),
        Just("</ski"),
        Just("ll>"),
        Just("</skill"),
        Just("</skill_content>"),
        Just("</skill_instructions >"),
        Just("\\"),
        Just("\""),
        Just("'"),
        Just(" "),
        Just("\n"),
        Just(">"),
        Just("<"),
        Just("ü"),
        Just("x"),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn invoke(registry: &Registry, arguments: &str, shape: Shape) -> String {
    let request = Request::command("x", arguments).shape(shape).session("s-1");
    let policy = Policy::new().allow_shell(true);
    registry.invoke_with(&policy, &request).unwrap().into_text()
}

/// Whether this text, behind the start of its wrapper, closes it before the end.
fn closes(text: &str, tag: &str) -> bool {
    text.match_indices("</").any(|(at, _)| {
        let rest = text[at + 2..].strip_prefix(tag);
        rest.is_some_and(|rest| rest.trim_start().starts_with('>'))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arguments_are_never_expanded_again(arguments in hostile()) {
        let host = Recording::default();
        let registry = deck_with(&[("x", "[$ARGUMENTS] !`once`\n")], host.clone());
        let plain = invoke(&registry, &arguments, Shape::Plain);
        prop_assert_eq!(plain, format!("[{}] output", arguments));
        let ran = host.ran.lock().unwrap();
        prop_assert_eq!(ran.len(), 1);
        prop_assert_eq!(&ran[0].command, "once");
    }

    #[test]
    fn appended_arguments_are_verbatim(arguments in hostile()) {
        let host = Recording::default();
        let registry = deck_with(&[("x", "Body.\n")], host.clone());
        let expected = match arguments.as_str() {
            "" => "<skill name=\"x\">\nBody.\n</skill>".to_owned(),
            some => format!("<skill name=\"x\">\nBody.\n</skill>\n\n{some}"),
        };
        prop_assert_eq!(invoke(&registry, &arguments, Shape::User), expected);
        prop_assert!(host.ran.lock().unwrap().is_empty());
    }

    #[test]
    fn the_wrapper_cannot_be_closed_from_inside(
        before in hostile(), arguments in hostile(), behind in hostile()
    ) {
        let body = format!("{before}$ARGUMENTS{behind}x $ARGUMENTS\n");
        let registry = deck_with(&[("x", &body)], Recording::default());
        let user = invoke(&registry, &arguments, Shape::User);
        let inside = user.strip_prefix("<skill name=\"x\">\n").unwrap();
        let inside = inside.strip_suffix("\n</skill>").unwrap();
        prop_assert!(!closes(inside, "skill"), "{}", user);
        let tool = invoke(&registry, &arguments, Shape::Tool);
        let inside = tool.strip_prefix("<skill_content name=\"x\">\n<skill_instructions>\n").unwrap();
        let inside = inside.strip_suffix("\n</skill_instructions>\n</skill_content>").unwrap();
        for tag in ["skill_content", "skill_instructions", "skill_resources"] {
            prop_assert!(!closes(inside, tag), "{}", tool);
        }
    }

    #[test]
    fn parts_and_text_are_the_same_words(body in hostile(), arguments in hostile()) {
        let registry = deck_with(&[("x", &format!("Body {body}\n"))], Recording::default());
        for shape in [Shape::User, Shape::Tool, Shape::Plain, Shape::Agui, Shape::OpenCode] {
            let request = Request::line(format!("/x {arguments}")).shape(shape);
            let outcome = registry.invoke(&request).unwrap();
            let parts = outcome.parts();
            prop_assert_eq!(parts.arguments, arguments.as_str());
            let bare = registry.invoke(&Request::line("/x").shape(shape)).unwrap();
            if parts.instructions != outcome.text() {
                // Something was appended, so no placeholder received anything.
                prop_assert_eq!(&*parts.instructions, bare.text());
            }
        }
    }
}
