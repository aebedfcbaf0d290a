//! One command to its output, its failure, or its end by force.

use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use skilldeck_core::template::is_argument_variable;

use super::group::{Group, kill_own_group};
use super::keep::{Head, Keep, Tail};
use crate::cancel::CancelToken;
use crate::host::{HostError, ShellOutput, ShellRequest};

/// How long nothing is looked at but what the command writes.
const TICK: Duration = Duration::from_millis(20);

/// How long what a command left in the background may hold its output open.
const LEFTOVER: Duration = Duration::from_millis(100);

/// How long a command may take to end when it is asked to.
const GRACE: Duration = Duration::from_millis(500);

/// How long a killed command is waited for. One that the system cannot end, such as one that waits
/// for a network file system, holds nobody up.
const REAP: Duration = Duration::from_secs(2);

/// How many bytes are taken from a stream before anything else is looked at: more than a pipe
/// holds, so that all that a command wrote is taken in one turn once it has ended.
const TURN: usize = 1 << 20;

/// How many bytes of standard error are kept.
const MAX_STDERR: usize = 4 << 10;

/// Runs a command of a skill with this shell.
pub(super) fn run(shell: &str, request: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
    if request.cancel.is_cancelled() {
        return Err(HostError::Cancelled);
    }
    let cannot = |error: &io::Error| HostError::Failed(cannot_start(shell, request, error));
    let group = Group::new().map_err(|error| cannot(&error))?;
    let mut child = group.spawn(&mut command(shell, request)).map_err(|error| cannot(&error))?;
    let streams = Streams::of(&mut child, request.max_output).map_err(|error| cannot(&error))?;
    let running = Running { group, child, status: None, streams };
    running.finish(request.timeout, request.cancel)
}

fn command(shell: &str, request: &ShellRequest<'_>) -> Command {
    let mut command = Command::new(shell);
    command
        // A command may begin with a hyphen.
        .args(["-c", "--", request.command])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = request.directory {
        command.current_dir(directory);
    }
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_argument_variable) {
            command.env_remove(name);
        }
    }
    command.envs(request.environment.iter().map(|(name, value)| (name, value)));
    command
}

/// Why a command did not even start.
fn cannot_start(shell: &str, request: &ShellRequest<'_>, error: &io::Error) -> String {
    match (error.kind(), request.directory) {
        (_, Some(directory)) if !directory.is_dir() => {
            format!("there is no directory {} to run it in", directory.display())
        }
        (ErrorKind::NotFound, _) => format!("there is no `{shell}` on this system"),
        (ErrorKind::ArgumentListTooLong, _) => {
            "its arguments are more than the system passes to a command".to_owned()
        }
        _ => format!("`{shell}` cannot be started: {error}"),
    }
}

/// A command that was started.
struct Running {
    // Fields are dropped in this order: the group ends before its pipes close.
    group: Group,
    child: Child,
    status: Option<ExitStatus>,
    streams: Streams,
}

impl Running {
    fn finish(mut self, timeout: Duration, cancel: &CancelToken) -> Result<ShellOutput, HostError> {
        let deadline = Instant::now().checked_add(timeout);
        match self.until_ended(deadline, || cancel.is_cancelled()) {
            Ok(true) => {}
            Ok(false) => {
                self.end();
                let cancelled = cancel.is_cancelled();
                return Err(if cancelled { HostError::Cancelled } else { HostError::TimedOut });
            }
            Err(error) => {
                self.end();
                return Err(HostError::Failed(format!("it cannot be followed: {error}")));
            }
        }
        self.group.kill();
        let Some(status) = self.status else { return Err(HostError::TimedOut) };
        if status.success() {
            return Ok(ShellOutput { stdout: self.streams.stdout.kept.into_text() });
        }
        let stderr = self.streams.stderr.kept.into_text();
        let said = if stderr.is_empty() { "" } else { ": " };
        Err(HostError::Failed(format!("{status}{said}{stderr}")))
    }

    /// Reads until the command has ended and its streams are closed, or what holds them open has
    /// had its time. `false` if it is to be ended before.
    fn until_ended(
        &mut self,
        deadline: Option<Instant>,
        is_unwanted: impl Fn() -> bool,
    ) -> io::Result<bool> {
        let mut leftover = None;
        let mut pause = Duration::from_micros(100);
        loop {
            let now = Instant::now();
            if is_unwanted() || deadline.is_some_and(|deadline| now >= deadline) {
                return Ok(false);
            }
            // Before reading: all that it wrote is there then.
            let ended = self.has_ended()?;
            let is_open = self.streams.are_open();
            if ended && !is_open {
                return Ok(true);
            }
            if ended {
                leftover.get_or_insert(now + LEFTOVER);
            }
            let mut wait = TICK;
            if !is_open {
                // It ends at once, or it closed its streams and goes on.
                wait = pause;
                pause = (pause * 2).min(TICK);
            }
            for end in [deadline, leftover].into_iter().flatten() {
                wait = wait.min(end.saturating_duration_since(now));
            }
            self.streams.take(wait)?;
            if leftover.is_some_and(|leftover| Instant::now() >= leftover) {
                return Ok(true);
            }
        }
    }

    fn has_ended(&mut self) -> io::Result<bool> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
        }
        Ok(self.status.is_some())
    }

    /// Ends the command and all of its group, the gentle way first.
    fn end(&mut self) {
        self.group.ask();
        if self.status.is_none() {
            kill_own_group(&self.child, Signal::TERM);
        }
        // What it still writes is read, so that nothing waits to be read before it ends.
        let _ = self.until_ended(Instant::now().checked_add(GRACE), || false);
        self.group.kill();
        if self.status.is_none() {
            kill_own_group(&self.child, Signal::KILL);
            let _ = self.child.kill();
        }
        let _ = self.until_ended(Instant::now().checked_add(REAP), || false);
    }
}

/// What a command writes.
struct Streams {
    stdout: Stream<ChildStdout, Head>,
    stderr: Stream<ChildStderr, Tail>,
    buffer: Box<[u8]>,
}

/// One stream, until it is closed.
struct Stream<R, K> {
    pipe: Option<R>,
    kept: K,
}

impl Streams {
    fn of(child: &mut Child, max_output: usize) -> io::Result<Self> {
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        for pipe in [stdout.as_ref().map(AsFd::as_fd), stderr.as_ref().map(AsFd::as_fd)] {
            if let Some(pipe) = pipe {
                rustix::io::ioctl_fionbio(pipe, true)?;
            }
        }
        Ok(Self {
            stdout: Stream { pipe: stdout, kept: Head::new(max_output) },
            stderr: Stream { pipe: stderr, kept: Tail::new(MAX_STDERR) },
            buffer: vec![0; 64 << 10].into(),
        })
    }

    fn are_open(&self) -> bool {
        self.stdout.pipe.is_some() || self.stderr.pipe.is_some()
    }

    /// Waits for something to read, so long at most, and takes what there is.
    fn take(&mut self, wait: Duration) -> io::Result<()> {
        let pipes = [self.stdout.fd(), self.stderr.fd()];
        let mut waiting: Vec<PollFd<'_>> = pipes
            .into_iter()
            .flatten()
            .map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN))
            .collect();
        let wait = Timespec::try_from(wait).ok();
        match poll(&mut waiting, wait.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.stdout.take(&mut self.buffer)?;
        self.stderr.take(&mut self.buffer)
    }
}

impl<R: Read + AsFd, K: Keep> Stream<R, K> {
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    fn take(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        let mut taken = 0;
        while taken < TURN {
            match pipe.read(buffer) {
                Ok(0) => {
                    self.pipe = None;
                    break;
                }
                Ok(read) => {
                    self.kept.push(&buffer[..read]);
                    taken += read;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
