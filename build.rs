//! Directories of skills to a rebuild when something is added to them.

use std::path::Path;

fn main() {
    // `skilldeck_core::codegen::watch` does this and shows warnings. Not here: every build of the
    // library would wait for it, and tests compile these skills with warnings as errors.
    //
    // Cargo takes a missing path for a changed one, in every build. Without any instruction it
    // watches all files of the package, so a directory that appears is seen too.
    for directory in ["skills", "tests/fixtures/decks"] {
        if Path::new(directory).is_dir() {
            println!("cargo::rerun-if-changed={directory}");
        }
    }
}
