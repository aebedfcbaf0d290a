//! Changes of the file system to looks: keeps a registry current while files change.
//!
//! A [`Plan`](plan::Plan) says in which directories changes show, [`Armed`](armed::Armed) has the
//! system report them, the [`Inbox`](inbox::Inbox) takes the reports, the
//! [`Coalescer`](coalesce::Coalescer) waits for quiet, and the [`Lookout`](lookout::Lookout) has
//! the registry look. What a path means for a skill is the catalog's business: too much may be
//! reported here, never too little.

mod status;

#[cfg(feature = "watch")]
mod options;

#[cfg(feature = "watch")]
mod notice;

#[cfg(feature = "watch")]
mod backend;

#[cfg(feature = "watch")]
mod inbox;

#[cfg(feature = "watch")]
mod coalesce;

#[cfg(feature = "watch")]
mod trace;

#[cfg(feature = "watch")]
mod mount;

#[cfg(feature = "watch")]
mod plan;

#[cfg(feature = "watch")]
mod armed;

#[cfg(feature = "watch")]
mod lookout;

#[cfg(feature = "watch")]
mod watcher;

#[cfg(not(feature = "watch"))]
mod disabled;

use std::sync::Arc;

use crate::catalog::{Look, Territory};

#[cfg(not(feature = "watch"))]
pub(crate) use disabled::{WatchOptions, Watcher};
#[cfg(feature = "watch")]
pub use options::WatchOptions;
pub use status::{Attention, WatchedRoot, Watching};
#[cfg(feature = "watch")]
pub(crate) use watcher::Watcher;

/// What is kept current.
#[cfg_attr(not(feature = "watch"), expect(dead_code, reason = "nothing watches"))]
pub(crate) trait Watched: Send + Sync {
    /// Looks again and publishes what changed.
    fn look(&self, look: &Look);

    /// Where changes show, as of the last look.
    fn territories(&self) -> Vec<Arc<Territory>>;
}

#[cfg(test)]
#[cfg(feature = "watch")]
mod tests;
