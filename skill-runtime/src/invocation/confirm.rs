//! Decisions that ask to a person's answer, or to the token of a request that is to be repeated.

use std::fmt::Write;

use skilldeck_core::model::Skill;

use super::Request;
use super::find::Found;
use crate::error::{Error, ErrorKind};
use crate::host::{Answer, Host, Question};
use crate::policy::Reason;
use crate::snapshot::Entry;
use crate::telemetry::{Use, keyed};

/// What asks for confirmation, and why; the invoked skill last.
pub(super) type Asking<'a> = Vec<(Entry<'a>, Vec<Reason>)>;

/// The deck that a decision is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version {
    /// Of which registry; see [`Snapshot::registry`](crate::snapshot::Snapshot::registry).
    pub(super) registry: u128,
    pub(super) generation: u64,
}

/// Asks a person once for all that asks, unless the request carries the answer.
pub(super) fn confirm(
    host: &dyn Host,
    request: &Request,
    found: &Found<'_>,
    version: Version,
    asking: &Asking<'_>,
) -> Result<(), Error> {
    if asking.is_empty() {
        return Ok(());
    }
    let token = token(request, found, version, asking);
    if request.confirmation.as_deref().is_some_and(|given| parse(given) == Some(token)) {
        return Ok(());
    }
    let text = question(found, asking);
    let skills: Vec<&Skill> = asking.iter().map(|(entry, _)| entry.skill()).collect();
    let question = Question { skills: &skills, text: &text, session: request.session.as_deref() };
    let word = found.entry.word();
    match host.confirm(&question) {
        Answer::Yes => Ok(()),
        Answer::No => {
            let message = format!("skill `{word}` is refused: it was not confirmed");
            Err(Error::new(ErrorKind::Refused, message))
        }
        Answer::CannotAsk => {
            let kind = ErrorKind::NeedsConfirmation {
                question: text.clone(),
                token: format!("{token:032x}"),
            };
            let message = format!(
                "skill `{word}` needs confirmation, and nobody can be asked here{}",
                reasons(asking)
            );
            Err(Error::new(kind, message))
        }
    }
}

/// A token is worth something for one skill of one registry in one version of the deck with these
/// arguments, for the same caller, the same place and shape of the answer, and for as long as this
/// process lives.
fn token(request: &Request, found: &Found<'_>, version: Version, asking: &Asking<'_>) -> u128 {
    let registry = version.registry.to_le_bytes();
    let generation = version.generation.to_le_bytes();
    let directory = request.directory.as_deref().map(|path| path.as_os_str().as_encoded_bytes());
    let mut parts: Vec<&[u8]> = vec![
        &registry,
        &generation,
        found.entry.word().as_bytes(),
        found.entry.source().name.as_bytes(),
        found.raw.as_bytes(),
        request.initiator.as_str().as_bytes(),
        request.shape_of_answer().as_str().as_bytes(),
    ];
    let texts = [&request.agent, &request.session, &request.project, &request.effort];
    let texts = texts.map(|text| text.as_deref().map(str::as_bytes));
    for value in texts.into_iter().chain([directory]) {
        // What is absent is not what is empty.
        parts.extend([if value.is_some() { &b"+"[..] } else { b"-" }, value.unwrap_or_default()]);
    }
    for (entry, _) in asking {
        parts.extend([entry.word().as_bytes(), entry.source().name.as_bytes()]);
    }
    keyed(Use::Confirmation, &parts)
}

/// A token in the form it was given out. Tokens are compared as numbers, in one step.
fn parse(token: &str) -> Option<u128> {
    let is_ours = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_ours.then(|| u128::from_str_radix(token, 16).ok()).flatten()
}

/// The question in one line. Arguments are not part of it: they may be long, or private.
fn question(found: &Found<'_>, asking: &Asking<'_>) -> String {
    format!("run skill `{}`?{}", found.entry.word(), reasons(asking))
}

/// ` (a: why; b: why)`.
fn reasons(asking: &Asking<'_>) -> String {
    let mut text = String::new();
    for (entry, reasons) in asking {
        for reason in reasons {
            let separator = if text.is_empty() { " (" } else { "; " };
            let _ = write!(text, "{separator}`{}`: {reason}", entry.word());
        }
    }
    text.push(')');
    text
}
