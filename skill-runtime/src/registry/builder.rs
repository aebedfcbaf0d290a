//! Settings to a registry.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use skilldeck_core::model::Deck;

use super::Registry;
use super::core::Core;
use crate::catalog::Catalog;
use crate::error::{Error, ErrorKind};
use crate::host::{Host, NoHost};
use crate::source::{Precedence, Source, Tier, default_roots};

/// Sets up a [`Registry`].
#[derive(Default)]
pub struct Builder {
    sources: Vec<Source>,
    /// The positions in `sources` that came from default roots.
    defaults: Vec<usize>,
    trust_project: bool,
    precedence: Precedence,
    host: Option<Arc<dyn Host>>,
}

impl Builder {
    /// Adds the skills compiled into this binary.
    #[must_use]
    pub fn bundled(self, deck: &'static Deck) -> Self {
        self.source(Source::bundled(deck))
    }

    /// Adds a source; among those of one tier the earlier wins.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Adds the default roots of a project directory.
    #[must_use]
    pub fn default_roots(mut self, project: &Path) -> Self {
        let roots = default_roots(project);
        self.defaults.extend(self.sources.len()..self.sources.len() + roots.len());
        self.sources.extend(roots);
        self
    }

    /// Whether the project's default roots are trusted, as the user's are; they are not by default.
    /// Other sources say for themselves.
    #[must_use]
    pub fn trust_project(mut self, trusted: bool) -> Self {
        self.trust_project = trusted;
        self
    }

    /// Sets the order of the tiers.
    #[must_use]
    pub fn precedence(mut self, precedence: Precedence) -> Self {
        self.precedence = precedence;
        self
    }

    /// Sets the host; [`NoHost`] if none is set.
    #[must_use]
    pub fn host(mut self, host: impl Host + 'static) -> Self {
        self.host = Some(Arc::new(host));
        self
    }

    /// Loads every source.
    ///
    /// # Errors
    /// When the settings contradict each other: a tier stands twice in the order. A source that
    /// cannot be read is no error here: it is a diagnostic of the snapshot.
    pub fn build(mut self) -> Result<Registry, Error> {
        if let Some(tier) = self.precedence.repeated() {
            let message = format!(
                "the tier `{}` stands twice in the order of precedence; keep one of them",
                tier.as_str()
            );
            return Err(Error::new(ErrorKind::Configuration, message));
        }
        for position in self.defaults {
            let info = &mut self.sources[position].info;
            info.trusted |= self.trust_project && info.tier == Tier::PROJECT;
        }
        let has_sources = !self.sources.is_empty();
        let catalog = Catalog::new(self.precedence, self.sources);
        Ok(Registry {
            core: Arc::new(Core::new(catalog)),
            has_sources,
            host: self.host.unwrap_or_else(|| Arc::new(NoHost)),
        })
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("sources", &self.sources).finish_non_exhaustive()
    }
}
