//! A shell span to its command and the placeholders in it, rewritten so that the shell resolves
//! them from its environment. Nothing here runs anything.

mod command;
mod frame;
mod heredoc;
mod lexer;
mod script;
mod stack;

#[cfg(test)]
mod tests;

pub(super) use script::{Quoting, Script, Use};

use super::Argument;

/// The environment variable that holds the raw text.
pub(super) const ARGUMENTS: &str = "ARGUMENTS";
/// The environment variable that holds the words from the highest placeholder on.
pub(super) const REST: &str = "SKILL_ARG_REST";
/// What the environment variable of a word starts with; its 0-based index follows.
pub(super) const WORD: &str = "SKILL_ARG_";

/// The reference that the shell resolves, with braces so that it cannot merge with what follows.
fn reference(argument: Argument) -> String {
    match argument {
        Argument::All => format!("${{{ARGUMENTS}}}"),
        Argument::Rest(_) => format!("${{{REST}}}"),
        Argument::Position(index) | Argument::Named(index) => format!("${{{WORD}{index}}}"),
    }
}
