//! Published changes to lines, until it is interrupted.

use std::collections::BTreeSet;

use anstyle::Style;
use serde_json::json;
use skilldeck::diagnostic::one_line;
use skilldeck::{Attention, Change, Snapshot, SourceStatus, Watching};

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
    let mut last = subscription.snapshot().cloned();
    if let Some(snapshot) = &last {
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
        let now = subscription.snapshot().cloned();
        if global.json {
            output.verbatim(&json::change(&change).to_string())?;
        } else {
            let [last, now] =
                [&last, &now].map(|it| it.as_ref().map_or(&[][..], |it| it.sources()));
            output.result(&line(&change, last, now))?;
            output.faults(&change.diagnostics);
        }
        told.tell(&registry, output);
        last = now;
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

/// A change in one line: of skills, and of the directories that came and went.
fn line(change: &Change, before: &[SourceStatus], now: &[SourceStatus]) -> String {
    let turned = |present: bool| -> Vec<&String> {
        let pairs = before.iter().zip(now);
        let turned = pairs.filter(|(before, now)| before.present != now.present);
        turned.filter(|(_, now)| now.present == present).map(|(_, now)| &now.info.name).collect()
    };
    let verbs: [(&str, Style, Vec<&String>); 8] = [
        ("found", GREEN, turned(true)),
        ("lost", RED, turned(false)),
        ("added", GREEN, change.added.iter().collect()),
        ("removed", RED, change.removed.iter().collect()),
        ("stale", YELLOW, change.stale.iter().collect()),
        ("recovered", GREEN, change.recovered.iter().collect()),
        ("unavailable", RED, change.unavailable.iter().collect()),
        ("available", GREEN, change.available.iter().collect()),
    ];
    let of_skills = verbs.iter().skip(2).flat_map(|(.., names)| names);
    let named: BTreeSet<&String> = of_skills.copied().collect();
    // Of what changed in another way too, that is the news.
    let changed = change.metadata_changed.iter().chain(&change.body_changed);
    let changed: BTreeSet<&String> = changed.filter(|name| !named.contains(name)).collect();
    let changed = ("changed", CYAN, changed.into_iter().collect());
    let mut parts: Vec<String> = verbs
        .into_iter()
        .chain([changed])
        .filter(|(.., names)| !names.is_empty())
        .map(|(verb, style, names)| part(verb, style, &names))
        .collect();
    if parts.is_empty() {
        parts.push(format!("{DIM}no skill is different{DIM:#}"));
    }
    format!("{DIM}{}{DIM:#} {}", change.generation, parts.join("; "))
}

fn part(verb: &str, style: Style, names: &[&String]) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown: Vec<_> = names.iter().take(MAX_NAMES).map(|name| one_line(name)).collect();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{style}{verb}{style:#} {}{more}", shown.join(", "))
}
