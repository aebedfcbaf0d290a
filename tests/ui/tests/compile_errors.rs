//! Calls with mistakes to what the compiler shows: the place in the call, one error for one file.
//! The texts for every kind of mistake are tested in `skill-macros/tests/faults.rs`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

#[test]
fn compile_errors() {
    // The package that trybuild compiles the cases in; paths in them are relative to it.
    let package =
        Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests/trybuild/skilldeck-ui-tests");
    let decks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skill-macros/tests/cases");
    copy(&decks, &package.join("decks"));
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}

/// Copies a directory in the place of what is there.
fn copy(from: &Path, to: &Path) {
    if to.exists() {
        fs::remove_dir_all(to).unwrap();
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}
