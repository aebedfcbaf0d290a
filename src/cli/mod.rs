//! Arguments to an exit code: what every command shares, and the door to each.

mod add;
mod args;
mod attention;
#[cfg(all(feature = "acp", unix))]
mod before;
mod check;
mod deck;
mod ending;
mod file;
mod graph;
mod host;
mod json;
mod line;
mod list;
mod lock;
mod new;
mod output;
mod publish;
mod roots;
mod run;
mod run_json;
#[cfg(feature = "acp")]
mod serve;
mod show;
mod verify;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use output::{Exit, Output};

/// Runs the command line and gives its exit code: 0 done, 1 the answer is no, 2 usage.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output::new(&cli.global);
    let result = match &cli.command {
        None => {
            // Without a command there is nothing to do but say what there is.
            output.result(&Cli::command().render_help().ansi().to_string()).map(|()| Exit::Done)
        }
        Some(Command::List(args)) => list::list(&cli.global, args, &output),
        Some(Command::Show(args)) => show::show(&cli.global, args, &output),
        Some(Command::Run(args)) => run::run(&cli.global, args, &output),
        Some(Command::Check(args)) => check::check(&cli.global, args, &output),
        Some(Command::Graph(args)) => graph::graph(&cli.global, args, &output),
        Some(Command::New(args)) => new::new(&cli.global, args, &output),
        Some(Command::Add(args)) => add::add(&cli.global, args, &output),
        Some(Command::Verify(args)) => verify::verify(&cli.global, args, &output),
        Some(Command::Watch) => watch::watch(&cli.global, &output),
        Some(Command::Roots) => roots::roots(&cli.global, &output),
        #[cfg(feature = "acp")]
        Some(Command::Serve(args)) => serve::serve(&cli.global, args, &output),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => output.fail(&failure),
    }
}
