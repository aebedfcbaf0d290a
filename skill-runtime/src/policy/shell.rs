//! An entry to whether its shell spans may run.

use std::fmt;
use std::time::Duration;

use skilldeck_core::model::{Restriction, Text};

use super::Policy;
use crate::snapshot::Entry;

/// The tool that runs shell commands, as tool lists call it.
const TOOL: &str = "bash";

/// Whether the shell spans of an entry may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellRule<'a> {
    /// They may, but for commands that these `disallowed-tools` name.
    Run {
        /// The skill's whole list.
        disallowed: &'a [Text],
    },
    /// None may.
    Not(NoShell),
}

/// Why a shell span does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoShell {
    /// Its source is not trusted.
    Untrusted,
    /// Its front matter is damaged.
    Damaged,
    /// Its own `disallowed-tools` forbid it.
    Disallowed,
    /// Policy does not allow shell.
    NotAllowed,
}

/// What becomes of an invocation when one of its shell commands fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// It fails, with the command, its status and what it wrote to standard error.
    #[default]
    Error,
    /// Nothing stands in the place of the command, and a notice says why.
    Empty,
}

/// What a shell command may take, and what becomes of one that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShellLimits {
    pub(crate) timeout: Duration,
    pub(crate) max_output: usize,
    pub(crate) on_failure: OnFailure,
}

impl ShellLimits {
    pub(crate) const DEFAULT: Self = Self {
        timeout: Duration::from_secs(120),
        max_output: 64 << 10,
        on_failure: OnFailure::Error,
    };
}

impl Default for ShellLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Policy {
    /// How long a shell command may run: two minutes by default.
    #[must_use]
    pub const fn shell_timeout(mut self, timeout: Duration) -> Self {
        self.shell_limits.timeout = timeout;
        self
    }

    /// How many bytes of the output of a shell command are kept: 64 KiB by default.
    #[must_use]
    pub const fn shell_max_output(mut self, bytes: usize) -> Self {
        self.shell_limits.max_output = bytes;
        self
    }

    /// What becomes of an invocation when one of its shell commands fails: by default, it fails.
    ///
    /// ```
    /// use std::time::Duration;
    /// use skilldeck_runtime::{OnFailure, Policy};
    ///
    /// let policy = Policy::new()
    ///     .allow_shell(true)
    ///     .shell_timeout(Duration::from_secs(10))
    ///     .shell_max_output(8 << 10)
    ///     .on_shell_failure(OnFailure::Empty);
    /// assert_ne!(policy, Policy::new().allow_shell(true));
    /// ```
    #[must_use]
    pub const fn on_shell_failure(mut self, then: OnFailure) -> Self {
        self.shell_limits.on_failure = then;
        self
    }

    pub(crate) const fn shell_limits(&self) -> ShellLimits {
        self.shell_limits
    }

    /// Whether the shell spans of an entry may run: only if this policy allows shell, the source is
    /// trusted, the front matter is whole, and the skill's own `disallowed-tools` do not forbid it.
    #[must_use]
    pub fn shell_rule<'a>(&self, entry: Entry<'a>) -> ShellRule<'a> {
        let skill = entry.skill();
        let disallowed = skill.disallowed_tools();
        if !entry.source().trusted {
            ShellRule::Not(NoShell::Untrusted)
        } else if skill.restriction() == Restriction::Whole {
            ShellRule::Not(NoShell::Damaged)
        } else if disallowed.iter().any(|tool| Forbidden::of(tool) == Forbidden::All) {
            ShellRule::Not(NoShell::Disallowed)
        } else if !self.shell {
            ShellRule::Not(NoShell::NotAllowed)
        } else {
            ShellRule::Run { disallowed }
        }
    }
}

impl ShellRule<'_> {
    /// Whether this command may run.
    ///
    /// # Errors
    /// Why it may not.
    pub fn check(self, command: &str) -> Result<(), NoShell> {
        let disallowed = match self {
            Self::Run { disallowed } => disallowed,
            Self::Not(why) => return Err(why),
        };
        let names = |tool: &Text| match Forbidden::of(tool) {
            Forbidden::All => true,
            Forbidden::Program(program) => words(command).any(|word| word == program),
            Forbidden::Nothing => false,
        };
        if disallowed.iter().any(names) { Err(NoShell::Disallowed) } else { Ok(()) }
    }
}

/// What an entry of `disallowed-tools` forbids to the shell.
#[derive(Debug, PartialEq, Eq)]
enum Forbidden<'a> {
    /// Everything.
    All,
    /// Commands in which this word stands. A rule such as `Bash(git push:*)` is about a prefix, but
    /// a prefix is easily hidden in a longer command; its first word anywhere is the safe reading.
    Program(&'a str),
    /// It is about another tool.
    Nothing,
}

impl<'a> Forbidden<'a> {
    fn of(tool: &'a str) -> Self {
        let (name, rule) = match tool.split_once('(') {
            Some((name, rule)) => (name, rule.trim_end().strip_suffix(')')),
            None => (tool, Some("*")),
        };
        let name = name.trim();
        if !may_be_shell(name) {
            return Self::Nothing;
        }
        if !matches!(name, "" | "*") && !name.eq_ignore_ascii_case(TOOL) {
            return Self::All;
        }
        match rule.and_then(program) {
            Some(program) => Self::Program(program),
            // All commands are meant, or it is not understood, and then none is safe.
            None => Self::All,
        }
    }
}

/// Whether the name of a tool is that of the shell, or cannot be told from it: `Ba*`, `Bash:rm`.
fn may_be_shell(name: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let (plain, behind) = name.split_at(name.find(|c| !goes_on(c)).unwrap_or(name.len()));
    plain.eq_ignore_ascii_case(TOOL)
        || !behind.is_empty()
            && TOOL.get(..plain.len()).is_some_and(|start| start.eq_ignore_ascii_case(plain))
            && behind.starts_with(['*', '?', '{', '['])
        || name.is_empty()
}

/// The program that a rule is about, without its path.
fn program(rule: &str) -> Option<&str> {
    let first = rule.split_whitespace().next()?;
    // `rm:*`: what stands behind the colon is about arguments.
    let path = first.split_once(':').map_or(first, |(path, _)| path);
    let name = path.rsplit('/').next()?;
    (!name.is_empty() && name.chars().all(is_part) && name.chars().any(char::is_alphanumeric))
        .then_some(name)
}

/// The words of a command that could name a program; of a path each part.
fn words(command: &str) -> impl Iterator<Item = &str> {
    command.split(|c| !is_part(c)).filter(|word| !word.is_empty())
}

/// Whether a character can be a part of the name of a program. A rule with any other is not
/// understood, as with `r?`, `{rm,mv}` or `"rm"`.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')
}

impl fmt::Display for NoShell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Untrusted => "the source of the skill is not trusted",
            Self::Damaged => "the front matter of the skill cannot be read",
            Self::Disallowed => "the `disallowed-tools` of the skill forbid it",
            Self::NotAllowed => "shell is not allowed",
        })
    }
}
