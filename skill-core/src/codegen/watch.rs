//! Directories of skills to what a build script tells Cargo: what to watch, and the warnings.

use std::path::Path;

use super::{Directory, Fault, Files, Options, load};
use crate::diagnostic::{Diagnostic, Severity};

/// Tells Cargo, from a build script, to watch these directories of the package and to show every
/// warning about their skills.
///
/// ```no_run
/// // In the `main` of build.rs:
/// skilldeck_core::codegen::watch(&["skills"]);
/// ```
///
/// What it prints is what [`instructions`] gives for the package that is built. Cargo shows
/// warnings of the packages of a workspace and of those it depends on by path, not of others.
///
/// # Panics
/// When standard output is closed, as Cargo would take that for nothing to watch.
#[expect(clippy::print_stdout, reason = "standard output is how a build script talks to Cargo")]
pub fn watch(directories: &[&str]) {
    // Cargo runs build scripts in the directory of the package, and says where that is.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| ".".into());
    for line in instructions(Path::new(&package), directories) {
        println!("{line}");
    }
}

/// The lines that tell Cargo to watch these directories and to show the warnings about their
/// skills: first a `cargo::rerun-if-changed=` for each directory that exists, then a
/// `cargo::warning=` with path, line, column, message, code and help for each warning, sorted by
/// file and place.
///
/// A directory that is missing is not named, as Cargo takes a missing path for a changed one in
/// every build. Errors are left to the macro, and so is a path that it would refuse.
#[must_use]
pub fn instructions(package: &Path, directories: &[&str]) -> Vec<String> {
    let mut found: Vec<Directory> = Vec::new();
    for path in directories {
        let directory = Directory::new(package, path);
        if let Ok(directory) = directory.and_then(|directory| directory.beside(&found)) {
            found.push(directory);
        }
    }
    let watched = found.iter().map(|directory| {
        let relative = directory.relative();
        let path = if relative.is_empty() { "." } else { relative };
        format!("cargo::rerun-if-changed={}", one_line(path))
    });
    let mut lines: Vec<String> = watched.collect();
    // Side files have no warnings, only errors.
    let options = Options { strict: true, files: Files::none(), ..Options::default() };
    for fault in load(&found, &options).err().iter().flatten() {
        let warnings = fault.diagnostics().iter().filter(|it| it.severity == Severity::Warning);
        lines.extend(warnings.map(|diagnostic| warning(fault, diagnostic)));
    }
    lines
}

fn warning(fault: &Fault, diagnostic: &Diagnostic) -> String {
    let Diagnostic { line, column, message, code, help, .. } = diagnostic;
    let path = fault.path();
    let help = help.as_ref().map(|help| format!(" (help: {help})")).unwrap_or_default();
    let text = format!("{path}:{line}:{column}: {message} [{}]{help}", code.id());
    format!("cargo::warning={}", one_line(&text))
}

/// The text as one line of what Cargo reads: a second one would be an instruction of its own.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
