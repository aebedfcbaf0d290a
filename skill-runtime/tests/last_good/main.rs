//! Files that get an error while they are in use: the last good version stays in force.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]
#![cfg(unix)]

mod change;
mod faults;
mod places;
mod restrictions;
#[path = "../support/mod.rs"]
mod support;
mod texts;
mod torn;

use skilldeck_runtime::{Change, Registry, State};

/// What happened to commands, a word and a list a line: `stale: demo`.
fn told(change: &Change) -> Vec<String> {
    let lists = [
        ("added", &change.added),
        ("removed", &change.removed),
        ("metadata", &change.metadata_changed),
        ("body", &change.body_changed),
        ("stale", &change.stale),
        ("recovered", &change.recovered),
        ("unavailable", &change.unavailable),
        ("available", &change.available),
    ];
    let lists = lists.iter().filter(|(_, words)| !words.is_empty());
    lists.map(|(name, words)| format!("{name}: {}", words.join(" "))).collect()
}

/// The state of a command and its body.
fn now(registry: &Registry, word: &str) -> Option<(State, String)> {
    let snapshot = registry.snapshot();
    let entry = snapshot.get(word)?;
    Some((entry.state(), entry.skill().body().to_owned()))
}

fn stale(body: &str) -> Option<(State, String)> {
    Some((State::Stale, body.to_owned()))
}

fn ready(body: &str) -> Option<(State, String)> {
    Some((State::Ready, body.to_owned()))
}

/// The codes of what is said about a command.
fn codes(registry: &Registry, word: &str) -> Vec<&'static str> {
    let snapshot = registry.snapshot();
    let entry = snapshot.get(word).unwrap();
    entry.diagnostics().iter().map(|found| found.code.id()).collect()
}
