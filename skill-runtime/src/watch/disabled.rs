//! What stands in for watching where it was not compiled in: nothing that could be made.

use std::io;
use std::sync::Arc;

use super::{Watched, Watching};

/// How to watch: not at all.
#[derive(Clone, Copy)]
pub(crate) enum WatchOptions {}

/// A thread that never is.
pub(crate) enum Watcher {}

impl Watcher {
    pub(crate) fn start(_: &Arc<dyn Watched>, options: WatchOptions) -> io::Result<Self> {
        match options {}
    }

    pub(crate) fn nudge(&self) {
        match *self {}
    }

    pub(crate) fn watching(&self) -> Watching {
        match *self {}
    }
}
