//! How soon a change is acted upon, and how often files are looked at unasked.

use std::time::Duration;

/// How a registry is watched.
///
/// ```
/// use std::time::Duration;
///
/// use skilldeck_runtime::WatchOptions;
///
/// let patient = WatchOptions { quiet: Duration::from_millis(200), ..WatchOptions::default() };
/// assert_eq!(patient.delay, WatchOptions::DELAY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchOptions {
    /// How long nothing may have happened before what did is looked at.
    pub quiet: Duration,
    /// How long the first of several changes waits at most, however busy it stays.
    pub delay: Duration,
    /// How often everything is looked at, whatever the system reported; at least
    /// [`SHORTEST`](Self::SHORTEST), never with [`Duration::MAX`].
    pub sweep: Duration,
    /// How often everything is looked at while the system cannot report; at least
    /// [`SHORTEST`](Self::SHORTEST).
    pub poll: Duration,
    /// Whether to poll even where the system could report, for file systems that do not do what
    /// they say.
    pub force_polling: bool,
}

impl WatchOptions {
    /// The usual `quiet`: an editor's save is over by then, and nobody notices the wait.
    pub const QUIET: Duration = Duration::from_millis(50);
    /// The usual `delay`.
    pub const DELAY: Duration = Duration::from_millis(500);
    /// The usual `sweep`: looking at a thousand unchanged files takes about a millisecond.
    pub const SWEEP: Duration = Duration::from_secs(30);
    /// The usual `poll`.
    pub const POLL: Duration = Duration::from_secs(2);
    /// The shortest interval of sweeping and polling.
    pub const SHORTEST: Duration = Duration::from_millis(10);

    /// More than this is the same as never.
    const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

    /// The same with times that can be reckoned with.
    pub(super) fn clamped(self) -> Self {
        Self {
            quiet: self.quiet.min(Self::LONGEST),
            delay: self.delay.min(Self::LONGEST),
            sweep: self.sweep.clamp(Self::SHORTEST, Self::LONGEST),
            poll: self.poll.clamp(Self::SHORTEST, Self::LONGEST),
            ..self
        }
    }
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            quiet: Self::QUIET,
            delay: Self::DELAY,
            sweep: Self::SWEEP,
            poll: Self::POLL,
            force_polling: false,
        }
    }
}
