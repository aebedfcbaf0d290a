//! Project directories to their default roots.

use std::fs;
use std::path::{Path, PathBuf};

use skilldeck_core::format::Layout;
use skilldeck_core::template::{Dialect, Positional};

use super::{Environment, default_roots_in};
use crate::source::{Source, Tier};

const PLACES: [&str; 7] = [
    ".agents/skills",
    ".claude/skills",
    ".claude/commands",
    ".opencode/skill",
    ".opencode/skills",
    ".opencode/command",
    ".opencode/commands",
];

fn environment(home: Option<&Path>, config: Option<&Path>) -> Environment {
    Environment { home: home.map(Path::to_path_buf), config_home: config.map(Path::to_path_buf) }
}

fn of_tier(sources: &[Source], tier: &Tier) -> Vec<(String, PathBuf)> {
    let sources = sources.iter().filter(|source| source.info().tier == *tier);
    sources.map(|s| (s.info().name.clone(), s.root().unwrap().to_path_buf())).collect()
}

fn expected(levels: &[(&str, &Path)]) -> Vec<(String, PathBuf)> {
    let below = |&(up, directory): &(&str, &Path)| {
        let directory = directory.to_path_buf();
        let up = up.to_owned();
        PLACES.map(|place| (format!("{up}{place}"), directory.join(place)))
    };
    levels.iter().flat_map(below).collect()
}

#[test]
fn the_climb_ends_at_the_root_of_the_repository() {
    let tree = tempfile::tempdir().unwrap();
    let repository = tree.path().join("repository");
    let project = repository.join("crates/one");
    fs::create_dir_all(&project).unwrap();

    let roots = || of_tier(&default_roots_in(&project, &Environment::default()), &Tier::PROJECT);
    assert_eq!(roots(), expected(&[("", &project)]), "no repository, no climb");

    // A worktree has a file where a clone has a directory.
    fs::write(repository.join(".git"), "gitdir: elsewhere\n").unwrap();
    let climbed =
        expected(&[("", &project), ("../", &repository.join("crates")), ("../../", &repository)]);
    assert_eq!(roots(), climbed, "nearest first, up to the worktree");
    fs::remove_file(repository.join(".git")).unwrap();
    fs::create_dir(repository.join(".git")).unwrap();
    assert_eq!(roots(), climbed, "a directory ends the climb like a file");

    fs::create_dir(project.join(".git")).unwrap();
    assert_eq!(roots(), expected(&[("", &project)]), "the nearest repository ends it");
}

#[test]
fn dots_are_resolved_before_the_climb() {
    let tree = tempfile::tempdir().unwrap();
    let repository = fs::canonicalize(tree.path()).unwrap();
    fs::create_dir_all(repository.join("one")).unwrap();
    fs::create_dir_all(repository.join("two")).unwrap();
    fs::create_dir(repository.join(".git")).unwrap();
    let sources = default_roots_in(&repository.join("one/../two"), &Environment::default());
    let wanted = expected(&[("", &repository.join("two")), ("../", &repository)]);
    assert_eq!(of_tier(&sources, &Tier::PROJECT), wanted);
}

#[test]
fn the_users_roots_follow_the_environment() {
    let tree = tempfile::tempdir().unwrap();
    let (home, config) = (tree.path().join("home"), tree.path().join("config"));
    let user = |environment: &Environment| {
        of_tier(&default_roots_in(tree.path(), environment), &Tier::USER)
    };
    let named = |shown: &str, directory: &Path, places: &[&str]| -> Vec<_> {
        places.iter().map(|p| (format!("{shown}/{p}"), directory.join(p))).collect()
    };
    let at_home = [".agents/skills", ".claude/skills", ".claude/commands"];
    let configured = [
        "skilldeck/skills",
        "opencode/skill",
        "opencode/skills",
        "opencode/command",
        "opencode/commands",
    ];

    assert_eq!(user(&Environment::default()), []);
    let mut wanted = named("~", &home, &at_home);
    wanted.extend(named("~/.config", &home.join(".config"), &configured));
    assert_eq!(user(&environment(Some(&home), None)), wanted);
    let mut wanted = named("~", &home, &at_home);
    wanted.extend(named("$XDG_CONFIG_HOME", &config, &configured));
    assert_eq!(user(&environment(Some(&home), Some(&config))), wanted);
    let wanted = named("$XDG_CONFIG_HOME", &config, &configured);
    assert_eq!(user(&environment(None, Some(&config))), wanted);
}

#[test]
fn a_place_decides_trust_dialect_and_layout() {
    let tree = tempfile::tempdir().unwrap();
    let home = tree.path().join("home");
    let project = tree.path().join("project");
    let sources = default_roots_in(&project, &environment(Some(&home), None));
    assert_eq!(sources.len(), 7 + 3 + 5);
    for source in &sources {
        let info = source.info();
        let name = &info.name;
        assert!(source.optional, "{name}");
        assert_eq!(info.trusted, info.tier == Tier::USER, "{name}");
        let opencode = name.contains("opencode");
        assert_eq!(info.dialect == Dialect::OpenCode, opencode, "{name}");
        let commands = name.ends_with("command") || name.ends_with("commands");
        assert_eq!(info.layout == Layout::Commands, commands, "{name}");
        let always = info.positional == Positional::Always;
        assert_eq!(always, opencode || commands, "{name}");
    }
}

#[test]
fn a_home_that_is_the_project_stays_the_users() {
    let tree = tempfile::tempdir().unwrap();
    let home = tree.path();
    let sources = default_roots_in(home, &environment(Some(home), None));
    let skills = home.join(".claude/skills");
    let reached: Vec<_> = sources.iter().filter(|s| s.root() == Some(&skills)).collect();
    assert_eq!(reached.len(), 1);
    assert_eq!(reached[0].info().tier, Tier::USER);
    assert!(reached[0].info().trusted);
}
