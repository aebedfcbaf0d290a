//! Damaged directories: each fault is named with its file, and everything else still loads.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, Workspace, entry};

/// Lists a workspace with one good skill beside the fault; gives the list and what was said.
fn listed(workspace: &Workspace, more: &[&str]) -> (Value, String) {
    workspace.skill("skills", "good", "", "x\n");
    let arguments = ["list", "--all", "--json", "-v", "--no-bundled", "--no-default-roots"];
    let ran: Ran = workspace.run(arguments.iter().chain(&["--root", "skills"]).chain(more));
    let stderr = ran.stderr.clone();
    let list = ran.json();
    assert_eq!(entry(&list, "/skill:good")["state"], "ready");
    (list, stderr)
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_or_in_circles() {
    use std::os::unix::fs::symlink;
    let workspace = Workspace::new();
    workspace.skill("skills", "good", "", "x\n");
    let root = workspace.project().join("skills");
    symlink("nowhere", root.join("dangling")).unwrap();
    symlink("..", root.join("good-loop")).unwrap();
    fs::create_dir(root.join("lost")).unwrap();
    symlink("nowhere", root.join("lost/SKILL.md")).unwrap();
    let (list, said) = listed(&workspace, &["--trust"]);
    assert!(said.contains("dangling-link") && said.contains("skills/dangling"), "{said}");
    assert!(said.contains("good-loop"), "{said}");
    assert_eq!(entry(&list, "/skill:lost")["state"], "unreadable", "{list:#}");
}

#[cfg(unix)]
#[test]
fn a_pipe_named_skill_md() {
    let workspace = Workspace::new();
    fs::create_dir_all(workspace.project().join("skills/pipe")).unwrap();
    let made = Command::new("mkfifo")
        .arg(workspace.project().join("skills/pipe/SKILL.md"))
        .status()
        .unwrap();
    assert!(made.success());
    let (list, said) = listed(&workspace, &[]);
    assert!(said.contains("not-regular") && said.contains("skills/pipe/SKILL.md"), "{said}");
    assert_eq!(entry(&list, "/skill:pipe")["state"], "unreadable");
}

#[test]
fn a_file_of_a_hundred_megabytes() {
    let workspace = Workspace::new();
    let path = workspace.write("skills/huge/SKILL.md", "");
    fs::File::options().write(true).open(path).unwrap().set_len(100 << 20).unwrap();
    let (list, said) = listed(&workspace, &[]);
    assert!(said.contains("too-large") && said.contains("skills/huge/SKILL.md"), "{said}");
    assert_eq!(entry(&list, "/skill:huge")["state"], "unreadable");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let workspace = Workspace::new();
    let directory = workspace.project().join("skills").join(OsStr::from_bytes(b"od\xffd"));
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("SKILL.md"), "---\nname: odd\ndescription: d\n---\nx\n").unwrap();
    let (list, said) = listed(&workspace, &[]);
    assert!(said.contains("not-utf8-name"), "{said}");
    assert_eq!(entry(&list, "/skill:odd")["state"], "ready");
}

#[test]
fn skill_md_beside_its_lower_case_twin() {
    let workspace = Workspace::new();
    workspace.skill("skills", "twin", "", "exact\n");
    workspace.write("skills/twin/skill.md", "---\nname: twin\ndescription: d\n---\nother\n");
    workspace.write("skills/odd/skill.md", "---\nname: odd\ndescription: d\n---\nodd\n");
    let (list, said) = listed(&workspace, &[]);
    assert!(said.contains("odd-case") && said.contains("skills/odd/skill.md"), "{said}");
    let twin = entry(&list, "/skill:twin")["path"].as_str().unwrap();
    assert!(twin.ends_with("twin/SKILL.md"), "{twin}");
}

#[test]
fn two_skills_of_one_name() {
    let workspace = Workspace::new();
    let text = "---\nname: same\ndescription: d\n---\n";
    workspace.write("skills/a/SKILL.md", text);
    workspace.write("skills/b/SKILL.md", text);
    workspace.write("skills/c/SKILL.md", text.replace("same", "Same"));
    let (list, said) = listed(&workspace, &[]);
    assert!(said.contains("duplicate-word") && said.contains("skills/b/SKILL.md"), "{said}");
    let same = entry(&list, "/skill:same");
    assert!(same["path"].as_str().unwrap().ends_with("a/SKILL.md"));
    assert_eq!(same["shadows"].as_array().unwrap().len(), 2, "{same:#}");
}

#[test]
fn dependencies_that_cannot_be_resolved() {
    let workspace = Workspace::new();
    workspace.skill("skills", "a", "depends-on: b\n", "x\n");
    workspace.skill("skills", "b", "depends-on: a\n", "x\n");
    workspace.skill("skills", "self", "depends-on: self\n", "x\n");
    workspace.skill("skills", "lonely", "depends-on: [ghost]\n", "x\n");
    let (list, said) = listed(&workspace, &[]);
    assert!(said.contains("a → b → a"), "{said}");
    for word in ["a", "b", "self", "lonely"] {
        let entry = entry(&list, &format!("/skill:{word}"));
        assert_eq!(entry["state"], "unavailable", "{entry:#}");
        assert!(!entry["reason"].as_str().unwrap().is_empty());
    }
    assert!(said.contains("ghost") && said.contains("skills/lonely/SKILL.md"), "{said}");
    let refused = workspace.run(["--root", "skills", "run", "lonely"]).fails(1);
    assert!(refused.contains("ghost"), "{refused}");
}

#[test]
fn roots_that_are_no_directory() {
    let workspace = Workspace::new();
    let file = workspace.write("a-file", "x");
    fs::create_dir(workspace.project().join("empty")).unwrap();
    let (_, said) = listed(
        &workspace,
        &["--root", "missing", "--root", file.to_str().unwrap(), "--root", "empty"],
    );
    assert!(said.contains("missing-root") && said.contains("missing"), "{said}");
    assert!(said.contains("root-not-a-directory") && said.contains("a-file"), "{said}");
}

#[cfg(unix)]
#[test]
fn files_and_directories_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::new();
    let locked = workspace.skill("skills", "locked", "", "x\n");
    let closed = workspace.skill("skills", "closed", "", "x\n");
    workspace.skill("skills", "good", "", "x\n");
    fs::set_permissions(&locked, PermissionsExt::from_mode(0o000)).unwrap();
    fs::set_permissions(closed.parent().unwrap(), PermissionsExt::from_mode(0o000)).unwrap();
    let mut command = workspace.unprivileged([
        "list",
        "--all",
        "--json",
        "-v",
        "--no-bundled",
        "--no-default-roots",
        "--root",
        "skills",
    ]);
    let ran: Ran = command.output().unwrap().into();
    // Left as they are, the directory could not be removed by a user that is not root.
    fs::set_permissions(closed.parent().unwrap(), PermissionsExt::from_mode(0o755)).unwrap();
    let said = ran.stderr.clone();
    let list = ran.json();
    assert_eq!(entry(&list, "/skill:good")["state"], "ready");
    assert_eq!(entry(&list, "/skill:locked")["state"], "unreadable", "{list:#}");
    assert!(said.contains("skills/locked/SKILL.md"), "{said}");
    assert!(said.contains("skills/closed"), "{said}");
}
