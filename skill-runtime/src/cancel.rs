//! A caller's change of mind to a flag that running work looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels an invocation from elsewhere: clone it, give one clone to the request, keep the other.
///
/// The invocation looks at it between its steps, and hands it to whatever the host runs.
///
/// ```
/// use skilldeck_runtime::CancelToken;
///
/// let token = CancelToken::new();
/// let theirs = token.clone();
/// token.cancel();
/// assert!(theirs.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
}

impl CancelToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels, for every clone and for good.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
    }

    /// Whether it is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }
}
