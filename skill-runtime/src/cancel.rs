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
    flag: Arc<Flag>,
}

#[derive(Debug, Default)]
struct Flag {
    cancelled: AtomicBool,
    /// What cancels this one too.
    outer: Option<CancelToken>,
}

impl CancelToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels, for every clone and for good.
    pub fn cancel(&self) {
        self.flag.cancelled.store(true, Ordering::Release);
    }

    /// Whether it is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.flag.cancelled.load(Ordering::Acquire)
            || self.flag.outer.as_ref().is_some_and(Self::is_cancelled)
    }

    /// A token for a part of the work: it is cancelled with this one, or alone.
    ///
    /// ```
    /// use skilldeck_runtime::CancelToken;
    ///
    /// let whole = CancelToken::new();
    /// let (one, other) = (whole.child(), whole.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !other.is_cancelled() && !whole.is_cancelled());
    /// whole.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> Self {
        let flag = Flag { cancelled: AtomicBool::new(false), outer: Some(self.clone()) };
        Self { flag: Arc::new(flag) }
    }
}
