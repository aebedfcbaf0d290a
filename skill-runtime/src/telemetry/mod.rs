//! Activation events: what was started, how it ended.

mod activation;
mod hash;
mod observer;
mod packed;

pub use activation::{Activation, ActivationId, ActivationState};
pub(crate) use activation::{Draft, Ending};
pub use hash::ArgumentsHash;
pub(crate) use hash::{Use, drawn, keyed};
pub use observer::Observer;
pub(crate) use observer::notify;

#[cfg(test)]
mod tests;
