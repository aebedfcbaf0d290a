//! A command that does not end by itself: its lines as they come, and its end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// More than anything here takes, even on a busy machine.
const BOUND: Duration = Duration::from_secs(60);

/// A command that runs. It is killed at the end of the test, should it still run then.
pub(crate) struct Running {
    child: Child,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Running {
    /// Starts a command and reads both of its streams.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = lines(child.stdout.take().unwrap());
        let stderr = lines(child.stderr.take().unwrap());
        Self { child, stdout, stderr }
    }

    /// Starts a command whose standard output is not read yet.
    #[cfg(unix)]
    pub(crate) fn start_unread(mut command: Command) -> (Self, BufReader<ChildStdout>) {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let unread = BufReader::with_capacity(1, child.stdout.take().unwrap());
        let stderr = lines(child.stderr.take().unwrap());
        (Self { child, stdout: channel().1, stderr }, unread)
    }

    /// Reads standard output from now on.
    #[cfg(unix)]
    pub(crate) fn read(&mut self, stdout: BufReader<ChildStdout>) {
        self.stdout = lines(stdout);
    }

    /// The next line of standard output.
    pub(crate) fn line(&self) -> String {
        next(&self.stdout).expect("standard output goes on")
    }

    /// The next line of standard error.
    pub(crate) fn error_line(&self) -> String {
        next(&self.stderr).expect("standard error goes on")
    }

    /// The next line of standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Lines of standard output, up to one with this text in it.
    pub(crate) fn lines_to(&self, text: &str) -> Vec<String> {
        up_to(&self.stdout, text)
    }

    /// The same of standard error.
    pub(crate) fn error_lines_to(&self, text: &str) -> Vec<String> {
        up_to(&self.stderr, text)
    }

    /// Sends a signal.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -s {name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    /// Waits for the end; gives how it ended, and what it still printed to its streams.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<String>, Vec<String>) {
        let status = ended(&mut self.child);
        let rest = |lines: &Receiver<String>| std::iter::from_fn(|| next(lines)).collect();
        (status, rest(&self.stdout), rest(&self.stderr))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end of a process.
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + BOUND;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(Instant::now() < deadline, "it does not end");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Does something that may wait for ever, and fails if it does.
#[cfg(unix)]
pub(crate) fn bounded<T: Send + 'static>(wait: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(wait()));
    receiver.recv_timeout(BOUND).expect("it comes to an end")
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The next line, or nothing at the end of the stream.
fn next(lines: &Receiver<String>) -> Option<String> {
    match lines.recv_timeout(BOUND) {
        Ok(line) => Some(line),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => panic!("no line comes"),
    }
}

fn up_to(lines: &Receiver<String>, text: &str) -> Vec<String> {
    let mut read = Vec::new();
    loop {
        let line = next(lines).unwrap_or_else(|| panic!("`{text}` is not in {read:#?}"));
        let is_last = line.contains(text);
        read.push(line);
        if is_last {
            return read;
        }
    }
}
