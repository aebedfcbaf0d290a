//! A process group that ends when it is told to, and when this process dies.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

/// The first member of the group. Its standard input is a pipe that only this process holds, so it
/// reads until this process is gone, even if that was killed; then it ends the group, itself
/// included. The signals that end others do not end it, as the group would lose its guard.
///
/// The system's own way, a signal at the death of the parent, reaches no grandchildren, follows the
/// thread and not the process, and can be set for another program only with `unsafe` code.
const GUARD: &str = "\
trap '' HUP INT QUIT TERM ALRM PIPE USR1 USR2 TSTP TTIN TTOU
read -r _
kill -TERM 0
sleep 1
kill -KILL 0";

/// A group of processes, empty but for its guard.
#[derive(Debug)]
pub(super) struct Group {
    /// It is waited for last: until then its number, which is the group's, belongs to nobody else.
    guard: Child,
}

impl Group {
    /// A new group.
    ///
    /// The guard is there before whatever it guards, so there is no moment at which the death of
    /// this process would leave something behind: a command joins the group before it begins, and
    /// holds the pipe until then.
    pub(super) fn new() -> io::Result<Self> {
        let guard = Command::new("/bin/sh")
            .args(["-c", GUARD])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Self { guard })
    }

    /// Starts a command as a member of the group.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        command.process_group(self.number().as_raw_nonzero().get()).spawn()
    }

    /// Asks every member to end.
    pub(super) fn ask(&self) {
        let _ = kill_process_group(self.number(), Signal::TERM);
    }

    /// Ends every member. One that is gone already is no error.
    pub(super) fn kill(&self) {
        let _ = kill_process_group(self.number(), Signal::KILL);
    }

    fn number(&self) -> Pid {
        Pid::from_child(&self.guard)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        // The guard was killed, so this does not wait for long.
        let _ = self.guard.wait();
    }
}

/// The same for the group that a command has made for itself, if it left the one it was put into.
/// The command must not have been waited for yet.
pub(super) fn kill_own_group(child: &Child, signal: Signal) {
    let _ = kill_process_group(Pid::from_child(child), signal);
}
