//! The command line as scripts and people use it: the real binary on real directories.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(all(feature = "acp", unix))]
mod acp;
mod add;
mod at_once;
mod bad_input;
mod cases;
mod check;
mod check_watch;
mod configuration;
mod corpus;
mod list;
mod new;
mod run;
mod running;
#[cfg(unix)]
mod shell;
mod show;
mod support;
mod verify;
mod watch;
