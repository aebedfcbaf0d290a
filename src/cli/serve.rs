//! The deck to editors and agents: the protocols it is served over.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use skilldeck::bridges::Projects;
use skilldeck::bridges::acp::{Agent, Ended, Proxy};
use skilldeck::{Companion, ProcessHost};

use super::args::{AcpArgs, Face, Global, ServeArgs};
use super::deck::{self, Reading};
use super::ending::Ending;
use super::output::{Exit, Failure, Output};

/// How long an agent may take to end when its editor is gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long it may take when it is asked to.
const GRACE: Duration = Duration::from_millis(400);

/// Serves until the client is gone, or until it is interrupted.
pub(crate) fn serve(global: &Global, args: &ServeArgs, output: &Output) -> Result<Exit, Failure> {
    match &args.face {
        Face::Acp(args) => acp(global, args, output),
    }
}

fn acp(global: &Global, args: &AcpArgs, output: &Output) -> Result<Exit, Failure> {
    let reading = Reading { allow_shell: args.allow_shell, ..Reading::default() };
    let settings = global.clone();
    let projects = Projects::new(move |directory: &Path| {
        // Questions are asked by the protocol, not here.
        deck::project(&settings, reading, directory, ProcessHost::new())
    });
    let [program, arguments @ ..] = &*args.agent else {
        let ending = Ending::listen()?;
        let mut agent = Agent::new(projects);
        if let Some(name) = &args.as_agent {
            agent = agent.name(name);
        }
        agent.serve_stdio(ending.until())?;
        return Ok(Exit::Done);
    };
    let mut proxy = Proxy::new(projects);
    if let Some(name) = &args.as_agent {
        proxy = proxy.name(name);
    }
    before(proxy, program, arguments, output)
}

/// Stands before an agent until one of both sides ends.
fn before(
    proxy: Proxy,
    program: &OsString,
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
