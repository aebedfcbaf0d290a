//! A rendered prompt to the answer of a sub-session.

use skilldeck_core::model::Skill;

use super::Request;
use crate::error::{Error, ErrorKind};
use crate::host::{ForkRequest, Host, HostError};
use crate::lineage::Lineage;
use crate::snapshot::Entry;
use crate::telemetry::ActivationId;

/// How many forks may be inside of each other. Real decks use one, seldom two; more is a loop.
const MAX_DEPTH: u32 = 4;

/// Whether the skill may fork where it is; asked before anything runs.
pub(super) fn check(entry: Entry<'_>, lineage: &Lineage) -> Result<(), Error> {
    if !entry.skill().is_fork() {
        return Ok(());
    }
    let word = entry.word();
    let why = if lineage.words().any(|outer| outer == word) {
        "it is running already, and a fork may not invoke itself".to_owned()
    } else if lineage.depth() >= MAX_DEPTH {
        format!("it would be fork {} inside of another; at most {MAX_DEPTH} may be", MAX_DEPTH + 1)
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Refused, format!("skill `{word}` is refused: {why}")))
}

/// Runs the prompt in a sub-session.
pub(super) fn run(
    host: &dyn Host,
    request: &Request,
    skill: &Skill,
    activation: ActivationId,
    prompt: &str,
) -> Result<String, Error> {
    let lineage = request.lineage.with(skill.word(), activation);
    let fork = ForkRequest {
        skill,
        prompt,
        session: request.session.as_deref(),
        depth: lineage.depth(),
        lineage: &lineage,
        cancel: &request.cancel,
    };
    host.fork(&fork).map_err(|error| {
        let kind = match error {
            HostError::Cancelled => ErrorKind::Cancelled,
            _ => ErrorKind::ForkFailed,
        };
        let message = match &error {
            HostError::Unsupported => format!(
                "skill `{}` runs in a sub-session (`context: fork`), and this host has none; \
                 invoke it where there are sub-sessions, or remove `context: fork`",
                skill.word()
            ),
            other => format!("the sub-session of skill `{}` failed: {other}", skill.word()),
        };
        Error::new(kind, message).because(error)
    })
}
