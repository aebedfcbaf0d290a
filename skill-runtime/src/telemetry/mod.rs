//! Activation events: what was started, how it ended, and who hears of it.

mod activation;
mod hash;
mod key;
mod observer;
mod packed;
mod queue;
mod sessions;
mod span;

pub use activation::{Activation, ActivationId, ActivationState};
pub(crate) use activation::{Draft, Ending};
pub use hash::ArgumentsHash;
pub(crate) use hash::{Use, drawn, keyed};
pub use key::HashKey;
pub use observer::Observer;
pub(crate) use observer::notify;
use observer::notify_stale;
pub(crate) use queue::Observers;
pub(crate) use sessions::Sessions;
pub use sessions::StaleContext;
pub(crate) use span::{Span, Surroundings, log_no_source, log_refusal, log_stale};

/// What a registry keeps for those who observe it.
#[derive(Default)]
pub(crate) struct Telemetry {
    pub(crate) observers: Observers,
    pub(crate) sessions: Sessions,
    pub(crate) hash_key: HashKey,
}

impl Telemetry {
    /// Whether anybody hears of sessions that hold old text.
    pub(crate) fn follows_sessions(&self) -> bool {
        cfg!(feature = "tracing") || !self.observers.is_empty()
    }

    /// These skills have another text since this generation.
    pub(crate) fn outdate(&self, words: &[String], generation: u64) {
        let stale = self.sessions.outdate(words, generation);
        for context in &stale {
            self.observers.tell_stale(context);
        }
        log_stale(&stale, generation);
    }
}

#[cfg(test)]
mod tests;
