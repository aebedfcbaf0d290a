//! Real files: the same bytes on every run.

use std::env;

use crate::support::Workspace;

#[test]
fn listing_the_corpus_is_deterministic() {
    let Some(corpus) = env::var_os("SKILLDECK_CORPUS") else {
        println!("skipped: SKILLDECK_CORPUS is not set");
        return;
    };
    let workspace = Workspace::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(corpus).join("skills");
    let list = || {
        workspace
            .run([
                "list".as_ref(),
                "--all".as_ref(),
                "--no-bundled".as_ref(),
                "--no-default-roots".as_ref(),
                "--root".as_ref(),
                root.as_os_str(),
                "--json".as_ref(),
            ])
            .ok()
    };
    let first = list();
    let skills: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert!(skills.as_array().unwrap().len() > 100, "{} skills", skills.as_array().unwrap().len());
    for _ in 0..2 {
        assert!(list() == first, "two runs differ");
    }
}
