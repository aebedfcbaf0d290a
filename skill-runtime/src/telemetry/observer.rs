//! Activation events to whoever counts them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Activation;

/// Is told what was started and how it ended, refusals and failures included.
///
/// It is called on the thread of the invocation, in order; one that has more to do than to count
/// puts the event, which is cheap to clone, into a queue of its own. A panic in it is caught.
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
}

/// Tells an observer; what it does cannot fail the invocation.
pub(crate) fn notify(observer: &dyn Observer, activation: &Activation) {
    // The observer sees only what never changes, so a panic leaves nothing of ours half done.
    let _ = catch_unwind(AssertUnwindSafe(|| observer.observe(activation)));
}
