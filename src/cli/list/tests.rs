//! A stale entry, as only a long run has it, to what people and scripts are shown.

use std::sync::Arc;

use skilldeck::{Memory, Registry, Source, SourceInfo, Tier};

use super::{json, table};
use crate::cli::show::why;

#[test]
fn a_stale_entry_is_marked_and_explained() {
    let memory = Arc::new(Memory::default());
    let text = |keys: &str| format!("---\nname: demo\ndescription: Does it.\n{keys}---\nDo it.\n");
    memory.insert("demo", text(""));
    let source = Source::memory(Arc::clone(&memory), SourceInfo::new("mine", Tier::USER));
    let registry = Registry::builder().source(source).build().unwrap();
    memory.insert("demo", text("license: [a, b\n"));
    assert_eq!(registry.reload().stale, ["demo"]);
    let snapshot = registry.snapshot();
    let entry = snapshot.get("demo").unwrap();

    let shown = json::entry(entry, registry.policy());
    assert_eq!(shown["state"], "stale");
    let reason = shown["reason"].as_str().unwrap();
    assert!(reason.starts_with("line 4: "), "{reason}");
    assert_eq!(shown["diagnostics"].as_array().unwrap().len(), 2);

    let plain = |text: &str| anstream::adapter::strip_str(text).to_string();
    let line = plain(&table(&[entry], registry.policy(), None));
    assert!(line.contains(&format!("[stale: {reason}] Does it.")), "{line}");
    let page = plain(&why(entry));
    assert!(page.contains(&format!("stale: {reason}")), "{page}");
}
