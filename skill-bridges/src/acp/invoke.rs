//! A request to its outcome, where invocations may block, with the questions it raises on the way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use agent_client_protocol::v1::schema::RequestPermissionOutcome;
use async_lock::Semaphore;
use futures::future::BoxFuture;
use skilldeck_runtime::{Error, ErrorKind, Outcome, Request};

use super::ask::{self, Answer};
use super::desk::{Stopped, Turn};
use super::words;
use crate::Project;

/// How many invocations run at the same time.
const MOST_AT_ONCE: usize = 32;

/// How often a user is asked about one prompt.
const MOST_QUESTIONS: u32 = 3;

/// The threads on which invocations block: as many as run at once, and no more.
#[derive(Clone)]
pub(super) struct Pool(Arc<Semaphore>);

impl Pool {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST_AT_ONCE)))
    }

    /// Runs this where it may block. `None` if it panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        // Held until the work ends, also if nobody waits for it any more.
        let permit = self.0.acquire_arc().await;
        blocking::unblock(move || {
            let result = catch_unwind(AssertUnwindSafe(work)).ok();
            drop(permit);
            result
        })
        .await
    }
}

/// A question that is being asked: what was chosen, or why nobody can be asked.
pub(super) type Asking = BoxFuture<'static, Result<RequestPermissionOutcome, String>>;

/// Why there is no outcome.
pub(super) enum Failed {
    /// The turn was cancelled.
    Stopped,
    /// The registry says why.
    Refused(Error),
    /// A person is told why.
    Said(String),
}

impl From<Stopped> for Failed {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

/// Invokes, and asks the user where that is wanted. `ask` shows a question.
pub(super) async fn invoke(
    pool: &Pool,
    turn: &mut Turn,
    project: &Arc<Project>,
    request: Request,
    ask: impl Fn(&str) -> Asking + Send,
) -> Result<Outcome, Failed> {
    let mut request = request.cancel(turn.cancel.clone());
    for _ in 0..MOST_QUESTIONS {
        let error = match run(pool, turn, project, request.clone()).await {
            Err(Failed::Refused(error)) => error,
            ended => return ended,
        };
        let ErrorKind::NeedsConfirmation { question, token } = error.kind() else {
            return Err(Failed::Refused(error));
        };
        match turn.until_stopped(ask(question)).await? {
            Ok(chosen) => match ask::answer(&chosen) {
                Answer::Yes => request = request.confirmation(&**token),
                Answer::No => return Err(Failed::Said(words::declined(question))),
                Answer::Cancelled => return Err(Failed::Stopped),
            },
            Err(why) => return Err(Failed::Said(words::cannot_ask(question, &why))),
        }
    }
    // Who said yes to a version that is gone was asked about the next one, but not for ever.
    run(pool, turn, project, request).await
}

async fn run(
    pool: &Pool,
    turn: &mut Turn,
    project: &Arc<Project>,
    request: Request,
) -> Result<Outcome, Failed> {
    let project = Arc::clone(project);
    let work = pool.run(move || project.registry().invoke(&request));
    match turn.until_stopped(work).await? {
        Some(Ok(outcome)) => Ok(outcome),
        Some(Err(error)) if *error.kind() == ErrorKind::Cancelled => Err(Failed::Stopped),
        Some(Err(error)) => Err(Failed::Refused(error)),
        None => Err(Failed::Said(words::PANICKED.to_owned())),
    }
}
