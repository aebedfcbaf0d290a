//! Published changes to lines, until it is interrupted.

use std::collections::BTreeSet;

use anstyle::Style;
use serde_json::json;
use skilldeck::diagnostic::one_line;
use skilldeck::{Attention, Change, Snapshot, Watching};

use super::args::Global;
use super::attention::{self, Told};
use super::deck;
use super::ending::{Ending, Next};
use super::json;
use super::output::{CYAN, DIM, Exit, Failure, GREEN, Output, RED, YELLOW};

/// A person reads so many names in a line; `list` has them all.
const MAX_NAMES: usize = 12;

/// Prints what is there, then what changes.
pub(crate) fn watch(global: &Global, output: &Output) -> Result<Exit, Failure> {
    let ending = Ending::listen()?;
    let registry = deck::watch(global, [])?;
    let mut subscription = registry.subscribe();
    let Next::Change(first) = ending.next(&mut subscription, None) else { return Ok(Exit::Done) };
    if let Some(snapshot) = subscription.snapshot() {
        output.diagnostics(&first.diagnostics);
        if global.json {
            let (generation, skills) = (snapshot.generation(), snapshot.len());
            let ready = json!({ "ready": true, "generation": generation, "skills": skills });
            output.verbatim(&ready.to_string())?;
        } else {
            output.result(&opening(snapshot, &registry.watching()))?;
        }
    }
    let mut told = Told::default();
    told.tell(&registry, output);
    while let Next::Change(change) = ending.next(&mut subscription, None) {
        if global.json {
            output.verbatim(&json::change(&change).to_string())?;
        } else {
            output.result(&line(&change))?;
            output.faults(&change.diagnostics);
        }
        told.tell(&registry, output);
    }
    Ok(Exit::Done)
}

/// What is watched, and how much there is.
fn opening(snapshot: &Snapshot, watching: &Watching) -> String {
    let mut places = Vec::new();
    let mut missing = 0;
    for status in snapshot.sources().iter().filter(|status| status.root.is_some()) {
        if !status.present {
            missing += 1;
            continue;
        }
        let polled = match attention::of(watching, status) {
            Some(Attention::Polled { .. }) => format!(" {YELLOW}(polled){YELLOW:#}"),
            _ => String::new(),
        };
        places.push(format!("{}{polled}", one_line(&status.info.name)));
    }
    match missing {
        0 => {}
        1 => places.push("1 directory that is not there yet".to_owned()),
        _ => places.push(format!("{missing} directories that are not there yet")),
    }
    let places = match &places[..] {
        [] => "no directory".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    };
    let skills = snapshot.len();
    format!("watching {places}: {skills} skill{}", if skills == 1 { "" } else { "s" })
}

/// A change in one line.
fn line(change: &Change) -> String {
    let lists: [(&str, Style, &[String]); 6] = [
        ("added", GREEN, &change.added),
        ("removed", RED, &change.removed),
        ("stale", YELLOW, &change.stale),
        ("recovered", GREEN, &change.recovered),
        ("unavailable", RED, &change.unavailable),
        ("available", GREEN, &change.available),
    ];
    let named: BTreeSet<&String> = lists.iter().flat_map(|(.., names)| *names).collect();
    let changed = change.metadata_changed.iter().chain(&change.body_changed);
    let changed: BTreeSet<&String> = changed.filter(|name| !named.contains(name)).collect();
    let mut parts: Vec<String> = lists
        .into_iter()
        .filter(|(.., names)| !names.is_empty())
        .map(|(verb, style, names)| part(verb, style, names.iter()))
        .collect();
    if !changed.is_empty() {
        parts.push(part("changed", CYAN, changed.into_iter()));
    }
    if parts.is_empty() {
        parts.push(format!("{DIM}no skill is different{DIM:#}"));
    }
    format!("{DIM}{}{DIM:#} {}", change.generation, parts.join("; "))
}

fn part<'a>(verb: &str, style: Style, names: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown: Vec<_> = names.take(MAX_NAMES).map(|name| one_line(name)).collect();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{style}{verb}{style:#} {}{more}", shown.join(", "))
}
