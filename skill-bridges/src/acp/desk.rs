//! The one prompt that a session answers at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::channel::oneshot;
use futures::future::{Either, select};
use skilldeck_runtime::CancelToken;

/// Where a session works on its prompt.
#[derive(Default)]
pub(super) struct Desk {
    turn: Mutex<Option<Running>>,
}

/// What ends a turn from elsewhere.
struct Running {
    cancel: CancelToken,
    stop: Option<oneshot::Sender<()>>,
}

/// A prompt that is being answered. The desk is free for the next one when this is dropped.
pub(super) struct Turn {
    desk: Arc<Desk>,
    /// For what runs on other threads.
    pub(super) cancel: CancelToken,
    /// For what waits on this one.
    stopped: oneshot::Receiver<()>,
}

/// The turn was cancelled before what it waited for was there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

impl Desk {
    /// Begins a turn; `None` while there is another one.
    pub(super) fn begin(self: &Arc<Self>) -> Option<Turn> {
        let mut turn = self.turn();
        if turn.is_some() {
            return None;
        }
        let cancel = CancelToken::new();
        let (stop, stopped) = oneshot::channel();
        *turn = Some(Running { cancel: cancel.clone(), stop: Some(stop) });
        drop(turn);
        Some(Turn { desk: Arc::clone(self), cancel, stopped })
    }

    /// Cancels the turn, if there is one.
    pub(super) fn cancel(&self) {
        if let Some(running) = &mut *self.turn() {
            running.cancel.cancel();
            // Nobody waits if it ends just now.
            let _ = running.stop.take().map(|stop| stop.send(()));
        }
    }

    fn turn(&self) -> MutexGuard<'_, Option<Running>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Waits for this, or until the turn is cancelled. What runs on another thread hears of that by
    /// the token, and is not waited for.
    pub(super) async fn until_stopped<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, Stopped> {
        if self.cancel.is_cancelled() {
            return Err(Stopped);
        }
        match select(std::pin::pin!(work), &mut self.stopped).await {
            Either::Left((result, _)) => Ok(result),
            Either::Right(_) => Err(Stopped),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *self.desk.turn() = None;
    }
}
