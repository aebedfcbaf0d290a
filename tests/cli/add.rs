//! `add`: a copy of a skill, checked and whole.

use std::fs;
use std::path::Path;

use crate::support::Workspace;

const TEXT: &str = "---\nname: demo\ndescription: Does demo.\n---\nRead ${SKILL_DIR}/a.\n";

/// Every file below a directory, sorted.
fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![root.to_path_buf()];
    while let Some(path) = left.pop() {
        if path.is_dir() && !path.is_symlink() {
            left.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
    found.sort();
    found
}

#[test]
fn a_directory_is_copied_with_what_is_beside_it() {
    let workspace = Workspace::new();
    workspace.write("from/demo-main/SKILL.md", TEXT);
    workspace.write("from/demo-main/references/b/c.md", "c");
    for left_out in [".git/config", "node_modules/x.js", "target/x"] {
        workspace.write(format!("from/demo-main/{left_out}"), "x");
    }
    let printed = workspace.run(["add", "from/demo-main"]).ok();
    assert_eq!(printed.trim(), ".agents/skills/demo/SKILL.md");
    let root = workspace.project().join(".agents/skills");
    assert_eq!(files(&root), ["demo/SKILL.md", "demo/references/b/c.md"]);
    assert_eq!(fs::read_to_string(root.join("demo/SKILL.md")).unwrap(), TEXT);
    // In its place it has the directory that its name wants.
    workspace.run(["check", "--strict", ".agents/skills"]).ok();
    let out = workspace.run(["run", "demo"]).ok();
    assert!(out.contains(".agents/skills/demo/a"), "{out}");
}

#[cfg(unix)]
#[test]
fn modes_are_kept_and_links_lead_nowhere_else() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let workspace = Workspace::new();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    workspace.write("secret", "secret");
    for (path, mode) in [("SKILL.md", 0o640), ("run.sh", 0o755), ("tool", 0o4755), ("ro", 0o444)] {
        let path = workspace.write(format!("from/{path}"), TEXT);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let from = workspace.project().join("from");
    symlink("run.sh", from.join("inside")).unwrap();
    symlink("../secret", from.join("outside")).unwrap();
    symlink("/etc", from.join("etc")).unwrap();
    symlink("..", from.join("up")).unwrap();
    let ran = workspace.run(["add", "from"]);
    for left_out in ["from/outside", "from/etc", "from/up"] {
        assert!(ran.stderr.contains(&format!("{left_out} is left out")), "{ran:?}");
    }
    ran.ok();
    let copy = workspace.project().join(".agents/skills/demo");
    assert_eq!(files(&copy), ["SKILL.md", "inside", "ro", "run.sh", "tool"]);
    assert!(!copy.join("inside").is_symlink());
    for (path, wanted) in
        [("SKILL.md", 0o640), ("run.sh", 0o755), ("tool", 0o755), ("ro", 0o444), ("inside", 0o755)]
    {
        assert_eq!(mode(&copy.join(path)), wanted, "{path}");
    }

    // Nor does the skill's own file come from elsewhere.
    workspace.write("elsewhere.md", TEXT.replace("demo", "other"));
    fs::create_dir(workspace.project().join("linked")).unwrap();
    symlink("../elsewhere.md", workspace.project().join("linked/SKILL.md")).unwrap();
    let why = workspace.run(["add", "linked"]).fails(1);
    assert!(why.contains("is a link out of linked"), "{why}");
    // Who names a link means what it leads to.
    symlink("from", workspace.project().join("way")).unwrap();
    workspace.run(["add", "way", "--force"]).ok();
}

#[test]
fn single_files_become_skills_and_commands() {
    let workspace = Workspace::new();
    workspace.write("from/lint.md", "---\ndescription: Lints.\n---\nLint $1.\n");
    workspace.write("from/deep/SKILL.md", TEXT);
    workspace.write("from/deep/beside.txt", "x");
    for (arguments, path) in [
        (&["from/lint.md"][..], ".agents/skills/lint/SKILL.md"),
        (&["from/deep/SKILL.md"], ".agents/skills/demo/SKILL.md"),
        (&["from/lint.md", "--to", ".claude/commands"], ".claude/commands/lint.md"),
        (&["from/deep/SKILL.md", "--to", ".claude/commands"], ".claude/commands/demo.md"),
        (&["from/lint.md", "--root", "mine"], "mine/lint/SKILL.md"),
        (&["from/lint.md", "--to", "other/root"], "other/root/lint/SKILL.md"),
    ] {
        let arguments = ["add"].iter().chain(arguments);
        assert_eq!(workspace.run(arguments).ok().trim(), path);
        assert!(workspace.project().join(path).is_file(), "{path}");
    }
    assert!(!workspace.project().join(".agents/skills/demo/beside.txt").exists());
    let why = workspace.run(["add", "from/deep", "--to", ".claude/commands", "--force"]).fails(1);
    assert!(why.contains("holds command files"), "{why}");
}

#[test]
fn a_skill_of_the_user() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", TEXT);
    let path = workspace.run(["add", "demo", "--user"]).ok();
    assert!(path.trim().ends_with("home/.agents/skills/demo/SKILL.md"), "{path}");
    let list = workspace.run(["list", "--json"]).json();
    assert_eq!(crate::support::entry(&list, "/skill:demo")["scope"], "user");
    workspace.run(["add", "demo", "--user", "--to", "x"]).fails(2);
}

#[test]
fn a_name_is_never_a_path() {
    let workspace = Workspace::new();
    for (name, word) in [("../../out", "out"), ("/etc/passwd", "etc-passwd"), ("A: B", "a-b")] {
        workspace
            .write("from/SKILL.md", format!("---\nname: \"{name}\"\ndescription: d\n---\nx\n"));
        let path = workspace.run(["add", "from"]).ok();
        assert_eq!(path.trim(), format!(".agents/skills/{word}/SKILL.md"));
    }
    workspace.write("from/SKILL.md", "---\nname: target\ndescription: d\n---\nx\n");
    let why = workspace.run(["add", "from"]).fails(1);
    assert!(why.contains("not looked into"), "{why}");
}

#[test]
fn what_is_refused_writes_nothing() {
    let workspace = Workspace::new();
    workspace.write("broken/SKILL.md", "---\nname: broken\ndescription: d\ntags: [a\n---\nx\n");
    workspace.write("bytes/SKILL.md", [0xff]);
    workspace.write("empty/readme.txt", "x");
    workspace.write("file.txt", "x");
    workspace.write("many/SKILL.md", TEXT);
    for number in 0..513 {
        workspace.write(format!("many/{number}"), "");
    }
    for (path, why) in [
        ("broken", "has 1 error; nothing was added"),
        ("bytes", "the file is not UTF-8 at byte 0"),
        ("empty", "holds no SKILL.md"),
        ("file.txt", "neither the directory of a skill nor a Markdown file"),
        ("nowhere", "nowhere: "),
        ("many", "more than 512 files"),
    ] {
        let stderr = workspace.run(["add", path]).fails(1);
        assert!(stderr.contains(why), "{path}: {stderr}");
        assert!(!workspace.project().join(".agents").exists(), "{path}");
    }
    let stderr = workspace.run(["add", "broken", "--force"]).fails(1);
    assert!(stderr.contains("[unreadable-key]") && stderr.contains(":4:"), "{stderr}");
    workspace.run(["add"]).fails(2);
}

#[test]
fn only_a_skill_is_replaced_and_only_by_force() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", TEXT);
    let old = workspace.write(".agents/skills/demo/SKILL.md", TEXT.replace("Read", "Old"));
    workspace.write(".agents/skills/demo/old.txt", "x");
    let why = workspace.run(["add", "demo"]).fails(1);
    assert!(why.contains("exists already") && why.contains("--force"), "{why}");
    assert!(fs::read_to_string(&old).unwrap().contains("Old"));

    let ran = workspace.run(["add", "demo", "--force"]);
    assert!(ran.stderr.contains("replaced /skill:demo"), "{ran:?}");
    ran.ok();
    let root = workspace.project().join(".agents/skills");
    assert_eq!(files(&root), ["demo/SKILL.md"]);
    assert_eq!(fs::read_to_string(&old).unwrap(), TEXT);

    // A group of skills, or a file, is none.
    workspace.write("team/SKILL.md", TEXT.replace("demo", "team"));
    workspace.write(".agents/skills/team/one/SKILL.md", TEXT.replace("demo", "one"));
    let why = workspace.run(["add", "team", "--force"]).fails(1);
    assert!(why.contains("only a skill is replaced"), "{why}");
    assert_eq!(files(&root), ["demo/SKILL.md", "team/one/SKILL.md"]);

    // A word that stands elsewhere in the root.
    workspace.write("one/SKILL.md", TEXT.replace("demo", "one"));
    let why = workspace.run(["add", "one"]).fails(1);
    assert!(why.contains("team/one/SKILL.md has the command word `one` already"), "{why}");
}

#[test]
fn a_skill_is_not_copied_onto_or_into_itself() {
    let workspace = Workspace::new();
    workspace.write(".agents/skills/demo/SKILL.md", TEXT);
    workspace.write(".agents/skills/demo/inner/SKILL.md", TEXT);
    for path in [".agents/skills/demo", ".agents/skills/demo/SKILL.md", ".agents/skills/demo/inner"]
    {
        let why = workspace.run(["add", path, "--force"]).fails(1);
        assert!(why.contains("is there already"), "{path}: {why}");
    }
    workspace.write("demo/SKILL.md", TEXT);
    workspace.write("demo/skills/x", "x");
    let why = workspace.run(["add", "demo", "--to", "demo/skills"]).fails(1);
    assert!(why.contains("lies in the skill"), "{why}");
}

#[cfg(unix)]
#[test]
fn who_may_not_write_is_told_so() {
    use std::os::unix::fs::{PermissionsExt, chown};

    use crate::support::{NOBODY, Ran};
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", TEXT);
    let file =
        workspace.write("root/mend/SKILL.md", "---\nname: mend\ndescription: a: b\n---\nx\n");
    let root = workspace.project().join("root");
    for path in [file.parent().unwrap(), &file] {
        // Only root gives files away, and only root has to.
        let _ = chown(path, Some(NOBODY), Some(NOBODY));
    }
    fs::set_permissions(&root, PermissionsExt::from_mode(0o555)).unwrap();
    let run = |arguments: &[&str]| Ran::from(workspace.unprivileged(arguments).output().unwrap());
    for arguments in [&["add", "demo", "--to", "root"][..], &["new", "fresh", "--dir", "root"]] {
        let why = run(arguments).fails(1);
        assert!(why.contains("root/") && why.contains("ermission denied"), "{why}");
    }
    assert_eq!(files(&root), ["mend/SKILL.md"]);
    // The root cannot be locked, and nobody of us could replace the skill in it: it is mended.
    for path in ["root", "root/mend"] {
        fs::write(&file, "---\nname: mend\ndescription: a: b\n---\nx\n").unwrap();
        let ran = run(&["check", "--fix", path]);
        assert!(ran.stderr.contains("mended 1 fault in 1 file"), "{ran:?}");
        ran.ok();
    }
    fs::set_permissions(&root, PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn a_root_that_is_a_skill_is_none() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", TEXT);
    workspace.write("other/SKILL.md", TEXT);
    for arguments in [
        &["add", "demo", "--to", "other"][..],
        &["add", "demo", "--to", "other", "--dry-run"],
        &["new", "fresh", "--dir", "other"],
    ] {
        let why = workspace.run(arguments).fails(1);
        assert!(why.contains("other is itself a skill"), "{why}");
    }
    assert_eq!(files(&workspace.project().join("other")), ["SKILL.md"]);
}

#[test]
fn a_dry_run_says_what_would_be() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", TEXT);
    workspace.write("demo/a", "a");
    let ran = workspace.run(["add", "demo", "--dry-run"]);
    assert!(ran.stderr.contains("would add /skill:demo with 1 file beside it"), "{ran:?}");
    assert_eq!(ran.ok().trim(), ".agents/skills/demo/SKILL.md");
    assert!(!workspace.project().join(".agents").exists());

    let added = workspace.run(["add", "demo", "--json"]).json();
    let expected = serde_json::json!({
        "name": "demo", "command": "/skill:demo", "path": ".agents/skills/demo/SKILL.md",
        "files": ["a"], "replaced": false, "dry_run": false,
    });
    assert_eq!(added, expected);
    workspace.run(["add", "demo", "--dry-run"]).fails(1);
    let would = workspace.run(["add", "demo", "--dry-run", "--force", "--json"]).json();
    assert_eq!((&would["replaced"], &would["dry_run"]), (&true.into(), &true.into()));
}

#[test]
fn what_is_too_large_is_refused_and_leaves_nothing() {
    let workspace = Workspace::new();
    workspace.skill("theirs", "huge", "description: Large.\n", "Large.\n");
    for (name, bytes) in [("a", 9 << 20), ("b", 6 << 20)] {
        let path = workspace.write(format!("theirs/huge/{name}"), "");
        fs::File::options().write(true).open(path).unwrap().set_len(bytes).unwrap();
    }
    workspace.run(["add", "theirs/huge", "--to", "fits"]).ok();
    // As large as a disk, and nothing of it is there.
    let path = workspace.write("theirs/huge/c", "");
    fs::File::options().write(true).open(path).unwrap().set_len(1 << 40).unwrap();
    let why = workspace.run(["add", "theirs/huge", "--to", "root"]).fails(1);
    assert!(why.contains("huge/c: the files beside SKILL.md have more than 16 MiB"), "{why}");
    assert_eq!(files(&workspace.project().join("root")), [""; 0]);
}
