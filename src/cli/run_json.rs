//! Requests to outcomes, one line of JSON each, until standard input ends.

use std::io::{self, BufRead};

use serde_json::{Value, json};
use skilldeck::{Lineage, Registry, Request};

use super::args::{Reader, RunArgs, ShapeArg};
use super::output::{Exit, Failure, Output};
use super::run;

/// Answers every line of standard input with a line of standard output, in order. A request that
/// fails is answered and does not end the run; the exit code says whether all went well.
pub(crate) fn run(
    registry: &Registry,
    lineage: &Lineage,
    args: &RunArgs,
    output: &Output,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice(&line)
            .map_err(|error| error.to_string())
            .and_then(|value: Value| request(args, &value))
        {
            Ok(request) => {
                let request = request.within(lineage.clone());
                match registry.invoke(&request) {
                    Ok(outcome) => run::outcome_json(&outcome),
                    Err(error) => run::error_json(&error),
                }
            }
            Err(why) => {
                json!({ "error": { "kind": "invalid_request", "message": why, "choices": [] } })
            }
        };
        if answer.get("error").is_some() {
            exit = Exit::No;
        }
        output.verbatim(&answer.to_string())?;
    }
    Ok(exit)
}

/// `{"line"}` or `{"name", "arguments"}`, and what overrides the arguments of this run.
fn request(args: &RunArgs, value: &Value) -> Result<Request, String> {
    let object = value.as_object().ok_or("a request is a JSON object")?;
    let known = ["line", "name", "arguments", "as", "initiator", "agent", "session"];
    if let Some(key) = object.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("a request has no key `{key}`; it has {}", known.join(", ")));
    }
    let text = |key: &str| match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("`{key}` is text")),
    };
    let mut args = args.clone();
    if let Some(shape) = text("as")? {
        args.shape = match shape {
            "user" => ShapeArg::User,
            "tool" => ShapeArg::Tool,
            "plain" => ShapeArg::Plain,
            _ => return Err("`as` is user, tool or plain".to_owned()),
        };
    }
    if let Some(initiator) = text("initiator")? {
        args.initiator = match initiator {
            "user" => Reader::User,
            "model" => Reader::Model,
            _ => return Err("`initiator` is user or model".to_owned()),
        };
    }
    if let Some(agent) = text("agent")? {
        args.as_agent = Some(agent.to_owned());
    }
    if let Some(session) = text("session")? {
        args.session = Some(session.to_owned());
    }
    match (text("line")?, text("name")?) {
        (Some(line), None) => Ok(run::request(&args, run::Target::Line(line))),
        (None, Some(name)) => {
            let arguments = text("arguments")?.unwrap_or_default();
            Ok(run::request(&args, run::Target::Command(name, arguments)))
        }
        _ => Err("a request has either `line`, or `name` and `arguments`".to_owned()),
    }
}
