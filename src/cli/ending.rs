//! Signals, and the end of whoever reads the output, to the end of a command that waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

use skilldeck::{Change, Subscription};

use super::output::Failure;

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
    is_here: Arc<AtomicBool>,
    /// The thread that waits.
    waiter: Thread,
    /// The task that waits, if it is one.
    #[cfg(feature = "acp")]
    task: std::sync::Mutex<Option<Waker>>,
}

impl Ending {
    /// Begins to listen, for the thread that calls this.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let state = Arc::new(State {
            is_here: Arc::default(),
            waiter: thread::current(),
            #[cfg(feature = "acp")]
            task: std::sync::Mutex::default(),
        });
        signals::watch(&state)?;
        #[cfg(unix)]
        reader::watch(&state)?;
        Ok(Self(state))
    }

    /// Is ready when the command is to end. Without signals that a thread can wait for it is ready
    /// only at the next time it is looked at.
    #[cfg(feature = "acp")]
    pub(crate) fn until(self) -> impl Future<Output = ()> {
        std::future::poll_fn(move |context| {
            let mut task = self.0.task.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *task = Some(context.waker().clone());
            drop(task);
            match self.0.is_here.load(Ordering::Acquire) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
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
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Next::Time;
            }
            match left.into_iter().chain(signals::LONGEST_SLEEP).min() {
                Some(left) => thread::park_timeout(left),
                None => thread::park(),
            }
        }
    }
}

#[cfg(unix)]
impl State {
    fn come(&self) {
        self.is_here.store(true, Ordering::Release);
        self.waiter.unpark();
        #[cfg(feature = "acp")]
        if let Some(task) =
            self.task.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
        {
            task.wake();
        }
    }
}

/// What waits is woken by the same means whatever happened.
impl Wake for State {
    fn wake(self: Arc<Self>) {
        self.waiter.unpark();
    }
}

#[cfg(unix)]
mod signals {
    use std::process;
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{Failure, State};

    /// How long a command that was interrupted has to end by itself. One that cannot, because it
    /// writes to a pipe that nobody empties, or reads a directory that does not answer, is ended
    /// then.
    const GRACE: Duration = Duration::from_millis(500);

    /// Who sleeps is woken.
    pub(super) const LONGEST_SLEEP: Option<Duration> = None;

    /// Starts a thread that sleeps until there is a signal to end. Others do what they did: who
    /// runs this with `nohup` means it.
    pub(super) fn watch(state: &Arc<State>) -> Result<(), Failure> {
        let state = Arc::clone(state);
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let run = move || {
            if signals.forever().next().is_some() {
                state.come();
                thread::sleep(GRACE);
                process::exit(0);
            }
        };
        thread::Builder::new().name("skilldeck-signals".to_owned()).spawn(run)?;
        Ok(())
    }
}

/// Without signals that a thread could wait for, their handler sets a mark, and who sleeps looks.
#[cfg(not(unix))]
mod signals {
    use std::sync::Arc;
    use std::time::Duration;

    use signal_hook::consts::{SIGINT, SIGTERM};

    use super::{Failure, State};

    /// How soon a signal is seen.
    pub(super) const LONGEST_SLEEP: Option<Duration> = Some(Duration::from_millis(100));

    pub(super) fn watch(state: &Arc<State>) -> Result<(), Failure> {
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&state.is_here))?;
        }
        Ok(())
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
