//! Directories with mistakes to the text of the compile errors: a directory for each case, with
//! what is expected beside it in `errors.txt`. `UPDATE_EXPECT=1` writes it anew.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use skilldeck_core::codegen::{Directory, Options, load};

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

/// One block for each compile error.
fn errors(case: &Path) -> String {
    let directories = &[Directory::new(case, "skills").unwrap()];
    let options = Options { strict: case.join("strict").exists(), ..Options::default() };
    match load(directories, &options) {
        Ok(loaded) => format!("no error, {} skills\n", loaded.skills().len()),
        Err(faults) => {
            faults.iter().map(|fault| format!("error: {fault}\n")).collect::<Vec<_>>().join("\n")
        }
    }
}

#[test]
fn errors_name_file_line_column_and_help() {
    let cases = cases();
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in cases {
        let (expected_file, found) = (case.join("errors.txt"), errors(&case));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected_file, &found).unwrap();
        }
        let expected = fs::read_to_string(&expected_file).unwrap_or_default();
        if found != expected.replace("\r\n", "\n") {
            wrong.push(format!("{}\n--- expected\n{expected}--- found\n{found}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_lenient_call_accepts_what_a_strict_one_refuses() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/strict");
    let directories = &[Directory::new(&case, "skills").unwrap()];
    assert!(load(directories, &Options::default()).is_ok());
    assert!(load(directories, &Options { strict: true, ..Options::default() }).is_err());
}
