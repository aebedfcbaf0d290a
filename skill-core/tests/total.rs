//! Arbitrary bytes to a reading: parsing never panics and never loses a byte of the body.

use proptest::prelude::*;
use skilldeck_core::format::{Layout, Origin, Parsed, outline, parse};
use skilldeck_core::template::{Dialect, Positional};

fn read(bytes: &[u8], layout: Layout) -> Parsed {
    let origin = Origin {
        name: "demo",
        path: None,
        layout,
        dialect: Dialect::Claude,
        positional: Positional::Declared,
    };
    parse(bytes, &origin)
}

/// What holds of every reading.
fn check(bytes: &[u8]) {
    for layout in [Layout::Skills, Layout::Commands] {
        let parsed = read(bytes, layout);
        for found in &parsed.diagnostics {
            assert!(found.line >= 1 && found.column >= 1, "{found}");
            assert!(found.help.is_some(), "no help: {found}");
            assert!(found.span.start <= found.span.end && found.span.end <= bytes.len(), "{found}");
        }
        assert!(parsed.diagnostics.is_sorted_by_key(|found| found.span.start));
        let Ok(text) = std::str::from_utf8(bytes) else {
            assert!(parsed.skill.is_none());
            continue;
        };
        let skill = parsed.skill.expect("text gives a skill");
        let outline = outline(text);
        assert_eq!(skill.body(), &text[outline.body]);
        assert!(!skill.word().is_empty());
        for key in outline.keys {
            assert!(text.get(key.key_span).is_some() && text.get(key.value_span).is_some());
            assert!(text.get(key.lines).is_some());
        }
    }
}

/// Pieces that front matter is made of, and those that damage it.
const PIECES: [&str; 64] = [
    "name",
    "description",
    "allowed-tools",
    "user-invocable",
    "metadata",
    "argument-hint",
    ": ",
    ":",
    "\n",
    "\r\n",
    "\r",
    "\n  ",
    "\n\t",
    " ",
    "  - ",
    "- ",
    "---\n",
    "----\n",
    "...\n",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "\"",
    "'",
    "''",
    "\\",
    "\\\"",
    "|\n  ",
    ">-\n  ",
    "|",
    "&a ",
    "*a",
    "*",
    "!t ",
    "!!int ",
    "<<",
    "? ",
    "# ",
    " #",
    "@",
    "`",
    "%",
    "~",
    "true",
    "no",
    "1.10",
    "0x1",
    "é",
    "技",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\0",
    "\u{7f}",
    "a",
    "b c",
    "```skill\n",
    "```\n",
    "<!--",
    "depends-on",
    "paths",
    "slash-command",
];

fn pieces(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..most)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn damaged_yaml_never_panics(front in pieces(40), body in pieces(10)) {
        check(format!("---\n{front}\n---\n{body}").as_bytes());
        check(format!("---\n{front}").as_bytes());
        check(front.as_bytes());
    }

    #[test]
    fn the_body_is_kept_byte_for_byte(front in pieces(30), body in "(.|\n|\r|---\n){0,40}", end in "\n|\r\n") {
        // A fence inside the front matter would end it early.
        prop_assume!(!front.split('\n').any(|line| line.trim_end().starts_with("---")));
        let text = format!("---{end}{front}{end}--- {end}{body}");
        let skill = read(text.as_bytes(), Layout::Skills).skill.expect("it is UTF-8");
        prop_assert_eq!(skill.body(), body);
    }
}
