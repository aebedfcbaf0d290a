//! Who may start what: one predicate for menus, listings and invocation.

mod decide;
mod grant;
mod shell;

use std::path::{Path, PathBuf};

pub(crate) use decide::Weighed;
pub use decide::{Decision, Reason, Verdict};
pub use grant::Grant;
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
}

impl Policy {
    /// The policy that holds where none is given.
    pub(crate) const DEFAULT: Self =
        Self { shell: false, shell_limits: ShellLimits::DEFAULT, cache_dir: None };

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
