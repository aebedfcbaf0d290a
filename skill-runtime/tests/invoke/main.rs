//! From a request to a rendered prompt, on real decks.

#![expect(clippy::unwrap_used, reason = "what stands around the tests may fail them too")]

mod allocations;
mod announcer;
mod cases;
mod configured;
mod confirmation;
mod dependencies;
mod fork;
mod lines;
mod observers;
mod policy;
mod properties;
mod resources;
#[cfg(feature = "schema")]
mod schema;
mod shell;
mod support;
