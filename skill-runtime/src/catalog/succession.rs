//! A version of a skill and the one before it to the one that is kept.

use std::sync::Arc;

use super::item::Loaded;

/// What was read, or the version before if nothing that matters is different: a file that was only
/// touched is no change.
pub(super) fn succeed(loaded: Loaded, before: Option<Arc<Loaded>>) -> Arc<Loaded> {
    before.filter(|before| **before == loaded).unwrap_or_else(|| Arc::new(loaded))
}
