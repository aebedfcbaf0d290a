//! A project directory and the environment to the default roots around them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{self, Component, Path, PathBuf};

use skilldeck_core::format::Layout;
use skilldeck_core::template::{Dialect, Positional};

use super::{Source, SourceInfo, Tier};

/// What the default roots depend on besides the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The user's home directory (`HOME`).
    pub home: Option<PathBuf>,
    /// Where the user's configuration lies (`XDG_CONFIG_HOME`); `~/.config` if it is not set.
    pub config_home: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process. A value that is empty or relative counts as not set, as the
    /// XDG base directory specification demands.
    #[must_use]
    pub fn of_process() -> Self {
        let absolute = |value: Option<OsString>| {
            value.map(PathBuf::from).filter(|directory| directory.is_absolute())
        };
        Self {
            home: absolute(env::var_os("HOME")),
            config_home: absolute(env::var_os("XDG_CONFIG_HOME")),
        }
    }
}

/// One place below a directory where tools keep skills or commands.
struct Place {
    path: &'static str,
    layout: Layout,
    dialect: Dialect,
}

const fn place(path: &'static str, layout: Layout, dialect: Dialect) -> Place {
    Place { path, layout, dialect }
}

/// Below a project directory and each directory above it, strongest first.
const PROJECT: [Place; 7] = [
    place(".agents/skills", Layout::Skills, Dialect::Claude),
    place(".claude/skills", Layout::Skills, Dialect::Claude),
    place(".claude/commands", Layout::Commands, Dialect::Claude),
    place(".opencode/skill", Layout::Skills, Dialect::OpenCode),
    place(".opencode/skills", Layout::Skills, Dialect::OpenCode),
    place(".opencode/command", Layout::Commands, Dialect::OpenCode),
    place(".opencode/commands", Layout::Commands, Dialect::OpenCode),
];

/// Below the home directory.
const HOME: [Place; 3] = [
    place(".agents/skills", Layout::Skills, Dialect::Claude),
    place(".claude/skills", Layout::Skills, Dialect::Claude),
    place(".claude/commands", Layout::Commands, Dialect::Claude),
];

/// Below the configuration directory.
const CONFIG: [Place; 5] = [
    place("skilldeck/skills", Layout::Skills, Dialect::Claude),
    place("opencode/skill", Layout::Skills, Dialect::OpenCode),
    place("opencode/skills", Layout::Skills, Dialect::OpenCode),
    place("opencode/command", Layout::Commands, Dialect::OpenCode),
    place("opencode/commands", Layout::Commands, Dialect::OpenCode),
];

/// The default sources of a project directory, strongest first within each tier: the project's and
/// those of the directories above it up to the root of its repository, then the user's. Each is
/// [optional](Source::optional). The user's are trusted, the project's are not.
#[must_use]
pub fn default_roots(project: &Path) -> Vec<Source> {
    default_roots_in(project, &Environment::of_process())
}

/// The same in this environment.
#[must_use]
pub fn default_roots_in(project: &Path, environment: &Environment) -> Vec<Source> {
    let user = user_roots(environment);
    let mut sources = Vec::new();
    for (height, directory) in climb(project).iter().enumerate() {
        let up = "../".repeat(height);
        for place in &PROJECT {
            let root = directory.join(place.path);
            // In a home directory that is itself the project or its repository, what is the user's
            // stays the user's and keeps its trust.
            if user.iter().any(|source| source.root() == Some(&root)) {
                continue;
            }
            let name = format!("{up}{}", place.path);
            sources.push(source(root, name, Tier::PROJECT, place));
        }
    }
    sources.extend(user);
    sources
}

fn user_roots(environment: &Environment) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut add = |directory: &Path, shown: &str, places: &[Place]| {
        for place in places {
            let name = format!("{shown}/{}", place.path);
            let mut source = source(directory.join(place.path), name, Tier::USER, place);
            source.info.trusted = true;
            sources.push(source);
        }
    };
    if let Some(home) = &environment.home {
        add(home, "~", &HOME);
    }
    match (&environment.config_home, &environment.home) {
        (Some(config), _) => add(config, "$XDG_CONFIG_HOME", &CONFIG),
        (None, Some(home)) => add(&home.join(".config"), "~/.config", &CONFIG),
        (None, None) => {}
    }
    sources
}

/// A source of a default root. Commands and OpenCode's files are written for arguments, so their
/// positionals are always live.
fn source(root: PathBuf, name: String, tier: Tier, place: &Place) -> Source {
    let mut info = SourceInfo::new(name, tier);
    info.layout = place.layout;
    info.dialect = place.dialect;
    if place.layout == Layout::Commands || place.dialect == Dialect::OpenCode {
        info.positional = Positional::Always;
    }
    Source::directory(root, info).optional()
}

/// The project directory and those above it up to the root of its repository, nearest first; only
/// the directory itself outside of one. A worktree's `.git` is a file and ends the climb as well.
fn climb(project: &Path) -> Vec<PathBuf> {
    let project = absolute(project);
    let height = project
        .ancestors()
        .position(|directory| fs::symlink_metadata(directory.join(".git")).is_ok())
        .unwrap_or(0);
    project.ancestors().take(height + 1).map(Path::to_path_buf).collect()
}

/// The path as it was given where it can be climbed as text; `..` only the file system can resolve.
fn absolute(project: &Path) -> PathBuf {
    let climbable = !project.components().any(|part| part == Component::ParentDir);
    let resolved = if climbable { path::absolute(project) } else { fs::canonicalize(project) };
    resolved.unwrap_or_else(|_| project.to_path_buf())
}

#[cfg(test)]
mod tests;
