//! One text after another in the same file.

use std::fs;
use std::sync::Arc;

use skilldeck_runtime::{Memory, Registry, Request, Source, SourceInfo, State, Tier};

use crate::support::{Tree, registry, user};
use crate::{codes, now, ready, stale, told};

fn text(keys: &str, body: &str) -> String {
    format!("---\nname: demo\ndescription: d\n{keys}---\n{body}\n")
}

/// Where a text is put so that a registry reads it.
type Put = Box<dyn Fn(&str)>;

/// A file of a directory and a text in memory, each with a good version of the body `Old.`.
fn decks() -> Vec<(Registry, Put, Tree)> {
    let tree = Tree::new();
    let path = tree.write("demo/SKILL.md", text("", "Old."));
    let of_file = registry([user(tree.root())]);
    let put_file: Put = Box::new(move |text| fs::write(&path, text).unwrap());
    let memory = Arc::new(Memory::default());
    memory.insert("demo", text("", "Old."));
    let source = Source::memory(Arc::clone(&memory), SourceInfo::new("mine", Tier::USER));
    let put_text: Put = Box::new(move |text| memory.insert("demo", text));
    vec![(of_file, put_file, tree), (registry([source]), put_text, Tree::new())]
}

/// A save in two steps leaves nothing in the file for a moment, and nothing is no skill.
#[test]
fn a_text_of_nothing_keeps_the_last_good_version() {
    for (registry, put, _tree) in decks() {
        for blank in ["", "\n \t\r\n", "\u{feff}"] {
            put(blank);
            assert_eq!(told(&registry.reload()), ["stale: demo"], "{blank:?}");
            assert_eq!(now(&registry, "demo"), stale("Old.\n"), "{blank:?}");
            let snapshot = registry.snapshot();
            let reason = snapshot.get("demo").unwrap().reason().unwrap();
            assert_eq!(reason, "there is nothing in the file");
            put(&text("", "Old."));
            assert_eq!(told(&registry.reload()), ["recovered: demo"], "{blank:?}");
        }
        // A body without front matter is a skill, and so is front matter without a body.
        for whole in ["Just text.\n", "---\nname: demo\ndescription: d\n---\n"] {
            put(whole);
            registry.reload();
            assert_eq!(now(&registry, "demo").unwrap().0, State::Ready, "{whole:?}");
        }
    }
}

#[test]
fn every_kind_of_error_keeps_the_last_good_version() {
    let unclosed = "---\nname: demo\ndescription: d\n\nNew.\n".to_owned();
    for (broken, code, line) in [
        (text("tags: [a, b\n", "New."), "unreadable-key", 4),
        (text("just words\n", "New."), "stray-line", 4),
        (text("license: a\0b\n", "New."), "nul-byte", 4),
        (text("background: perhaps\n", "New."), "not-a-boolean", 4),
        (text("user-invocable: perhaps\n", "New."), "not-a-boolean", 4),
        (text("allowed-tools: {a: b}\n", "New."), "restriction-lost", 4),
        (text("depends-on: a@newest\n", "New."), "invalid-requirement", 4),
        (text("arguments: [a]\n", "!`sh -c \"$a\"`"), "placeholder-in-shell-code", 6),
        ("---\n- a\n---\nNew.\n".to_owned(), "not-a-mapping", 2),
        (unclosed, "unclosed-front-matter", 1),
    ] {
        for (registry, put, _tree) in decks() {
            put(&broken);
            let change = registry.reload();
            assert_eq!(told(&change), ["stale: demo"], "{broken:?}");
            assert_eq!(now(&registry, "demo"), stale("Old.\n"), "{broken:?}");
            let said = codes(&registry, "demo");
            assert!(said.contains(&code), "{code}: {said:?}");
            assert_eq!(said.iter().filter(|id| **id == "last-good-kept").count(), 1);
            assert_eq!(change.diagnostics.len(), said.len(), "each is new: {change:#?}");
            let snapshot = registry.snapshot();
            let reason = snapshot.get("demo").unwrap().reason().unwrap();
            assert!(reason.starts_with(&format!("line {line}: ")), "{broken:?}: {reason}");

            // The same text again is nothing new, whatever its times.
            put(&broken);
            assert_eq!(registry.reload().generation, 2, "{broken:?}");
            assert!(Arc::ptr_eq(&snapshot, &registry.snapshot()));

            // As it was, it is the version that was kept.
            put(&text("", "Old."));
            let change = registry.reload();
            assert_eq!(told(&change), ["recovered: demo"], "{broken:?}");
            assert_eq!(change.diagnostics, [], "{broken:?}");
            assert_eq!(now(&registry, "demo"), ready("Old.\n"));
            assert_eq!(codes(&registry, "demo"), [""; 0]);
            assert_eq!(registry.snapshot().get("demo").unwrap().reason(), None);
        }
    }
}

#[test]
fn a_text_that_only_warns_is_a_version_like_others() {
    for (registry, put, _tree) in decks() {
        put("No front matter.\n");
        assert_eq!(told(&registry.reload()), ["metadata: demo", "body: demo"]);
        assert_eq!(now(&registry, "demo"), ready("No front matter.\n"));
        put(&text("tags: [a, b\n", "New."));
        assert_eq!(told(&registry.reload()), ["stale: demo"]);
        assert_eq!(now(&registry, "demo"), stale("No front matter.\n"));
    }
}

/// Texts one after another, each with what is told of it and the body that is in force then; `!`
/// before a body says that it is stale.
#[test]
fn texts_in_a_row() {
    let bad = |body: &str| text("tags: [a, b\n", body);
    let worse = |body: &str| text("license: x\nallowed-tools: {a: b}\n", body);
    let rows: [&[(String, &[&str], &str)]; 5] = [
        // From one error to the next the good version stays the same, and never becomes a bad one.
        &[
            (bad("1."), &["stale: demo"], "!Old."),
            (bad("2."), &[], "!Old."),
            // What it restricts is another, though the text is the same.
            (worse("3."), &["metadata: demo"], "!Old."),
            (text("", "4."), &["body: demo", "recovered: demo"], "4."),
            (bad("5."), &["stale: demo"], "!4."),
        ],
        &[
            (bad("1."), &["stale: demo"], "!Old."),
            (text("license: MIT\n", "Old."), &["metadata: demo", "recovered: demo"], "Old."),
        ],
        &[
            (bad("Old."), &["stale: demo"], "!Old."),
            (text("", "Old."), &["recovered: demo"], "Old."),
            (bad("Old."), &["stale: demo"], "!Old."),
        ],
        // What the bad text restricted is lifted with it, and was no change of the good one.
        &[
            (text("user-invocable: false\ntags: [a\n", "1."), &["stale: demo"], "!Old."),
            (text("", "Old."), &["recovered: demo"], "Old."),
        ],
        // From one error to the next the restrictions are those of the newer one.
        &[
            (text("user-invocable: false\ntags: [a\n", "1."), &["stale: demo"], "!Old."),
            (bad("2."), &["metadata: demo"], "!Old."),
        ],
    ];
    for row in rows {
        for (registry, put, _tree) in decks() {
            for (text, expected, body) in row {
                put(text);
                assert_eq!(told(&registry.reload()), *expected, "{text:?}");
                let expected = match body.strip_prefix('!') {
                    Some(body) => stale(&format!("{body}\n")),
                    None => ready(&format!("{body}\n")),
                };
                assert_eq!(now(&registry, "demo"), expected, "{text:?}");
            }
        }
    }
}

#[test]
fn each_text_with_an_error_is_reported_once() {
    for (registry, put, _tree) in decks() {
        let mut kept = Vec::new();
        for body in ["1.", "1.", "2.", "2.", "3."] {
            put(&text("tags: [a, b\n", body));
            let change = registry.reload();
            let new = change.diagnostics.into_iter().filter(|it| it.code.id() == "last-good-kept");
            kept.extend(new.map(|found| found.message));
        }
        assert_eq!(kept.len(), 3, "{kept:#?}");
        // The fault itself stays the same and is said once, with where it is.
        assert!(kept.iter().all(|message| message.contains("line 4: ")), "{kept:#?}");
    }
}

#[test]
fn what_was_never_good_is_replaced() {
    let tree = Tree::new();
    let bad = |body: &str| text("tags: [a, b\n", body);
    let path = tree.write("demo/SKILL.md", bad("1."));
    let registry = registry([user(tree.root())]);
    assert_eq!(now(&registry, "demo"), ready("1.\n"));
    fs::write(&path, bad("2.")).unwrap();
    assert_eq!(told(&registry.reload()), ["body: demo"]);
    assert_eq!(now(&registry, "demo"), ready("2.\n"));
    assert!(!codes(&registry, "demo").contains(&"last-good-kept"));
    fs::write(&path, text("", "3.")).unwrap();
    assert_eq!(told(&registry.reload()), ["body: demo"]);
    fs::write(&path, bad("4.")).unwrap();
    assert_eq!(told(&registry.reload()), ["stale: demo"]);
    assert_eq!(now(&registry, "demo"), stale("3.\n"));
}

#[test]
fn a_file_that_is_deleted_is_gone_and_not_stale() {
    let tree = Tree::new();
    let path = tree.write("demo/SKILL.md", text("", "Old."));
    let registry = registry([user(tree.root())]);
    fs::write(&path, text("tags: [a\n", "New.")).unwrap();
    assert_eq!(told(&registry.reload()), ["stale: demo"]);
    fs::remove_file(&path).unwrap();
    assert_eq!(told(&registry.reload()), ["removed: demo"]);
    // What comes back has no version before it.
    fs::write(&path, text("tags: [a\n", "New.")).unwrap();
    assert_eq!(told(&registry.reload()), ["added: demo"]);
    assert_eq!(now(&registry, "demo"), ready("New.\n"));
}

#[test]
fn a_text_in_memory_that_is_taken_back_is_gone() {
    let memory = Arc::new(Memory::default());
    memory.insert("demo", text("", "Old."));
    let source = Source::memory(Arc::clone(&memory), SourceInfo::new("mine", Tier::USER));
    let registry = registry([source]);
    memory.insert("demo", text("tags: [a\n", "New."));
    assert_eq!(told(&registry.reload()), ["stale: demo"]);
    assert!(memory.remove("demo"));
    assert_eq!(told(&registry.reload()), ["removed: demo"]);
}

#[test]
fn an_invocation_renders_the_last_good_version_and_says_so() {
    for (registry, put, _tree) in decks() {
        put(&text("tags: [a, b\n", "New."));
        registry.reload();
        let outcome = registry.invoke(&Request::line("/skill:demo")).unwrap();
        assert!(outcome.text().ends_with("\nOld.\n</skill>"), "{}", outcome.text());
        let [notice] = outcome.notices() else { panic!("{:?}", outcome.notices()) };
        assert!(notice.starts_with("skill `demo` is the last good version: line 4: "), "{notice}");
        put(&text("", "Old."));
        registry.reload();
        let outcome = registry.invoke(&Request::line("/skill:demo")).unwrap();
        assert_eq!(outcome.notices(), [""; 0]);
    }
}
