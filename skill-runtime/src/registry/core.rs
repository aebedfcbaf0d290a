//! Looks at the sources to published snapshots: what a registry shares with its watcher.

use std::sync::{Arc, Mutex, PoisonError};

use crate::catalog::{Catalog, Look, Territory};
use crate::snapshot::{Change, Snapshot, Store};
use crate::telemetry::drawn;
use crate::watch::Watched;

/// The catalog and the snapshots made from it.
pub(super) struct Core {
    pub(super) store: Store,
    /// Taken by writers only, so that reloads follow each other.
    catalog: Mutex<Catalog>,
}

impl Core {
    /// Loads every source.
    pub(super) fn new(mut catalog: Catalog) -> Self {
        let (deck, sources) = catalog.load(&Look::Everything, None);
        Self {
            store: Store::new(Snapshot::new(drawn(), 1, deck, sources)),
            catalog: Mutex::new(catalog),
        }
    }

    /// Looks again, reads what moved, and publishes what changed. If nothing did, nothing is
    /// published: the generation stays, and the change is empty.
    pub(super) fn reload(&self, look: &Look) -> Change {
        let mut catalog = self.catalog.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.store.load();
        let (deck, sources) = catalog.load(look, Some(current.deck()));
        if deck.is_as(current.deck()) && *sources == *current.sources() {
            return Change { generation: current.generation(), ..Change::default() };
        }
        let next = Snapshot::new(current.registry(), current.generation() + 1, deck, sources);
        let change = self.store.publish(next);
        drop(catalog);
        self.store.deliver();
        Arc::unwrap_or_clone(change)
    }
}

impl Watched for Core {
    fn look(&self, look: &Look) {
        self.reload(look);
    }

    fn territories(&self) -> Vec<Arc<Territory>> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner).territories()
    }
}
