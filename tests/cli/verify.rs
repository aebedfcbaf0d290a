//! `verify`: the deck of the binary against the directory it was built from.

use std::fs;
use std::path::Path;

use crate::support::Workspace;

/// Puts a copy of the bundled skills into the project.
fn copy(from: &Path, to: &Path) {
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

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let skills = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
    copy(&skills, &workspace.project().join("skills"));
    workspace
}

#[test]
fn the_binary_has_the_skills_it_was_built_from() {
    let workspace = workspace();
    workspace.run(["verify"]).ok();
    assert_eq!(workspace.run(["verify", "--json"]).json(), serde_json::json!([]));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
    workspace.run(["verify".as_ref(), own.as_os_str()]).ok();
}

#[test]
fn each_difference_is_a_line_and_the_answer_is_no() {
    let workspace = workspace();
    let project = workspace.project();
    workspace.write("skills/commit/SKILL.md", "---\ndescription: Other.\n---\n");
    workspace.write("skills/write-skill/assets/new.md", "New.\n");
    workspace.skill("skills", "added", "", "Text.\n");
    fs::remove_dir_all(project.join("skills/debug")).unwrap();
    let ran = workspace.run(["verify"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let expected = [
        "skills/added/SKILL.md: the skill is not compiled in [added-since-build]",
        "skills/commit/SKILL.md: the skill has changed since it was compiled in \
         [changed-since-build]",
        "skills/debug/SKILL.md: the skill is compiled in and no longer there \
         [removed-since-build]",
        "skills/write-skill/assets/new.md: the file is not compiled in [added-since-build]",
    ];
    assert_eq!(lines, expected.map(|line| line.replace('/', std::path::MAIN_SEPARATOR_STR)));
    assert!(ran.stderr.contains("4 differences"), "{}", ran.stderr);
    let json = workspace.run(["verify", "--json"]);
    assert_eq!(json.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let codes: Vec<&str> =
        json.as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    let expected =
        ["added-since-build", "changed-since-build", "removed-since-build", "added-since-build"];
    assert_eq!(codes, expected);
}

#[test]
fn a_missing_directory_is_one_difference() {
    let workspace = Workspace::new();
    let ran = workspace.run(["verify"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(1), 1), "{ran:?}");
    assert!(ran.stdout.contains("[missing-root]"), "{}", ran.stdout);
}
