//! Activation events to whoever counts them.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Activation, StaleContext};

/// Is told what was started and how it ended, refusals and failures included.
///
/// Where it is called depends on where it was given. That of a registry
/// ([`Builder::observer`](crate::Builder::observer)) has a thread and a bounded queue: however slow
/// it is, no invocation waits for it. That of a single [`Request`](crate::Request) is called on the
/// thread of the invocation. Both hear in order, and a panic in it is caught.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use skilldeck_runtime::{Activation, ActivationState, Observer};
///
/// #[derive(Default)]
/// struct Refusals(AtomicU64);
///
/// impl Observer for Refusals {
///     fn observe(&self, activation: &Activation) {
///         if activation.state() == ActivationState::Refused {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
/// ```
pub trait Observer: Send + Sync {
    /// One event.
    fn observe(&self, activation: &Activation);

    /// A session holds text of a skill that has changed since. Only the observers of a registry
    /// hear of it.
    fn stale(&self, context: &StaleContext) {
        let _ = context;
    }
}

/// Tells an observer; what it does cannot fail the invocation.
pub(crate) fn notify(observer: &dyn Observer, activation: &Activation) {
    // The observer sees only what never changes, so a panic leaves nothing of ours half done.
    isolate(|| observer.observe(activation));
}

/// The same for a session that holds an old text.
pub(super) fn notify_stale(observer: &dyn Observer, context: &StaleContext) {
    isolate(|| observer.stale(context));
}

fn isolate(run: impl FnOnce()) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(run)) else { return };
    // To drop what it panicked with is to run code of others again.
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(another);
    }
}
