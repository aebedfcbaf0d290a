//! `new`: a scaffold that passes the strict check.

use crate::support::Workspace;

#[test]
fn a_new_skill_passes_the_strict_check() {
    let workspace = Workspace::new();
    for (name, description) in
        [("plain", None), ("技能-审查", None), ("odd", Some("Says: \"x\" \\ # not a comment"))]
    {
        let mut arguments = vec!["new", name];
        if let Some(text) = description {
            arguments.extend(["--description", text]);
        }
        let path = workspace.run(&arguments).ok();
        let path = path.trim();
        assert!(path.ends_with(&format!(".agents/skills/{name}/SKILL.md")), "{path}");
        workspace.run(["check", "--strict", path]).ok();
        let shown = workspace.run(["show", path, "--json"]).json();
        assert_eq!(shown["name"], name);
        if let Some(text) = description {
            assert_eq!(shown["description"], text);
        }
    }
    let out = workspace.run(["run", "plain", "this"]).ok();
    assert!(out.contains("behind the command: this"), "{out}");
}

#[test]
fn names_and_texts_that_yaml_takes_for_something_else() {
    let workspace = Workspace::new();
    for name in ["null", "true", "123", "1e5", "2024-01-01", "y", "no"] {
        let path = workspace.run(["new", name]).ok();
        workspace.run(["check", "--strict", path.trim()]).ok();
        let text = std::fs::read_to_string(workspace.project().join(path.trim())).unwrap();
        assert!(text.contains(&format!("name: \"{name}\"")), "{text}");
    }
    let long = "x".repeat(1025);
    for description in ["", "  ", "a\u{1}b", "a\u{1b}b", "a\u{7f}b", &*long] {
        let ran = workspace.run(["new", "fresh", "--description", description]);
        assert_eq!(ran.code, Some(2), "{description:?}: {ran:?}");
    }
    assert!(!workspace.project().join(".agents/skills/fresh").exists());
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_behind() {
    let workspace = Workspace::new();
    let file = workspace.write(".agents/skills/mine/SKILL.md", "precious");
    let why = workspace.run(["new", "mine"]).fails(1);
    assert!(why.contains("exists already"), "{why}");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "precious");
    let left = std::fs::read_dir(workspace.project().join(".agents/skills")).unwrap().count();
    assert_eq!(left, 1);
}

#[test]
fn a_name_is_never_a_path() {
    let workspace = Workspace::new();
    for name in ["../out", "a/b", "", "Upper", "-x", ".hidden"] {
        let ran = workspace.run(["new", "--", name]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
    }
    assert!(!workspace.project().join("../out").exists());
    let why = workspace.run(["new", "target"]).fails(1);
    assert!(why.contains("not looked into"), "{why}");
    let why = workspace.run(["new", "My Skill"]).fails(2);
    assert!(why.contains("`my-skill`"), "{why}");
}
