//! The rows of `cases/substitution.json`: template and arguments to text in shape `plain`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;
use skilldeck_core::model::Text;
use skilldeck_core::template::{Cut, Dialect, Positional, Template, Variables};

/// The shape `plain`, as far as a template decides it.
fn plain(template: &Template, raw: &str) -> String {
    let mut out = String::new();
    if template.fill(&template.bind(raw), &Variables::default(), &[], &mut out) {
        out.push_str(match template.dialect() {
            Dialect::Claude => "\n\nARGUMENTS: ",
            Dialect::OpenCode => "\n\n",
        });
        out.push_str(raw);
    }
    out
}

#[test]
fn every_case_gives_its_text() {
    let cases: Value = serde_json::from_str(include_str!("cases/substitution.json")).unwrap();
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 29);
    for case in cases {
        let text = |key: &str| case[key].as_str().unwrap().to_owned();
        let declared: Vec<Text> = case["declared"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|name| name.as_str().unwrap().to_owned().into())
            .collect();
        let cut = Cut {
            dialect: match text("dialect").as_str() {
                "claude" => Dialect::Claude,
                "opencode" => Dialect::OpenCode,
                other => panic!("no dialect: {other}"),
            },
            positional: match case["positional"].as_str() {
                None | Some("always") => Positional::Always,
                Some("declared") => Positional::Declared,
                Some(other) => panic!("no positional rule: {other}"),
            },
            declared: &declared,
            has_hint: false,
        };
        let (template, _) = Template::cut(text("template").into(), &cut);
        let out = plain(&template, &text("args"));
        assert_eq!(
            out.trim_end_matches('\n'),
            text("out").trim_end_matches('\n'),
            "{} with {}",
            text("template"),
            text("args")
        );
    }
}
