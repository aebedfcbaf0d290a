//! Any bytes to a skill: never a panic, never a lost or changed body, every finding at a real place.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use skilldeck_core::diagnostic::Severity;
use skilldeck_core::format::{Layout, Origin, outline, parse};
use skilldeck_core::template::{Dialect, Positional, Variables};

fuzz_target!(|data: &[u8]| {
    // The first byte chooses how the rest is read, so that seeds stay readable.
    let Some((choice, bytes)) = data.split_first() else { return };
    let origin = Origin {
        name: "demo",
        path: Some(Path::new("demo/SKILL.md")),
        layout: if choice & 1 == 0 { Layout::Skills } else { Layout::Commands },
        dialect: if choice & 2 == 0 { Dialect::Claude } else { Dialect::OpenCode },
        positional: if choice & 4 == 0 { Positional::Declared } else { Positional::Always },
    };
    let parsed = parse(bytes, &origin);
    for finding in &parsed.diagnostics {
        assert!(finding.line >= 1 && finding.column >= 1, "{finding:?}");
        assert!(finding.span.start <= finding.span.end, "{finding:?}");
        assert!(finding.span.end <= bytes.len(), "{finding:?}");
        let advice = finding.help.as_deref().unwrap_or_default();
        assert!(finding.severity == Severity::Note || !advice.is_empty(), "{finding:?}");
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(skill) = parsed.skill else { return };
    // The body is a part of the file, and the outline agrees on which.
    let body = outline(text).body;
    assert!(skill.body().is_empty() || skill.body() == &text[body], "{:?}", skill.body());
    assert!(!skill.word().is_empty());
    // Filling never looks at what it inserts.
    let arguments = "$1 $ARGUMENTS !`x` ${SKILL_DIR} \\$0";
    let template = skill.template();
    let shells = vec!["$0".into(); template.shells().len()];
    let mut out = String::new();
    template.fill(&template.bind(arguments), &Variables::default(), &shells, &mut out);
});
