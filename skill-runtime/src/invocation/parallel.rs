//! Independent jobs to their results in order, several at a time.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::cancel::CancelToken;
use crate::telemetry::Surroundings;

/// How many jobs run at a time.
const LIMIT: usize = 8;

/// Does the jobs `0..count`, and gives their results in order, or the error of the first that
/// failed. By position, not by time: a failure cancels the jobs behind it and lets those before it
/// go on, so that what comes out does not depend on which was faster.
///
/// Each job gets a token that is cancelled with `cancel`, or when its result is not wanted any more.
pub(super) fn in_order<T: Send, E: Send>(
    count: usize,
    cancel: &CancelToken,
    job: impl Fn(usize, &CancelToken) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    if count <= 1 {
        return (0..count).map(|at| job(at, cancel)).collect();
    }
    let tokens: Vec<CancelToken> = (0..count).map(|_| cancel.child()).collect();
    let next = AtomicUsize::new(0);
    let failed = AtomicUsize::new(count);
    let work = || {
        // A job that panics ends them all: nobody will see their results.
        let _guard = CancelOnPanic(&tokens);
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= failed.load(Ordering::Acquire) {
                return done;
            }
            let result = job(at, &tokens[at]);
            if result.is_err() {
                failed.fetch_min(at, Ordering::AcqRel);
                tokens[at + 1..].iter().for_each(CancelToken::cancel);
            }
            done.push((at, result));
        }
    };
    let surroundings = Surroundings::here();
    let mut done = thread::scope(|scope| {
        // This thread works too: where no thread can be had, it does all of it.
        let help = || surroundings.within(work);
        let start = |_| thread::Builder::new().spawn_scoped(scope, help).ok();
        let helpers: Vec<_> = (1..count.min(LIMIT)).filter_map(start).collect();
        let mut done = work();
        for helper in helpers {
            match helper.join() {
                Ok(more) => done.extend(more),
                Err(panic) => resume_unwind(panic),
            }
        }
        done
    });
    // Those that were left out are behind one that failed.
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

struct CancelOnPanic<'a>(&'a [CancelToken]);

impl Drop for CancelOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.iter().for_each(CancelToken::cancel);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, mpsc};
    use std::time::{Duration, Instant};

    use super::{LIMIT, in_order};
    use crate::cancel::CancelToken;

    fn until(what: impl Fn() -> bool) {
        let bound = Instant::now() + Duration::from_secs(20);
        while !what() {
            assert!(Instant::now() < bound, "it did not happen");
            std::thread::yield_now();
        }
    }

    #[test]
    fn results_are_in_order_whoever_is_first() {
        // The first can only end once the last has begun.
        let (sender, receiver) = mpsc::sync_channel(1);
        let receiver = std::sync::Mutex::new(receiver);
        let done: Result<Vec<usize>, ()> = in_order(5, &CancelToken::new(), |at, _| {
            match at {
                0 => receiver.lock().unwrap().recv_timeout(Duration::from_secs(20)).unwrap(),
                4 => sender.send(()).unwrap(),
                _ => {}
            }
            Ok(at)
        });
        assert_eq!(done, Ok(vec![0, 1, 2, 3, 4]));
    }

    #[test]
    fn as_many_run_at_a_time_as_are_allowed() {
        let together = Barrier::new(LIMIT);
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let done: Result<Vec<()>, ()> = in_order(3 * LIMIT, &CancelToken::new(), |_, _| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            together.wait();
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        });
        assert_eq!(done.map(|done| done.len()), Ok(3 * LIMIT));
        assert_eq!(most.into_inner(), LIMIT);
    }

    #[test]
    fn the_first_by_position_decides_and_ends_those_behind_it() {
        let (begun, ended, most) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let result: Result<Vec<()>, usize> = in_order(20, &CancelToken::new(), |at, cancel| {
            most.fetch_max(at, Ordering::SeqCst);
            match at {
                0 | 2 => until(|| ended.load(Ordering::SeqCst) == 1),
                // It fails last, and what is before a failure goes on.
                1 => {
                    until(|| ended.load(Ordering::SeqCst) == 1);
                    assert!(!cancel.is_cancelled());
                    return Err(at);
                }
                // It fails first, once one behind it runs.
                3 => {
                    until(|| begun.load(Ordering::SeqCst) == 1);
                    return Err(at);
                }
                4 => {
                    begun.store(1, Ordering::SeqCst);
                    until(|| cancel.is_cancelled());
                    ended.store(1, Ordering::SeqCst);
                }
                _ => until(|| cancel.is_cancelled()),
            }
            Ok(())
        });
        assert_eq!(result, Err(1));
        assert!(most.into_inner() < LIMIT, "what had not begun does not begin");
    }

    #[test]
    fn cancelling_all_and_a_panic_reach_every_job() {
        let whole = CancelToken::new();
        let result: Result<Vec<()>, usize> = in_order(4, &whole, |at, cancel| {
            if at == 3 {
                whole.cancel();
            }
            until(|| cancel.is_cancelled());
            Err(at)
        });
        assert_eq!(result, Err(0));
        let panics = AssertUnwindSafe(|| {
            in_order::<(), ()>(4, &CancelToken::new(), |at, cancel| {
                assert_ne!(at, 2, "on purpose");
                until(|| cancel.is_cancelled());
                Ok(())
            })
        });
        assert!(catch_unwind(panics).is_err());
    }
}
