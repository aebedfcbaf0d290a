//! The deck to a picture of what depends on what.

use skilldeck::{Entry, Lookup, NoHost, Snapshot, State};

use super::args::{Global, GraphArgs, GraphFormat};
use super::deck::{self, Reading};
use super::json;
use super::list::one_line;
use super::output::{BOLD, CYAN, DIM, Exit, Failure, Output, YELLOW};

/// Prints the graph.
pub(crate) fn graph(global: &Global, args: &GraphArgs, output: &Output) -> Result<Exit, Failure> {
    let registry = deck::load(global, Reading::default(), NoHost)?;
    let snapshot = registry.snapshot();
    if global.json {
        output.json(&snapshot.iter().map(node).collect())?;
    } else {
        match args.format {
            GraphFormat::Text if snapshot.iter().next().is_none() => output.note("no skills"),
            GraphFormat::Text => output.result(&text(&snapshot))?,
            GraphFormat::Dot => output.verbatim(&dot(&snapshot))?,
            GraphFormat::Mermaid => output.verbatim(&mermaid(&snapshot))?,
        }
    }
    output.diagnostics(snapshot.diagnostics());
    Ok(Exit::Done)
}

/// One entry as data: its own dependencies, in the order they were written.
fn node(entry: Entry<'_>) -> serde_json::Value {
    serde_json::json!({
        "word": entry.word(),
        "scope": entry.source().tier.as_str(),
        "state": json::state(entry.state()),
        "reason": entry.reason(),
        "depends_on": entry
            .skill()
            .depends_on()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        "shadows": entry.shadows().iter().map(|shadow| &shadow.source.name).collect::<Vec<_>>(),
    })
}

/// Edges from a skill to what it needs; a need that the deck does not have is an edge too.
fn edges<'a>(snapshot: &'a Snapshot) -> impl Iterator<Item = (&'a str, Need<'a>)> {
    snapshot.iter().flat_map(move |entry| {
        entry.skill().depends_on().iter().map(move |dependency| {
            let need = match snapshot.find(&dependency.name) {
                Lookup::Found(found) => Need::There(found.word()),
                _ => Need::Missing(&dependency.name),
            };
            (entry.word(), need)
        })
    })
}

/// The other end of a dependency.
enum Need<'a> {
    There(&'a str),
    Missing(&'a str),
}

impl<'a> Need<'a> {
    fn word(&self) -> &'a str {
        match self {
            Self::There(word) | Self::Missing(word) => word,
        }
    }
}

/// Graphviz' language.
fn dot(snapshot: &Snapshot) -> String {
    let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from("digraph skills {\n  rankdir=LR;\n  node [shape=box];\n");
    for entry in snapshot.iter() {
        let style = if entry.state() == State::Ready { "" } else { ", style=dashed" };
        let label = quote(&format!("{}\n{}", entry.word(), entry.source().tier.as_str()));
        // Graphviz writes a line break as a backslash and an n.
        let label = label.replace('\n', "\\n");
        text.push_str(&format!("  {} [label={label}{style}];\n", quote(entry.word())));
    }
    for (from, need) in edges(snapshot) {
        let style = if matches!(need, Need::Missing(_)) { " [style=dashed]" } else { "" };
        text.push_str(&format!("  {} -> {}{style};\n", quote(from), quote(need.word())));
    }
    text.push_str("}\n");
    text
}

/// Mermaid's language: nodes have numbers for names, since a word may hold what Mermaid reads.
fn mermaid(snapshot: &Snapshot) -> String {
    let label = |text: &str| text.replace('"', "#quot;");
    let mut text = String::from("flowchart LR\n");
    let mut words: Vec<&str> = snapshot.iter().map(Entry::word).collect();
    for (number, entry) in snapshot.iter().enumerate() {
        let tier = entry.source().tier.as_str();
        text.push_str(&format!("  n{number}[\"{}<br/>{}\"]\n", label(entry.word()), label(tier)));
    }
    for (from, need) in edges(snapshot) {
        let number = |words: &[&str], word: &str| words.iter().position(|known| *known == word);
        let to = number(&words, need.word()).unwrap_or_else(|| {
            words.push(need.word());
            text.push_str(&format!("  n{}[\"{}?\"]\n", words.len() - 1, label(need.word())));
            words.len() - 1
        });
        let from = number(&words, from).unwrap_or_default();
        let arrow = if matches!(need, Need::Missing(_)) { "-.->" } else { "-->" };
        text.push_str(&format!("  n{from} {arrow} n{to}\n"));
    }
    text
}

/// A block for each skill: itself, what it needs, what it lies over.
fn text(snapshot: &Snapshot) -> String {
    let mut text = String::new();
    for entry in snapshot.iter() {
        text.push_str(&format!(
            "{BOLD}{}{BOLD:#}  {CYAN}{}{CYAN:#}",
            entry.word(),
            entry.source().tier.as_str()
        ));
        if !matches!(entry.state(), State::Ready) {
            let reason = entry.reason().unwrap_or_default();
            let state = json::state(entry.state());
            text.push_str(&format!("  {YELLOW}{state}{YELLOW:#} {reason}"));
        }
        text.push('\n');
        let mut branches: Vec<String> = Vec::new();
        for dependency in entry.skill().depends_on() {
            branches.push(format!("needs {}", one_line(&dependency.to_string())));
        }
        for shadow in entry.shadows() {
            branches.push(format!(
                "lies over {} {DIM}({}){DIM:#}",
                shadow.source.tier.as_str(),
                shadow.why
            ));
        }
        let last = branches.len().saturating_sub(1);
        for (at, branch) in branches.iter().enumerate() {
            let stroke = if at == last { "└─" } else { "├─" };
            text.push_str(&format!("{stroke} {branch}\n"));
        }
    }
    text
}
