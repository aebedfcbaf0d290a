//! A prompt that may be a command to the prompt that the agent gets, or to an answer in its place.

use std::sync::Arc;

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, PromptResponse, SessionNotification, SessionUpdate, StopReason,
};
use futures::future::FutureExt;
use skilldeck_runtime::{Asked, Syntax};

use super::super::desk::Turn;
use super::super::invoke::{Failed, invoke};
use super::super::{ask, words};
use super::Shared;
use super::session::Session;
use super::wire::Typed;

/// A prompt as it came.
pub(super) struct Prompted {
    /// The identifier of the request, as it was written.
    pub(super) id: String,
    pub(super) typed: Typed,
    /// The whole line.
    pub(super) message: String,
}

/// What becomes of a prompt.
enum Fate {
    /// The agent gets this.
    Passed(String),
    /// The editor gets this, and the turn is over.
    Said(String),
    Cancelled,
}

/// Begins to find out what a prompt is.
pub(super) fn begin(shared: &Arc<Shared>, session: Arc<Session>, prompted: Prompted) {
    let Some(turn) = session.desk.begin() else {
        if shared.tables.answered(&prompted.id).is_some() {
            let why = "a command of this session is still being rendered; cancel it first";
            shared.pipes.answer(&prompted.id, "error", &Error::invalid_request().data(why));
        }
        return;
    };
    let work = Arc::clone(shared);
    shared.begin(async move { render(&work, &session, turn, prompted).await });
}

async fn render(shared: &Arc<Shared>, session: &Session, mut turn: Turn, prompted: Prompted) {
    let fate = fate(shared, session, &mut turn, &prompted).await;
    match fate {
        Fate::Passed(message) => {
            // A cancellation that was passed on before this would not reach what comes after it. And
            // the next prompt may come as soon as the agent has this one.
            let unwanted = || {
                let is_cancelled = turn.cancel.is_cancelled();
                drop(turn);
                is_cancelled
            };
            if !shared.pipes.to_agent_unless(unwanted, message.as_bytes()) {
                end(shared, &prompted.id, StopReason::Cancelled);
            }
        }
        Fate::Said(text) => {
            say(shared, session, SessionUpdate::AgentMessageChunk(chunk(text)));
            drop(turn);
            end(shared, &prompted.id, StopReason::EndTurn);
        }
        Fate::Cancelled => {
            drop(turn);
            end(shared, &prompted.id, StopReason::Cancelled);
        }
    }
}

async fn fate(
    shared: &Arc<Shared>,
    session: &Session,
    turn: &mut Turn,
    prompted: &Prompted,
) -> Fate {
    let as_it_is = || Fate::Passed(prompted.message.clone());
    let line = &*prompted.typed.line;
    let project = match turn.until_stopped(session.project.clone()).await {
        Ok(Ok(project)) => project,
        Ok(Err(why)) if line.starts_with(Syntax::PREFIX) => {
            return Fate::Said(words::unavailable(&why));
        }
        Ok(Err(_)) => return as_it_is(),
        Err(_) => return Fate::Cancelled,
    };
    let native = session.native_names();
    let first = line.split(char::is_whitespace).next().unwrap_or_default();
    if first.strip_prefix('/').is_some_and(|name| native.contains(name)) {
        return as_it_is();
    }
    let registry = project.registry();
    let request = session.sender.typed(line).native_commands(native);
    if let Some(menu) = registry.menu(&request) {
        return Fate::Said(menu);
    }
    if !matches!(registry.asked(&request), Asked::Skill | Asked::NoSkill) {
        return as_it_is();
    }
    let ask = |question: &str| {
        let id = ask::name();
        let chosen = shared.tables.ask(&format!("\"{id}\""));
        let permission = ask::permission(session.id().to_owned().into(), question);
        shared.pipes.send("session/request_permission", Some(&id), &permission);
        chosen.map(|chosen| chosen.unwrap_or_else(|_| Err("it is gone".to_owned()))).boxed()
    };
    match invoke(&shared.pool, turn, &project, request, ask).await {
        Ok(outcome) => {
            for notice in outcome.notices() {
                say(shared, session, SessionUpdate::AgentThoughtChunk(chunk(notice.clone())));
            }
            if !outcome.inject() {
                return Fate::Said(words::kept(&outcome));
            }
            if outcome.is_answer() {
                return Fate::Said(outcome.into_text());
            }
            match serde_json::to_string(outcome.text()) {
                Ok(text) => {
                    let mut message = prompted.message.clone();
                    message.replace_range(prompted.typed.place.clone(), &text);
                    Fate::Passed(message)
                }
                Err(error) => Fate::Said(error.to_string()),
            }
        }
        Err(Failed::Stopped) => Fate::Cancelled,
        Err(Failed::Refused(error)) => Fate::Said(words::refused(&error, line)),
        Err(Failed::Said(why)) => Fate::Said(why),
    }
}

fn chunk(text: String) -> ContentChunk {
    ContentChunk::new(ContentBlock::from(text))
}

fn say(shared: &Shared, session: &Session, update: SessionUpdate) {
    let message = SessionNotification::new(session.id().to_owned(), update);
    shared.pipes.send("session/update", None, &message);
}

/// Answers a prompt, unless somebody has.
fn end(shared: &Shared, id: &str, reason: StopReason) {
    if shared.tables.answered(id).is_some() {
        shared.pipes.answer(id, "result", &PromptResponse::new(reason));
    }
}
