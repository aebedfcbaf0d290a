//! A session of an agent behind the proxy: what it was told, and the skills of its project.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::AvailableCommand;
use futures::channel::oneshot;
use futures::future::{BoxFuture, Shared};

use super::super::Sender;
use super::super::desk::Desk;
use super::merge::Native;
use crate::Project;

/// A project that is being loaded, or why it cannot be.
pub(super) type Loading = Shared<BoxFuture<'static, Result<Arc<Project>, Arc<str>>>>;

pub(super) struct Session {
    pub(super) sender: Sender,
    pub(super) project: Loading,
    pub(super) desk: Arc<Desk>,
    voice: Mutex<Voice>,
    /// Dropped with the session, which tells whoever waits at the other end.
    _gone: oneshot::Sender<()>,
}

/// What the editor is told: one at a time says it, so that the last said is the last that is true.
#[derive(Default)]
pub(super) struct Voice {
    pub(super) native: Native,
    /// The commands of the deck, once it is loaded.
    pub(super) deck: Vec<AvailableCommand>,
}

impl Session {
    /// A session, and what ends with it.
    pub(super) fn new(
        sender: Sender,
        project: Loading,
        native: Native,
    ) -> (Arc<Self>, oneshot::Receiver<()>) {
        let (gone, ended) = oneshot::channel();
        let voice = Mutex::new(Voice { native, deck: Vec::new() });
        (Arc::new(Self { sender, project, desk: Arc::default(), voice, _gone: gone }), ended)
    }

    pub(super) fn id(&self) -> &str {
        self.sender.session()
    }

    pub(super) fn voice(&self) -> MutexGuard<'_, Voice> {
        self.voice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_native(&self, native: Native) {
        self.voice().native = native;
    }

    /// The names of the agent's own commands.
    pub(super) fn native_names(&self) -> HashSet<String> {
        self.voice().native.names().map(str::to_owned).collect()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.desk.cancel();
        if let Some(Ok(project)) = self.project.peek() {
            project.registry().end_session(self.id());
        }
    }
}
