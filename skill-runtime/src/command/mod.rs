//! A typed line to a command word and its arguments.

mod line;
mod suggest;

pub use line::{Line, Syntax, Typed, parse_line};
pub(crate) use suggest::{unknown, unnamed};

#[cfg(test)]
mod tests;
