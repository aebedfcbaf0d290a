//! Text to a scalar and back, and names to what stands behind `name:`.

use proptest::prelude::*;

use super::super::yaml::{Node, Root, read};
use super::*;

/// What YAML makes of a scalar.
fn text_of(scalar: &str) -> String {
    match read(&format!("key: {scalar} # comment\nnext: x\n")) {
        Ok(Root::Pairs(pairs)) => match pairs.as_slice() {
            [(_, Node::Scalar(_, text)), _] => text.clone(),
            pairs => panic!("{scalar} gives {pairs:?}"),
        },
        other => panic!("{scalar} gives {other:?}"),
    }
}

#[test]
fn quotes_are_the_shorter_ones() {
    for (text, scalar) in [
        ("a: b", r#""a: b""#),
        (r#"say "hi": now"#, r#"'say "hi": now'"#),
        (r"C:\dir: x", r"'C:\dir: x'"),
        ("it's: so", r#""it's: so""#),
        (r#"it's "so""#, r#"'it''s "so"'"#),
        ("a\nb \"c\"", r#""a\nb \"c\"""#),
        ("", r#""""#),
    ] {
        assert_eq!(quoted(text), scalar);
        assert_eq!(text_of(scalar), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_quoted_reads_as_it_was(text in "(.|\n|\r|\t|['\"\\\\ #:]|\u{feff}|\u{85}|\u{2028}|\0){0,30}") {
        let scalar = quoted(&text);
        prop_assert!(!scalar.contains(is_yaml_break));
        prop_assert_eq!(text_of(&scalar), text);
    }
}

#[test]
fn names_that_other_readers_resolve_are_quoted() {
    let name = |name| directory_name(&Origin::new(name));
    for plain in ["demo", "3d-print", "yes-no", "no2", "v1"] {
        assert_eq!(name(plain).as_deref(), Some(plain));
    }
    for odd in ["yes", "null", "3000", "2026-01-02", "0x1f", "1e3"] {
        assert_eq!(name(odd), Some(format!("\"{odd}\"")));
    }
    for invalid in ["Demo", "a b", "-a", ""] {
        assert_eq!(name(invalid), None);
    }
    assert_eq!(name("cafe\u{301}").as_deref(), Some("caf\u{e9}"));
    assert_eq!(directory_name(&Origin { layout: Layout::Commands, ..Origin::new("demo") }), None);
}
