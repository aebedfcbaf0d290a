//! The directory of this workspace to files that rules can look at.

use std::fs;
use std::path::Path;

use crate::code::{blank, strip, test_modules};

/// A text file of the tree.
#[derive(Debug)]
pub(crate) struct File {
    /// Relative to the workspace, with `/` between the parts.
    pub(crate) path: String,
    /// What is in it.
    pub(crate) text: String,
    /// For Rust: the text without comments and without what stands in literals.
    pub(crate) code: String,
    /// `code` without test modules.
    pub(crate) shipped: String,
    /// The text without comments and test modules, but with what stands in literals.
    pub(crate) spoken: String,
}

impl File {
    /// A file with this text.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let (code, shipped, spoken) = if path.ends_with(".rs") {
            let code = strip(text, false);
            let tests = test_modules(&code);
            let shipped = blank(&code, &tests);
            let spoken = blank(&strip(text, true), &tests);
            (code, shipped, spoken)
        } else {
            Default::default()
        };
        Self { path: path.to_owned(), text: text.to_owned(), code, shipped, spoken }
    }

    /// Whether it is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it only tests or measures: no part of what is shipped.
    pub(crate) fn is_test(&self) -> bool {
        let in_folder = self
            .path
            .split('/')
            .any(|part| matches!(part, "tests" | "benches" | "fuzz" | "cases" | "fixtures"));
        in_folder || self.path.ends_with("tests.rs")
    }

    /// Whether a program wrote it, and says so in its first lines.
    pub(crate) fn is_generated(&self) -> bool {
        self.text.lines().take(3).any(|line| line.contains("@generated"))
    }
}

/// Reads every text file of the workspace, sorted by path. Git is not asked, so that a copy without
/// its history can be checked; what is built or hidden is left out.
pub(crate) fn read() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    walk(root, "", &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn walk(directory: &Path, prefix: &str, files: &mut Vec<File>) {
    let entries = fs::read_dir(directory).unwrap_or_else(|e| panic!("{prefix}: {e}"));
    for entry in entries {
        let entry = entry.unwrap_or_else(|e| panic!("{prefix}: {e}"));
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().unwrap_or_else(|e| panic!("{path}: {e}"));
        if kind.is_dir() {
            let hidden = name.starts_with('.') && !matches!(&*name, ".ci" | ".github");
            let built = matches!(&*name, "target" | "node_modules" | "artifacts")
                || path == "fuzz/corpus"
                || entry.path().join("CACHEDIR.TAG").exists();
            if !hidden && !built {
                walk(&entry.path(), &format!("{path}/"), files);
            }
        } else if kind.is_file()
            && name != ".git"
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            files.push(File::new(&path, &text));
        }
    }
}
