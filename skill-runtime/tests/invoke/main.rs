//! From a request to a rendered prompt, on real decks.

#![expect(clippy::unwrap_used, reason = "what stands around the tests may fail them too")]

mod allocations;
mod cases;
mod confirmation;
mod dependencies;
mod fork;
mod lines;
mod observers;
mod policy;
mod properties;
mod resources;
mod shell;
mod support;
