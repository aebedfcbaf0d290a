//! Registries over real directories that change under them.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod alone;
mod busy;
mod checkout;
mod contents;
mod editors;
mod handlers;
mod limits;
mod links;
mod moves;
mod polling;
mod random;
mod roots;
mod support;
#[path = "../support/mod.rs"]
mod tree;
