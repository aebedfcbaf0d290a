//! The one error of the run time: a kind, a message, and what caused it.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No skill has this name.
    UnknownSkill {
        /// The nearest words, best first.
        nearest: Vec<String>,
    },
    /// Several skills match the name.
    Ambiguous {
        /// Their words, sorted.
        candidates: Vec<String>,
    },
    /// Policy refuses.
    Refused,
    /// The host has to ask a person, and this host cannot; repeat the request with the token.
    NeedsConfirmation {
        /// What to ask, in one line.
        question: String,
        /// What the repeated request carries.
        token: String,
    },
    /// The arguments do not fit.
    InvalidArguments,
    /// The skill cannot run, because of its dependencies or because its file cannot be read.
    Unavailable,
    /// A shell command of the skill failed.
    ShellFailed,
    /// The host cannot fork, or the fork failed.
    ForkFailed,
    /// Too many invocations in too short a time.
    RateLimited {
        /// How long to wait before the next one.
        retry_after: Duration,
    },
    /// The caller cancelled.
    Cancelled,
    /// A registry was built from settings that contradict each other.
    Configuration,
    /// The file system failed.
    Io,
}

impl ErrorKind {
    /// The kind as one stable word, such as `unknown_skill`: for logs, metrics and protocols.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::UnknownSkill { .. } => "unknown_skill",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Refused => "refused",
            Self::NeedsConfirmation { .. } => "needs_confirmation",
            Self::InvalidArguments => "invalid_arguments",
            Self::Unavailable => "unavailable",
            Self::ShellFailed => "shell_failed",
            Self::ForkFailed => "fork_failed",
            Self::RateLimited { .. } => "rate_limited",
            Self::Cancelled => "cancelled",
            Self::Configuration => "configuration",
            Self::Io => "io",
        }
    }
}

/// An error of the run time. The message is lower case, names the skill, the file where there is
/// one, and what to do. `Debug` shows the message too, since that is what a `main` prints that
/// returns it.
pub struct Error {
    inner: Box<Inner>,
}

struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { inner: Box::new(Inner { kind, message: message.into(), source: None }) }
    }

    pub(crate) fn because(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.inner.source = Some(source.into());
        self
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.inner.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.inner.message, self.inner.kind.as_str())?;
        let mut cause = self.source();
        while let Some(error) = cause {
            write!(f, "\ncaused by: {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.inner.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}
