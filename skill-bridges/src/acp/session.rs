//! The sessions of an agent's connection, and where each works.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::SessionId;
use futures::channel::oneshot;

use super::Sender;
use super::desk::Desk;
use crate::Project;

/// The most sessions of one connection.
const MOST_SESSIONS: usize = 1024;

/// One session.
pub(super) struct Session {
    pub(super) id: SessionId,
    pub(super) sender: Sender,
    pub(super) project: Arc<Project>,
    pub(super) desk: Arc<Desk>,
    /// Dropped with the session, which tells whoever waits at the other end.
    _gone: oneshot::Sender<()>,
}

impl Session {
    /// A session, and what ends with it.
    pub(super) fn new(
        id: SessionId,
        sender: Sender,
        project: Arc<Project>,
    ) -> (Arc<Self>, oneshot::Receiver<()>) {
        let (gone, ended) = oneshot::channel();
        let desk = Arc::default();
        (Arc::new(Self { id, sender, project, desk, _gone: gone }), ended)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.project.registry().end_session(self.sender.session());
    }
}

/// All sessions of a connection.
#[derive(Default)]
pub(super) struct Sessions {
    known: Mutex<HashMap<SessionId, Arc<Session>>>,
}

impl Sessions {
    pub(super) fn get(&self, id: &SessionId) -> Option<Arc<Session>> {
        self.known().get(id).cloned()
    }

    /// Adds a session, in the place of the one that had its name. Whether there was room for it.
    pub(super) fn insert(&self, session: Arc<Session>) -> bool {
        let mut known = self.known();
        if known.len() >= MOST_SESSIONS && !known.contains_key(&session.id) {
            return false;
        }
        let old = known.insert(session.id.clone(), session);
        drop(known);
        if let Some(old) = old {
            old.desk.cancel();
        }
        true
    }

    pub(super) fn remove(&self, id: &SessionId) -> bool {
        let old = self.known().remove(id);
        old.inspect(|session| session.desk.cancel()).is_some()
    }

    /// Ends all of them.
    pub(super) fn clear(&self) {
        let all = std::mem::take(&mut *self.known());
        all.values().for_each(|session| session.desk.cancel());
    }

    fn known(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Session>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
