//! A command to a process that its owner talks to, and that does not outlive it.

use std::fmt;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::group::{Group, kill_own_group};
use super::run::cannot_start;
use crate::host::HostError;

/// How often it is looked whether the process has ended.
const TICK: Duration = Duration::from_millis(10);

/// How long a killed process is waited for.
const REAP: Duration = Duration::from_secs(2);

/// A process that runs beside this one and is talked to, such as an agent behind a proxy. It is in
/// a process group of its own, which ends when this value is dropped, and when this process dies,
/// however it dies. Its standard error is this process's.
///
/// ```
/// use std::io::{Read, Write};
/// use std::process::Command;
/// use std::time::Duration;
/// use skilldeck_runtime::Companion;
///
/// let mut command = Command::new("tr");
/// command.args(["a-z", "A-Z"]);
/// let (mut companion, mut input, mut output) = Companion::start(command)?;
/// input.write_all(b"hello")?;
/// drop(input);
/// let mut answer = String::new();
/// output.read_to_string(&mut answer)?;
/// assert_eq!(answer, "HELLO");
/// assert!(companion.wait(Duration::from_secs(10))?.expect("it has ended").success());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Companion {
    // Dropped first: the group ends before anybody waits for its members.
    group: Group,
    child: Child,
    status: Option<ExitStatus>,
}

impl Companion {
    /// Starts it, and gives its standard input and output with it.
    ///
    /// # Errors
    /// When it cannot be started; the text says why.
    pub fn start(mut command: Command) -> Result<(Self, ChildStdin, ChildStdout), HostError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let failed = |error: &io::Error| HostError::Failed(cannot_start(&command, error));
        let group = Group::new().map_err(|error| failed(&error))?;
        let mut child = match group.spawn(&mut command) {
            Ok(child) => child,
            Err(error) => return Err(HostError::Failed(cannot_start(&command, &error))),
        };
        let streams = child.stdin.take().zip(child.stdout.take());
        let companion = Self { group, child, status: None };
        match streams {
            Some((input, output)) => Ok((companion, input, output)),
            None => Err(HostError::Failed("its streams are not connected".to_owned())),
        }
    }

    /// Waits until it has ended, for so long at most; `None` if it has not.
    ///
    /// # Errors
    /// When the system does not say how it is.
    pub fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + patience;
        loop {
            if self.status.is_none() {
                self.status = self.child.try_wait()?;
            }
            let now = Instant::now();
            if self.status.is_some() || now >= deadline {
                return Ok(self.status);
            }
            std::thread::sleep(TICK.min(deadline - now));
        }
    }

    /// Ends it and its group: SIGTERM, and SIGKILL if it is still there after so long.
    pub fn end(&mut self, grace: Duration) {
        self.group.ask();
        if self.status.is_none() {
            kill_own_group(&self.child, Signal::TERM);
        }
        let _ = self.wait(grace);
        self.kill();
    }

    fn kill(&mut self) {
        self.group.kill();
        if self.status.is_none() {
            kill_own_group(&self.child, Signal::KILL);
            let _ = self.child.kill();
            let _ = self.wait(REAP);
        }
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        self.kill();
    }
}

impl fmt::Debug for Companion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Companion").field("process", &self.child.id()).finish_non_exhaustive()
    }
}
