//! Changes over time to the looks that they are worth. It has no clock: it is told the time.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::catalog::Look;

/// From more paths than this on, looking at everything is no more work than looking at each.
const MAX_PATHS: usize = 256;

/// What is to be looked at, once it is quiet.
pub(super) struct Coalescer {
    quiet: Duration,
    delay: Duration,
    paths: BTreeSet<PathBuf>,
    everything: bool,
    /// When the first and the last of the paths came.
    span: Option<(Instant, Instant)>,
    /// When everything is due.
    urgent: Option<Instant>,
    /// When everything was due last because reports were lost.
    lost: Option<Instant>,
}

impl Coalescer {
    pub(super) fn new(quiet: Duration, delay: Duration) -> Self {
        Self {
            quiet,
            delay,
            paths: BTreeSet::new(),
            everything: false,
            span: None,
            urgent: None,
            lost: None,
        }
    }

    /// A path is to be looked at, once nothing was added for a while.
    pub(super) fn add(&mut self, path: PathBuf, now: Instant) {
        self.span = Some((self.span.map_or(now, |(first, _)| first), now));
        if !self.everything {
            self.paths.insert(path);
            if self.paths.len() > MAX_PATHS {
                self.paths.clear();
                self.everything = true;
            }
        }
    }

    /// Everything is to be looked at, at once.
    pub(super) fn everything(&mut self, now: Instant) {
        self.everything = true;
        self.paths.clear();
        self.urgent = Some(self.urgent.map_or(now, |due| due.min(now)));
    }

    /// Reports were lost: everything is to be looked at, at once; but where they are lost again and
    /// again, no sooner than the longest delay after the last time.
    pub(super) fn lost(&mut self, now: Instant) {
        let due = self.lost.map_or(now, |last| now.max(last + self.delay));
        self.lost = Some(due);
        self.everything(due);
    }

    /// When there is something to look at.
    pub(super) fn due(&self) -> Option<Instant> {
        let calm = self.span.map(|(first, last)| (last + self.quiet).min(first + self.delay));
        match (calm, self.urgent) {
            (Some(calm), Some(urgent)) => Some(calm.min(urgent)),
            (calm, urgent) => calm.or(urgent),
        }
    }

    /// What to look at now.
    pub(super) fn take(&mut self, now: Instant) -> Option<Look> {
        if self.due().is_none_or(|due| due > now) {
            return None;
        }
        self.span = None;
        self.urgent = None;
        let paths = std::mem::take(&mut self.paths);
        let everything = std::mem::take(&mut self.everything);
        Some(if everything { Look::Everything } else { look_at(paths) })
    }
}

/// The look at these paths, or at everything if they are many.
pub(super) fn look_at(paths: BTreeSet<PathBuf>) -> Look {
    if paths.len() > MAX_PATHS { Look::Everything } else { Look::Paths(paths) }
}

#[cfg(test)]
mod tests;
