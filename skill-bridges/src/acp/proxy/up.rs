//! From the editor to the agent.

use std::io::{self, Read};
use std::sync::Arc;

use agent_client_protocol::v1::schema::RequestPermissionResponse;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::ask;
use super::pipes::piece;
use super::render::{self, Prompted};
use super::tables::Pending;
use super::wire::{self, Message, Named, Open};
use super::{Ended, Shared};
use crate::lines::{Line, Lines};

/// Passes on what the editor says, until it has said all.
pub(super) fn pump(shared: &Arc<Shared>, editor: impl Read) -> io::Result<Ended> {
    let mut lines = Lines::new(editor);
    let result = loop {
        match lines.next() {
            Ok(Some(Line::Whole(line))) => {
                if is_passed_on(shared, &line) {
                    shared.pipes.to_agent(&line);
                }
            }
            // Too long to be looked at, and not for us to judge.
            Ok(Some(Line::Beginning(beginning))) => {
                let mut agent = shared.pipes.agent();
                let mut write = |bytes: &[u8]| match &mut *agent {
                    // One that reads no more is about to end, which is seen elsewhere.
                    Some(agent) => piece(agent, bytes).or(Ok(())),
                    None => Ok(()),
                };
                write(&beginning)?;
                lines.rest(write)?;
            }
            Ok(None) => break Ok(Ended::Editor),
            Err(error) => break Err(error),
        }
    };
    shared.tables.clear();
    shared.pipes.close_agent();
    result
}

/// Looks at a line, and takes what is for us.
fn is_passed_on(shared: &Arc<Shared>, line: &[u8]) -> bool {
    let Ok(line) = str::from_utf8(line) else { return true };
    let Some(message) = wire::message(line) else { return true };
    match (message.id, message.method.as_deref()) {
        (Some(id), None) => !is_answer(shared, id, line),
        (Some(id), Some(method)) => {
            let pending = match method {
                "session/new" | "session/load" | "session/resume" | "session/fork" => {
                    opening(message.params)
                }
                "session/close" | "session/delete" => closing(message.params),
                _ => Pending::Other,
            };
            shared.tables.request(id.get(), pending);
            method != "session/prompt" || !is_typed(shared, id, &message, line)
        }
        (None, Some("session/cancel")) => {
            let named: Option<Named> = wire::read(message.params);
            let id = named.and_then(|named| named.session_id);
            if let Some(session) = id.and_then(|id| shared.tables.session(&id)) {
                session.desk.cancel();
            }
            true
        }
        _ => true,
    }
}

fn opening(params: Option<&RawValue>) -> Pending {
    match wire::read::<Open>(params) {
        Some(Open { cwd: Some(cwd), session_id }) => Pending::Open(cwd.into(), session_id),
        _ => Pending::Other,
    }
}

fn closing(params: Option<&RawValue>) -> Pending {
    let named: Option<Named> = wire::read(params);
    named.and_then(|named| named.session_id).map_or(Pending::Other, Pending::Close)
}

/// Whether this answers a question of ours, and then the end of it.
fn is_answer(shared: &Shared, id: &RawValue, line: &str) -> bool {
    #[derive(Deserialize)]
    struct Reply {
        result: Option<RequestPermissionResponse>,
        error: Option<Refusal>,
    }
    #[derive(Deserialize)]
    struct Refusal {
        message: String,
    }
    let Some(question) = shared.tables.question(id.get()) else {
        // One that was answered already is nobody else's either.
        return ask::is_ours(id.get());
    };
    let chosen = match serde_json::from_str(line) {
        Ok(Reply { result: Some(result), .. }) => Ok(result.outcome),
        Ok(Reply { error: Some(error), .. }) => Err(error.message),
        Ok(Reply { result: None, error: None }) => Err("its answer is empty".to_owned()),
        Err(error) => Err(format!("its answer is not understood: {error}")),
    };
    // The turn may have been cancelled meanwhile.
    let _ = question.send(chosen);
    true
}

/// Whether a prompt may be a command of ours. Then it is somebody else's turn to find out.
fn is_typed(shared: &Arc<Shared>, id: &RawValue, message: &Message<'_>, line: &str) -> bool {
    let Some(typed) = wire::typed(line, message.params) else { return false };
    if !typed.line.starts_with('/') {
        return false;
    }
    let Some(session) = shared.tables.session(&typed.session) else { return false };
    let prompted = Prompted { id: id.get().to_owned(), typed, message: line.to_owned() };
    render::begin(shared, session, prompted);
    true
}
