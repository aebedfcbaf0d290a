//! A file to the few numbers that tell whether it was touched since it was read.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How old a file must be before equal numbers are proof: file systems stamp with a coarse clock,
/// so an edit within one tick of the last look can leave every number as it was.
const SETTLED_AFTER: Duration = Duration::from_millis(50);

/// Length and times of a file, and where the system has them its identity. Equal fingerprints mean
/// an unchanged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    changed: (i64, i64),
    #[cfg(unix)]
    identity: (u64, u64),
}

impl Fingerprint {
    /// The fingerprint of the file that a path leads to. `None` if it cannot be had, or if the file
    /// was touched so shortly before `now` that a later edit might not show: such a file is read
    /// again the next time. Take it before reading, so that an edit in between is seen later.
    pub(crate) fn of(path: &Path, now: SystemTime) -> Option<Self> {
        Self::settled(&fs::metadata(path).ok()?, now)
    }

    /// The same from what is known of a file.
    pub(super) fn settled(metadata: &Metadata, now: SystemTime) -> Option<Self> {
        let print = Self::from(metadata);
        print.is_settled(now).then_some(print)
    }

    #[cfg(unix)]
    fn from(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            identity: (metadata.dev(), metadata.ino()),
        }
    }

    #[cfg(not(unix))]
    fn from(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), modified: metadata.modified().ok() }
    }

    /// The time nobody can set by hand is the change time; elsewhere the modification time serves.
    #[cfg(unix)]
    fn is_settled(&self, now: SystemTime) -> bool {
        let (seconds, nanos) = self.changed;
        let Ok(seconds) = u64::try_from(seconds) else { return true };
        let nanos = u32::try_from(nanos).unwrap_or(0);
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos);
        is_before(changed, now)
    }

    #[cfg(not(unix))]
    fn is_settled(&self, now: SystemTime) -> bool {
        self.modified.is_some_and(|modified| is_before(modified, now))
    }
}

/// Whether a time lies far enough back. A time in the future (a clock that was set back) is settled
/// only once the clock has passed it, so such a file is read each time: slow, never wrong.
fn is_before(time: SystemTime, now: SystemTime) -> bool {
    now.duration_since(time).is_ok_and(|age| age >= SETTLED_AFTER)
}
