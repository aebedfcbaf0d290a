//! A directory of skills to the text of a static table, or to every fault that stands in the way.
//!
//! [`Directory::new`] finds the directory in the package, [`load`] reads it with the parser of the
//! run time, [`emit`] writes what was read as an expression of type
//! [`Deck`](crate::model::Deck). All that is written is constant, sorted and free of absolute
//! paths, so the same files give the same text on every machine.
//!
//! [`watch`] is what a build script calls: it has Cargo look at the directories, and show what is
//! only a warning.
//!
//! ```no_run
//! use std::path::Path;
//! use skilldeck_core::codegen::{Directory, Options, emit, load};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = Directory::new(Path::new("."), "skills")?;
//! match load(&[directory], &Options::default()) {
//!     Ok(loaded) => println!("{{ use skilldeck::__private as s; {} }}", emit(&loaded)),
//!     Err(faults) => faults.iter().for_each(|fault| eprintln!("error: {fault}\n")),
//! }
//! # Ok(())
//! # }
//! ```

mod details;
mod directory;
mod faults;
mod load;
mod options;
mod side_files;
mod tier;

mod emit;
mod pack;
mod parallel;

mod watch;

#[cfg(test)]
mod tests;

pub use crate::model::Prefix;
pub use directory::{Directory, DirectoryError};
pub use emit::emit;
pub use faults::Fault;
pub use load::{Loaded, load};
pub use options::{Files, OptionError, Options};
pub use tier::Tier;
pub use watch::{instructions, watch};
