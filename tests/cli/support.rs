//! A workspace on disk and the binary to run in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Nobody, on every system.
#[cfg(unix)]
pub(crate) const NOBODY: u32 = 65_534;

/// A project directory and a home directory that nobody else uses.
pub(crate) struct Workspace {
    directory: tempfile::TempDir,
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for name in ["project", "home"] {
            fs::create_dir(directory.path().join(name)).unwrap();
        }
        Self { directory }
    }

    /// The project's directory.
    pub(crate) fn project(&self) -> PathBuf {
        self.directory.path().join("project")
    }

    /// Writes a file below the project, directories included.
    pub(crate) fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.project().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// The same in one step for those who watch: nobody sees a part of it.
    pub(crate) fn save(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.project().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let written = self.directory.path().join("saved");
        fs::write(&written, text).unwrap();
        fs::rename(written, &path).unwrap();
        path
    }

    /// Writes a skill below `root` with this front matter (without name) and body.
    pub(crate) fn skill(&self, root: &str, name: &str, front: &str, body: &str) -> PathBuf {
        self.write(format!("{root}/{name}/SKILL.md"), skill_text(name, front, body))
    }

    /// The same in one step.
    pub(crate) fn save_skill(&self, root: &str, name: &str, front: &str, body: &str) -> PathBuf {
        self.save(format!("{root}/{name}/SKILL.md"), skill_text(name, front, body))
    }

    /// The binary in the project directory, with no colours and a home of its own.
    pub(crate) fn command<I: IntoIterator<Item: AsRef<OsStr>>>(&self, arguments: I) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skilldeck"));
        command
            .args(arguments)
            .current_dir(self.project())
            .env("HOME", self.directory.path().join("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_STATE_HOME")
            .env("XDG_CACHE_HOME", self.directory.path().join("cache"))
            .stdin(Stdio::null());
        command
    }

    /// The same as a user whom permissions stop. The superuser is not stopped: then the child is
    /// somebody else, and gets a binary it can reach.
    #[cfg(unix)]
    pub(crate) fn unprivileged<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        arguments: I,
    ) -> Command {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        use std::os::unix::process::CommandExt;
        let mut command = self.command(arguments);
        if fs::metadata(self.project()).unwrap().uid() != 0 {
            return command;
        }
        for path in [self.project(), self.project().join("..")] {
            fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        let copy = self.project().join("skilldeck");
        // By another process: a child that a test beside this one starts just then would hold on to
        // what we write to, and what is written to does not run.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_skilldeck")).arg(&copy).status();
        assert!(copied.unwrap().success());
        fs::set_permissions(&copy, PermissionsExt::from_mode(0o755)).unwrap();
        let arguments: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        command = Command::new(copy);
        command.args(arguments).current_dir(self.project()).env("HOME", "/nonexistent");
        command.uid(NOBODY).gid(NOBODY);
        command
    }

    /// Runs the binary.
    pub(crate) fn run<I: IntoIterator<Item: AsRef<OsStr>>>(&self, arguments: I) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs the binary with this standard input.
    pub(crate) fn run_with_input<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        arguments: I,
        input: &[u8],
    ) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap().into()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Standard output of a run that ended with 0.
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// The same as JSON.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// Standard error of a run that ended with this code.
    pub(crate) fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.stderr
    }
}

fn skill_text(name: &str, front: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n{front}---\n{body}")
}

/// The entry with this command word in a list.
pub(crate) fn entry<'a>(list: &'a Value, command: &str) -> &'a Value {
    list.as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["command"] == command)
        .unwrap_or_else(|| panic!("{command} is not in {list:#}"))
}

/// Reads a case file of the repository.
pub(crate) fn case_file(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    serde_json::from_slice(&fs::read(&path).unwrap()).unwrap()
}
