//! The deck to editors and agents: the protocols it is served over.

use std::path::Path;

use skilldeck::ProcessHost;
use skilldeck::bridges::Projects;
use skilldeck::bridges::acp::{Agent, Proxy};

use super::args::{AcpArgs, Face, Global, ServeArgs};
#[cfg(unix)]
use super::before::before;
use super::deck::{self, Reading};
use super::ending::Ending;
use super::output::{Exit, Failure, Output};

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

/// Nothing ends an agent with this process there.
#[cfg(not(unix))]
fn before<T>(_: Proxy, program: &std::ffi::OsStr, _: &[T], _: &Output) -> Result<Exit, Failure> {
    let program = program.to_string_lossy();
    Err(Failure::No(format!("`{program}` cannot be stood before on this system")))
}
