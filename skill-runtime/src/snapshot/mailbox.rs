//! Publications to what each subscription has still to receive.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use super::sync::{Condvar, Mutex, lock};
use super::{Change, Snapshot};

/// How many changes wait for one subscription at most. Each keeps its snapshot alive, and whoever is
/// this far behind wants to know what is, not how it came to be.
#[cfg(not(all(test, loom)))]
pub(super) const MAX_PENDING: usize = 64;
/// Few enough for the model to get there.
#[cfg(all(test, loom))]
pub(super) const MAX_PENDING: usize = 2;

/// The mailboxes of all subscriptions to one store.
#[derive(Default)]
pub(super) struct Mailboxes(Mutex<Posted>);

#[derive(Default)]
struct Posted {
    open: Vec<Arc<Mailbox>>,
    /// Tasks that wait for what was posted. To wake one is to run code of others, so it is done
    /// when no lock is held.
    wakers: Vec<Waker>,
}

/// What one subscription has still to receive.
#[derive(Default)]
pub(super) struct Mailbox {
    inbox: Mutex<Inbox>,
    arrived: Condvar,
}

#[derive(Default)]
struct Inbox {
    pending: VecDeque<Pending>,
    /// Whether nothing will be posted any more.
    ended: bool,
    /// The task to wake at the next post.
    waker: Option<Waker>,
}

/// A change that is still to be received.
pub(super) struct Pending {
    /// What changed; if it is not known, that is between what was received last and `snapshot`.
    pub(super) change: Option<Arc<Change>>,
    pub(super) snapshot: Arc<Snapshot>,
}

impl Mailboxes {
    /// Adds a mailbox, with this snapshot as the first thing to receive.
    pub(super) fn open(&self, snapshot: Arc<Snapshot>) -> Arc<Mailbox> {
        let inbox =
            Inbox { pending: [Pending { change: None, snapshot }].into(), ..Inbox::default() };
        let mailbox = Arc::new(Mailbox { inbox: Mutex::new(inbox), arrived: Condvar::default() });
        lock(&self.0).open.push(Arc::clone(&mailbox));
        mailbox
    }

    /// Takes a mailbox out: nothing is posted to it any more.
    pub(super) fn close(&self, mailbox: &Arc<Mailbox>) {
        let mut posted = lock(&self.0);
        let place = posted.open.iter().position(|open| Arc::ptr_eq(open, mailbox));
        let closed = place.map(|place| posted.open.swap_remove(place));
        drop(posted);
        // What is in it goes when no lock is held.
        drop(closed);
    }

    /// Puts a publication into every mailbox. Tasks that wait for it are woken by
    /// [`wakers`](Self::wakers).
    pub(super) fn post(&self, change: &Arc<Change>, snapshot: &Arc<Snapshot>) {
        let mut posted = lock(&self.0);
        let Posted { open, wakers } = &mut *posted;
        wakers.extend(open.iter().filter_map(|mailbox| mailbox.post(change, snapshot)));
    }

    /// Ends every mailbox: what is in them is all that there is to receive.
    pub(super) fn end(&self) {
        let mut posted = lock(&self.0);
        let Posted { open, wakers } = &mut *posted;
        wakers.extend(open.iter().filter_map(|mailbox| mailbox.end()));
        let open = mem::take(open);
        drop(posted);
        drop(open);
    }

    /// The tasks to wake now, each once.
    pub(super) fn wakers(&self) -> Vec<Waker> {
        mem::take(&mut lock(&self.0).wakers)
    }

    #[cfg(all(test, loom))]
    pub(super) fn count(&self) -> usize {
        lock(&self.0).open.len()
    }
}

impl Mailbox {
    fn post(&self, change: &Arc<Change>, snapshot: &Arc<Snapshot>) -> Option<Waker> {
        let snapshot = Arc::clone(snapshot);
        let mut inbox = lock(&self.inbox);
        let mut skipped = VecDeque::new();
        let change = if inbox.pending.len() < MAX_PENDING {
            Some(Arc::clone(change))
        } else {
            skipped = mem::take(&mut inbox.pending);
            None
        };
        inbox.pending.push_back(Pending { change, snapshot });
        let waker = inbox.waker.take();
        drop(inbox);
        self.arrived.notify_one();
        drop(skipped);
        waker
    }

    fn end(&self) -> Option<Waker> {
        let mut inbox = lock(&self.inbox);
        inbox.ended = true;
        let waker = inbox.waker.take();
        drop(inbox);
        self.arrived.notify_one();
        waker
    }

    /// What is next: ready with `None` at the end, pending if nothing was posted yet.
    pub(super) fn try_take(&self) -> Poll<Option<Pending>> {
        lock(&self.inbox).next()
    }

    /// The same, waiting until the deadline, or for as long as it takes if there is none.
    pub(super) fn take(&self, deadline: Option<Instant>) -> Poll<Option<Pending>> {
        let mut inbox = lock(&self.inbox);
        loop {
            let next = inbox.next();
            if next.is_ready() {
                return next;
            }
            inbox = match deadline {
                None => self.arrived.wait(inbox).unwrap_or_else(|e| e.into_inner()),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return next;
                    }
                    self.arrived.wait_timeout(inbox, left).unwrap_or_else(|e| e.into_inner()).0
                }
            };
        }
    }

    /// The same for a task, which is woken when there is something to take.
    pub(super) fn poll_take(&self, context: &Context<'_>) -> Poll<Option<Pending>> {
        let mut inbox = lock(&self.inbox);
        let next = inbox.next();
        if next.is_ready() || inbox.waits(context.waker()) {
            return next;
        }
        drop(inbox);
        // Wakers are cloned and dropped by code of others.
        let waker = context.waker().clone();
        let mut inbox = lock(&self.inbox);
        // Something may have been posted meanwhile, to a mailbox without this waker.
        let next = inbox.next();
        let unused = if next.is_ready() { Some(waker) } else { inbox.waker.replace(waker) };
        drop(inbox);
        drop(unused);
        next
    }

    #[cfg(test)]
    pub(super) fn pending(&self) -> usize {
        lock(&self.inbox).pending.len()
    }
}

impl Inbox {
    fn next(&mut self) -> Poll<Option<Pending>> {
        match self.pending.pop_front() {
            Some(pending) => Poll::Ready(Some(pending)),
            None if self.ended => Poll::Ready(None),
            None => Poll::Pending,
        }
    }

    fn waits(&self, waker: &Waker) -> bool {
        self.waker.as_ref().is_some_and(|waiting| waiting.will_wake(waker))
    }
}
