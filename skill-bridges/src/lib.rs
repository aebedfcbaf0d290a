//! Skills as commands over agent protocols.
//!
//! A bridge converts and serves. It holds no policy and builds no prompt text: who may start what,
//! and what comes out, is the registry's. Each protocol is a feature.
//!
//! - `acp`: the Agent Client Protocol, which editors speak.

mod projects;

pub use projects::{Project, Projects};

#[cfg(feature = "acp")]
pub mod acp;
#[cfg(feature = "acp")]
mod lines;
