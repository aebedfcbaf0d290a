//! What files of configuration and the flags over them do to commands.

use crate::support::Workspace;

const USER: &str = "../home/.config/skilldeck/skilldeck.yml";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.skill(".agents/skills", "deploy", "", "Deploy $ARGUMENTS.\n");
    workspace.skill(".agents/skills", "other", "", "Other.\n");
    workspace
}

#[test]
fn a_rule_holds_in_run_and_list() {
    let workspace = workspace();
    let text = "skills:\n  per_skill_config:\n    deploy: {enabled: false}\n";
    workspace.write("skilldeck.yml", text);
    let ran = workspace.run(["run", "deploy", "now"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("skill `deploy` is refused: the configuration"), "{ran:?}");
    let ran = workspace.run(["run", "/skills"]);
    assert!(ran.stdout.contains("/skill:other") && !ran.stdout.contains("deploy"), "{ran:?}");
    let list = |arguments: &[&str]| workspace.run(arguments).stdout;
    assert!(!list(&["list"]).contains("deploy"));
    assert!(list(&["list", "--all"]).contains("[disabled] Does deploy."));
    assert!(!list(&["list", "--for", "user"]).contains("deploy"));
    assert!(list(&["list", "--for", "user"]).contains("other"));
}

#[test]
fn a_person_is_asked_where_configuration_says_so() {
    let workspace = workspace();
    workspace.write(USER, "skills: {global_slash_config: {require_confirmation: true}}\n");
    let ran = workspace.run(["run", "deploy", "now"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("the configuration asks for confirmation"), "{ran:?}");
    let ran = workspace.run(["run", "--yes", "--as", "plain", "deploy", "now"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "Deploy now.\n"), "{ran:?}");
}

#[test]
fn what_would_widen_is_told_and_has_no_effect() {
    let workspace = workspace();
    workspace.skill(".agents/skills", "shelled", "", "Say !`echo hello`.\n");
    workspace.write("skilldeck.yml", "skills:\n  shell:\n    default: allow\n");
    let ran = workspace.run(["run", "--trust", "--as", "plain", "shelled"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("not run: shell is not allowed"), "{ran:?}");
    assert!(ran.stderr.contains("skilldeck.yml:3:5: warning[widening-setting]"), "{ran:?}");
    let ran = workspace.run(["run", "-q", "--trust", "--as", "plain", "shelled"]);
    assert_eq!(ran.stderr, "");
    // What the user allows is allowed, in the user's file or in one that stands for it.
    let allows = "skills: {shell: {default: allow}}\n";
    let given = workspace.write("given.yml", allows);
    let given = given.to_str().unwrap();
    let ran = workspace.run(["run", "--config", given, "--trust", "--as", "plain", "shelled"]);
    assert_eq!((&*ran.stdout, &*ran.stderr), ("Say hello.\n", ""), "{ran:?}");
    workspace.write(USER, allows);
    let ran = workspace.run(["run", "--trust", "--as", "plain", "shelled"]);
    assert_eq!((&*ran.stdout, &*ran.stderr), ("Say hello.\n", ""), "{ran:?}");
    // A project takes it back, and a flag stands above both files.
    workspace.write("skilldeck.yml", "skills: {shell: {default: deny}}\n");
    let ran = workspace.run(["run", "--trust", "--as", "plain", "shelled"]);
    assert!(ran.stdout.contains("not run"), "{ran:?}");
    let ran = workspace.run(["run", "--allow-shell", "--trust", "--as", "plain", "shelled"]);
    assert_eq!(ran.stdout, "Say hello.\n", "{ran:?}");
}

#[test]
fn a_fault_stops_every_command_with_its_place() {
    let workspace = workspace();
    workspace.write("skilldeck.yml", "skills:\n  per_skill_confg: {}\n");
    for arguments in [&["list"][..], &["run", "deploy"], &["check"], &["roots"], &["graph"]] {
        let ran = workspace.run(arguments);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert_eq!(ran.stdout, "", "{ran:?}");
        let expected = "skilldeck.yml:2:3: the key `per_skill_confg` is not known; did you mean \
                        `per_skill_config`?";
        assert!(ran.stderr.contains(expected), "{ran:?}");
    }
    let ran = workspace.run(["list", "--config", "nowhere.yml"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("nowhere.yml: the file does not exist"), "{ran:?}");
}

#[test]
fn the_switch_is_a_flag_too() {
    let workspace = workspace();
    let off = "--enable-skill-commands=false";
    let ran = workspace.run(["run", off, "deploy"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("skill commands are switched off"), "{ran:?}");
    assert_eq!(workspace.run(["list", "--for", "user", off]).stdout, "");
    workspace.write("skilldeck.yml", "skills: {enable_skill_commands: false}\n");
    assert_eq!(workspace.run(["run", "deploy"]).code, Some(1));
    for on in ["--enable-skill-commands", "--enable-skill-commands=true"] {
        assert_eq!(workspace.run(["run", on, "deploy"]).code, Some(0));
    }
    assert_eq!(workspace.run(["list", "--enable-skill-commands=maybe"]).code, Some(2));
}

#[test]
fn roots_shows_what_is_configured() {
    let workspace = workspace();
    workspace.skill("deps/modules/billing/skills", "invoice", "", "Invoice.\n");
    workspace.write(
        "skilldeck.yml",
        "skills:\n  sources:\n    - {name: modules, glob: deps/modules/*/skills, tier: third-party,\n       \
         namespace: apply, prefix: \"{package}-\", trust: required}\n",
    );
    assert!(!workspace.run(["roots"]).stdout.contains("modules"));
    let ran = workspace.run(["roots", "--trust"]);
    let line = ran.stdout.lines().find(|line| line.contains("modules")).unwrap();
    assert!(line.starts_with("third-party") && line.contains("1 skill, watched"), "{line}");
    let ran = workspace.run(["run", "--trust", "--as", "plain", "billing-invoice"]);
    assert_eq!(ran.stdout, "Invoice.\n", "{ran:?}");
    let trust = format!("skills: {{trust: [{}]}}\n", workspace.project().display());
    workspace.write(USER, trust);
    let listing = workspace.run(["list", "--for", "model"]).stdout;
    assert!(listing.contains("billing-invoice") && listing.contains("deploy"), "{listing}");
    let value = workspace.run(["list", "--json"]).json();
    let entry = value.as_array().unwrap().iter().find(|it| it["source"] == "modules (billing)");
    assert_eq!(entry.unwrap()["command"], "/skill:billing-invoice");
}

#[test]
fn prefixes_are_announced() {
    let workspace = workspace();
    let text = "skills:\n  prefix: \"/do:\"\n  deploy: {slash_command: {prefix: \"/ops:\"}}\n";
    workspace.write("skilldeck.yml", text);
    let listed = workspace.run(["list", "--no-bundled"]).stdout;
    assert!(listed.contains("/ops:deploy") && listed.contains("/do:other"), "{listed}");
    let ran = workspace.run(["run", "--as", "plain", "/ops:deploy now"]);
    assert_eq!(ran.stdout, "Deploy now.\n", "{ran:?}");
}
