//! Directories over directories over a compiled deck.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod support;

use std::fs;
use std::os::unix::fs::symlink;

use skilldeck_runtime::{Lookup, Precedence, Registry, State, Tier};
use support::{Tree, deck_of, directory, everything, ready, registry, skill_text, user, words};

#[test]
fn the_project_lies_over_the_user_over_the_bundled_deck() {
    let tree = Tree::new();
    tree.skill("project/skill-00001", "");
    tree.skill("user/skill-00001", "");
    tree.skill("user/mine", "");
    let build = |precedence| {
        Registry::builder()
            .bundled(deck_of(3))
            .source(user(tree.path("user")))
            .source(directory("project", Tier::PROJECT, tree.path("project")))
            .precedence(precedence)
            .build()
            .unwrap()
            .snapshot()
    };
    let snapshot = build(Precedence::project_first());
    assert_eq!(words(&snapshot), ["mine", "skill-00000", "skill-00001", "skill-00002"]);
    let entry = snapshot.get("skill-00001").unwrap();
    assert_eq!(entry.source().name, "project");
    assert_eq!(entry.path(), Some(&*tree.path("project/skill-00001/SKILL.md")));
    let chain: Vec<_> = entry
        .shadows()
        .iter()
        .map(|lost| (&*lost.source.name, lost.path.clone(), &*lost.why))
        .collect();
    let path = tree.path("user/skill-00001/SKILL.md");
    assert_eq!(
        chain,
        [
            ("user", Some(path), "project wins over user"),
            ("bundled", None, "project wins over bundled"),
        ]
    );
    let bundled = snapshot.get("skill-00002").unwrap();
    assert_eq!((bundled.source().name.as_str(), bundled.path()), ("bundled", None));

    let snapshot = build(Precedence::personal_first());
    assert_eq!(snapshot.get("skill-00001").unwrap().source().name, "user");
}

#[test]
fn a_file_that_two_sources_reach_is_one_entry() {
    let tree = Tree::new();
    tree.skill("shared/one", "");
    symlink(tree.path("shared"), tree.path("other")).unwrap();
    let snapshot = registry([
        directory("first", Tier::USER, tree.path("shared")),
        directory("second", Tier::USER, tree.path("other")),
        directory("project", Tier::PROJECT, tree.path("other")),
    ])
    .snapshot();
    assert_eq!(words(&snapshot), ["one"]);
    let entry = snapshot.get("one").unwrap();
    assert_eq!(entry.source().name, "project");
    assert_eq!(entry.shadows(), []);
    assert_eq!(snapshot.diagnostics(), []);
}

#[test]
fn an_untrusted_skill_over_a_trusted_one_can_be_told() {
    let tree = Tree::new();
    tree.skill("user/one", "");
    tree.skill("project/one", "");
    let project = directory("project", Tier::PROJECT, tree.path("project"));
    let snapshot =
        registry([user(tree.path("user")), project.with_info(|info| info.trusted = false)])
            .snapshot();
    let entry = snapshot.get("one").unwrap();
    assert!(!entry.source().trusted);
    assert!(entry.shadows()[0].source.trusted);
}

#[test]
fn links_out_of_an_untrusted_source_are_not_followed() {
    let tree = Tree::new();
    tree.skill("elsewhere/out", "");
    tree.skill("project/inside/one", "");
    symlink(tree.path("elsewhere/out"), tree.path("project/out")).unwrap();
    symlink(tree.path("project/inside/one"), tree.path("project/again")).unwrap();
    let load = |trusted| {
        let project = directory("project", Tier::PROJECT, tree.path("project"));
        registry([project.with_info(|info| info.trusted = trusted)]).snapshot()
    };
    assert_eq!(words(&load(true)), ["one", "out"]);
    let untrusted = load(false);
    assert_eq!(words(&untrusted), ["one"]);
    let said: Vec<_> = untrusted.diagnostics().iter().map(|found| found.code.id()).collect();
    assert!(said.contains(&"link-outside"), "{said:?}");
}

#[test]
fn default_roots_are_found_and_silent_when_absent() {
    let tree = Tree::new();
    tree.skill("repository/.agents/skills/far", "");
    tree.skill("repository/project/.claude/skills/near", "");
    tree.write("repository/project/.claude/commands/git/cm.md", "Commit $1.\n");
    fs::create_dir(tree.path("repository/.git")).unwrap();
    let project = tree.path("repository/project");
    let build = |trusted| {
        let builder = Registry::builder().default_roots(&project).trust_project(trusted);
        builder.build().unwrap().snapshot()
    };
    let snapshot = build(false);
    for (word, source) in
        [("far", "../.agents/skills"), ("near", ".claude/skills"), ("git:cm", ".claude/commands")]
    {
        let entry = snapshot.get(word).unwrap();
        assert_eq!(entry.source().name, source);
        assert_eq!(entry.source().tier, Tier::PROJECT);
        assert!(!entry.source().trusted);
    }
    let mine = |path: &std::path::Path| path.starts_with(tree.root());
    let about_mine = snapshot.diagnostics().iter().filter(|d| d.path.as_deref().is_some_and(mine));
    assert_eq!(
        about_mine.collect::<Vec<_>>(),
        Vec::<&skilldeck_core::diagnostic::Diagnostic>::new()
    );
    let absent = snapshot.sources().iter().filter(|source| !source.present).count();
    assert!(absent > 0, "roots that are not there are known as such");
    assert!(build(true).get("near").unwrap().source().trusted);
}

#[test]
fn the_same_tree_is_the_same_snapshot() {
    let skills: Vec<(String, String)> = (0..400)
        .map(|at| {
            let directory = format!("group-{}/skill-{}", at % 7, at % 250);
            let more = match at % 5 {
                0 => format!("depends-on: [skill-{}]\n", (at * 7) % 260),
                1 => format!("aliases: [alias-{}, skill-{}]\n", at % 30, at % 11),
                2 => "unknown: x\n".to_owned(),
                _ => String::new(),
            };
            (directory, more)
        })
        .collect();
    let tree = Tree::new();
    let build = |order: &mut dyn Iterator<Item = &(String, String)>| {
        let root = tree.path("root");
        fs::create_dir(&root).unwrap();
        for (directory, more) in order {
            tree.skill(&format!("root/{directory}"), more);
        }
        let registry = Registry::builder().bundled(deck_of(5)).source(user(&root)).build().unwrap();
        let seen = everything(&registry.snapshot());
        let again = Registry::builder().bundled(deck_of(5)).source(user(&root)).build().unwrap();
        assert_eq!(everything(&again.snapshot()), seen);
        fs::remove_dir_all(&root).unwrap();
        seen
    };
    let forwards = build(&mut skills.iter());
    let backwards = build(&mut skills.iter().rev());
    assert!(forwards.contains("alias-clash") || forwards.contains("AliasClash"));
    assert_eq!(forwards, backwards);
}

#[test]
fn names_that_differ_by_case_or_separator_meet() {
    let tree = Tree::new();
    tree.write("a/SKILL.md", skill_text("Git_Helper", ""));
    tree.write("b/SKILL.md", skill_text("git helper", ""));
    let snapshot = registry([user(tree.root())]).snapshot();
    assert_eq!(words(&snapshot), ["git-helper"]);
    let entry = snapshot.get("git-helper").unwrap();
    assert_eq!(entry.path(), Some(&*tree.path("a/SKILL.md")));
    assert_eq!(entry.shadows()[0].path, Some(tree.path("b/SKILL.md")));
    for typed in ["Git_Helper", "GIT HELPER", "git-helper", "a"] {
        let Lookup::Found(found) = snapshot.find(typed) else { panic!("{typed} is not found") };
        assert_eq!(found.word(), "git-helper");
    }
    let Lookup::Unknown(nearest) = snapshot.find("git-helpr") else { panic!("found") };
    assert_eq!(nearest, ["git-helper"]);
}

#[test]
fn an_override_that_closes_a_cycle_leaves_the_deck_as_it_was() {
    let tree = Tree::new();
    tree.skill("user/base", "");
    tree.skill("user/top", "depends-on: base\n");
    let path = tree.skill("project/base", "depends-on: top\n");
    let sources =
        [user(tree.path("user")), directory("project", Tier::PROJECT, tree.path("project"))];
    let snapshot = registry(sources).snapshot();
    assert_eq!(ready(&snapshot), ["base", "top"]);
    let entry = snapshot.get("base").unwrap();
    assert_eq!((entry.source().name.as_str(), entry.state()), ("user", State::Ready));
    let refused = &entry.diagnostics()[0];
    assert_eq!((refused.code.id(), refused.path.as_deref()), ("override-refused", Some(&*path)));
    assert_eq!(refused.line, 4, "the line of `depends-on`");
    assert!(snapshot.diagnostics().contains(refused));
}

#[test]
fn a_registry_without_sources_is_valid() {
    let registry = Registry::builder().build().unwrap();
    assert!(!registry.has_skills() && !registry.has_commands());
    assert!(registry.snapshot().is_empty());
    assert_eq!(registry.reload().generation, 1);
    assert!(matches!(registry.snapshot().find("x"), Lookup::Unknown(near) if near.is_empty()));

    let tree = Tree::new();
    let registry = support::registry([user(tree.root())]);
    assert!(registry.has_skills() && !registry.has_commands());
}

#[test]
fn a_tier_that_stands_twice_in_the_order_is_an_error() {
    let rank = |tier| skilldeck_runtime::Rank { tier, last_wins: false };
    let precedence = Precedence::new(vec![rank(Tier::USER), rank(Tier::CORE), rank(Tier::USER)]);
    let error = Registry::builder().precedence(precedence).build().unwrap_err();
    assert_eq!(*error.kind(), skilldeck_runtime::ErrorKind::Configuration);
    assert!(error.to_string().contains("`user`"), "{error}");
}
