//! Work that can be done in parts to the same work on several threads, where that is worth it.

use std::num::NonZero;
use std::ops::Range;
use std::panic;
use std::sync::OnceLock;
use std::thread;

/// More threads than this only wait for the same disk.
const MAX_THREADS: usize = 8;

/// How many parts to make of this many steps, where `least` steps make up for starting a thread.
pub(super) fn parts(steps: usize, least: usize) -> usize {
    // The system is asked once: to ask it opens files.
    static THREADS: OnceLock<usize> = OnceLock::new();
    let worth = steps / least;
    if worth < 2 {
        return 1;
    }
    let threads = || thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    worth.min(*THREADS.get_or_init(threads))
}

/// The steps of one of these parts.
pub(super) fn share(steps: usize, part: usize, parts: usize) -> Range<usize> {
    steps * part / parts..steps * (part + 1) / parts
}

/// Does each part on a thread of its own, the first on this one; the results in their order.
pub(super) fn on_threads<P: Send, R: Send>(
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(P) -> R + Sync,
) -> Vec<R> {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return Vec::new() };
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut results = vec![work(first)];
        for worker in workers {
            results.push(worker.join().unwrap_or_else(|fault| panic::resume_unwind(fault)));
        }
        results
    })
}
