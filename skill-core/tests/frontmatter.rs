//! `cases/frontmatter.json` to assertions: small files and the right reading of each.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;
use skilldeck_core::diagnostic::Severity;
use skilldeck_core::format::{Layout, Origin, parse};
use skilldeck_core::model::Skill;
use skilldeck_core::template::{Dialect, Positional};

const CASES: &str = include_str!("cases/frontmatter.json");
/// The file has this many; a copy that lost some would still pass.
const COUNT: usize = 58;

#[test]
fn every_case_reads_as_expected() {
    let file: Value = serde_json::from_str(CASES).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), COUNT);
    let mut faults = Vec::new();
    for case in cases {
        let name = case["dir"].as_str().unwrap();
        let text = case["text"].as_str().unwrap();
        let origin = Origin {
            name,
            path: None,
            layout: Layout::Skills,
            dialect: Dialect::Claude,
            positional: Positional::Declared,
        };
        let parsed = parse(text.as_bytes(), &origin);
        let has = |severity| parsed.diagnostics.iter().any(|found| found.severity == severity);
        for (key, expected) in case["expect"].as_object().unwrap() {
            if key == "note" {
                continue;
            }
            let actual = match (key.as_str(), &parsed.skill) {
                ("loads", skill) => skill.is_some().into(),
                ("strict", _) => (!has(Severity::Warning) && !has(Severity::Error)).into(),
                ("warnings", _) => has(Severity::Warning).into(),
                ("errors", _) => has(Severity::Error).into(),
                (key, Some(skill)) => field(skill, key),
                (_, None) => Value::Null,
            };
            if actual != *expected {
                let said: Vec<_> = parsed.diagnostics.iter().map(ToString::to_string).collect();
                faults.push(format!(
                    "{}: {key} is {actual}, not {expected}\n  {}",
                    case["id"],
                    said.join("\n  ")
                ));
            }
        }
        for found in &parsed.diagnostics {
            assert!(found.line >= 1 && found.column >= 1, "{found}");
            assert!(found.help.is_some(), "{}: no help: {found}", case["id"]);
            assert!(text.get(found.span.clone()).is_some(), "{}: {:?}", case["id"], found.span);
        }
        assert!(parsed.diagnostics.is_sorted_by_key(|found| found.span.start));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn field(skill: &Skill, key: &str) -> Value {
    match key {
        "name" => skill.name().into(),
        "description" => skill.description().into(),
        "body" => skill.body().into(),
        "restricted" => skill.restricted().into(),
        "allowed_tools" => skill.allowed_tools().iter().map(|tool| tool.as_ref()).collect(),
        "argument_hint" => skill.argument_hint().into(),
        "version" => skill.version().into(),
        "user_invocable" => skill.user_invocable().into(),
        "disable_model_invocation" => skill.disable_model_invocation().into(),
        "also_reached_as" => skill.directory_word().into(),
        other => panic!("the case file has a key this test does not know: {other}"),
    }
}
