//! Where lines are written: whole ones, one after the other, whoever writes them.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;

type Out = Box<dyn Write + Send>;

/// Both sides.
pub(super) struct Pipes {
    editor: Mutex<Out>,
    /// Nothing once the editor has said all.
    agent: Mutex<Option<Out>>,
}

impl Pipes {
    pub(super) fn new(
        editor: impl Write + Send + 'static,
        agent: impl Write + Send + 'static,
    ) -> Self {
        Self { editor: Mutex::new(Box::new(editor)), agent: Mutex::new(Some(Box::new(agent))) }
    }

    /// Writes to the editor. One that reads no more is about to end, which is seen elsewhere.
    pub(super) fn to_editor(&self, bytes: &[u8]) {
        let mut editor = self.editor();
        let _ = editor.write_all(bytes).and_then(|()| editor.flush());
    }

    /// The editor's side, for a line in pieces.
    pub(super) fn editor(&self) -> MutexGuard<'_, Out> {
        self.editor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes to the agent. One that reads no more is about to end, which is seen elsewhere.
    pub(super) fn to_agent(&self, bytes: &[u8]) {
        self.to_agent_unless(|| false, bytes);
    }

    /// The same, unless that is not wanted any more at the moment at which it is its turn. Whether
    /// it was written.
    pub(super) fn to_agent_unless(&self, unwanted: impl FnOnce() -> bool, bytes: &[u8]) -> bool {
        let mut agent = self.agent();
        if unwanted() {
            return false;
        }
        if let Some(agent) = &mut *agent {
            let _ = agent.write_all(bytes).and_then(|()| agent.flush());
        }
        true
    }

    /// The agent's side, for a line in pieces.
    pub(super) fn agent(&self) -> MutexGuard<'_, Option<Out>> {
        self.agent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the agent that there is nothing more to read.
    pub(super) fn close_agent(&self) {
        *self.agent() = None;
    }

    /// Sends the editor a notification or a request of our own. The method and the identifier need
    /// nothing to be JSON.
    pub(super) fn send(&self, method: &str, id: Option<&str>, params: &impl Serialize) {
        // Parameters may hold what somebody else wrote, which stays as it is.
        let Ok(params) = serde_json::to_string(params) else { return };
        let id = id.map(|id| format!("\"id\":\"{id}\",")).unwrap_or_default();
        let head = format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":\"{method}\"");
        self.to_editor(format!("{head},\"params\":{params}}}\n").as_bytes());
    }

    /// Answers a request of the editor: `part` is `result` or `error`.
    pub(super) fn answer(&self, id: &str, part: &str, value: &impl Serialize) {
        // The identifier goes back as it came.
        let Ok(id) = serde_json::from_str::<&RawValue>(id) else { return };
        let Ok(value) = serde_json::to_string(value) else { return };
        self.to_editor(
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{part}\":{value}}}\n").as_bytes(),
        );
    }
}

/// Writes a piece of a line.
pub(super) fn piece(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)
}
