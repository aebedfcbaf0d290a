//! What waits in a mailbox to changes, for threads that block and tasks that poll.

use std::error::Error;
use std::fmt;
use std::iter;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::mailbox::{MAX_PENDING, Mailbox, Mailboxes, Pending};
use super::{Change, Snapshot};

/// The publications of a registry, to be received one after the other; from
/// [`Registry::subscribe`](crate::Registry::subscribe).
///
/// The first change is a replay: all that existed at the subscription stands in `added`, and if
/// that is nothing, the change still tells the generation. Each publication after it is received
/// once, in order. When the registry is gone, what it published before is still received, and then
/// the end.
///
/// Nobody waits for a subscriber, and what waits for one is bounded: when
/// [`MAX_PENDING`](Self::MAX_PENDING) changes do, the next publication merges them and itself into
/// one, from the snapshot of the change that was received last to its own; if none was, it is the
/// replay. Only the steps between are lost: what was added and removed again meanwhile is in no
/// list, and the merged change may be empty.
///
/// A subscription keeps no registry alive. To drop it is to unsubscribe.
///
/// ```
/// use std::sync::Arc;
/// use std::thread;
/// use skilldeck_runtime::{Memory, Registry, Source, SourceInfo, Tier};
///
/// let mine = Arc::new(Memory::default());
/// let source = Source::memory(Arc::clone(&mine), SourceInfo::new("mine", Tier::USER));
/// let registry = Registry::builder().source(source).build()?;
///
/// let subscription = registry.subscribe();
/// let menu = thread::spawn(move || {
///     let mut added = Vec::new();
///     for change in subscription {
///         added.extend(change.added);
///     }
///     added
/// });
/// mine.insert("hello", "---\ndescription: Says hello.\n---\nSay hello.\n");
/// registry.reload();
/// drop(registry);
/// assert_eq!(menu.join().expect("the loop ends with the registry"), ["hello"]);
/// # Ok::<(), skilldeck_runtime::Error>(())
/// ```
#[must_use = "to drop a subscription is to unsubscribe"]
pub struct Subscription {
    mailbox: Arc<Mailbox>,
    /// Where the mailbox is posted to.
    mailboxes: Weak<Mailboxes>,
    /// The snapshot of the change that was received last.
    seen: Option<Arc<Snapshot>>,
}

/// Why no change was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoChange {
    /// Nothing was published that was not received already.
    Yet,
    /// The registry is gone, and everything it published was received.
    Ended,
}

/// The changes of a [`Subscription`] until the registry is gone; each step waits for the next one.
#[derive(Debug)]
pub struct Changes(Subscription);

impl Subscription {
    /// How many changes wait for one subscription at most, before they are merged.
    pub const MAX_PENDING: usize = MAX_PENDING;

    pub(super) fn new(mailboxes: &Arc<Mailboxes>, snapshot: Arc<Snapshot>) -> Self {
        let mailbox = mailboxes.open(snapshot);
        Self { mailbox, mailboxes: Arc::downgrade(mailboxes), seen: None }
    }

    /// Waits for the next change; `None` when the registry is gone and everything it published was
    /// received.
    pub fn recv(&mut self) -> Option<Change> {
        match self.mailbox.take(None) {
            Poll::Ready(next) => next.map(|pending| self.open(pending)),
            Poll::Pending => None,
        }
    }

    /// Waits for the next change for at most this long.
    ///
    /// # Errors
    /// [`NoChange::Yet`] when the time is over, [`NoChange::Ended`] when there will be none.
    pub fn recv_timeout(&mut self, timeout: Duration) -> Result<Change, NoChange> {
        // A deadline that no clock can show is none.
        let next = self.mailbox.take(Instant::now().checked_add(timeout));
        self.settle(next)
    }

    /// The next change if there is one already.
    ///
    /// # Errors
    /// [`NoChange::Yet`] when there is none now, [`NoChange::Ended`] when there will be none.
    pub fn try_recv(&mut self) -> Result<Change, NoChange> {
        let next = self.mailbox.try_take();
        self.settle(next)
    }

    /// The next change for a task: ready with `None` at the end; if it is pending, the task is
    /// woken when there is something. With the feature `stream`, a subscription is a
    /// `futures_core::Stream` by this.
    ///
    /// ```
    /// use std::future::poll_fn;
    /// use skilldeck_runtime::Subscription;
    ///
    /// async fn count(mut subscription: Subscription) -> usize {
    ///     let mut commands = 0;
    ///     while let Some(change) = poll_fn(|context| subscription.poll_recv(context)).await {
    ///         commands += change.added.len();
    ///         commands -= change.removed.len();
    ///     }
    ///     commands
    /// }
    /// ```
    ///
    /// Only the task that polled last is woken. Wakers are called with no lock held, by the thread
    /// that published or that dropped the registry.
    pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<Change>> {
        self.mailbox.poll_take(context).map(|next| next.map(|pending| self.open(pending)))
    }

    /// The changes from here on; each step waits for the next one, and the end is that of the
    /// registry. `for change in subscription` does the same with one that is not needed any more.
    ///
    /// A subscription is no iterator itself: with the feature `stream` it would have each method,
    /// `next` and `map` among them, twice.
    pub fn iter(&mut self) -> impl Iterator<Item = Change> {
        iter::from_fn(|| self.recv())
    }

    /// The snapshot that the change received last led to, for those who look up what it names;
    /// `None` before the first one. [`Registry::snapshot`](crate::Registry::snapshot) may be
    /// further on.
    #[must_use]
    pub fn snapshot(&self) -> Option<&Arc<Snapshot>> {
        self.seen.as_ref()
    }

    fn settle(&mut self, next: Poll<Option<Pending>>) -> Result<Change, NoChange> {
        match next {
            Poll::Ready(Some(pending)) => Ok(self.open(pending)),
            Poll::Ready(None) => Err(NoChange::Ended),
            Poll::Pending => Err(NoChange::Yet),
        }
    }

    /// The change to its snapshot. What has to be worked out is, by the reader, not the publisher.
    fn open(&mut self, pending: Pending) -> Change {
        let Pending { change, snapshot } = pending;
        let change = match (change, &self.seen) {
            (Some(change), _) => Arc::unwrap_or_clone(change),
            (None, Some(seen)) => Change::between(seen, &snapshot),
            (None, None) => Change::replay(&snapshot),
        };
        self.seen = Some(snapshot);
        change
    }

    #[cfg(test)]
    pub(super) fn pending(&self) -> usize {
        self.mailbox.pending()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(mailboxes) = self.mailboxes.upgrade() {
            mailboxes.close(&self.mailbox);
        }
    }
}

impl IntoIterator for Subscription {
    type Item = Change;
    type IntoIter = Changes;

    fn into_iter(self) -> Changes {
        Changes(self)
    }
}

impl Iterator for Changes {
    type Item = Change;

    fn next(&mut self) -> Option<Change> {
        self.0.recv()
    }
}

impl iter::FusedIterator for Changes {}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("snapshot", &self.seen).finish_non_exhaustive()
    }
}

impl fmt::Display for NoChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yet => "nothing was published yet that was not received",
            Self::Ended => "the registry is gone, no change will follow",
        })
    }
}

impl Error for NoChange {}

#[cfg(test)]
#[cfg(not(loom))]
mod tests;
