//! The corpus of real files to assertions: what an independent YAML parser reads from each.
//!
//! The folder comes from `SKILLDECK_CORPUS`; nothing of it is part of this repository.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};
use skilldeck_core::diagnostic::Severity;
use skilldeck_core::format::{Layout, Origin, Parsed, parse};
use skilldeck_core::template::{Dialect, Positional};

#[test]
fn real_files_read_as_an_independent_parser_reads_them() {
    let Some(root) = std::env::var_os("SKILLDECK_CORPUS") else {
        println!("skipped: SKILLDECK_CORPUS is not set");
        return;
    };
    let root = Path::new(&root);
    let expected = fs::read_to_string(root.join("expected.jsonl")).unwrap();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for line in expected.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let file = row["file"].as_str().unwrap();
        let bytes = fs::read(root.join(file)).unwrap();
        let parsed = parse(&bytes, &origin(file));
        let check = if row["strict_ok"] == true { check_strict } else { check_faulty };
        match check(&row, &bytes, &parsed) {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            Err(fault) => faults.push(format!("{file}: {fault}")),
        }
    }
    println!("corpus: {counts:#?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(counts.values().sum::<usize>() > 0, "the corpus is empty");
}

fn origin(file: &str) -> Origin<'_> {
    let is_command = file.starts_with("commands/");
    let path = Path::new(file);
    let name = if is_command { path.file_stem() } else { path.parent().and_then(Path::file_name) };
    Origin {
        name: name.and_then(|name| name.to_str()).expect("the corpus has UTF-8 names"),
        path: Some(path),
        layout: if is_command { Layout::Commands } else { Layout::Skills },
        dialect: Dialect::Claude,
        positional: if is_command { Positional::Always } else { Positional::Declared },
    }
}

fn check_strict(row: &Value, _: &[u8], parsed: &Parsed) -> Result<String, String> {
    let skill = parsed.skill.as_ref().ok_or("no skill")?;
    let front_errors: Vec<_> =
        parsed.diagnostics.iter().filter(|found| is_about_yaml(found.code.id())).collect();
    if !front_errors.is_empty() {
        return Err(format!("faults in good YAML: {front_errors:?}"));
    }
    if skill.restricted() {
        return Err(format!("good YAML is restricted: {:?}", parsed.diagnostics));
    }
    for (key, actual) in [("name", skill.name()), ("description", skill.description())] {
        if let Some(expected) = row[key].as_str()
            && expected != actual
        {
            return Err(format!("{key} is {actual:?}, not {expected:?}"));
        }
    }
    let digest: String =
        Sha256::digest(skill.body()).iter().map(|byte| format!("{byte:02x}")).collect();
    if row["body_bytes"] != skill.body().len() || row["body_sha256"] != digest.as_str() {
        return Err(format!("the body has {} bytes, {digest}", skill.body().len()));
    }
    Ok("strict".to_owned())
}

fn is_about_yaml(code: &str) -> bool {
    ["invalid-yaml", "unreadable-key", "stray-line", "repaired-value", "not-a-mapping"]
        .contains(&code)
}

fn check_faulty(row: &Value, bytes: &[u8], parsed: &Parsed) -> Result<String, String> {
    let skill = parsed.skill.as_ref().ok_or("no skill")?;
    let failure = row["failure"].as_str().unwrap_or_default();
    let is_command = row["kind"] == "command";
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    if failure == "no_frontmatter" {
        let warned = parsed.diagnostics.iter().any(|found| found.code.id() == "no-front-matter");
        return if warned == is_command {
            Err("the absence of front matter was reported for a command, or not for a skill".into())
        } else if skill.description().is_empty() && !text.trim().is_empty() {
            Err("no description".into())
        } else {
            Ok(format!("{failure} ({})", if is_command { "command" } else { "skill" }))
        };
    }
    if skill.description().is_empty() && skill.name().is_empty() {
        return Err("neither name nor description was read".into());
    }
    let line = row["line"].as_str().unwrap_or_default();
    let number = text.lines().position(|found| found == line).map_or(0, |at| at + 1);
    if let Some(source) = line.strip_prefix("argument-hint:") {
        // Whatever YAML thinks of a hint, it is taken as it is, and nothing is said.
        return if skill.argument_hint() == Some(source.trim())
            && parsed.diagnostics.iter().all(|found| found.line as usize != number)
        {
            Ok(format!("{failure} (hint)"))
        } else {
            Err(format!("the hint is {:?}: {:?}", skill.argument_hint(), parsed.diagnostics))
        };
    }
    let reported = parsed.diagnostics.iter().find(|found| {
        found.severity >= Severity::Warning
            && is_about_yaml(found.code.id())
            && found.line >= 1
            && (number == 0 || line.is_empty() || found.line as usize == number)
    });
    match reported {
        Some(found) => Ok(format!("{failure} ({})", found.code.id())),
        None => Err(format!("line {number} is not reported: {:?}", parsed.diagnostics)),
    }
}
