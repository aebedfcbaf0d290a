//! A name to a new skill on disk that passes `check --strict`.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use skilldeck::diagnostic::Severity;
use skilldeck::format::{self, Origin};
use skilldeck::model::{is_valid_name, slug_flat};
use skilldeck::scan::SKILL_FILE;

use super::args::{Global, NewArgs};
use super::output::{DIM, Exit, Failure, Output};
use super::publish::{Root, at, is_seen};

/// Writes the skill and prints where it lies.
pub(crate) fn new(global: &Global, args: &NewArgs, output: &Output) -> Result<Exit, Failure> {
    let name = &*args.name;
    if !is_valid_name(name) {
        let slug = slug_flat(name);
        let advice = if is_valid_name(&slug) { format!("; try `{slug}`") } else { String::new() };
        return Err(Failure::Usage(format!(
            "`{name}` is no valid name: 1 to 64 lower-case letters, digits and single hyphens{advice}"
        )));
    }
    // A root given to every command is a root to write to as well.
    let root = args
        .dir
        .clone()
        .or_else(|| global.root.first().cloned())
        .unwrap_or_else(|| PathBuf::from(".agents/skills"));
    is_seen(&root, name)?;
    let text = scaffold(name, args.description.as_deref());
    let parsed = format::parse(text.as_bytes(), &Origin::new(name));
    if let Some(fault) = parsed.diagnostics.iter().find(|found| found.severity != Severity::Note) {
        return Err(Failure::Usage(format!("no skill can be made of this: {}", fault.message)));
    }
    let root = Root::open(&root, "new", output)?;
    let staging = root.stage(name);
    let draft = staging.path();
    fs::create_dir(&draft)
        .and_then(|()| fs::write(draft.join(SKILL_FILE), &text))
        .map_err(|error| at(&draft, &error))?;
    let path = staging.publish(false)?.join(SKILL_FILE);
    if global.json {
        output.json(&json!({ "name": name, "path": path.display().to_string() }))?;
    } else {
        output.result(&path.display().to_string())?;
        output.note(format_args!(
            "{DIM}write what it does and when to use it, then: skilldeck check --strict {}{DIM:#}",
            path.display()
        ));
    }
    Ok(Exit::Done)
}

fn scaffold(name: &str, description: Option<&str>) -> String {
    let description = match description {
        Some(text) => text.to_owned(),
        None => {
            format!("Says in one sentence what {name} does. Use it when a person asks for {name}.")
        }
    };
    let title = name.replace('-', " ");
    // What other readers would take for a number or a boolean has to say that it is text.
    let is_plain = name.starts_with(|c: char| c.is_alphabetic())
        && !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(&name);
    let name = if is_plain { name.to_owned() } else { quoted(name) };
    format!(
        "---\nname: {name}\ndescription: {description}\nargument-hint: \"[what]\"\n---\n\n\
         # {title}\n\nWhat the person wrote behind the command: $ARGUMENTS\n\n\
         1. Say what to look at first.\n2. Say what to do, in the order in which it is done.\n\
         3. Say how to know that it is done.\n",
        description = quoted(&description),
    )
}

/// A text as a YAML scalar on one line: in double quotes, where nothing but its escapes is special.
fn quoted(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
