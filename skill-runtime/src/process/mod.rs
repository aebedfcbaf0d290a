//! Shell requests to processes of this system, behind the feature `process`.

#[cfg(unix)]
mod companion;
#[cfg(unix)]
mod group;
#[cfg(unix)]
mod keep;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod streams;
mod subprocess;

use std::process::Command;
use std::time::SystemTime;

use skilldeck_core::model::BundledSkill;
use skilldeck_core::template::is_argument_variable;

#[cfg(unix)]
pub use companion::Companion;
pub use subprocess::Subprocess;

use crate::host::{
    Answer, ForkRequest, Host, HostError, NoHost, Question, ShellOutput, ShellRequest,
};

/// A host that runs the shell commands of skills as processes, and leaves the rest to another one.
///
/// Whether a command may run is decided before, by [`Policy`](crate::Policy): shell has to be
/// allowed, and the source of the skill trusted. A command runs
///
/// - with `sh -c`, or with `bash -c` if the skill says `shell: bash`; any other shell is an error;
/// - in the directory of the request, with closed standard input;
/// - with the environment of this process and the variables of the request. Arguments are among
///   those and nowhere else, and those of an outer skill are not inherited;
/// - in a process group of its own, which ends with it. What it left running in the background and
///   holds on to its output gets a tenth of a second more.
///
/// It ends when its time is over, and when the request is cancelled: the whole group gets SIGTERM,
/// and half a second later SIGKILL. The same happens when this process dies, however it dies: each
/// command is accompanied by a small shell that waits for just that. A process that leaves the
/// group by itself, as daemons do with `setsid`, is beyond its reach.
///
/// Output is kept up to the bound of the request, with a mark where it was cut; reading goes on, so
/// that the command is not held up. Of standard error the last 4 KiB are kept, for the error.
///
/// A host of another kind wraps itself into it ([`around`](Self::around)), or has one and passes
/// [`Host::shell`] on to it.
///
/// ```
/// # #[cfg(unix)] {
/// use std::sync::Arc;
/// use skilldeck_runtime::{
///     Memory, Policy, ProcessHost, Registry, Request, Shape, Source, SourceInfo, Tier,
/// };
///
/// let skills = Arc::new(Memory::default());
/// skills.insert("greet", "---\ndescription: Greets.\n---\nIt says: !`printf 'hello %s' \"$0\"`\n");
/// let mut info = SourceInfo::new("mine", Tier::USER);
/// info.trusted = true;
/// info.positional = skilldeck_core::template::Positional::Always;
/// let registry = Registry::builder()
///     .source(Source::memory(skills, info))
///     .host(ProcessHost::new())
///     .build()
///     .unwrap();
///
/// let policy = Policy::new().allow_shell(true);
/// let request = Request::command("greet", "'$(id)'").shape(Shape::Plain);
/// let outcome = registry.invoke_with(&policy, &request).unwrap();
/// assert_eq!(outcome.text(), "It says: hello $(id)");
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessHost<H = NoHost> {
    inner: H,
}

impl ProcessHost {
    /// A host that runs commands and offers nothing else.
    #[must_use]
    pub const fn new() -> Self {
        Self { inner: NoHost }
    }
}

impl<H> ProcessHost<H> {
    /// A host that runs commands, and asks this one for everything else.
    #[must_use]
    pub const fn around(host: H) -> Self {
        Self { inner: host }
    }

    /// The host for everything else.
    #[must_use]
    pub const fn inner(&self) -> &H {
        &self.inner
    }
}

impl<H: Host> Host for ProcessHost<H> {
    fn shell(&self, request: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
        let shell = match request.shell {
            // Every system has it there, and a search path may lead elsewhere.
            None | Some("sh") => "/bin/sh",
            Some("bash") => "bash",
            Some(other) => return Err(HostError::Failed(not_here(other))),
        };
        let process = Subprocess::new(command(shell, request))
            .timeout(request.timeout)
            .max_output(request.max_output);
        process.run(request.cancel).map(|stdout| ShellOutput { stdout })
    }

    fn fork(&self, request: &ForkRequest<'_>) -> Result<String, HostError> {
        self.inner.fork(request)
    }

    fn confirm(&self, question: &Question<'_>) -> Answer {
        self.inner.confirm(question)
    }

    fn resource_base(&self, skill: &BundledSkill) -> Option<String> {
        self.inner.resource_base(skill)
    }

    fn now(&self) -> SystemTime {
        self.inner.now()
    }
}

fn command(shell: &str, request: &ShellRequest<'_>) -> Command {
    let mut command = Command::new(shell);
    // A command may begin with a hyphen.
    command.args(["-c", "--", request.command]);
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

fn not_here(shell: &str) -> String {
    format!("the shell `{shell}` is not on this system; write the command for `sh` or `bash`")
}
