//! From the agent to the editor.

use std::io::{self, Read};
use std::sync::Arc;

use agent_client_protocol::Error;

use super::merge::Native;
use super::pipes::piece;
use super::tables::Pending;
use super::wire::{self, Named};
use super::{Ended, Shared, follow};
use crate::lines::{Line, Lines};

/// Passes on what the agent says, until it is gone.
pub(super) fn pump(shared: &Arc<Shared>, agent: impl Read) -> io::Result<Ended> {
    let mut lines = Lines::new(agent);
    let result = loop {
        match lines.next() {
            Ok(Some(Line::Whole(line))) => pass_on(shared, &line),
            // Too long to be looked at, and not for us to judge.
            Ok(Some(Line::Beginning(beginning))) => {
                let mut editor = shared.pipes.editor();
                // One that reads no more is about to end, which is seen elsewhere.
                let mut write = |bytes: &[u8]| piece(&mut *editor, bytes).or(Ok(()));
                write(&beginning)?;
                lines.rest(write)?;
                let _ = editor.flush();
            }
            Ok(None) => break Ok(Ended::Agent),
            Err(error) => break Err(error),
        }
    };
    shared.tables.clear();
    for id in shared.tables.abandon() {
        let error = Error::internal_error().data("the agent has ended without an answer");
        shared.pipes.answer(&id, "error", &error);
    }
    result
}

fn pass_on(shared: &Arc<Shared>, line: &[u8]) {
    let message = str::from_utf8(line).ok().and_then(|line| Some((line, wire::message(line)?)));
    let Some((text, message)) = message else { return shared.pipes.to_editor(line) };
    match (message.id, message.method.as_deref()) {
        (Some(id), None) => {
            let pending = shared.tables.answered(id.get());
            shared.pipes.to_editor(line);
            // Only what has a result has happened.
            if message.result.is_none() {
                return;
            }
            match pending {
                Some(Pending::Open(directory, name)) => {
                    let named: Option<Named> = wire::read(message.result);
                    if let Some(id) = named.and_then(|named| named.session_id).or(name) {
                        follow::open(shared, &id, &directory);
                    }
                }
                Some(Pending::Close(session)) => shared.tables.close(&session),
                Some(Pending::Other) | None => {}
            }
        }
        (None, Some("session/update")) => match wire::announcement(text, message.params) {
            Some(found) => announced(shared, text, &found),
            None => shared.pipes.to_editor(line),
        },
        _ => shared.pipes.to_editor(line),
    }
}

/// The agent announces its commands: ours stand behind them.
fn announced(shared: &Shared, line: &str, found: &wire::Announcement) {
    let native = Native::read(&line[found.place.clone()]);
    let Some(session) = shared.tables.session(&found.session) else {
        shared.tables.early(&found.session, native);
        return shared.pipes.to_editor(line.as_bytes());
    };
    // Held until it is said.
    let mut voice = session.voice();
    voice.native = native;
    let mut line = line.to_owned();
    line.replace_range(found.place.clone(), &voice.native.with(&voice.deck));
    shared.pipes.to_editor(line.as_bytes());
}
