//! How changes are noticed, for those who ask.

use std::path::PathBuf;

/// How a registry notices that files change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watching {
    /// The roots of its directory sources, in their order; none if it is not watched.
    pub roots: Vec<WatchedRoot>,
    /// How often watching was cut short by a panic, of a source for instance. It goes on with the
    /// next poll.
    pub faults: u64,
}

/// A root and how its changes are noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WatchedRoot {
    /// The root; there may be nothing at it yet.
    pub root: PathBuf,
    /// How its changes are noticed.
    pub attention: Attention,
}

/// How the changes of a root are noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Attention {
    /// The system reports them.
    Watched,
    /// The files are looked at again and again, until the system can be made to report.
    Polled {
        /// Why, with what can be done about it.
        reason: String,
    },
}
