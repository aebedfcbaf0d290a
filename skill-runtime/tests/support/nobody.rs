//! A test to a user whom permissions stop: the superuser is not stopped.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Nobody, on every system.
const NOBODY: u32 = 65_534;

/// Whether permissions stop this process. If they do not, starts one test again as another user,
/// from a copy that user can reach, and waits for its success. A test that returns then has been
/// held to what it says, whatever user runs it.
pub(crate) fn is_stopped(test: &str) -> bool {
    let here = tempfile::tempdir().unwrap();
    if fs::metadata(here.path()).unwrap().uid() != 0 {
        return true;
    }
    let program = here.path().join("tests");
    // By another process: a child that a test beside this one starts just then would hold on to what
    // we write to, and what is written to does not run.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.unwrap().success());
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(here.path(), Permissions::from_mode(0o777)).unwrap();
    let output = Command::new(&program)
        .args(["--exact", test, "--nocapture"])
        .env("TMPDIR", here.path())
        .current_dir("/")
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}\n{errors}");
    false
}

/// Runs a check as a user whom permissions stop.
pub(crate) fn unprivileged(test: &str, check: impl Fn()) {
    if is_stopped(test) {
        check();
    }
}
