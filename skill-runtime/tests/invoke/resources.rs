//! Where side files are, in each shape and from each kind of source.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use skilldeck_core::format::{Layout, Origin, parse};
use skilldeck_core::model::{BundledSkill, Deck, Index, SideFile};
use skilldeck_core::template::{Dialect, Positional};
use skilldeck_runtime::{ErrorKind, Host, Policy, Registry, Request, Shape, Source};

use crate::support::{info, skill};

fn bundled(text: &str, files: &'static [SideFile]) -> &'static Deck {
    let origin = Origin {
        name: "demo",
        path: None,
        layout: Layout::Skills,
        dialect: Dialect::Claude,
        positional: Positional::Declared,
    };
    let skill = parse(skill(text).as_bytes(), &origin).skill.unwrap();
    let skills = vec![BundledSkill { skill, path: "skills/demo/SKILL.md", sha256: "", files }];
    let (index, _) = Index::of_skills(skills.iter().map(|bundled| &bundled.skill));
    Box::leak(Box::new(Deck::from_parts(skills.leak(), index, &[0])))
}

/// One script, as a compiled deck has it.
fn side_files() -> &'static [SideFile] {
    let bytes = b"echo hi\n";
    let digest = Sha256::digest(bytes);
    let sha256: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let script = SideFile { path: "scripts/hi.sh", bytes, sha256: sha256.leak(), executable: true };
    vec![script].leak()
}

#[test]
fn a_directory_in_every_shape() {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("demo");
    fs::create_dir_all(home.join("scripts")).unwrap();
    fs::write(home.join("SKILL.md"), skill("Run ${SKILL_DIR}/scripts/a.sh.\n")).unwrap();
    fs::write(home.join("scripts/a.sh"), "").unwrap();
    fs::write(home.join("notes.md"), "").unwrap();
    let source = Source::directory(root.path(), info("mine", true));
    let registry = Registry::builder().source(source).build().unwrap();
    let render = |shape| {
        let request = Request::line("/demo now").shape(shape);
        let text = registry.invoke(&request).unwrap().into_text();
        text.replace(&home.display().to_string(), "{DIR}")
    };
    let body = "Run {DIR}/scripts/a.sh.";
    let tool = [
        "<skill_content name=\"demo\">",
        "<skill_resources>",
        "Base directory: {DIR}",
        "- notes.md",
        "- scripts/a.sh",
        "</skill_resources>",
        "<skill_instructions>",
        body,
        "",
        "ARGUMENTS: now",
        "</skill_instructions>",
        "</skill_content>",
    ];
    assert_eq!(render(Shape::Tool), tool.join("\n"));
    let opencode = [
        body,
        "",
        "ARGUMENTS: now",
        "",
        "Base directory for this skill: {DIR}",
        "Relative paths in this skill (e.g., scripts/, reference/) are relative to this base directory.",
    ];
    assert_eq!(render(Shape::OpenCode), opencode.join("\n"));
    assert_eq!(render(Shape::Agui), format!("User input: now\n\n{body}"));
}

#[cfg(unix)]
#[test]
fn a_directory_cannot_put_lines_into_a_prompt() {
    let root = tempfile::tempdir().unwrap();
    let hostile = root.path().join("a\n::error file=x::PWNED\nb");
    let home = hostile.join("demo");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("SKILL.md"), skill("Do it.\n")).unwrap();
    let source = Source::directory(&hostile, info("mine", true));
    let registry = Registry::builder().source(source).build().unwrap();
    for shape in [Shape::User, Shape::Tool, Shape::OpenCode] {
        let request = Request::line("/demo").shape(shape);
        let text = registry.invoke(&request).unwrap().into_text();
        assert!(text.contains("a\\n::error file=x::PWNED\\nb/demo"), "{shape:?}: {text}");
        assert!(!text.lines().any(|line| line.starts_with("::error")), "{shape:?}: {text}");
    }
}

#[test]
fn a_command_file_has_no_directory_of_its_own() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("demo.md"), "Do it in ${SKILL_DIR}.\n").unwrap();
    let mut info = info("mine", true);
    info.layout = Layout::Commands;
    let registry =
        Registry::builder().source(Source::directory(root.path(), info)).build().unwrap();
    let text = registry.invoke(&Request::line("/demo")).unwrap().into_text();
    assert_eq!(text, "<skill name=\"demo\">\nDo it in ${SKILL_DIR}.\n</skill>");
}

#[test]
fn side_files_of_a_bundled_skill_are_extracted_when_they_are_needed() {
    let cache = tempfile::tempdir().unwrap();
    let registry = Registry::builder().bundled(bundled("Do it.\n", side_files())).build().unwrap();
    let policy = Policy::new().extract_into(cache.path());
    let invoke = |shape| {
        let request = Request::line("/demo").shape(shape);
        registry.invoke_with(&policy, &request).unwrap().into_text()
    };
    assert_eq!(invoke(Shape::Plain), "Do it.");
    assert!(!cache.path().join("side-files").exists(), "nothing needed them yet");
    let text = invoke(Shape::User);
    let base = text.lines().nth(1).unwrap().strip_prefix("Resources: ").unwrap();
    assert!(Path::new(base).starts_with(cache.path()), "{base}");
    assert_eq!(fs::read_to_string(Path::new(base).join("scripts/hi.sh")).unwrap(), "echo hi\n");
    assert_eq!(invoke(Shape::User), text);
    fs::remove_dir_all(base).unwrap();
    assert_eq!(invoke(Shape::User), text);
    assert!(Path::new(base).join("scripts/hi.sh").exists(), "they came back");
    assert!(invoke(Shape::Tool).contains("\n- scripts/hi.sh\n"));
}

#[test]
fn a_bundled_skill_without_side_files_has_no_base() {
    let registry = Registry::builder().bundled(bundled("In ${SKILL_DIR}.\n", &[])).build().unwrap();
    let text = registry.invoke(&Request::line("/demo")).unwrap().into_text();
    assert_eq!(text, "<skill name=\"demo\">\nIn ${SKILL_DIR}.\n</skill>");
}

#[test]
fn a_host_gives_another_base() {
    struct Elsewhere;
    impl Host for Elsewhere {
        fn resource_base(&self, bundled: &BundledSkill) -> Option<String> {
            Some(format!("skill://{}", bundled.skill.word()))
        }
    }
    let deck = bundled("In ${SKILL_DIR}.\n", side_files());
    let registry = Registry::builder().bundled(deck).host(Elsewhere).build().unwrap();
    let text = registry.invoke(&Request::line("/demo")).unwrap().into_text();
    assert_eq!(text, "<skill name=\"demo\">\nResources: skill://demo\nIn skill://demo.\n</skill>");
}

#[test]
fn a_cache_that_cannot_be_written_matters_to_those_who_use_it() {
    let outer = tempfile::tempdir().unwrap();
    let blocked = outer.path().join("file");
    fs::write(&blocked, "").unwrap();
    let policy = Policy::new().extract_into(&blocked);
    let invoke = |body: &str| {
        let deck = bundled(body, side_files());
        let registry = Registry::builder().bundled(deck).build().unwrap();
        registry.invoke_with(&policy, &Request::line("/demo"))
    };
    let named = invoke("Do it.\n").unwrap();
    assert_eq!(named.text(), "<skill name=\"demo\">\nDo it.\n</skill>");
    assert!(named.notices()[0].contains("cannot be extracted"), "{:?}", named.notices());
    let used = invoke("Run ${SKILL_DIR}/scripts/hi.sh\n").unwrap_err();
    assert_eq!(used.kind(), &ErrorKind::Io);
}
