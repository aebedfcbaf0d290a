//! A command to a process that is bounded in time and output, and that nothing outlives.

use std::process::Command;
use std::time::Duration;

use crate::cancel::CancelToken;
use crate::host::HostError;

/// A command that runs as [`ProcessHost`](crate::ProcessHost) runs those of skills: in a process
/// group that ends with it, and with the process that started it. For hosts that start agents, as
/// those with sub-sessions do.
///
/// ```
/// # #[cfg(unix)] {
/// use std::process::Command;
/// use std::time::Duration;
/// use skilldeck_runtime::{CancelToken, Subprocess};
///
/// let mut command = Command::new("tr");
/// command.args(["a-z", "A-Z"]);
/// let answer = Subprocess::new(command)
///     .input("a prompt")
///     .timeout(Duration::from_secs(600))
///     .run(&CancelToken::new())?;
/// assert_eq!(answer, "A PROMPT");
/// # }
/// # Ok::<(), skilldeck_runtime::HostError>(())
/// ```
#[derive(Debug)]
pub struct Subprocess<'a> {
    pub(super) command: Command,
    pub(super) input: &'a [u8],
    pub(super) timeout: Option<Duration>,
    pub(super) max_output: usize,
}

impl<'a> Subprocess<'a> {
    /// This command, without input and without an end of its time, with 1 MiB of output.
    ///
    /// Its streams and its process group are not the caller's to choose.
    #[must_use]
    pub const fn new(command: Command) -> Self {
        Self { command, input: &[], timeout: None, max_output: 1 << 20 }
    }

    /// What it reads from standard input.
    #[must_use]
    pub fn input(mut self, input: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        self.input = input.as_ref();
        self
    }

    /// How long it may run.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// How many bytes of its output are kept; a mark says where more was left out.
    #[must_use]
    pub const fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// Runs it, and gives what it wrote to standard output.
    ///
    /// # Errors
    /// When it cannot be started, ends with another status than 0 (the text has the status and the
    /// end of what it wrote to standard error), is cancelled, or its time runs out.
    pub fn run(self, cancel: &CancelToken) -> Result<String, HostError> {
        #[cfg(unix)]
        return super::run::run(self, cancel);
        #[cfg(not(unix))]
        {
            let _ = cancel;
            let program = self.command.get_program().to_string_lossy();
            Err(HostError::Failed(format!("`{program}` cannot be run on this system")))
        }
    }
}
