//! Global arguments to a registry.

use std::env;

use skilldeck::template::{Dialect, Positional};
use skilldeck::{Builder, Deck, Registry, Source, SourceInfo, Tier};

use super::args::{DialectArg, Global, PositionalArg};
use super::file;
use super::output::Failure;

/// The skills of this binary.
pub(crate) static BUNDLED: Deck = skilldeck::include_skills!("skills");

/// How this run reads directories, where it differs from the sources' own rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// The dialect.
    pub(crate) dialect: Option<DialectArg>,
    /// The positional rule.
    pub(crate) positional: Option<PositionalArg>,
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
    build(Registry::builder().host(host), global, reading)
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

fn build(mut builder: Builder, global: &Global, reading: Reading) -> Result<Registry, Failure> {
    for root in &global.root {
        let mut info = SourceInfo::new(root.display().to_string(), Tier::PROJECT);
        info.trusted = global.trust;
        info.layout = file::layout_of(root);
        info.positional = file::positional(info.layout);
        reading.apply(&mut info);
        builder = builder.source(Source::directory(root, info));
    }
    if !global.no_default_roots {
        let project = env::current_dir()
            .map_err(|error| Failure::No(format!("the working directory is gone: {error}")))?;
        for source in skilldeck::default_roots(&project) {
            builder = builder.source(source.with_info(|info| {
                if info.tier == Tier::PROJECT {
                    info.trusted = global.trust;
                }
                reading.apply(info);
            }));
        }
    }
    if !global.no_bundled {
        builder = builder.bundled(&BUNDLED);
    }
    Ok(builder.build()?)
}
