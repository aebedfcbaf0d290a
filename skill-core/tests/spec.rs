//! `cases/spec.json` to assertions: what the reference validator says of small files, and we.

use serde_json::Value;
use skilldeck_core::diagnostic::Severity;
use skilldeck_core::format::{Layout, Origin, spec};

const CASES: &str = include_str!("cases/spec.json");
/// The file has this many; a copy that lost some would still pass.
const COUNT: usize = 90;

#[test]
fn the_reference_validator_is_followed_where_it_follows_yaml() {
    let file: Value = serde_json::from_str(CASES).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), COUNT);
    for case in cases {
        let (name, text) = (case["dir"].as_str().unwrap(), case["text"].as_str().unwrap());
        let found = spec::check(text.as_bytes(), &Origin::new(name));
        let codes: Vec<&str> = found.iter().map(|found| found.code.id()).collect();
        assert_eq!(Value::from(codes.clone()), case["codes"], "{}", case["id"]);
        let is_valid = case["reference"].as_array().unwrap().is_empty();
        let differs = case["differs"].is_string();
        assert_eq!(is_valid == codes.is_empty(), !differs, "{}: {codes:?}", case["id"]);
        for found in &found {
            assert_eq!(found.severity, Severity::Error, "{found}");
            assert!(found.help.is_some() && text.get(found.span.clone()).is_some(), "{found}");
        }
        assert!(found.is_sorted_by_key(|found| found.span.start));
    }
}

#[test]
fn a_command_is_no_skill_and_bytes_are_no_text() {
    let command = Origin { layout: Layout::Commands, ..Origin::new("git:cm") };
    assert!(spec::check(b"no front matter", &command).is_empty());
    let found = spec::check(b"---\nname: \xff\n---\n", &Origin::new("demo"));
    assert_eq!(found[0].code.id(), "not-utf8");
}
