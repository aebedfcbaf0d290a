//! A prompt to the answer of an agent in a process of its own.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use skilldeck::{ForkRequest, Host, HostError, Lineage};

/// How often it is looked whether the agent has ended, or is not wanted any more.
const LOOK: Duration = Duration::from_millis(20);

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
        let mut child = Command::new("sh")
            .args(["-c", &self.command])
            // What the agent starts knows of every fork around it.
            .env(Lineage::VARIABLE, request.lineage.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        thread::scope(|scope| {
            // Each stream has a thread: none fills up while another one is waited for.
            scope.spawn(|| {
                // An agent that does not read its prompt to the end is its own affair.
                stdin.map(|mut stdin| stdin.write_all(request.prompt.as_bytes()))
            });
            let answer = scope.spawn(|| read(stdout));
            let said = scope.spawn(|| read(stderr));
            let status = wait(&mut child, request);
            let (answer, said) = (answer.join(), said.join());
            let status = status?;
            match (answer, said) {
                (Ok(answer), _) if status.success() => Ok(answer.trim_end().to_owned()),
                (_, said) => {
                    let said = said.unwrap_or_default();
                    Err(HostError::Failed(format!("{status}: {}", said.trim())))
                }
            }
        })
    }
}

fn wait(
    child: &mut Child,
    request: &ForkRequest<'_>,
) -> Result<std::process::ExitStatus, HostError> {
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(status);
        }
        if request.cancel.is_cancelled() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(HostError::Cancelled);
        }
        thread::sleep(LOOK);
    }
}

fn read(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What was read before an error is still worth showing.
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn failed(error: std::io::Error) -> HostError {
    HostError::Failed(error.to_string())
}
