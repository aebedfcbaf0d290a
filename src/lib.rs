//! Agent skills (SKILL.md), compiled into a binary and live over it.
//!
//! [`include_skills!`] compiles a directory of skills into a constant [`Deck`]. A [`Registry`] lays
//! the directories of the user and the project over it and publishes a [`Snapshot`] of what is in
//! force. [`Registry::invoke`] turns a line such as `/skill:commit fix the parser` into the prompt
//! for an agent.
//!
//! ```
//! use std::sync::Arc;
//!
//! use skilldeck::{Deck, Memory, Registry, Request, Source, SourceInfo, Tier};
//!
//! static DECK: Deck = skilldeck::include_skills!("skills");
//!
//! # fn main() -> Result<(), skilldeck::Error> {
//! // A directory would be `Source::directory(path, info)`, or `.default_roots(project)`.
//! let mine = Arc::new(Memory::default());
//! mine.insert("greet", "---\ndescription: Greets.\narguments: [who]\n---\nGreet $who.\n");
//! let registry = Registry::builder()
//!     .bundled(&DECK)
//!     .source(Source::memory(mine, SourceInfo::new("mine", Tier::USER)))
//!     .build()?;
//!
//! let outcome = registry.invoke(&Request::line("/skill:greet Ada"))?;
//! assert_eq!(outcome.text(), "<skill name=\"greet\">\nGreet Ada.\n</skill>");
//! # Ok(())
//! # }
//! ```
//!
//! The feature `watch`, on by default, gives `Builder::watch`: the registry stays current while files
//! change. The feature `stream` makes a [`Subscription`] a `futures_core::Stream`, `process` gives
//! `ProcessHost`, which runs the shell commands of skills, `config` gives `Configuration`, which reads
//! `skilldeck.yml`, `acp` gives `bridges::acp`, for editors, `rate-limit` lets a [`Policy`] limit how often skills are started, and `cli` builds
//! the `skilldeck` command line, with `watch`, `process` and `config`. What files may hold is on the
//! page [docs/format.md], how the crates fit together on [docs/architecture.md].
//!
//! [docs/format.md]: https://github.com/skilldeck/skilldeck/blob/main/docs/format.md
//! [docs/architecture.md]: https://github.com/skilldeck/skilldeck/blob/main/docs/architecture.md

pub use skilldeck_core::{diagnostic, format, graph, model, scan, template};

pub use skilldeck_core::model::{BundledSkill, Deck, SideFile, Skill, SkillCommand};

pub use skilldeck_runtime::*;

/// Skills as commands over agent protocols.
#[cfg(feature = "acp")]
pub use skilldeck_bridges as bridges;

/// Compiles the skills of a directory into the binary: an expression of type [`Deck`].
///
/// ```
/// # // The path is relative to the package that compiles the call.
/// static DECK: skilldeck::Deck = skilldeck::include_skills!("tests/fixtures/decks/basic");
///
/// let commit = DECK.get("commit").expect("the directory has a skill of this name");
/// assert_eq!(commit.skill.name(), "commit");
/// ```
///
/// The path is relative to the directory of Cargo.toml, has `/` between its parts on every system,
/// and stays inside the package. The expression is a constant: nothing is parsed, copied or even
/// run when the program starts.
///
/// Several directories, in a row or as a list in brackets, become one deck. Where two have a skill
/// with the same word, that of the earlier directory is taken and the other one left out. In a list a
/// directory may have a tier before it, `["skills", third_party: "vendor/skills"]`: one of `project`,
/// `user`, `third_party`, `core` and `bundled`, strongest first. The stronger tier wins a word before
/// the position does; a directory without one is `bundled`. At run time the whole deck is one source.
///
/// # Options
///
/// They follow the paths, in any order.
///
/// - `strict`: warnings are errors too. Without it they are not shown, as a macro has no way to
///   warn; `skilldeck_core::codegen::watch` in a build script shows them.
/// - `files = none`: the files beside a SKILL.md are not embedded. `files = all` is the default;
///   `files = "references/**"`, or a list of such globs in brackets, embeds those that match.
/// - `prefix = "team-"`: is put before every command word that does not start with it.
/// - `crate = some::path`: the path by which the generated code reaches this crate, for macros that
///   call this one; by default what the macro was found by.
///
/// The page [docs/embedding.md] has the rules of all of them.
///
/// [docs/embedding.md]: https://github.com/skilldeck/skilldeck/blob/main/docs/embedding.md
///
/// # Errors
///
/// Everything that is wrong with any file of the directory is a compile error, all at once: one for
/// each file, with line, column and help. So are command words that clash, dependencies that are
/// missing or have another version, and circles of them.
///
/// # Rebuilding
///
/// A file that was compiled in is tracked: when it changes or disappears, the crate is compiled
/// again. A *new* file is not seen by the compiler. One line in the `main` of `build.rs` takes care of that:
///
/// ```
/// println!("cargo::rerun-if-changed=skills");
/// ```
///
/// Without a build script, [`Deck::verify`] says in a test or a command what has changed since.
///
/// Name only directories that exist: Cargo takes one that is missing for one that has changed, in
/// every build. Keep the call in a small crate or one that is compiled anyway, as all of it is
/// compiled again when a skill changes.
#[macro_export]
macro_rules! include_skills {
    // Token trees, not a literal: a literal fragment loses the place that errors point at.
    ($($arguments:tt)*) => {
        $crate::__private::include_skills!([$crate] $($arguments)*)
    };
}

/// All that the code behind [`include_skills!`] names, so that this crate can have any name where
/// it is used. Not a stable API.
#[doc(hidden)]
pub mod __private {
    pub use core::{concat, env, include_bytes};

    // Whoever calls may have types of these names.
    pub type Str = str;
    pub type Byte = u8;

    pub use skilldeck_core::model::{
        BundledSkill, Deck, Dependency, Details, Extra, Index, Key, Selection, SideFile, Table,
        Text, Value,
    };
    pub use skilldeck_core::template::{Reference, Segment, ShellSpan};
    pub use skilldeck_core::unpack::{
        Pool, dependencies, details, extras, files, keys, names, pairs, references, segments,
        shells, skills, values,
    };
    pub use skilldeck_macros::include_skills;
}

/// The code of the README, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code of the guide, the same way.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
struct Embedding;

/// The code of the page on shell commands.
#[cfg(all(doctest, feature = "process"))]
#[doc = include_str!("../docs/shell.md")]
struct Shell;
