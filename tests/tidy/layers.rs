//! Which crate and which module may know which: the arrows of docs/architecture.md.

use crate::code::block_length;
use crate::tree::File;
use crate::{Finding, line_of};

/// Folder, package, and the packages of this workspace it may use.
const CRATES: &[(&str, &str, &[&str])] = &[
    ("skill-core/", "skilldeck-core", &[]),
    ("skill-macros/", "skilldeck-macros", &["skilldeck-core"]),
    ("skill-runtime/", "skilldeck-runtime", &["skilldeck-core"]),
    ("skill-bridges/", "skilldeck-bridges", &["skilldeck-core", "skilldeck-runtime"]),
    (
        "",
        "skilldeck",
        &["skilldeck-core", "skilldeck-macros", "skilldeck-runtime", "skilldeck-bridges"],
    ),
];

const RUNTIME: &str = "skill-runtime/src/";

/// Modules of the run time that know nothing of it, and that every other may use.
const LEAVES: &[&str] = &["error", "caller", "cancel"];

/// Further modules of the run time, and the ones each may use beside the leaves. The registry
/// assembles; invocation stands at the end of the data's way.
const MODULES: &[(&str, &[&str])] = &[
    ("telemetry", &[]),
    ("lineage", &["telemetry"]),
    ("host", &["lineage", "telemetry"]),
    ("process", &["host"]),
    ("source", &[]),
    ("catalog", &["source"]),
    ("snapshot", &["catalog", "source"]),
    ("watch", &["snapshot", "catalog", "source"]),
    ("command", &["snapshot", "catalog", "source"]),
    ("policy", &["command", "snapshot", "catalog", "source", "host"]),
    ("configuration", &["registry", "policy", "snapshot", "catalog", "source", "host"]),
    ("listing", &["registry", "policy", "snapshot", "catalog", "source", "host"]),
    (
        "registry",
        &[
            "command",
            "policy",
            "watch",
            "snapshot",
            "catalog",
            "source",
            "host",
            "lineage",
            "telemetry",
        ],
    ),
    (
        "invocation",
        &[
            "registry",
            "command",
            "policy",
            "snapshot",
            "catalog",
            "source",
            "host",
            "lineage",
            "telemetry",
        ],
    ),
];

/// Crates point down only: in their manifests and in their sources.
pub(crate) fn crates(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        if file.path.starts_with("examples/") {
            continue;
        }
        if file.path.ends_with("/Cargo.toml") && !known(&file.path) {
            findings.push(Finding::new(file, 1, "the crate is missing in CRATES of tidy"));
            continue;
        }
        let (_, package, allowed) = row(&file.path);
        let used = if file.path.ends_with("Cargo.toml") {
            siblings(&file.text).filter(|(section, ..)| !section.starts_with("dev-")).collect()
        } else if file.is_rust() {
            named_crates(&file.shipped)
        } else {
            Vec::new()
        };
        for (_, line, name) in used {
            if name != *package && !allowed.contains(&&*name) {
                findings.push(Finding::new(file, line, &format!("{package} may not use {name}")));
            }
        }
    }
    findings
}

/// Siblings are pinned with `=` in one place, and every crate takes them from there.
pub(crate) fn pins(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let version = files.iter().find(|file| file.path == "Cargo.toml").and_then(|file| {
        let package = file.text.split("[workspace.package]").nth(1)?;
        let line = package.lines().find(|line| line.starts_with("version = "))?;
        line.split('"').nth(1).map(str::to_owned)
    });
    let pin = format!("version = \"={}\"", version.unwrap_or_default());
    for file in files.iter().filter(|file| {
        file.path == "Cargo.toml"
            || CRATES.iter().any(|(folder, ..)| file.path == format!("{folder}Cargo.toml"))
    }) {
        for (section, line, name) in siblings(&file.text) {
            let text = file.text.lines().nth(line - 1).unwrap_or_default();
            let (right, rule) = match section {
                "workspace.dependencies" => (text.contains(&pin), &*pin),
                _ => (text.contains("workspace = true"), "workspace = true"),
            };
            if !right {
                findings.push(Finding::new(file, line, &format!("{name} wants `{rule}`")));
            }
        }
    }
    findings
}

/// Inside the run time, modules point along the data's way.
pub(crate) fn modules(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| !file.is_test() && file.is_rust()) {
        let Some(inside) = file.path.strip_prefix(RUNTIME) else { continue };
        if inside == "lib.rs" {
            continue;
        }
        let module = inside.split(['/', '.']).next().unwrap_or_default();
        let Some(allowed) = allowed_in(module) else {
            findings.push(Finding::new(file, 1, "the module is missing in MODULES of tidy"));
            continue;
        };
        let depth = inside.split('/').filter(|part| *part != "mod.rs").count();
        let upwards = vec!["super"; depth].join("::");
        let used =
            [first_segments(&file.shipped, "crate"), first_segments(&file.shipped, &upwards)];
        for (line, name) in used.concat() {
            let rule = if allowed_in(&name).is_none() {
                format!("name `{name}` by its module, so that its layer is seen")
            } else if name != module && !allowed.iter().any(|list| list.contains(&&*name)) {
                format!("`{module}` may not use `{name}`")
            } else {
                continue;
            };
            findings.push(Finding::new(file, line, &rule));
        }
    }
    findings
}

/// What follows directly behind `head::`, a group taken apart: with head `std` both `std::fs::read`
/// and `std::{fs, io}` give `fs`. With lines.
pub(crate) fn first_segments(code: &str, head: &str) -> Vec<(usize, String)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices(&format!("{head}::")) {
        if code[..at].ends_with(is_word) {
            continue;
        }
        let start = at + head.len() + 2;
        let rest = &code[start..];
        let starts: Vec<usize> = if rest.starts_with('{') {
            let group = &rest[..block_length(rest)];
            let mut depth = 0_i32;
            let mut starts = Vec::new();
            for (i, byte) in group.bytes().enumerate() {
                match byte {
                    b'{' => depth += 1,
                    b'}' => depth -= 1,
                    _ => {}
                }
                if depth == 1 && matches!(byte, b'{' | b',') {
                    starts.push(i + 1);
                }
            }
            starts
        } else {
            vec![0]
        };
        for begin in starts {
            let item = rest[begin..].trim_start();
            let name: String = item.chars().take_while(|c| is_word(*c)).collect();
            if !name.is_empty() {
                let offset = start + rest.len() - item.len();
                found.push((line_of(code, offset), name));
            }
        }
    }
    found
}

/// The lists of modules that a module may use; `None` if the tables do not have it.
fn allowed_in(module: &str) -> Option<[&'static [&'static str]; 2]> {
    if LEAVES.contains(&module) {
        return Some([&[], &[]]);
    }
    let (_, allowed) = MODULES.iter().find(|(name, _)| *name == module)?;
    Some([LEAVES, allowed])
}

fn known(manifest: &str) -> bool {
    CRATES.iter().any(|(folder, ..)| !folder.is_empty() && manifest.starts_with(folder))
}

fn row(path: &str) -> &'static (&'static str, &'static str, &'static [&'static str]) {
    let mut rows = CRATES.iter();
    rows.find(|(folder, ..)| path.starts_with(folder)).expect("the last row has every path")
}

/// The lines of a manifest's dependency sections that name a sibling.
fn siblings(manifest: &str) -> impl Iterator<Item = (&str, usize, String)> {
    let mut section = "";
    manifest.lines().enumerate().filter_map(move |(i, line)| {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
        }
        let key = line.split([' ', '.', '=']).next().unwrap_or_default();
        let named = key.starts_with("skilldeck") && section.ends_with("dependencies");
        named.then(|| (section, i + 1, key.to_owned()))
    })
}

fn named_crates(code: &str) -> Vec<(&str, usize, String)> {
    let words = code.match_indices("skilldeck_");
    words
        .filter(|(at, _)| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        .map(|(at, _)| {
            let rest = code[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
            ("", line_of(code, at), rest.unwrap_or_default().replace('_', "-"))
        })
        .filter(|(_, _, name)| CRATES.iter().any(|(_, package, _)| package == name))
        .collect()
}
