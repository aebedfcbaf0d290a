//! A proxy and the command of an agent to what an editor talks to.

use std::ffi::{OsStr, OsString};
use std::io;
use std::process::Command;
use std::time::Duration;

use skilldeck::Companion;
use skilldeck::bridges::acp::{Ended, Proxy};

use super::ending::Ending;
use super::output::{Exit, Failure, Output};

/// How long an agent may take to end when its editor is gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long it may take when it is asked to.
const GRACE: Duration = Duration::from_millis(400);

/// Stands before an agent until one of both sides ends.
pub(crate) fn before(
    proxy: Proxy,
    program: &OsStr,
    arguments: &[OsString],
    output: &Output,
) -> Result<Exit, Failure> {
    let mut command = Command::new(program);
    command.args(arguments);
    let (mut agent, input, from_agent) = Companion::start(command)
        .map_err(|error| Failure::No(format!("the agent is not there: {error}")))?;
    // A signal ends this process, and the agent's group with it.
    let _ending = Ending::listen()?;
    match proxy.run((io::stdin(), io::stdout()), (from_agent, input))? {
        Ended::Editor => {
            if agent.wait(PATIENCE)?.is_none() {
                output.step("the agent does not end by itself, and is ended");
                agent.end(GRACE);
            }
            Ok(Exit::Done)
        }
        Ended::Agent => {
            let status = agent.wait(PATIENCE)?;
            agent.end(GRACE);
            let status =
                status.map_or_else(|| "it closed its output".to_owned(), |it| it.to_string());
            Err(Failure::No(format!("the agent has ended: {status}")))
        }
    }
}
