//! The shared cases, through the whole pipeline: from directories and from memory.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use skilldeck_core::template::{Dialect, Positional};
use skilldeck_runtime::{Memory, Registry, Request, Shape, Source, SourceInfo};

use crate::support;

const RENDER: &str = include_str!("../cases/render.json");
const SUBSTITUTION: &str = include_str!("../../../skill-core/tests/cases/substitution.json");

fn cases(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("`{key}` is text in {case}"))
}

fn from_directory(directory: &Path, content: &str, info: SourceInfo) -> Registry {
    let home = directory.join("demo");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("SKILL.md"), content).unwrap();
    Registry::builder().source(Source::directory(directory, info)).build().unwrap()
}

fn from_memory(content: &str, info: SourceInfo) -> Registry {
    let memory = Memory::default();
    memory.insert("demo", content);
    Registry::builder().source(Source::memory(Arc::new(memory), info)).build().unwrap()
}

/// Renders both ways; the directory is `{DIR}` in the first.
fn render(content: &str, info: &SourceInfo, request: &Request) -> (String, String) {
    let directory = tempfile::tempdir().unwrap();
    let registry = from_directory(directory.path(), content, info.clone());
    let on_disk = registry.invoke(request).unwrap().into_text();
    let home = directory.path().join("demo").display().to_string();
    let in_memory = from_memory(content, info.clone()).invoke(request).unwrap().into_text();
    (on_disk.replace(&home, "{DIR}"), in_memory)
}

#[test]
fn shapes_have_their_exact_bytes() {
    let cases = cases(RENDER);
    assert!(cases.len() >= 9);
    for case in cases {
        let shape = match text(&case, "shape") {
            "user" => Shape::User,
            "plain" => Shape::Plain,
            "agui" => Shape::Agui,
            other => panic!("no shape {other}"),
        };
        let content =
            format!("---\nname: demo\ndescription: A demo.\n---\n{}", text(&case, "body"));
        let expected = text(&case, "out");
        let in_memory_expected = expected.replace("Resources: {DIR}\n", "");
        let info = SourceInfo::new("cases", skilldeck_runtime::Tier::USER);
        let arguments = text(&case, "args");
        let requests = [
            Request::command("demo", arguments).shape(shape),
            Request::line(format!("/skill:demo {arguments}")).shape(shape),
        ];
        for request in requests {
            let (on_disk, in_memory) = render(&content, &info, &request);
            assert_eq!(on_disk, expected, "{case}");
            assert_eq!(in_memory, in_memory_expected, "{case}");
        }
    }
}

#[test]
fn substitutions_come_out_as_listed() {
    let cases = cases(SUBSTITUTION);
    assert!(cases.len() >= 29);
    for case in cases {
        let mut info = support::info("cases", true);
        info.dialect = match text(&case, "dialect") {
            "claude" => Dialect::Claude,
            "opencode" => Dialect::OpenCode,
            other => panic!("no dialect {other}"),
        };
        info.positional = match case["positional"].as_str() {
            None | Some("always") => Positional::Always,
            Some("declared") => Positional::Declared,
            Some(other) => panic!("no positional rule {other}"),
        };
        let declared = match case["declared"].as_array() {
            Some(_) => format!("arguments: {}\n", case["declared"]),
            None => String::new(),
        };
        let body = text(&case, "template");
        let content = format!("---\nname: demo\ndescription: A demo.\n{declared}---\n{body}\n");
        let request = Request::command("demo", text(&case, "args")).shape(Shape::Plain);
        let (on_disk, in_memory) = render(&content, &info, &request);
        let expected = text(&case, "out").trim_end_matches('\n');
        assert_eq!(on_disk.trim_end_matches('\n'), expected, "{case}");
        assert_eq!(in_memory.trim_end_matches('\n'), expected, "{case}");
    }
}
