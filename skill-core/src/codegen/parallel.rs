//! Items to results on every processor: a compiler waits for this, and does nothing else meanwhile.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// From how many files on several threads are worth their start. A macro is not optimised, so one
/// file takes about half a millisecond.
const PARALLEL_FROM: usize = 32;

/// The results in the order of the items.
pub(super) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    if threads == 1 || items.len() < PARALLEL_FROM {
        return items.iter().map(work).collect();
    }
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = items
            .chunks(items.len().div_ceil(threads))
            .map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<_>>()))
            .collect();
        let results = workers.into_iter().map(ScopedJoinHandle::join);
        results.flat_map(|part| part.unwrap_or_else(|fault| resume_unwind(fault))).collect()
    })
}
