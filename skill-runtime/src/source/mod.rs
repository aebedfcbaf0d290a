//! Sources: where skills come from, how much they are trusted, and which of them wins.

mod fingerprint;
mod memory;
mod roots;
mod sight;
mod tier;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skilldeck_core::format::Layout;
use skilldeck_core::model::{Deck, Prefix};
use skilldeck_core::template::{Dialect, Positional};

pub(crate) use fingerprint::Fingerprint;
pub use memory::Memory;
pub use roots::{Environment, default_roots, default_roots_in};
pub(crate) use sight::{Sight, canonical, directory_print};
pub use tier::{Precedence, Rank, Tier};

/// What is known of a source before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceInfo {
    /// Its name, shown as the origin of a skill.
    pub name: String,
    /// The tier it belongs to.
    pub tier: Tier,
    /// Whether its skills may run shell, pre-approve tools and be offered to the model.
    pub trusted: bool,
    /// The dialect of its bodies.
    pub dialect: Dialect,
    /// When `$N` is a placeholder in its bodies.
    pub positional: Positional,
    /// How its files are laid out.
    pub layout: Layout,
    /// What its command words start with.
    pub namespace: Namespace,
}

/// What the command words of a source start with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Namespace {
    /// Nothing in particular.
    #[default]
    Free,
    /// This prefix; a skill without it is reported.
    Expect(Prefix),
    /// This prefix: it is put before each word, name and alias that does not start with it.
    Apply(Prefix),
}

/// A source of skills.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) info: SourceInfo,
    pub(crate) kind: Kind,
    pub(crate) optional: bool,
    /// Files that are always told to models.
    pub(crate) instructions: Vec<PathBuf>,
}

/// How a source is read.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Bundled(&'static Deck),
    Directory(PathBuf),
    Memory(Arc<Memory>),
}

impl Source {
    /// The skills compiled into this binary: tier `bundled`, trusted.
    #[must_use]
    pub fn bundled(deck: &'static Deck) -> Self {
        let mut info = SourceInfo::new("bundled", Tier::BUNDLED);
        info.trusted = true;
        Self { info, kind: Kind::Bundled(deck), optional: false, instructions: Vec::new() }
    }

    /// A directory, described by `info`.
    #[must_use]
    pub fn directory(root: impl Into<PathBuf>, info: SourceInfo) -> Self {
        Self { info, kind: Kind::Directory(root.into()), optional: false, instructions: Vec::new() }
    }

    /// Skills held in memory, described by `info`.
    #[must_use]
    pub fn memory(skills: Arc<Memory>, info: SourceInfo) -> Self {
        Self { info, kind: Kind::Memory(skills), optional: false, instructions: Vec::new() }
    }

    /// The same, but nothing is said when its directory does not exist, as with the default roots.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The same with Markdown files that a host puts before a model at all times, if the source is
    /// trusted: see [`Snapshot::instructions`](crate::Snapshot::instructions).
    #[must_use]
    pub fn with_instructions(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.instructions.extend(files);
        self
    }

    /// What is known of it before it is read.
    #[must_use]
    pub fn info(&self) -> &SourceInfo {
        &self.info
    }

    /// The same with another description.
    #[must_use]
    pub fn with_info(mut self, change: impl FnOnce(&mut SourceInfo)) -> Self {
        change(&mut self.info);
        self
    }

    /// The directory, if it is one.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Directory(root) => Some(root),
            Kind::Bundled(_) | Kind::Memory(_) => None,
        }
    }
}

impl SourceInfo {
    /// A source of this name in this tier: untrusted, dialect `claude`, skills layout.
    #[must_use]
    pub fn new(name: impl Into<String>, tier: Tier) -> Self {
        Self {
            name: name.into(),
            tier,
            trusted: false,
            dialect: Dialect::Claude,
            positional: Positional::Declared,
            layout: Layout::Skills,
            namespace: Namespace::Free,
        }
    }
}
