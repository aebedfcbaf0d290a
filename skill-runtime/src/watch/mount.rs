//! A directory to the reason why its file system may not report every change.

use std::fs;
use std::path::{Path, PathBuf};

/// File systems that others change too, of which this system then knows nothing.
const SHARED: &[&str] = &[
    "9p",
    "afs",
    "ceph",
    "cifs",
    "drvfs",
    "fuse.gcsfuse",
    "fuse.glusterfs",
    "fuse.grpcfuse",
    "fuse.osxfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
    "vmhgfs",
];

/// Where Linux says what is mounted; elsewhere there is no such file, and nothing is known.
const MOUNTS: &str = "/proc/self/mountinfo";

/// The mounted file systems that do not report every change.
#[derive(Debug, Default)]
pub(super) struct Mounts {
    /// Every mount point with its file system, in the order of mounting.
    points: Vec<(PathBuf, String)>,
}

impl Mounts {
    /// What is mounted now; nothing is known of it where none of it is shared.
    pub(super) fn now() -> Self {
        let mounts = Self::parse(&fs::read_to_string(MOUNTS).unwrap_or_default());
        let is_shared = |(_, kind): &(PathBuf, String)| SHARED.contains(&kind.as_str());
        if mounts.points.iter().any(is_shared) { mounts } else { Self::default() }
    }

    /// Reads the lines `36 35 98:0 /from /mount\040point rw,noatime master:1 - ext4 /dev/x rw`.
    pub(super) fn parse(text: &str) -> Self {
        let point = |line: &str| {
            let (place, kind) = line.split_once(" - ")?;
            let point = unescape(place.split(' ').nth(4)?);
            Some((PathBuf::from(point), kind.split(' ').next()?.to_owned()))
        };
        Self { points: text.lines().filter_map(point).collect() }
    }

    /// The kind of the file system that a directory lies in, if others may change it unseen.
    pub(super) fn shared(&self, directory: &Path) -> Option<&str> {
        let over = self.points.iter().filter(|(point, _)| directory.starts_with(point));
        // Of several at one point, the last one is on top.
        let (_, kind) = over.max_by_key(|(point, _)| point.as_os_str().len())?;
        SHARED.contains(&kind.as_str()).then_some(kind)
    }
}

/// Space, tab, line end and backslash are written as `\040` and so on.
fn unescape(text: &str) -> String {
    ["\\040", "\\011", "\\012", "\\134"]
        .iter()
        .zip([" ", "\t", "\n", "\\"])
        .fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
}

#[cfg(test)]
mod tests;
