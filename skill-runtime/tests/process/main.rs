//! Shell commands of skills as real processes: what reaches them, what they may take, how they end.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what stands around the tests may fail them too")]

mod corpus;
mod ends;
mod injection;
mod output;
mod support;
