//! One skill, by its word or by its path, to a page of text or JSON.

use std::fmt::Write;
use std::path::Path;

use serde_json::json;
use skilldeck::diagnostic::{Diagnostic, one_line as plain};
use skilldeck::model::{Agents, Skill};
use skilldeck::{Entry, Lookup, NoHost, Policy};

use super::args::{Global, ShowArgs};
use super::deck::{self, Reading};
use super::file;
use super::json;
use super::list::one_line;
use super::output::{BOLD, DIM, Exit, Failure, Output, YELLOW, shown};

/// Prints one skill as it was loaded.
pub(crate) fn show(global: &Global, args: &ShowArgs, output: &Output) -> Result<Exit, Failure> {
    let path = Path::new(&args.target);
    let name = args.target.to_str();
    if name.is_none_or(looks_like_a_path) {
        return show_path(global, path, output);
    }
    let typed = name.unwrap_or_default();
    let word = typed.strip_prefix("/skill:").or(typed.strip_prefix('/')).unwrap_or(typed);
    let registry = deck::load(global, Reading::default(), NoHost)?;
    let snapshot = registry.snapshot();
    match snapshot.find(word) {
        Lookup::Found(entry) => show_entry(global, args, entry, registry.policy(), output),
        Lookup::Ambiguous(entries) => {
            let words: Vec<&str> = entries.iter().map(|entry| entry.word()).collect();
            Err(Failure::No(format!("`{word}` may be {}; name one", words.join(" or "))))
        }
        Lookup::Unknown(_) if path.exists() => show_path(global, path, output),
        Lookup::Unknown(nearest) => {
            let mut why = format!("there is no skill `{word}`");
            if let Some(first) = nearest.first() {
                write!(why, "; did you mean `{first}`?").map_err(|_| Failure::ClosedPipe)?;
            }
            Err(Failure::No(why))
        }
    }
}

/// A command word has no separator of directories, but for the slash it may start with.
fn looks_like_a_path(text: &str) -> bool {
    if text.starts_with("/skill:") {
        return false;
    }
    let inner = text.strip_prefix('/').unwrap_or(text);
    inner.contains(std::path::is_separator)
        || text.to_ascii_lowercase().ends_with(".md")
        || matches!(text, "." | "..")
        || (text.starts_with('/') && Path::new(text).exists())
}

fn show_entry(
    global: &Global,
    args: &ShowArgs,
    entry: Entry<'_>,
    policy: &Policy,
    output: &Output,
) -> Result<Exit, Failure> {
    if global.json {
        let mut value = json::entry(entry, policy);
        value["body"] = json!(entry.skill().body());
        output.json(&value)?;
        return Ok(Exit::Done);
    }
    if args.why {
        output.result(&why(entry))?;
        return Ok(Exit::Done);
    }
    let place = match entry.path() {
        Some(path) => format!("{} ({})", entry.source().tier.as_str(), path.display()),
        None => entry.source().name.clone(),
    };
    let trust = if entry.source().trusted { "" } else { ", untrusted: its tools are not approved" };
    let place = format!("{place}{trust}");
    let mut page = page(entry.skill(), entry.word(), &place);
    if let Some(reason) = entry.reason() {
        page = format!("{YELLOW}{}{YELLOW:#}: {reason}\n{page}", json::state(entry.state()));
    }
    output.result(&page)?;
    for diagnostic in entry.diagnostics() {
        output.diagnostic(diagnostic);
    }
    Ok(Exit::Done)
}

/// The chain of what has this word: the winner first, then each loser with the reason.
pub(crate) fn why(entry: Entry<'_>) -> String {
    let place = |source: &skilldeck::SourceInfo, path: Option<&Path>| {
        let trust = if source.trusted { "" } else { " (untrusted)" };
        match path {
            Some(path) => {
                format!("{}{trust}  {}", source.tier.as_str(), plain(&path.to_string_lossy()))
            }
            None => format!("{}{trust}  {}", source.tier.as_str(), source.name),
        }
    };
    let mut text = format!(
        "{BOLD}{}{BOLD:#}\n  wins   {}\n",
        json::command("/skill:", entry.word()),
        place(entry.source(), entry.path())
    );
    if let Some(reason) = entry.reason() {
        text.push_str(&format!("  {YELLOW}{}{YELLOW:#}: {reason}\n", json::state(entry.state())));
    }
    for shadow in entry.shadows() {
        text.push_str(&format!(
            "  loses  {}\n         {DIM}{}{DIM:#}\n",
            place(&shadow.source, shadow.path.as_deref()),
            shadow.why
        ));
    }
    if entry.shadows().is_empty() {
        text.push_str("  nothing else has this word\n");
    }
    text
}

fn show_path(global: &Global, path: &Path, output: &Output) -> Result<Exit, Failure> {
    let read = file::read(path, None)?;
    let Some(skill) = read.skill else {
        let why: Vec<String> = read.diagnostics.iter().map(Diagnostic::to_string).collect();
        return Err(Failure::No(why.join("\n")));
    };
    let place = read.path.display().to_string();
    if global.json {
        let mut value = json::skill(&skill, &read.diagnostics);
        value["path"] = json!(place);
        value["body"] = json!(skill.body());
        output.json(&value)?;
    } else {
        output.result(&page(&skill, skill.word(), &place))?;
        for diagnostic in &read.diagnostics {
            output.diagnostic(diagnostic);
        }
    }
    Ok(Exit::Done)
}

/// Everything a person wants to know of a skill before the body, then the body.
fn page(skill: &Skill, word: &str, place: &str) -> String {
    let mut page = String::new();
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            page.push_str(&format!("{DIM}{key:<14}{DIM:#}{}\n", plain(value)));
        }
    };
    line("command", &json::command("/skill:", word));
    line("name", skill.name());
    line("from", place);
    line("description", &one_line(skill.description()));
    line("when to use", &one_line(skill.when_to_use().unwrap_or_default()));
    line("aliases", &skill.aliases().join(", "));
    line("hint", &one_line(skill.argument_hint().unwrap_or_default()));
    line("arguments", &skill.arguments().join(", "));
    line("version", skill.version().unwrap_or_default());
    line(
        "depends on",
        &skill.depends_on().iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    );
    line("tools", &skill.allowed_tools().join(", "));
    line("not tools", &skill.disallowed_tools().join(", "));
    match skill.allowed_agents() {
        Agents::All => {}
        Agents::Only(agents) => line("agents", &agents.join(", ")),
        Agents::Nobody => line("agents", "none"),
    }
    line("context", skill.context().unwrap_or_default());
    line("licence", skill.license().unwrap_or_default());
    let flags = [
        (!skill.user_invocable(), "not in menus"),
        (skill.disable_model_invocation(), "not for the model"),
        (skill.require_confirmation(), "asks first"),
        (skill.restricted(), "restricted, because the file is damaged"),
    ];
    let flags: Vec<&str> = flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
    line("rules", &flags.join(", "));
    page.push('\n');
    page.push_str(&shown(skill.body()));
    page
}
