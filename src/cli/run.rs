//! A line to a rendered prompt on stdout.

use std::env::{self, VarError};
use std::ffi::OsString;
use std::io::{self, Read};

use serde_json::{Value, json};
use skilldeck::{Error, ErrorKind, Initiator, Lineage, Outcome, ProcessHost, Request, Shape};

use super::args::{Global, Reader, RunArgs, ShapeArg};
use super::deck::{self, Reading};
use super::host::TerminalHost;
use super::output::{Exit, Failure, Output, is_about_a_source};
use super::{line, run_json};

/// Invokes a skill and prints what came out.
pub(crate) fn run(global: &Global, args: &RunArgs, output: &Output) -> Result<Exit, Failure> {
    let reading = Reading {
        dialect: args.dialect,
        positional: args.positional,
        allow_shell: args.allow_shell,
        events: global.json || args.stdin_json,
    };
    // Standard input is the line or the requests, so nobody can be asked there.
    let host = ProcessHost::around(TerminalHost { yes: args.yes });
    let registry = deck::load(global, reading, host)?;
    let lineage = lineage()?;
    for diagnostic in registry.snapshot().diagnostics() {
        if is_about_a_source(diagnostic) && !global.quiet {
            output.diagnostic(diagnostic);
        }
    }
    if args.stdin_json {
        return run_json::run(&registry, &lineage, args, output);
    }
    let typed = typed(&args.line)?;
    let request = request(args, Target::Line(&typed)).within(lineage);
    if let Some(menu) = registry.menu(&request) {
        if global.json {
            output.json(&json!({ "menu": menu.lines().collect::<Vec<_>>() }))?;
        } else {
            output.result(&format!("{menu}\n"))?;
        }
        return Ok(Exit::Done);
    }
    match registry.invoke(&request) {
        Ok(outcome) => {
            for notice in outcome.notices() {
                output.warn(notice);
            }
            if global.json {
                output.json(&outcome_json(&outcome))?;
            } else {
                output.verbatim(outcome.text())?;
            }
            Ok(Exit::Done)
        }
        Err(error) => {
            if global.json {
                output.json(&error_json(&error))?;
            }
            Err(Failure::No(explain(&error)))
        }
    }
}

/// The forks that this process is inside of: whoever started it as a sub-session says so.
fn lineage() -> Result<Lineage, Failure> {
    match env::var(Lineage::VARIABLE) {
        Ok(text) => {
            text.parse().map_err(|error| Failure::No(format!("{}: {error}", Lineage::VARIABLE)))
        }
        Err(VarError::NotPresent) => Ok(Lineage::default()),
        Err(error @ VarError::NotUnicode(_)) => {
            Err(Failure::No(format!("{}: {error}", Lineage::VARIABLE)))
        }
    }
}

/// The line as it was meant: verbatim, joined, or from stdin.
fn typed(words: &[OsString]) -> Result<String, Failure> {
    let mut texts = Vec::with_capacity(words.len());
    for word in words {
        let text = word.to_str().ok_or_else(|| {
            Failure::Usage(format!("`{}` is not UTF-8, and a prompt is", word.to_string_lossy()))
        })?;
        texts.push(text);
    }
    if texts == ["-"] {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Failure::Usage(format!("standard input is not UTF-8 at byte {at}, and a prompt is"))
        })?;
        // The line end is the terminal's, not the line's.
        if text.ends_with('\n') {
            text.pop();
            if text.ends_with('\r') {
                text.pop();
            }
        }
        return Ok(text);
    }
    Ok(line::join(&texts))
}

/// What is to be invoked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'a> {
    /// A typed line. Without a slash its first word is a name.
    Line(&'a str),
    /// A name and its arguments.
    Command(&'a str, &'a str),
}

/// The request that the arguments and this target make.
pub(crate) fn request(args: &RunArgs, target: Target<'_>) -> Request {
    let request = match target {
        Target::Line(line) if line.starts_with('/') => Request::line(line),
        Target::Line(line) => Request::line(format!("/skill:{line}")),
        Target::Command(name, arguments) => Request::command(name, arguments),
    };
    let mut request =
        request.protocol("cli").shape(shape(args.shape)).initiator(match args.initiator {
            Reader::Model => Initiator::Model,
            Reader::User => Initiator::User,
        });
    if let Some(agent) = &args.as_agent {
        request = request.agent(agent);
    }
    if let Some(session) = &args.session {
        request = request.session(session);
    }
    if let Ok(directory) = env::current_dir() {
        request = request.directory(directory);
    }
    request
}

/// The shape an argument names.
fn shape(shape: ShapeArg) -> Shape {
    match shape {
        ShapeArg::User => Shape::User,
        ShapeArg::Tool => Shape::Tool,
        ShapeArg::Plain => Shape::Plain,
    }
}

/// An error with what a person at a terminal can do about it.
fn explain(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NeedsConfirmation { .. } => format!("{error}; --yes confirms"),
        _ => error.to_string(),
    }
}

/// An outcome as data.
pub(crate) fn outcome_json(outcome: &Outcome) -> Value {
    json!({
        "skill": outcome.skill(),
        "command": super::json::command("/skill:", outcome.word()),
        "generation": outcome.generation(),
        "text": outcome.text(),
        "notices": outcome.notices(),
        "events": outcome.events().iter().map(super::json::activation).collect::<Vec<_>>(),
    })
}

/// An error as data.
pub(crate) fn error_json(error: &Error) -> Value {
    let choices: &[String] = match error.kind() {
        ErrorKind::UnknownSkill { nearest: choices }
        | ErrorKind::Ambiguous { candidates: choices } => choices,
        _ => &[],
    };
    let kind = error.kind().as_str();
    json!({ "error": { "kind": kind, "message": error.to_string(), "choices": choices } })
}
