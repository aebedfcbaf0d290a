//! Packed numbers and texts to the skills of a static deck: what generated code is made of.
//!
//! Generated code could write each [`Skill`](crate::model::Skill) field by field, but a compiler
//! takes ten times as long for it: every expression is a node to check, to borrow-check and to lower.
//! So it writes each distinct text once, all else as one string of numbers, and constant functions
//! turn the two into skills while the crate is compiled. Texts stay literals of their own, because
//! the compiler copies the whole of what a constant reference points into. Not a stable API.
//!
//! [`codegen`](crate::codegen) writes what is read here, in the same order.
//!
//! Calls are what costs time in a constant, so numbers are read by macros, and what is often empty is
//! not asked for.
#[macro_use]
mod read;
mod cursor;
mod lists;

pub use lists::{
    dependencies, details, extras, files, keys, names, pairs, references, segments, shells, skills,
    values,
};

use crate::model::{Dependency, Details, Extra, SideFile, Text, Value};
use crate::template::{Reference, Segment, ShellSpan};

/// What numbers refer to: the texts, and the items of all lists, each list a run of one of these.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    pub texts: &'static [&'static str],
    pub names: &'static [Text],
    pub values: &'static [Value],
    pub pairs: &'static [(Text, Value)],
    pub dependencies: &'static [Dependency],
    pub extras: &'static [Extra],
    pub details: &'static [Details],
    pub segments: &'static [Segment],
    pub references: &'static [Reference],
    pub shells: &'static [ShellSpan],
    pub files: &'static [SideFile],
}

impl Pool {
    /// Nothing.
    pub const EMPTY: Self = Self {
        texts: &[],
        names: &[],
        values: &[],
        pairs: &[],
        dependencies: &[],
        extras: &[],
        details: &[],
        segments: &[],
        references: &[],
        shells: &[],
        files: &[],
    };
}

/// A field of [`Details`], in the order in which their values stand: its bit in the number before
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Aliases,
    WhenToUse,
    License,
    Compatibility,
    Metadata,
    Version,
    DependsOn,
    AllowedTools,
    DisallowedTools,
    ArgumentHint,
    Arguments,
    InputSchema,
    SlashCommand,
    UserInvocable,
    DisableModelInvocation,
    AllowedAgents,
    RequireConfirmation,
    Context,
    Agent,
    Model,
    Effort,
    Background,
    Shell,
    Hooks,
    Paths,
    Extra,
    Restriction,
}
