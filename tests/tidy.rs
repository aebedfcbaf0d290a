//! The invariants of docs/architecture.md that a look at the files can keep.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "tidy/code.rs"]
mod code;
#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/tree.rs"]
mod tree;

use std::fmt;
use std::sync::OnceLock;

use layers::first_segments;
use tree::File;

/// A place that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    line: usize,
    rule: String,
}

impl Finding {
    fn new(file: &File, line: usize, rule: &str) -> Self {
        Self { path: file.path.clone(), line, rule: rule.to_owned() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.rule)
    }
}

/// A file at most has this many lines, tests aside.
const MAX_LINES: usize = 400;
/// The README has fewer lines than this.
const README_LINES: usize = 150;

/// Where files may be read or written: a path starts with the first and contains the second.
const FILES: &[(&str, &str)] = &[
    ("skill-core/src/scan", ""),
    ("skill-core/src/codegen", ""),
    ("skill-runtime/src/source", ""),
    ("skill-runtime/src/watch", ""),
    ("skill-runtime/src/invocation/", "extract"),
    ("skill-runtime/src/telemetry/", "key"),
    ("src/cli/", ""),
    ("src/main.rs", ""),
    ("build.rs", ""),
];
/// Where processes may be run.
const PROCESSES: &[(&str, &str)] =
    &[("skill-runtime/src/process/", ""), ("src/cli/", ""), ("src/main.rs", "")];
/// Methods of paths that look at the disk.
const PATH_METHODS: &[&str] =
    &[".read_dir(", ".canonicalize(", ".symlink_metadata(", ".read_link(", ".try_exists("];
/// What the compiler waits for may use all processors.
const COMPILE_TIME_THREADS: &str = "skill-core/src/codegen/parallel.rs";
/// The markup of rendered prompts.
const MARKUP: &[&str] = &["<skill name=", "<skill_content", "<skill_resources", "<skill_instr"];
/// Folders that exist on one machine only.
const MACHINE_PATHS: &[&str] = &["/work/", "/tmp/", "/root/"];

type Rule = fn(&[File]) -> Vec<Finding>;

fn hold(rule: Rule) {
    static TREE: OnceLock<Vec<File>> = OnceLock::new();
    let files = TREE.get_or_init(tree::read);
    assert!(files.iter().any(|file| file.path == "skill-core/src/lib.rs"), "the tree was not read");
    let findings: Vec<String> = rule(files).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_does() {
    hold(headed);
}

#[test]
fn files_are_short() {
    hold(short);
}

#[test]
fn nothing_is_left_undone() {
    hold(done);
}

#[test]
fn nothing_unwraps_outside_tests() {
    hold(no_unwrap);
}

#[test]
fn crates_point_down() {
    hold(layers::crates);
}

#[test]
fn modules_of_the_run_time_point_along_the_way_of_the_data() {
    hold(layers::modules);
}

#[test]
fn siblings_are_pinned() {
    hold(layers::pins);
}

#[test]
fn the_outside_world_has_few_doors() {
    hold(doors);
}

#[test]
fn only_invocation_builds_prompts() {
    hold(prompts);
}

#[test]
fn no_path_of_a_machine_is_kept() {
    hold(machine_paths);
}

#[test]
fn the_readme_is_short() {
    hold(readme);
}

#[test]
fn every_package_has_the_licences() {
    hold(licences);
}

fn headed(files: &[File]) -> Vec<Finding> {
    let bare = files.iter().filter(|file| file.is_rust() && !file.text.starts_with("//! "));
    bare.map(|file| Finding::new(file, 1, "the first line starts with `//! `")).collect()
}

fn short(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && !file.is_test()) {
        let lines = file.text.lines().count();
        if lines > MAX_LINES && !file.is_generated() {
            let rule = format!("{lines} lines, at most {MAX_LINES}: which second noun is in it?");
            findings.push(Finding::new(file, lines, &rule));
        }
    }
    findings
}

fn done(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for mark in ["todo!", "unimplemented!", "dbg!", "#[ignore"] {
            find(file, &file.code, mark, &format!("`{mark}` is left"), &mut findings);
        }
    }
    findings
}

fn no_unwrap(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        find(file, &file.shipped, ".unwrap()", "`unwrap` outside tests", &mut findings);
    }
    findings
}

fn doors(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && !file.is_test()) {
        if file.path.starts_with("examples/") {
            continue;
        }
        let may = |doors: &[(&str, &str)]| {
            doors.iter().any(|(start, part)| {
                file.path.strip_prefix(start).is_some_and(|rest| rest.contains(part))
            })
        };
        let code = &file.shipped;
        let core = file.path.starts_with("skill-core/") || file.path.starts_with("skill-macros/");
        for (line, module) in first_segments(code, "std") {
            let text = code.lines().nth(line - 1).unwrap_or_default();
            // The number of this process and its exit code start none.
            let starts_none = text.contains("process::id()") || text.contains("process::ExitCode");
            let rule = match &*module {
                "fs" if !may(FILES) => "`std::fs` has no door here",
                "process" if !may(PROCESSES) && !starts_none => "`std::process` has no door here",
                "thread" if core && file.path != COMPILE_TIME_THREADS => {
                    "the core starts no thread"
                }
                "net" if core || file.path.starts_with("skill-runtime/") => "no network here",
                _ => continue,
            };
            findings.push(Finding::new(file, line, rule));
        }
        if !may(FILES) {
            for method in PATH_METHODS {
                let rule = format!("`{}` looks at the disk", &method[..method.len() - 1]);
                find(file, code, method, &rule, &mut findings);
            }
        }
        if core || file.path.starts_with("skill-runtime/") {
            find(file, code, "async ", "nothing is async below the bridges", &mut findings);
        }
    }
    findings
}

fn prompts(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && !file.is_test()) {
        if !file.path.starts_with("skill-runtime/src/invocation") {
            for mark in MARKUP {
                let rule = format!("`{mark}` is written in `invocation` only");
                find(file, &file.spoken, mark, &rule, &mut findings);
            }
        }
    }
    findings
}

fn machine_paths(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| !file.is_test() && !file.path.ends_with(".lock")) {
        for path in MACHINE_PATHS {
            find(
                file,
                &file.text,
                path,
                &format!("`{path}` is a path of one machine"),
                &mut findings,
            );
        }
    }
    findings
}

fn readme(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path == "README.md") {
        let lines = file.text.lines().count();
        if lines >= README_LINES {
            let rule = format!("{lines} lines; it has fewer than {README_LINES}");
            findings.push(Finding::new(file, lines, &rule));
        }
    }
    findings
}

fn licences(files: &[File]) -> Vec<Finding> {
    let text = |path: &str| files.iter().find(|file| file.path == path).map(|file| &file.text);
    let mut findings = Vec::new();
    for manifest in files {
        let Some(folder) = manifest.path.strip_suffix("Cargo.toml") else { continue };
        if manifest.is_test() || folder.starts_with("examples/") {
            continue;
        }
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = text(&format!("{folder}{name}"));
            if own.is_none() || own != text(name) {
                let rule = format!("{name} is missing beside it, or is not the workspace's");
                findings.push(Finding::new(manifest, 1, &rule));
            }
        }
    }
    findings
}

/// Adds a finding for every place where `needle` stands in a view of the file.
fn find(file: &File, view: &str, needle: &str, rule: &str, findings: &mut Vec<Finding>) {
    let places = view.match_indices(needle);
    findings.extend(places.map(|(at, _)| Finding::new(file, line_of(view, at), rule)));
}

/// The 1-based line of a byte offset.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// A rule that never finds anything keeps nothing: each finds what is wrong here, on its line, and
/// leaves alone what is right.
#[test]
fn rules_bite() {
    let long = "//! x\n".repeat(MAX_LINES + 1);
    let cases: &[(Rule, &str, &str, &[usize])] = &[
        (headed, "src/a.rs", "\n//! late", &[1]),
        (headed, "tests/a.rs", "//! in time", &[]),
        (short, "src/a.rs", &long, &[MAX_LINES + 1]),
        (short, "src/a/tests.rs", &long, &[]),
        (done, "src/a.rs", "// todo!\nfn a() { todo!(\"x\") }\nlet a = \"dbg!\";", &[2]),
        (done, "tests/a.rs", "#[test]\n#[ignore = \"slow\"]", &[2]),
        (no_unwrap, "src/a.rs", "/// a.unwrap()\na.unwrap();\na.unwrap_or(b);", &[2]),
        (no_unwrap, "src/a.rs", "#[cfg(test)]\nmod t {\n a.unwrap()\n}\nb.unwrap()", &[5]),
        (no_unwrap, "src/a/tests.rs", "a.unwrap()", &[]),
        (
            layers::crates,
            "skill-core/Cargo.toml",
            "[dependencies]\nskilldeck-runtime.workspace = true",
            &[2],
        ),
        (layers::crates, "skill-new/Cargo.toml", "[package]", &[1]),
        (
            layers::crates,
            "skill-runtime/Cargo.toml",
            "[dependencies]\nskilldeck-core = {}\n[dev-dependencies]\nskilldeck = {}",
            &[],
        ),
        (
            layers::crates,
            "skill-runtime/src/a.rs",
            "use skilldeck_core::A;\nuse skilldeck_bridges::B;",
            &[2],
        ),
        (
            layers::modules,
            "skill-runtime/src/source/a.rs",
            "use crate::catalog::A;\nuse crate::error::Error;",
            &[1],
        ),
        (
            layers::modules,
            "skill-runtime/src/source/a.rs",
            "use crate::{\n error::{A, B},\n snapshot::C,\n};",
            &[3],
        ),
        (
            layers::modules,
            "skill-runtime/src/source/a.rs",
            "use super::b::C;\nuse super::super::policy::D;",
            &[2],
        ),
        (
            layers::modules,
            "skill-runtime/src/catalog/mod.rs",
            "use super::source::A;\nuse super::command::B;",
            &[2],
        ),
        (layers::modules, "skill-runtime/src/catalog/mod.rs", "fn a(x: crate::Error) {}", &[1]),
        (layers::modules, "skill-runtime/src/novel.rs", "", &[1]),
        (layers::modules, "skill-runtime/src/error.rs", "use crate::caller::A;", &[1]),
        (
            layers::pins,
            "Cargo.toml",
            "[workspace.dependencies]\nskilldeck-core = { version = \"0.1\" }",
            &[2],
        ),
        (
            layers::pins,
            "skill-macros/Cargo.toml",
            "[dependencies]\nskilldeck-core = \"=0.1.0\"\nskilldeck-x = { workspace = true }",
            &[2],
        ),
        (
            doors,
            "skill-core/src/model/a.rs",
            "use std::{fmt, fs};\nstd::thread::spawn(a);\np.canonicalize()",
            &[1, 2, 3],
        ),
        (doors, "skill-core/src/scan/read.rs", "use std::fs;\nuse std::process::Command;", &[2]),
        (
            doors,
            "skill-runtime/src/invocation/extract.rs",
            "use std::fs;\nlet a = std::process::id();",
            &[],
        ),
        (
            doors,
            "skill-runtime/src/invocation/render.rs",
            "use std::fs;\nuse std::net::A;\nasync fn a() {}",
            &[1, 2, 3],
        ),
        (doors, "skill-runtime/src/process/run.rs", "use std::process::Command;", &[]),
        (doors, "skill-runtime/src/host.rs", "use std::process::Command;", &[1]),
        (layers::modules, "skill-runtime/src/process/run.rs", "use crate::policy::A;", &[1]),
        (doors, "src/lib.rs", "std::fs::read(a);", &[1]),
        (doors, "src/cli/new.rs", "use std::fs; use std::process::Command;", &[]),
        (prompts, "src/cli/run.rs", "// <skill name=\nlet a = \"<skill name=\";", &[2]),
        (prompts, "skill-runtime/src/invocation/render.rs", "let a = \"<skill name=\";", &[]),
        (machine_paths, "docs/a.md", "fine\nsee /tmp/x", &[2]),
        (readme, "README.md", &long, &[MAX_LINES + 1]),
        (licences, "skill-core/Cargo.toml", "", &[1, 1]),
    ];
    for (rule, path, text, lines) in cases {
        let mut found: Vec<usize> =
            rule(&[File::new(path, text)]).iter().map(|finding| finding.line).collect();
        found.sort_unstable();
        assert_eq!(&*found, *lines, "{path}: {text}");
    }
}
