//! One process to its output, its failure, or its end by force.

use std::io::{self, ErrorKind};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::group::{Group, kill_own_group};
use super::streams::Streams;
use super::subprocess::Subprocess;
use crate::cancel::CancelToken;
use crate::host::HostError;

/// How long nothing is looked at but the pipes.
const TICK: Duration = Duration::from_millis(20);

/// How long what a process left in the background may hold its output open.
const LEFTOVER: Duration = Duration::from_millis(100);

/// How long a process may take to end when it is asked to.
const GRACE: Duration = Duration::from_millis(500);

/// How long a killed process is waited for. One that the system cannot end, such as one that waits
/// for a network file system, holds nobody up.
const REAP: Duration = Duration::from_secs(2);

/// Runs a process to its end.
pub(super) fn run(process: Subprocess<'_>, cancel: &CancelToken) -> Result<String, HostError> {
    if cancel.is_cancelled() {
        return Err(HostError::Cancelled);
    }
    let Subprocess { mut command, input, timeout, max_output } = process;
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    match Running::start(&mut command, input, max_output) {
        Ok(running) => running.finish(deadline, cancel),
        Err(error) if error.kind() == ErrorKind::ArgumentListTooLong => {
            Err(HostError::ArgumentsTooLong)
        }
        Err(error) => Err(HostError::Failed(cannot_start(&command, &error))),
    }
}

/// Why a command did not even start.
pub(super) fn cannot_start(command: &Command, error: &io::Error) -> String {
    let program = command.get_program().to_string_lossy();
    match (error.kind(), command.get_current_dir()) {
        (_, Some(directory)) if !directory.is_dir() => {
            format!("there is no directory {} to run it in", directory.display())
        }
        (ErrorKind::NotFound, _) => format!("there is no `{program}` on this system"),
        _ => format!("`{program}` cannot be started: {error}"),
    }
}

/// A process that was started.
struct Running<'a> {
    // Fields are dropped in this order: the group ends before its pipes close.
    group: Group,
    child: Child,
    status: Option<ExitStatus>,
    streams: Streams<'a>,
}

impl<'a> Running<'a> {
    fn start(command: &mut Command, input: &'a [u8], max_output: usize) -> io::Result<Self> {
        let group = Group::new()?;
        let mut child = group.spawn(command)?;
        let streams = Streams::of(&mut child, input, max_output)?;
        Ok(Self { group, child, status: None, streams })
    }

    fn finish(
        mut self,
        deadline: Option<Instant>,
        cancel: &CancelToken,
    ) -> Result<String, HostError> {
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
        let (stdout, stderr) = self.streams.into_texts();
        match self.status {
            Some(status) if status.success() => Ok(stdout),
            Some(status) if stderr.is_empty() => Err(HostError::Failed(status.to_string())),
            Some(status) => Err(HostError::Failed(format!("{status}: {stderr}"))),
            None => Err(HostError::TimedOut),
        }
    }

    /// Follows the process until it has ended and its streams are closed, or what holds them open
    /// has had its time. `false` if it is to be ended before.
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
            self.streams.turn(wait)?;
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

    /// Ends the process and all of its group, the gentle way first.
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
