//! The pipes of a process to what is kept of its output, while its input is written.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

use super::keep::{Head, Keep, Tail};

/// How many bytes are taken from a stream before anything else is looked at: more than a pipe
/// holds, so that all that a process wrote is taken in one turn once it has ended.
const TURN: usize = 1 << 20;

/// How many bytes of standard error are kept.
const MAX_STDERR: usize = 4 << 10;

/// What a process reads and writes.
pub(super) struct Streams<'a> {
    stdin: Option<(ChildStdin, &'a [u8])>,
    stdout: Stream<ChildStdout, Head>,
    stderr: Stream<ChildStderr, Tail>,
    buffer: Box<[u8]>,
}

/// One stream, until it is closed.
struct Stream<R, K> {
    pipe: Option<R>,
    kept: K,
}

impl<'a> Streams<'a> {
    pub(super) fn of(child: &mut Child, input: &'a [u8], max_output: usize) -> io::Result<Self> {
        let stdin = child.stdin.take().map(|pipe| (pipe, input));
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let pipes = [
            stdin.as_ref().map(|(pipe, _)| pipe.as_fd()),
            stdout.as_ref().map(AsFd::as_fd),
            stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            ioctl_fionbio(pipe, true)?;
        }
        Ok(Self {
            stdin,
            stdout: Stream { pipe: stdout, kept: Head::new(max_output) },
            stderr: Stream { pipe: stderr, kept: Tail::new(MAX_STDERR) },
            buffer: vec![0; 64 << 10].into(),
        })
    }

    /// Whether anything may still be written to be read here.
    pub(super) fn are_open(&self) -> bool {
        self.stdout.pipe.is_some() || self.stderr.pipe.is_some()
    }

    /// Waits until a pipe is ready, so long at most, and moves what can be moved.
    pub(super) fn turn(&mut self, wait: Duration) -> io::Result<()> {
        let input = self.stdin.as_ref().map(|(pipe, _)| (pipe.as_fd(), PollFlags::OUT));
        let outputs = [self.stdout.fd(), self.stderr.fd()].into_iter().flatten();
        let mut waiting: Vec<PollFd<'_>> = outputs
            .map(|pipe| (pipe, PollFlags::IN))
            .chain(input)
            .map(|(pipe, flags)| PollFd::from_borrowed_fd(pipe, flags))
            .collect();
        let wait = Timespec::try_from(wait).ok();
        match poll(&mut waiting, wait.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.write();
        self.stdout.take(&mut self.buffer)?;
        self.stderr.take(&mut self.buffer)
    }

    /// What was kept of standard output and standard error.
    pub(super) fn into_texts(self) -> (String, String) {
        (self.stdout.kept.into_text(), self.stderr.kept.into_text())
    }

    /// Writes as much of the input as there is room for, and closes the pipe behind it.
    fn write(&mut self) {
        let Some((pipe, input)) = &mut self.stdin else { return };
        while !input.is_empty() {
            match pipe.write(input) {
                Ok(written) => *input = &input[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A process that does not read its input to the end is its own affair.
                Err(_) => break,
            }
        }
        self.stdin = None;
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
