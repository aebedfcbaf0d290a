//! The host: everything an invocation needs from the outside world, behind one trait.

use std::fmt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use skilldeck_core::model::{BundledSkill, Skill};

use crate::cancel::CancelToken;
use crate::lineage::Lineage;

/// What the program around skilldeck offers to skills. Every method has a default that refuses, so
/// a host implements what it has.
pub trait Host: Send + Sync {
    /// Runs a shell command of a skill and gives its standard output.
    ///
    /// The commands of one body are independent of each other: up to eight are asked for at the same
    /// time, on threads of their own.
    ///
    /// # Errors
    /// When the host runs no commands, the command failed, or it was stopped.
    fn shell(&self, request: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
        let _ = request;
        Err(HostError::Unsupported)
    }

    /// Runs a rendered prompt in a sub-session and gives its answer (`context: fork`).
    ///
    /// # Errors
    /// When the host has no sub-sessions, or the run failed.
    fn fork(&self, request: &ForkRequest<'_>) -> Result<String, HostError> {
        let _ = request;
        Err(HostError::Unsupported)
    }

    /// Asks a person.
    fn confirm(&self, question: &Question<'_>) -> Answer {
        let _ = question;
        Answer::CannotAsk
    }

    /// Where the side files of a bundled skill are, such as `skill://name` or a directory that the
    /// host unpacks itself. `None` leaves it to skilldeck, which extracts them on first use.
    fn resource_base(&self, skill: &BundledSkill) -> Option<String> {
        let _ = skill;
        None
    }

    /// The time.
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A host that offers nothing: no shell, no fork, nobody to ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {}

/// A shell command to run.
#[derive(Debug)]
pub struct ShellRequest<'a> {
    /// The skill it is part of.
    pub skill: &'a Skill,
    /// The command. It holds no argument text; arguments are in `environment`.
    pub command: &'a str,
    /// The shell the skill asks for, such as `bash`; `None` is `sh`.
    pub shell: Option<&'a str>,
    /// What the command gets beside the host's own environment.
    pub environment: &'a [(String, String)],
    /// Where it runs.
    pub directory: Option<&'a Path>,
    /// How long it may run.
    pub timeout: Duration,
    /// How many bytes of its standard output are wanted. A host marks where it cut.
    pub max_output: usize,
    /// Ends the command when it is cancelled.
    pub cancel: &'a CancelToken,
}

/// What a shell command printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellOutput {
    /// Its standard output.
    pub stdout: String,
}

/// A prompt to run in a sub-session.
#[derive(Debug)]
pub struct ForkRequest<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// The rendered prompt.
    pub prompt: &'a str,
    /// The session it belongs to.
    pub session: Option<&'a str>,
    /// How many forks it is inside; 1 for the first.
    pub depth: u32,
    /// The forks it is inside. What the sub-session invokes carries it (see
    /// [`Request::within`](crate::Request::within)), or depth cannot be bounded.
    pub lineage: &'a Lineage,
    /// Ends the sub-session when it is cancelled.
    pub cancel: &'a CancelToken,
}

/// A question to a person.
#[derive(Debug)]
pub struct Question<'a> {
    /// The skills that ask for confirmation, the invoked one last.
    pub skills: &'a [&'a Skill],
    /// The question in one line.
    pub text: &'a str,
    /// The session it belongs to.
    pub session: Option<&'a str>,
}

/// The answer of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on.
    Yes,
    /// Do not.
    No,
    /// This host has nobody to ask.
    CannotAsk,
}

/// Why a host did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostError {
    /// The host does not offer it.
    Unsupported,
    /// It ran and failed; the text has the status and what it wrote to standard error.
    Failed(String),
    /// It was not even started: its arguments are more than the system passes to a process.
    ArgumentsTooLong,
    /// It was stopped after its time ran out.
    TimedOut,
    /// The caller cancelled.
    Cancelled,
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => f.write_str("the host does not offer this"),
            Self::Failed(why) => f.write_str(why),
            Self::ArgumentsTooLong => {
                f.write_str("its arguments are more than the system passes to a process")
            }
            Self::TimedOut => f.write_str("it was stopped after its time ran out"),
            Self::Cancelled => f.write_str("it was cancelled"),
        }
    }
}

impl std::error::Error for HostError {}
