//! Signals, and the end of whoever reads the output, to the end of a command that waits.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use skilldeck::{Change, Subscription};

use super::output::Failure;

/// How long a command that was interrupted has to end by itself. One that cannot, because it writes
/// to a pipe that nobody empties, or reads a directory that does not answer, is ended then.
const GRACE: Duration = Duration::from_millis(500);

/// What there is to do next.
#[derive(Debug)]
pub(crate) enum Next {
    /// Something was published.
    Change(Box<Change>),
    /// The time is over.
    Time,
    /// It was interrupted, or nobody reads what it prints: nothing more is to be done.
    End,
}

/// Knows when a command that waits for changes is to end. From when it is made on, SIGINT and
/// SIGTERM end the process with exit code 0.
#[derive(Debug)]
pub(crate) struct Ending(Arc<State>);

#[derive(Debug)]
struct State {
    is_here: AtomicBool,
    /// The thread that waits.
    waiter: Thread,
}

impl Ending {
    /// Begins to listen, for the thread that calls this.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let state = Arc::new(State { is_here: AtomicBool::new(false), waiter: thread::current() });
        let interrupted = Arc::clone(&state);
        ctrlc::set_handler(move || {
            interrupted.come();
            thread::sleep(GRACE);
            process::exit(0);
        })
        .map_err(|error| Failure::No(format!("signals cannot be handled: {error}")))?;
        #[cfg(unix)]
        reader::watch(&state)?;
        Ok(Self(state))
    }

    /// Waits for the next change, at most until a time if there is one.
    pub(crate) fn next(&self, subscription: &mut Subscription, until: Option<Instant>) -> Next {
        let waker = Waker::from(Arc::clone(&self.0));
        let mut context = Context::from_waker(&waker);
        loop {
            if self.0.is_here.load(Ordering::Acquire) {
                return Next::End;
            }
            match subscription.poll_recv(&mut context) {
                Poll::Ready(Some(change)) => return Next::Change(Box::new(change)),
                Poll::Ready(None) => return Next::End,
                Poll::Pending => {}
            }
            let Some(until) = until else {
                thread::park();
                continue;
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Time;
            }
            thread::park_timeout(left);
        }
    }
}

impl State {
    fn come(&self) {
        self.is_here.store(true, Ordering::Release);
        self.waiter.unpark();
    }
}

/// What waits is woken by the same means whatever happened.
impl Wake for State {
    fn wake(self: Arc<Self>) {
        self.waiter.unpark();
    }
}

/// The reader of a pipe may go while there is nothing to write: a write would never find out.
#[cfg(unix)]
mod reader {
    use std::io;
    use std::sync::Arc;
    use std::thread;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::retry_on_intr;

    use super::{Failure, State};

    /// Starts a thread that sleeps until nobody reads standard output any more.
    pub(super) fn watch(state: &Arc<State>) -> Result<(), Failure> {
        let state = Arc::clone(state);
        let run = move || {
            let stdout = io::stdout();
            // Asked for nothing, it tells only of what is over; a file never is.
            let mut told = [PollFd::new(&stdout, PollFlags::empty())];
            let is_told = retry_on_intr(|| poll(&mut told, None)).is_ok();
            if is_told && told[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
                state.come();
            }
        };
        thread::Builder::new().name("skilldeck-pipe".to_owned()).spawn(run)?;
        Ok(())
    }
}
