//! The skills of a session's project to what its editor is told.

use std::path::Path;
use std::sync::Arc;

use agent_client_protocol::v1::schema::{
    AvailableCommandsUpdate, SessionNotification, SessionUpdate,
};
use futures::channel::oneshot;
use futures::future::{Either, FutureExt, select};
use futures::stream::StreamExt;
use serde_json::value::RawValue;

use super::Shared;
use super::merge::Native;
use super::session::Session;
use crate::acp::{commands, words};

/// Remembers a session that the agent has opened, loads its project, and announces from then on.
pub(super) fn open(shared: &Arc<Shared>, id: &str, directory: &Path) {
    let (projects, pool) = (Arc::clone(&shared.projects), shared.pool.clone());
    let place = directory.to_owned();
    let loading = async move {
        let entered = pool.run(move || projects.enter(&place)).await;
        let entered = entered.ok_or_else(|| Arc::from(words::PANICKED))?;
        entered.map_err(|error| Arc::from(error.to_string()))
    };
    let loading = loading.boxed().shared();
    let mut end = None;
    let make = |native: Native| {
        let sender = shared.sender(id, directory);
        let (session, ended) = Session::new(sender, loading, native);
        end = Some(ended);
        session
    };
    if let Some((session, ended)) = shared.tables.open(make).zip(end) {
        shared.begin(follow(Arc::clone(shared), session, ended));
    }
}

async fn follow(shared: Arc<Shared>, session: Arc<Session>, mut ended: oneshot::Receiver<()>) {
    let Ok(project) = session.project.clone().await else { return };
    // The first that it gives is what exists.
    let mut changes = project.registry().subscribe();
    let weak = Arc::downgrade(&session);
    drop((session, project));
    loop {
        match select(changes.next(), &mut ended).await {
            Either::Left((Some(_), _)) => {}
            Either::Left((None, _)) | Either::Right(_) => return,
        }
        let Some(session) = weak.upgrade() else { return };
        let Some(Ok(project)) = session.project.peek() else { return };
        let registry = project.registry();
        let caller = session.sender.caller();
        let now = commands(&registry.snapshot(), registry.policy(), &caller);
        let mut voice = session.voice();
        if voice.deck == now {
            continue;
        }
        voice.deck = now;
        // Text that was checked when it was read, and commands that are texts.
        let Ok(list) = RawValue::from_string(voice.native.with(&voice.deck)) else { continue };
        announce(&shared, session.id(), &list);
        // Held until it is said.
        drop(voice);
    }
}

/// Tells the editor the whole list. It may hold what the agent wrote and nobody else understands, so
/// it is put into the message as it is.
fn announce(shared: &Shared, session: &str, list: &RawValue) {
    let update = SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(Vec::new()));
    let message = SessionNotification::new(session.to_owned(), update);
    let Ok(mut params) = serde_json::to_string(&message) else { return };
    // The only empty list there is.
    let Some(place) = params.rfind("[]") else { return };
    params.replace_range(place..place + 2, list.get());
    let Ok(params) = RawValue::from_string(params) else { return };
    shared.pipes.send("session/update", None, &params);
}
