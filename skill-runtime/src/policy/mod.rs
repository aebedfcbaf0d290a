//! Who may start what: one predicate for menus, listings and invocation.

mod decide;
mod grant;
#[cfg(feature = "rate-limit")]
mod limit;
#[cfg(not(feature = "rate-limit"))]
mod limitless;
mod open;
mod reason;
mod rules;
mod shell;
mod words;

use std::path::{Path, PathBuf};

use skilldeck_core::model::{Text, Value};

use crate::snapshot::Entry;

pub(crate) use decide::Weighed;
pub use decide::{Decision, Verdict};
pub use grant::Grant;
#[cfg(feature = "rate-limit")]
pub use limit::RateLimit;
pub use reason::Reason;
pub use rules::{Rules, SkillRules};
pub(crate) use shell::ShellLimits;
pub use shell::{NoShell, OnFailure, ShellRule};

/// What a host allows. The default allows what needs no permission: text, and nothing that runs.
///
/// A skill's own restrictions hold whatever a policy says, so a policy can only narrow.
///
/// ```
/// use skilldeck_runtime::Policy;
///
/// assert!(!Policy::default().shell());
/// assert!(Policy::new().allow_shell(true).shell());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    shell: bool,
    shell_limits: ShellLimits,
    cache_dir: Option<PathBuf>,
    layers: Vec<Rules>,
    native: Vec<Text>,
    prefix: Option<Text>,
    #[cfg(feature = "rate-limit")]
    limiter: Option<limit::Limiter>,
}

impl Policy {
    /// The policy that holds where none is given.
    pub(crate) const DEFAULT: Self = Self {
        shell: false,
        shell_limits: ShellLimits::DEFAULT,
        cache_dir: None,
        layers: Vec::new(),
        native: Vec::new(),
        prefix: None,
        #[cfg(feature = "rate-limit")]
        limiter: None,
    };

    /// A policy that allows nothing that runs.
    #[must_use]
    pub const fn new() -> Self {
        Self::DEFAULT
    }

    /// Whether shell spans of trusted skills may run; they may not by default.
    #[must_use]
    pub fn allow_shell(mut self, allowed: bool) -> Self {
        self.shell = allowed;
        self
    }

    /// Where side files of bundled skills are extracted: by default `skilldeck` in the user's cache
    /// directory (`$XDG_CACHE_HOME`, or `~/.cache`).
    #[must_use]
    pub fn extract_into(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(directory.into());
        self
    }

    /// Adds a layer of rules. What any layer refuses is refused, and each can make a person be
    /// asked, so a layer only narrows what the others and the skills themselves allow.
    #[must_use]
    pub fn rules(mut self, layer: Rules) -> Self {
        self.layers.push(layer);
        self
    }

    /// The same with all layers of another policy; what else that one says stays behind.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.layers.extend(other.layers.iter().cloned());
        self
    }

    /// The names, folded, of which its rules say something: for a note about those that no skill
    /// has.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().flat_map(Rules::names)
    }

    /// Whether an outcome is delivered as a turn: neither the skill nor a layer keeps it back.
    pub(crate) fn injects(&self, entry: Entry<'_>) -> bool {
        let mut said = self.layers.iter().flat_map(|layer| layer.of(entry));
        entry.skill().slash_command().auto_inject && !said.any(SkillRules::keeps_back)
    }

    /// What arguments are held to beside the skill's own schema.
    pub(crate) fn schemas(&self, entry: Entry<'_>) -> impl Iterator<Item = &Value> {
        self.layers.iter().flat_map(move |layer| layer.of(entry)).filter_map(SkillRules::schema)
    }

    /// Whether shell spans of trusted skills may run.
    #[must_use]
    pub const fn shell(&self) -> bool {
        self.shell
    }

    /// Where side files of bundled skills are extracted, if this policy says so.
    #[must_use]
    pub fn cache_dir(&self) -> Option<&Path> {
        self.cache_dir.as_deref()
    }
}

#[cfg(test)]
mod tests;
