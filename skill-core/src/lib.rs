//! SKILL.md bytes to the model that the macro, the build script, `check` and the run time share.
//!
//! The modules stand in the order of the data's way: bytes become a [`Skill`](model::Skill) in
//! [`mod@format`], its body is cut in [`template`], dependencies are ordered in [`graph`], a directory
//! is discovered in `scan` and becomes a static table in `codegen`. Nothing here starts a
//! process, only `codegen` starts threads, which end before it does, and only `scan` reads from disk.

pub mod diagnostic;
pub mod model;

pub mod format;
pub mod template;

pub mod graph;

#[cfg(feature = "fs")]
pub mod scan;

#[cfg(feature = "fs")]
mod digest;
#[cfg(feature = "fs")]
mod glob;
#[cfg(feature = "fs")]
mod verify;

#[cfg(feature = "codegen")]
pub mod codegen;

#[doc(hidden)]
#[allow(missing_docs, reason = "the fields are those of the model")]
pub mod unpack;
