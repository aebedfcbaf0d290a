//! A prompt to the answer of an agent in a process of its own.

use std::process::Command;
use std::time::Duration;

use skilldeck::{ForkRequest, Host, HostError, Lineage, Subprocess};

/// How long an agent may work on a prompt.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Runs the prompts of forks with a command.
#[derive(Debug)]
pub(crate) struct AgentHost {
    command: String,
}

impl AgentHost {
    pub(crate) fn new(command: &str) -> Self {
        Self { command: command.to_owned() }
    }
}

impl Host for AgentHost {
    fn fork(&self, request: &ForkRequest<'_>) -> Result<String, HostError> {
        let mut command = Command::new("sh");
        command
            .args(["-c", &self.command])
            // What the agent starts knows of every fork around it.
            .env(Lineage::VARIABLE, request.lineage.to_string());
        // It ends with this process, and when the request is cancelled, with all that it started.
        let answer =
            Subprocess::new(command).input(request.prompt).timeout(TIMEOUT).run(request.cancel)?;
        Ok(answer.trim_end().to_owned())
    }
}
