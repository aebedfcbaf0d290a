//! The pages of docs/ held against what they describe.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use skilldeck_core::diagnostic::Code;

const FORMAT: &str = include_str!("../docs/format.md");
const ARCHITECTURE: &str = include_str!("../docs/architecture.md");
const EMBEDDING: &str = include_str!("../docs/embedding.md");
const CONFIGURATION: &str = include_str!("../docs/configuration.md");
const PERFORMANCE: &str = include_str!("../docs/performance.md");
const SHELL: &str = include_str!("../docs/shell.md");
const README: &str = include_str!("../README.md");

/// Heading and text of every section that starts with `marker`.
fn sections<'a>(page: &'a str, marker: &str) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    for part in page.split(&format!("\n{marker} ")).skip(1) {
        let (heading, text) = part.split_once('\n').unwrap_or((part, ""));
        let end = ["\n## ", "\n### "].iter().filter_map(|next| text.find(next)).min();
        found.push((heading, text[..end.unwrap_or(text.len())].trim()));
    }
    found
}

#[test]
fn every_code_is_explained_once_and_no_other() {
    let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    let mut explained = BTreeSet::new();
    for (heading, _) in sections(FORMAT, "###") {
        let Some(id) = heading.strip_prefix('`').and_then(|rest| rest.split('`').next()) else {
            continue;
        };
        assert!(explained.insert(id), "`{id}` is explained twice");
    }
    let missing: Vec<_> = codes.difference(&explained).collect();
    let unknown: Vec<_> = explained.difference(&codes).collect();
    assert!(missing.is_empty(), "docs/format.md has no section for {missing:?}");
    assert!(unknown.is_empty(), "docs/format.md explains {unknown:?}, which are no codes");
}

#[test]
fn every_explanation_says_what_to_do_and_how_severe_it_is() {
    let sections = sections(FORMAT, "###");
    for code in Code::ALL {
        let mark = format!("`{}`", code.id());
        let (heading, text) = sections.iter().find(|(h, _)| h.starts_with(&mark)).unwrap();
        assert_eq!(*heading, format!("{mark} ({})", code.severity()), "the heading of {mark}");
        let parts: Vec<&str> = text.split("\n\n").collect();
        let right = matches!(&parts[..], [meaning, example, advice]
            if !meaning.is_empty()
                && example.starts_with("Example: ")
                && advice.starts_with("What to do: "));
        assert!(right, "{mark} wants three paragraphs: meaning, `Example: …`, `What to do: …`");
    }
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = Vec::new();
    for (page, text) in [
        ("README.md", README),
        ("docs/format.md", FORMAT),
        ("docs/architecture.md", ARCHITECTURE),
        ("docs/embedding.md", EMBEDDING),
        ("docs/performance.md", PERFORMANCE),
        ("docs/configuration.md", CONFIGURATION),
        ("docs/shell.md", SHELL),
    ] {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.starts_with("http") {
                continue;
            }
            let folder = Path::new(page).parent().unwrap();
            let target = if path.is_empty() { PathBuf::from(page) } else { folder.join(path) };
            let found = fs::read_to_string(root.join(&target));
            let here = match found {
                Ok(text) => anchor.is_empty() || anchors(&text).contains(anchor),
                Err(_) => root.join(&target).is_dir(),
            };
            if !here {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The anchors of a page's headings, as Markdown sites make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let text = line.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn the_readme_names_the_commands_that_are_run_for_it() {
    for mark in ["<!-- main command -->", "<!-- test command -->"] {
        let block = README.split(mark).nth(1).unwrap_or_else(|| panic!("{mark} is missing"));
        let block = block.trim_start();
        assert!(block.starts_with("```sh\ncargo "), "{mark} is followed by a block with a command");
    }
}
