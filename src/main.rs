//! The `skilldeck` command line: a downstream binary like any other, which bundles `skills/`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
