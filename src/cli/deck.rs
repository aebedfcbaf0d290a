//! Global arguments to a registry.

use std::env;
use std::path::{Path, PathBuf};

use skilldeck::template::{Dialect, Positional};
use skilldeck::{
    Builder, Configuration, Deck, Environment, Error, HashKey, Lookup, Registry, Source,
    SourceInfo, Tier,
};

use super::args::{DialectArg, Global, PositionalArg};
use super::file;
use super::output::{Failure, Output};

/// The skills of this binary.
pub(crate) static BUNDLED: Deck = skilldeck::include_skills!("skills");

/// How this run reads directories and what it runs of them, where it differs from the sources' own rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// The dialect.
    pub(crate) dialect: Option<DialectArg>,
    /// The positional rule.
    pub(crate) positional: Option<PositionalArg>,
    /// Whether the shell commands in what is read run, whatever the files of configuration say.
    pub(crate) allow_shell: bool,
    /// Whether events are shown, whose hashes should be those of other runs.
    pub(crate) events: bool,
}

impl Reading {
    fn apply(self, info: &mut SourceInfo) {
        if let Some(dialect) = self.dialect {
            info.dialect = match dialect {
                DialectArg::Claude => Dialect::Claude,
                DialectArg::Opencode => Dialect::OpenCode,
            };
        }
        if let Some(positional) = self.positional {
            info.positional = match positional {
                PositionalArg::Declared => Positional::Declared,
                PositionalArg::Always => Positional::Always,
            };
        } else if matches!(self.dialect, Some(DialectArg::Opencode)) {
            info.positional = Positional::Always;
        }
    }
}

/// The deck that the arguments describe, with this directory over everything else.
pub(crate) fn load_over(global: &Global, source: Source) -> Result<Registry, Failure> {
    build(Registry::builder().source(source), global, Reading::default())
}

/// Loads the deck that the arguments describe.
pub(crate) fn load(
    global: &Global,
    reading: Reading,
    host: impl skilldeck::Host + 'static,
) -> Result<Registry, Failure> {
    let mut builder = Registry::builder().host(host);
    if reading.events {
        builder = builder.hash_key(hash_key(&Output::new(global)));
    }
    build(builder, global, reading)
}

/// The key of this installation. Without a place to keep it the hashes are of this run alone.
fn hash_key(output: &Output) -> HashKey {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    let Some(state) = state else { return HashKey::default() };
    let path = state.join("skilldeck/arguments.key");
    HashKey::kept(&path).unwrap_or_else(|error| {
        output.warn(format_args!(
            "no key can be kept at `{}`, so the hashes of arguments are of this run alone: {error}",
            path.display()
        ));
        HashKey::default()
    })
}

/// Loads the deck that the arguments describe, with these sources over everything else, and keeps it
/// current while files change.
pub(crate) fn watch(
    global: &Global,
    over: impl IntoIterator<Item = Source>,
) -> Result<Registry, Failure> {
    let builder = over.into_iter().fold(Registry::builder().watch(), Builder::source);
    build(builder, global, Reading::default())
}

/// Loads the deck of a project other than that of the working directory, and keeps it current.
#[cfg(feature = "acp")]
pub(crate) fn project(
    global: &Global,
    reading: Reading,
    project: &Path,
    host: impl skilldeck::Host + 'static,
) -> Result<Registry, Error> {
    let files = configuration_of(global, project)?;
    build_from(Registry::builder().host(host).watch(), global, reading, files)
}

/// The files of configuration with the flags over them.
pub(crate) fn configuration(global: &Global) -> Result<Configuration, Failure> {
    let project = env::current_dir()
        .map_err(|error| Failure::No(format!("the working directory is gone: {error}")))?;
    Ok(configuration_of(global, &project)?)
}

fn configuration_of(global: &Global, project: &Path) -> Result<Configuration, Error> {
    let environment = Environment::of_process();
    let mut files = Configuration::load(project, &environment, global.config.as_deref())?;
    if let Some(enabled) = global.enable_skill_commands {
        files = files.enable_skill_commands(enabled);
    }
    if global.trust { files.trust_project() } else { Ok(files) }
}

fn build(builder: Builder, global: &Global, reading: Reading) -> Result<Registry, Failure> {
    Ok(build_from(builder, global, reading, configuration(global)?)?)
}

fn build_from(
    mut builder: Builder,
    global: &Global,
    reading: Reading,
    mut files: Configuration,
) -> Result<Registry, Error> {
    if reading.allow_shell {
        files = files.allow_shell();
    }
    if !global.quiet {
        let output = Output::new(global);
        files.diagnostics().iter().for_each(|refused| output.diagnostic(refused));
    }
    builder = builder.policy(files.policy()).precedence(files.precedence());
    for root in &global.root {
        let mut info = SourceInfo::new(root.display().to_string(), Tier::PROJECT);
        info.trusted = global.trust;
        info.layout = file::layout_of(root);
        info.positional = file::positional(info.layout);
        reading.apply(&mut info);
        builder = builder.source(Source::directory(root, info));
    }
    for source in files.sources() {
        builder = builder.source(source.clone().with_info(|info| reading.apply(info)));
    }
    if !global.no_default_roots {
        for source in files.default_roots() {
            builder = builder.source(source.with_info(|info| {
                info.trusted |= global.trust && info.tier == Tier::PROJECT;
                reading.apply(info);
            }));
        }
    }
    if !global.no_bundled {
        builder = builder.bundled(&BUNDLED);
    }
    let registry = builder.build()?;
    if global.verbose {
        let output = Output::new(global);
        let snapshot = registry.snapshot();
        for name in registry.policy().names() {
            if matches!(snapshot.find(name), Lookup::Unknown(_)) {
                output.step(format_args!("configuration: no skill is called `{name}`"));
            }
        }
    }
    Ok(registry)
}
