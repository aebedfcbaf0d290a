//! The forks that an invocation is inside of, so that depth and circles can be bounded.

use std::fmt;
use std::sync::Arc;

use crate::telemetry::ActivationId;

/// The forks that an invocation is inside of. A host gives it to every request that a sub-session
/// makes; it is cheap to clone.
#[derive(Clone, Default)]
pub struct Lineage {
    innermost: Option<Arc<Link>>,
}

struct Link {
    word: Box<str>,
    activation: ActivationId,
    depth: u32,
    outer: Option<Arc<Link>>,
}

impl Lineage {
    /// How many forks it is inside of.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.innermost.as_ref().map_or(0, |link| link.depth)
    }

    /// The words of the skills that forked, innermost first.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(self.innermost.as_deref(), |link| link.outer.as_deref())
            .map(|link| &*link.word)
    }

    /// The activation of the innermost fork.
    pub(crate) fn activation(&self) -> Option<ActivationId> {
        self.innermost.as_ref().map(|link| link.activation)
    }

    /// The same with one more fork inside.
    pub(crate) fn with(&self, word: &str, activation: ActivationId) -> Self {
        let outer = self.innermost.clone();
        let link = Link { word: word.into(), activation, depth: self.depth() + 1, outer };
        Self { innermost: Some(Arc::new(link)) }
    }
}

impl fmt::Debug for Lineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.words()).finish()
    }
}
