//! Faulty files to mended ones: nothing is lost, nothing is widened, and once is enough.
//!
//! The folder of real files comes from `SKILLDECK_CORPUS`; nothing of it is part of this
//! repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use skilldeck_core::diagnostic::{Code, Diagnostic, Severity};
use skilldeck_core::format::{Fixed, Layout, Origin, fix, parse};
use skilldeck_core::model::{Agents, Fields, Restriction, Text};

/// What holds of every mending; gives the outcome.
fn check(bytes: &[u8], origin: &Origin<'_>) -> Option<Fixed> {
    let before = parse(bytes, origin);
    let fixed = fix(bytes, origin)?;
    assert_ne!(fixed.bytes, bytes);
    let text = String::from_utf8_lossy(bytes);
    let after = parse(&fixed.bytes, origin);
    assert!(fix(&fixed.bytes, origin).is_none(), "a second run changes {text:?}");
    assert!(errors(&after.diagnostics) <= errors(&before.diagnostics), "more errors: {text:?}");
    let (old, new) = (before.skill.expect("it was text"), after.skill.expect("it is text"));
    let mended = |code| fixed.mended.iter().any(|found| found.code == code);
    if mended(Code::NoFrontMatter) {
        // A second byte order mark hid the front matter.
        assert!(old.body().ends_with(new.body()), "{text:?}");
        return Some(fixed);
    }
    assert_eq!(old.body(), new.body(), "{text:?}");
    if mended(Code::UnclosedFrontMatter) {
        assert_eq!(old.restriction(), Restriction::Whole);
    } else {
        assert_narrow(new.fields(), old.fields(), &text);
    }
    assert_eq!(
        values(old.fields()),
        values(new.fields()),
        "{text:?} became {:?}",
        String::from_utf8_lossy(&fixed.bytes)
    );
    Some(fixed)
}

fn assert_narrow(new: &Fields, old: &Fields, text: &str) {
    let within = |some: &[Text], all: &[Text]| some.iter().all(|item| all.contains(item));
    assert!(within(&new.allowed_tools, &old.allowed_tools), "{text:?}");
    assert!(within(&old.disallowed_tools, &new.disallowed_tools), "{text:?}");
    assert!(old.user_invocable || !new.user_invocable, "{text:?}");
    assert!(!old.disable_model_invocation || new.disable_model_invocation, "{text:?}");
    assert!(!old.require_confirmation || new.require_confirmation, "{text:?}");
    assert!(old.allowed_agents == Agents::All || old.allowed_agents == new.allowed_agents);
    assert!(new.restriction >= old.restriction, "{text:?}");
}

/// Everything that a mend must not change: all fields but names, rights, and unknown keys, which
/// are kept as they are written.
fn values(fields: &Fields) -> String {
    let mut fields = fields.clone();
    fields.name = "".into();
    fields.word = "".into();
    fields.directory_word = "".into();
    fields.allowed_tools = Vec::new().into();
    fields.disable_model_invocation = false;
    fields.require_confirmation = false;
    fields.restriction = Restriction::None;
    fields.extra = Vec::new().into();
    let lines: Vec<_> =
        fields.depends_on.iter().map(|d| (d.name.clone(), d.requirement.clone())).collect();
    fields.depends_on = Vec::new().into();
    format!("{lines:?} {fields:#?}")
}

fn errors(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|found| found.severity == Severity::Error).count()
}

/// Lines of front matter as people write them, right and wrong.
const LINES: [&str; 48] = [
    "name: demo",
    "name: Other",
    "name:",
    "Name: x",
    "description: d",
    "description: a: b",
    "description: a: b # why",
    "description: [a, b]",
    "description: |",
    "description: >-",
    "description: \"open",
    "description: 'it''s' so",
    "  and: more",
    "  more # of it",
    "\tmore",
    "  - item",
    "- item",
    "",
    "# comment",
    "  # comment",
    "allowed-tools: Read, Bash(git: *)",
    "allowed_tools: [Read]",
    "allowed-tools: [Read",
    "disallowedTools: WebFetch",
    "user-invocable: false",
    "user-invokable: no",
    "userInvocable: maybe",
    "  user-invocable: false",
    "disable-model-invocation: true",
    "disable_model_invocation: true # x",
    "require-confirmation: yes",
    "allowed-agents: [a, b]",
    "depends-on: a: b",
    "depends_on: [a@^1]",
    "metadata: {a: 1}",
    "metadata: {a: 1",
    "license: @me",
    "license: *a",
    "license: &a x",
    "argument-hint: [a] [b]",
    "unknown: a: b",
    "----",
    "--- x",
    "---",
    "...",
    "{a: b}",
    "? x",
    "text without a key",
];

const STARTS: [&str; 9] = [
    "---\n",
    "---\n",
    "---\n",
    "\n---\n",
    "\u{feff}---\n",
    "\u{feff}\u{feff}---\n",
    "```skill\n---\n",
    "",
    "--- \n",
];
const ENDS: [&str; 7] = [
    "---\nBody\n",
    "---\nBody\n",
    "---\n",
    "",
    "\n# Body\n---\n",
    "\nuser-invocable: no\n",
    "---\nBody\n```\n",
];

fn file() -> impl Strategy<Value = String> {
    let lines = prop::collection::vec(prop::sample::select(&LINES[..]), 0..8);
    let parts =
        (prop::sample::select(&STARTS[..]), lines, prop::sample::select(&ENDS[..]), any::<bool>());
    parts.prop_map(|(start, lines, end, is_crlf)| {
        let mut text = start.to_owned();
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(end);
        if is_crlf { text.replace('\n', "\r\n") } else { text }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn mending_keeps_what_it_has_to(text in file()) {
        for layout in [Layout::Skills, Layout::Commands] {
            check(text.as_bytes(), &Origin { layout, ..Origin::new("demo") });
        }
    }

    #[test]
    fn bytes_outside_the_edits_stay(text in file()) {
        let origin = Origin::new("demo");
        for found in parse(text.as_bytes(), &origin).diagnostics {
            for edit in &found.edits {
                prop_assert!(text.get(edit.span.clone()).is_some());
                prop_assert_ne!(&text[edit.span.clone()], &edit.replacement);
            }
            // One finding's edits mend that finding by themselves.
            let mut mended = text.clone();
            let mut edits = found.edits.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            for edit in &edits {
                mended.replace_range(edit.span.clone(), &edit.replacement);
            }
            if !edits.is_empty() {
                let codes = |text: &str| {
                    let parsed = parse(text.as_bytes(), &origin);
                    parsed.diagnostics.iter().filter(|other| other.code == found.code).count()
                };
                prop_assert!(codes(&mended) < codes(&text), "{found} in {text:?} became {mended:?}");
            }
        }
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = fix(&bytes, &Origin::new("demo"));
    }
}

#[test]
fn real_files_are_mended_and_kept() {
    let Some(root) = std::env::var_os("SKILLDECK_CORPUS") else {
        println!("skipped: SKILLDECK_CORPUS is not set");
        return;
    };
    let root = Path::new(&root);
    let expected = fs::read_to_string(root.join("expected.jsonl")).unwrap();
    let (mut files, mut faulty, mut changed, mut clean) = (0, 0, 0, 0);
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in expected.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let file = row["file"].as_str().unwrap();
        let is_command = file.starts_with("commands/");
        let path = Path::new(file);
        let name = if is_command { path.file_stem() } else { path.parent().unwrap().file_name() };
        let layout = if is_command { Layout::Commands } else { Layout::Skills };
        let origin = Origin { layout, ..Origin::new(name.unwrap().to_str().unwrap()) };
        let bytes = fs::read(root.join(file)).unwrap();
        files += 1;
        let before = strict(&bytes, &origin);
        if before.is_empty() {
            assert!(fix(&bytes, &origin).is_none(), "{file} was right");
            continue;
        }
        faulty += 1;
        let fixed = check(&bytes, &origin).map(|fixed| fixed.bytes);
        changed += usize::from(fixed.is_some());
        let after = strict(fixed.as_deref().unwrap_or(&bytes), &origin);
        if before.iter().all(|found| !found.edits.is_empty()) {
            assert!(after.is_empty(), "{file}: {after:?}");
        }
        clean += usize::from(after.is_empty());
        for found in after {
            *left.entry(found.code.id()).or_default() += 1;
        }
    }
    println!(
        "{files} files, {faulty} with findings, {changed} changed, {clean} clean after; left: {left:#?}"
    );
    assert!(changed > 0, "the corpus has nothing to mend");
}

/// What fails a strict check.
fn strict(bytes: &[u8], origin: &Origin<'_>) -> Vec<Diagnostic> {
    let mut found = parse(bytes, origin).diagnostics;
    found.retain(|found| found.severity >= Severity::Warning);
    found
}
