//! Locks and the pointer to the current snapshot: the real ones, or those of the model checker.

#[cfg(not(all(test, loom)))]
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};

#[cfg(not(all(test, loom)))]
pub(super) use arc_swap::ArcSwap;
#[cfg(all(test, loom))]
pub(super) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(all(test, loom))]
pub(super) use swap::ArcSwap;

use std::sync::PoisonError;

/// Takes a lock. No code of others runs under one of these, and each is left only when what it
/// guards is whole again, so a poisoned one is as good as new.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The model checker knows no `ArcSwap`: one that does the same, behind a lock that it does know.
#[cfg(all(test, loom))]
mod swap {
    use std::sync::Arc;

    use super::{Mutex, lock};

    pub(crate) struct ArcSwap<T>(Mutex<Arc<T>>);

    impl<T> ArcSwap<T> {
        pub(crate) fn from_pointee(value: T) -> Self {
            Self(Mutex::new(Arc::new(value)))
        }

        pub(crate) fn load_full(&self) -> Arc<T> {
            Arc::clone(&lock(&self.0))
        }

        pub(crate) fn store(&self, value: Arc<T>) {
            *lock(&self.0) = value;
        }
    }
}
