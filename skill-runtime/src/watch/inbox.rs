//! Reports from any thread to the one that acts on them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::notice::Notice;

/// More reports than this are as good as none: everything is looked at instead. The kernel's own
/// queue is as long.
const MAX_NOTICES: usize = 16_384;

/// What was reported and not yet taken.
#[derive(Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Default)]
struct State {
    mail: Mail,
    ended: bool,
}

/// What there was to take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mail {
    /// What was reported, in order.
    pub(super) notices: Vec<Notice>,
    /// Whether more was reported that is not known.
    pub(super) lost: bool,
    /// Whether somebody else looked.
    pub(super) nudged: bool,
    /// Whether to stop.
    pub(super) stopped: bool,
}

impl Inbox {
    /// Puts in reports; two in a row that are the same are one.
    pub(super) fn put(&self, notices: impl IntoIterator<Item = Notice>) {
        let mut state = self.lock();
        let was_empty = state.mail.is_empty();
        for notice in notices {
            if state.mail.lost || state.mail.notices.last() == Some(&notice) {
                continue;
            }
            if notice == Notice::Lost || state.mail.notices.len() == MAX_NOTICES {
                state.mail.notices = Vec::new();
                state.mail.lost = true;
            } else {
                state.mail.notices.push(notice);
            }
        }
        if was_empty && !state.mail.is_empty() {
            self.arrived.notify_all();
        }
    }

    /// Puts in that reports were lost.
    pub(super) fn lose(&self) {
        self.put([Notice::Lost]);
    }

    /// Says that somebody else looked.
    pub(super) fn nudge(&self) {
        self.lock().mail.nudged = true;
        self.arrived.notify_all();
    }

    /// Says that it is time to stop.
    pub(super) fn stop(&self) {
        self.lock().mail.stopped = true;
        self.arrived.notify_all();
    }

    /// Whether it is time to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.lock().mail.stopped
    }

    /// Takes what there is; waits for it until then.
    pub(super) fn take(&self, until: Instant) -> Mail {
        let mut state = self.lock();
        while state.mail.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.arrived.wait_timeout(state, left);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let stopped = state.mail.stopped;
        let mail = std::mem::take(&mut state.mail);
        state.mail.stopped = stopped;
        mail
    }

    /// Says that nobody takes anything any more.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.arrived.notify_all();
    }

    /// Waits until nobody takes anything any more; false if that took too long.
    pub(super) fn wait_for_end(&self, limit: Duration) -> bool {
        let state = self.lock();
        let waited = self.arrived.wait_timeout_while(state, limit, |state| !state.ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mail {
    fn is_empty(&self) -> bool {
        self.notices.is_empty() && !self.lost && !self.nudged && !self.stopped
    }
}

#[cfg(test)]
mod tests;
