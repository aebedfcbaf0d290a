//! A prompt to the answer of an agent that has nothing but skills.

use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, SessionNotification, SessionUpdate, StopReason,
};
use agent_client_protocol::{Client, Result};
use futures::FutureExt;
use skilldeck_runtime::Asked;

use super::desk::Turn;
use super::invoke::{Failed, Pool, invoke};
use super::session::Session;
use super::{Prompt, ask, words};

/// How an answer is given.
struct Speaker<'a> {
    client: &'a ConnectionTo<Client>,
    session: &'a Session,
}

/// Answers a prompt.
pub(super) async fn answer(
    client: &ConnectionTo<Client>,
    pool: &Pool,
    session: &Session,
    turn: &mut Turn,
    blocks: &[ContentBlock],
) -> Result<StopReason> {
    let speaker = Speaker { client, session };
    let prompt = Prompt::of(blocks);
    let line = prompt.line().unwrap_or_default();
    let registry = session.project.registry();
    let request = session.sender.typed(line);
    if let Some(menu) = registry.menu(&request) {
        speaker.say(menu)?;
        return Ok(StopReason::EndTurn);
    }
    if registry.asked(&request) == Asked::Text {
        speaker.say(words::NOBODY)?;
        return Ok(StopReason::EndTurn);
    }
    let ask = |question: &str| {
        let permission = ask::permission(session.id.clone(), question);
        let chosen = client.send_request(permission).block_task();
        chosen.map(|chosen| Ok(chosen.map_err(|error| error.message)?.outcome)).boxed()
    };
    match invoke(pool, turn, &session.project, request, ask).await {
        Ok(outcome) => {
            for notice in outcome.notices() {
                speaker.think(notice)?;
            }
            if !outcome.inject() {
                speaker.say(words::kept(&outcome))?;
                return Ok(StopReason::EndTurn);
            }
            speaker.say(outcome.into_text())?;
            for block in prompt.others() {
                speaker.show(block.clone())?;
            }
            Ok(StopReason::EndTurn)
        }
        Err(Failed::Stopped) => Ok(StopReason::Cancelled),
        Err(Failed::Refused(error)) => {
            speaker.say(words::refused(&error, line))?;
            Ok(StopReason::EndTurn)
        }
        Err(Failed::Said(why)) => {
            speaker.say(why)?;
            Ok(StopReason::EndTurn)
        }
    }
}

impl Speaker<'_> {
    fn say(&self, text: impl Into<String>) -> Result<()> {
        self.show(ContentBlock::from(text.into()))
    }

    fn show(&self, block: ContentBlock) -> Result<()> {
        self.update(SessionUpdate::AgentMessageChunk(ContentChunk::new(block)))
    }

    fn think(&self, notice: &str) -> Result<()> {
        self.update(SessionUpdate::AgentThoughtChunk(ContentChunk::new(notice.into())))
    }

    fn update(&self, update: SessionUpdate) -> Result<()> {
        self.client.send_notification(SessionNotification::new(self.session.id.clone(), update))
    }
}
