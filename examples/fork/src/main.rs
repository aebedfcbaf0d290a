//! A host whose sub-sessions are processes: `fork-host --root DIR --agent COMMAND LINE`.
//!
//! A skill with `context: fork` is handed to the agent: a command that gets the prompt on standard
//! input and prints its answer. Here it is any command; with a real one, such as `claude -p`, this is
//! a whole host. The agent may use skills itself, by starting this program again: it learns from the
//! environment which forks it is inside of, so that none starts itself and the depth is bounded.

mod agent;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use skilldeck::{Error, Lineage, Policy, ProcessHost, Registry, Request, Source, SourceInfo, Tier};

use agent::AgentHost;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ["--root", root, "--agent", command, line] = words[..] else {
        let _ = writeln!(io::stderr(), "usage: fork-host --root DIR --agent COMMAND LINE");
        return ExitCode::from(2);
    };
    match invoke(root, command, line) {
        Ok(answer) => {
            let _ = writeln!(io::stdout(), "{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn invoke(root: &str, command: &str, line: &str) -> Result<String, Error> {
    let mut info = SourceInfo::new(root.to_owned(), Tier::PROJECT);
    info.trusted = true;
    // Shell commands are run by the host around; sub-sessions are left to this one.
    let host = ProcessHost::around(AgentHost::new(command));
    let registry = Registry::builder().source(Source::directory(root, info)).host(host).build()?;
    // Whoever started this process as a sub-session has said so. What cannot be read is an error:
    // with a fork forgotten, nothing would end a circle.
    let lineage: Lineage = env::var(Lineage::VARIABLE).unwrap_or_default().parse()?;
    let mut request = Request::line(line).within(lineage);
    if let Ok(directory) = env::current_dir() {
        request = request.directory(directory);
    }
    let outcome = registry.invoke_with(&Policy::new().allow_shell(true), &request)?;
    Ok(outcome.into_text())
}
