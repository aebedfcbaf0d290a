//! What is under way between an editor and an agent.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::RequestPermissionOutcome;
use futures::channel::oneshot;

use super::merge::Native;
use super::session::Session;

/// The most requests that are remembered. Of more, nobody answers in the agent's place if it dies.
const MOST_REQUESTS: usize = 1 << 16;

/// The most sessions, and the most lists of sessions that are not known yet.
const MOST_SESSIONS: usize = 1 << 12;

/// A request of the editor that the agent has not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// It opens a session in a directory; its name is in the request or in the answer.
    Open(PathBuf, Option<String>),
    /// It ends a session.
    Close(String),
    Other,
}

/// What was chosen, or why nobody can be asked.
pub(super) type Chosen = Result<RequestPermissionOutcome, String>;

/// Everything that is under way, by what it is called.
#[derive(Default)]
pub(super) struct Tables {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// By the identifier, as it was written.
    pending: HashMap<String, Pending>,
    sessions: HashMap<String, Arc<Session>>,
    /// The lists of agents that announce before they answer.
    early: HashMap<String, Native>,
    questions: HashMap<String, oneshot::Sender<Chosen>>,
}

impl Tables {
    /// A request is under way.
    pub(super) fn request(&self, id: &str, what: Pending) {
        let mut inner = self.inner();
        if inner.pending.len() < MOST_REQUESTS {
            inner.pending.insert(id.to_owned(), what);
        }
    }

    /// A request is answered.
    pub(super) fn answered(&self, id: &str) -> Option<Pending> {
        self.inner().pending.remove(id)
    }

    /// Every request that is under way, which none is any more.
    pub(super) fn abandon(&self) -> Vec<String> {
        self.inner().pending.drain().map(|(id, _)| id).collect()
    }

    pub(super) fn session(&self, id: &str) -> Option<Arc<Session>> {
        self.inner().sessions.get(id).cloned()
    }

    /// Adds a session, with what its agent has announced already.
    pub(super) fn open(
        &self,
        session: impl FnOnce(Native) -> Arc<Session>,
    ) -> Option<Arc<Session>> {
        let mut inner = self.inner();
        if inner.sessions.len() >= MOST_SESSIONS {
            return None;
        }
        let session = session(Native::default());
        if let Some(native) = inner.early.remove(session.id()) {
            session.set_native(native);
        }
        let old = inner.sessions.insert(session.id().to_owned(), Arc::clone(&session));
        drop(inner);
        drop(old);
        Some(session)
    }

    pub(super) fn close(&self, id: &str) {
        let old = self.inner().sessions.remove(id);
        drop(old);
    }

    /// Ends all sessions.
    pub(super) fn clear(&self) {
        let all = std::mem::take(&mut self.inner().sessions);
        all.values().for_each(|session| session.desk.cancel());
    }

    /// What an agent announces for a session that is not known yet.
    pub(super) fn early(&self, session: &str, native: Native) {
        let mut inner = self.inner();
        if inner.early.len() < MOST_SESSIONS {
            inner.early.insert(session.to_owned(), native);
        }
    }

    /// A question is under way.
    pub(super) fn ask(&self, id: &str) -> oneshot::Receiver<Chosen> {
        let (answer, answered) = oneshot::channel();
        self.inner().questions.insert(id.to_owned(), answer);
        answered
    }

    /// The question that has this identifier, which is answered with this.
    pub(super) fn question(&self, id: &str) -> Option<oneshot::Sender<Chosen>> {
        let mut inner = self.inner();
        // Almost always there is none.
        if inner.questions.is_empty() { None } else { inner.questions.remove(id) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
