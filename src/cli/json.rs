//! Entries and diagnostics to the JSON that scripts rely on.

use serde_json::{Value, json};
use skilldeck::diagnostic::Diagnostic;
use skilldeck::model::{Skill, Text};
use skilldeck::{Activation, Change, Entry, Policy, State};

/// One entry of a deck.
pub(crate) fn entry(entry: Entry<'_>, policy: &Policy) -> Value {
    let mut value = skill(entry.skill(), entry.diagnostics());
    value["command"] = json!(command(policy.announced_prefix(entry), entry.word()));
    value["scope"] = json!(entry.source().tier.as_str());
    value["source"] = json!(entry.source().name);
    value["trusted"] = json!(entry.source().trusted);
    value["path"] = json!(entry.path().map(|path| path.display().to_string()));
    value["state"] = json!(state(entry.state()));
    value["reason"] = json!(entry.reason());
    value["shadows"] = entry
        .shadows()
        .iter()
        .map(|shadow| {
            json!({
                "source": shadow.source.name,
                "path": shadow.path.as_ref().map(|path| path.display().to_string()),
                "why": shadow.why,
            })
        })
        .collect();
    value
}

/// A skill by itself, as a file parsed outside of any deck.
pub(crate) fn skill(skill: &Skill, diagnostics: &[Diagnostic]) -> Value {
    json!({
        "name": skill.name(),
        "command": command("/skill:", skill.word()),
        "description": skill.description(),
        "when_to_use": skill.when_to_use(),
        "scope": "path",
        "source": "path",
        "trusted": false,
        "path": null,
        "state": "ready",
        "reason": null,
        "aliases": texts(skill.aliases()),
        "directory_word": skill.directory_word(),
        "argument_hint": skill.argument_hint(),
        "arguments": texts(skill.arguments()),
        "allowed_tools": texts(skill.allowed_tools()),
        "disallowed_tools": texts(skill.disallowed_tools()),
        "user_invocable": skill.user_invocable(),
        "disable_model_invocation": skill.disable_model_invocation(),
        "require_confirmation": skill.require_confirmation(),
        "restricted": skill.restricted(),
        "version": skill.version(),
        "context": skill.context(),
        "depends_on": skill
            .depends_on()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        "shadows": [],
        "diagnostics": diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
    })
}

/// One diagnostic.
pub(crate) fn diagnostic(diagnostic: &Diagnostic) -> Value {
    json!({
        "code": diagnostic.code.id(),
        "severity": diagnostic.severity.as_str(),
        "path": diagnostic.path.as_ref().map(|path| path.display().to_string()),
        "line": diagnostic.line,
        "column": diagnostic.column,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "related": diagnostic
            .related
            .iter()
            .map(|place| {
                json!({
                    "path": place.path.as_ref().map(|path| path.display().to_string()),
                    "line": place.line,
                    "message": place.message,
                })
            })
            .collect::<Vec<_>>(),
    })
}

/// One published change.
pub(crate) fn change(change: &Change) -> Value {
    json!({
        "generation": change.generation,
        "added": change.added,
        "removed": change.removed,
        "metadata_changed": change.metadata_changed,
        "body_changed": change.body_changed,
        "stale": change.stale,
        "recovered": change.recovered,
        "unavailable": change.unavailable,
        "available": change.available,
        "diagnostics": change.diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
    })
}

/// One event of an invocation.
pub(crate) fn activation(event: &Activation) -> Value {
    json!({
        "type": "skill_activation",
        "state": event.state().as_str(),
        "id": event.id().to_string(),
        "parent": event.parent().map(|parent| parent.to_string()),
        "skill": event.skill(),
        "version": event.version(),
        "generation": event.generation(),
        "source": event.source(),
        "protocol": event.protocol(),
        "initiator": event.initiator().as_str(),
        "agent": event.agent(),
        "session": event.session(),
        "timestamp": timestamp(event),
        "duration_ms": event.duration_ms(),
        "success": event.success(),
        "error_type": event.error_type(),
        "arguments_hash": event.arguments_hash().to_string(),
    })
}

/// Seconds since 1970, with fractions.
fn timestamp(event: &Activation) -> Option<f64> {
    let since = event.timestamp().duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(since.as_secs_f64())
}

/// `ready`, `stale`, `unavailable` or `unreadable`.
pub(crate) fn state(state: State) -> &'static str {
    match state {
        State::Ready => "ready",
        State::Stale => "stale",
        State::Unavailable => "unavailable",
        State::Unreadable => "unreadable",
    }
}

/// How a command is typed: a prefix without a slash, the empty one too, gets one.
pub(crate) fn command(prefix: &str, word: &str) -> String {
    let slash = if prefix.starts_with('/') { "" } else { "/" };
    format!("{slash}{prefix}{word}")
}

fn texts(texts: &[Text]) -> Vec<&str> {
    texts.iter().map(AsRef::as_ref).collect()
}
