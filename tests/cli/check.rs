//! `check`: findings in every form, and the exit code that says how bad they are.

use std::fs;

use crate::support::Workspace;

const GOOD: &str = "---\nname: demo\ndescription: Does it.\n---\nBody\n";
const WARNS: &str = "---\nname: demo\ndescription: a: b\n---\nBody\n";
const FAILS: &str = "---\nname: demo\ndescription: d\ntags: [a, b\n---\nBody\n";

#[test]
fn the_exit_code_says_how_bad_it_is() {
    let workspace = Workspace::new();
    for (text, plain, strict) in [(GOOD, 0, 0), (WARNS, 0, 1), (FAILS, 1, 1)] {
        workspace.write("demo/SKILL.md", text);
        assert_eq!(workspace.run(["check", "demo/SKILL.md"]).code, Some(plain), "{text}");
        assert_eq!(workspace.run(["check", "demo"]).code, Some(plain), "{text}");
        assert_eq!(workspace.run(["check", "demo", "--strict"]).code, Some(strict), "{text}");
    }
}

#[test]
fn a_person_sees_frame_caret_and_help() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", WARNS);
    let ran = workspace.run(["check", "demo/SKILL.md"]);
    assert!(ran.stdout.contains("warning[repaired-value]"), "{ran:?}");
    assert!(ran.stdout.contains("--> demo/SKILL.md:3:"), "{ran:?}");
    assert!(ran.stdout.contains("description: a: b"), "{ran:?}");
    assert!(ran.stdout.contains('^') && ran.stdout.contains("help: "), "{ran:?}");
    assert!(ran.stderr.contains("1 warning"), "{ran:?}");
}

#[test]
fn json_is_an_array_of_findings() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", FAILS);
    for arguments in
        [["check", "demo", "--json"].as_slice(), &["check", "demo", "--format", "json"]]
    {
        let ran = workspace.run(arguments);
        assert_eq!(ran.code, Some(1));
        let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let error = found
            .as_array()
            .unwrap()
            .iter()
            .find(|finding| finding["severity"] == "error")
            .unwrap_or_else(|| panic!("{found:#}"));
        assert_eq!(error["line"], 4);
        for key in ["code", "path", "column", "message", "help"] {
            assert!(!error[key].is_null(), "{key} in {error:#}");
        }
    }
    workspace.write("demo/SKILL.md", GOOD);
    assert_eq!(workspace.run(["check", "demo", "--json"]).json(), serde_json::json!([]));
}

#[test]
fn other_forms() {
    let workspace = Workspace::new();
    workspace.write("demo/SKILL.md", FAILS);
    let github = workspace.run(["check", "demo", "--format", "github"]);
    assert!(github.stdout.contains("::error file=demo/SKILL.md,line=4,"), "{github:?}");
    let sarif = workspace.run(["check", "demo", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&sarif.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    let rule = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
}

#[test]
fn a_root_is_checked_for_dependencies_and_a_file_is_not() {
    let workspace = Workspace::new();
    workspace.skill("skills", "top", "depends-on: ghost\n", "x\n");
    workspace.skill("skills", "fine", "depends-on: commit\n", "x\n");
    workspace.run(["check", "skills/top/SKILL.md"]).ok();
    let ran = workspace.run(["check", "skills"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("ghost") && !ran.stdout.contains("fine/SKILL.md"), "{ran:?}");
    assert!(ran.stderr.contains("2 files checked"), "{ran:?}");
}

#[test]
fn without_a_path_the_whole_deck_is_checked() {
    let workspace = Workspace::new();
    workspace.run(["check", "--strict"]).ok();
    workspace.skill(".agents/skills", "top", "depends-on: ghost\n", "x\n");
    workspace.run(["check"]).fails(1);
}

#[test]
fn a_code_can_be_explained() {
    let workspace = Workspace::new();
    let text = workspace.run(["check", "--explain", "repaired-value"]).ok();
    assert!(text.contains("repaired-value (warning)") && text.lines().count() > 3, "{text}");
    workspace.run(["check", "--explain", "no-such-code"]).fails(2);
}

#[test]
fn a_path_that_is_not_there_is_no() {
    let workspace = Workspace::new();
    let why = workspace.run(["check", "nowhere"]).fails(1);
    assert!(why.contains("nowhere"), "{why}");
}

const MENDED: &str = "---\nname: demo\ndescription: \"a: b\"\n---\nBody\n";

#[test]
fn what_is_mechanical_is_mended_and_the_rest_is_checked() {
    let workspace = Workspace::new();
    let file = workspace.write("skills/demo/SKILL.md", WARNS);
    let kept = workspace.write("skills/other/SKILL.md", FAILS.replace("demo", "other"));
    let ran = workspace.run(["check", "skills", "--fix", "--strict"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("mended 1 fault in 1 file\n"), "{ran:?}");
    assert!(ran.stdout.contains("other/SKILL.md") && !ran.stdout.contains("demo/"), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), MENDED);
    assert_eq!(fs::read_to_string(&kept).unwrap(), FAILS.replace("demo", "other"));
    let names: Vec<_> = fs::read_dir(file.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    let again = workspace.run(["check", "skills/demo", "--fix", "--strict"]);
    assert!(again.code == Some(0) && again.stderr.contains("mended 0 faults"), "{again:?}");
}

#[test]
fn a_dry_run_prints_a_diff_and_writes_nothing() {
    let workspace = Workspace::new();
    let file = workspace.write("demo/SKILL.md", WARNS);
    let ran = workspace.run(["check", "demo", "--fix", "--dry-run"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[..2], ["--- demo/SKILL.md", "+++ demo/SKILL.md"]);
    assert!(lines.contains(&"-description: a: b"), "{ran:?}");
    assert!(lines.contains(&"+description: \"a: b\""), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), WARNS);
    let coloured = workspace.run(["check", "demo", "--fix", "--dry-run", "--color", "always"]);
    assert!(coloured.stdout.contains("\u{1b}[1m\u{1b}[32m+description: \"a: b\""), "{coloured:?}");
    workspace.write("demo/SKILL.md", MENDED);
    assert_eq!(workspace.run(["check", "demo", "--fix", "--dry-run"]).ok(), "");
    workspace.run(["check", "demo", "--dry-run"]).fails(2);
}

#[test]
fn without_a_path_only_the_project_is_mended() {
    let workspace = Workspace::new();
    let project = workspace.write(".agents/skills/demo/SKILL.md", WARNS);
    let home = workspace.write("../home/.agents/skills/mine/SKILL.md", WARNS);
    let outside = workspace.write("elsewhere/demo/SKILL.md", WARNS);
    workspace.run(["check", "--fix"]);
    assert_eq!(fs::read_to_string(project).unwrap(), MENDED);
    assert_eq!(fs::read_to_string(home).unwrap(), WARNS);
    assert_eq!(fs::read_to_string(outside).unwrap(), WARNS);
}

#[cfg(unix)]
#[test]
fn links_and_modes_survive_a_mend() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let workspace = Workspace::new();
    let target = workspace.write("target.md", WARNS);
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(workspace.project().join("skills/demo")).unwrap();
    let link = workspace.project().join("skills/demo/SKILL.md");
    symlink("../../target.md", &link).unwrap();
    // The link leads out of what was named.
    for named in ["skills", "skills/demo"] {
        let ran = workspace.run(["check", named, "--fix"]);
        assert!(ran.stderr.contains("is left alone"), "{ran:?}");
        assert_eq!(fs::read_to_string(&target).unwrap(), WARNS);
    }
    workspace.run(["check", "skills/demo/SKILL.md", "--fix", "--strict"]).ok();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), MENDED);
    assert_eq!(target.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    // A file that must not be written is not replaced either.
    workspace.write("demo/SKILL.md", WARNS);
    let file = workspace.project().join("demo/SKILL.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let why = workspace.run(["check", "demo", "--fix"]).fails(1);
    assert!(why.contains("read-only"), "{why}");
    assert_eq!(fs::read_to_string(&file).unwrap(), WARNS);
}

#[test]
fn the_specification_is_stricter() {
    let workspace = Workspace::new();
    for (front, code) in [
        ("name: demo\ndescription: d\nversion: 1.0.0", Some("spec-key")),
        ("name: demo\ndescription: d\nunknown: x", Some("spec-key")),
        ("name: demo\ndescription: a: b", Some("repaired-value")),
        ("description: d", Some("missing-name")),
        ("name: demo\ndescription: d\nlicense: MIT", None),
    ] {
        workspace.write("skills/demo/SKILL.md", format!("---\n{front}\n---\nBody\n"));
        for path in ["skills", "skills/demo"] {
            workspace.run(["check", path]).ok();
            let ran = workspace.run(["check", path, "--spec"]);
            match code {
                Some(code) => {
                    assert_eq!(ran.code, Some(1), "{front}: {ran:?}");
                    assert!(ran.stdout.contains(&format!("error[{code}]")), "{front}: {ran:?}");
                    assert!(!ran.stdout.contains("warning["), "{front}: {ran:?}");
                }
                None => assert_eq!(ran.ok(), ""),
            }
        }
    }
}

#[test]
fn a_name_that_is_needed_or_taken_stays() {
    let workspace = Workspace::new();
    workspace.write("dep/a/SKILL.md", "---\nname: other\ndescription: d\n---\nA\n");
    workspace
        .write("dep/b/SKILL.md", "---\nname: b\ndescription: d\ndepends-on: [other]\n---\nB\n");
    workspace.write("col/x/demo/SKILL.md", "---\nname: foo\ndescription: d\n---\nX\n");
    workspace.write("col/y/demo/SKILL.md", "---\nname: demo\ndescription: d\n---\nY\n");
    for arguments in
        [["check", "--fix", "dep"], ["check", "--fix", "dep/a"], ["check", "--fix", "col"]]
    {
        let ran = workspace.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("keeps the name"), "{arguments:?}: {ran:?}");
    }
    workspace.run(["--root", "dep", "run", "b"]).ok();
}

#[test]
fn what_cannot_be_written_does_not_stop_the_rest() {
    let workspace = Workspace::new();
    for name in ["a", "b", "c"] {
        let text = WARNS.replace("name: demo", &format!("name: {name}"));
        workspace.write(format!("ro/{name}/SKILL.md"), text);
    }
    let locked = workspace.project().join("ro/b/SKILL.md");
    let mut permissions = fs::metadata(&locked).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&locked, permissions).unwrap();
    let ran = workspace.run(["check", "--fix", "ro"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("ro/b/SKILL.md is not mended"), "{ran:?}");
    assert!(ran.stderr.contains("2 faults in 2 files"), "{ran:?}");
    workspace.run(["check", "--strict", "ro/c"]).ok();
}

#[test]
fn another_case_is_said_however_the_file_is_reached() {
    let workspace = Workspace::new();
    workspace.write("odd/demo/skill.md", GOOD);
    for path in ["odd", "odd/demo", "odd/demo/skill.md"] {
        let ran = workspace.run(["check", "--strict", path]);
        assert_eq!(ran.code, Some(1), "{path}: {ran:?}");
        assert!(ran.stdout.contains("odd-case"), "{path}: {ran:?}");
    }
}

#[test]
fn aliases_that_repeat_too_much_are_called_that() {
    let workspace = Workspace::new();
    let mut text = String::from("---\nname: demo\ndescription: d\na0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for level in 1..7 {
        let items = vec![format!("*a{}", level - 1); 9].join(",");
        text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    workspace.write("demo/SKILL.md", text + "---\nB\n");
    let ran = workspace.run(["check", "demo"]);
    assert!(ran.stdout.contains("the front matter as a whole cannot be read"), "{ran:?}");
    assert!(!ran.stdout.contains("unknown anchor"), "{ran:?}");
}

#[test]
fn the_skills_of_this_repository_pass_the_strict_check() {
    let workspace = Workspace::new();
    let skills = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
    let ran = workspace.run(["check".as_ref(), "--strict".as_ref(), skills.as_os_str()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("8 files checked"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn names_of_one_file_stay_names_of_one_file() {
    use std::os::unix::fs::MetadataExt;
    let workspace = Workspace::new();
    let file = workspace.write("demo/SKILL.md", WARNS);
    fs::hard_link(&file, workspace.project().join("other")).unwrap();
    let ran = workspace.run(["check", "--fix", "demo"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("hard links"), "{ran:?}");
    assert_eq!(fs::metadata(file).unwrap().nlink(), 2);
}

#[cfg(unix)]
#[test]
fn a_path_makes_no_line_of_its_own() {
    let workspace = Workspace::new();
    let directory = "skills/a\n::error file=x::PWNED\nb";
    workspace.write(format!("{directory}/SKILL.md"), "---\nname: x\nzzz: 1\n---\nText.\n");
    for arguments in [
        ["check", "skills"].as_slice(),
        &["list", "--root", "skills", "-v"],
        &["show", "x", "--why", "--root", "skills"],
        &["roots", "--root", directory],
        &["run", "x", "--root", "skills"],
    ] {
        let ran = workspace.run(arguments);
        for line in ran.stdout.lines().chain(ran.stderr.lines()) {
            assert!(!line.starts_with("::error"), "{arguments:?}: {ran:?}");
        }
    }
}

#[test]
fn many_findings_on_a_long_line_end_soon() {
    let workspace = Workspace::new();
    let body = format!("```!\n{}\n```\n", "$a ".repeat(20_000));
    let text = format!("---\nname: demo\ndescription: d\narguments: a\n---\n{body}");
    workspace.write("demo/SKILL.md", text);
    let ran = workspace.run(["check", "demo"]);
    assert!(ran.stdout.contains("unquoted-placeholder"), "{:?}", ran.stderr);
}
