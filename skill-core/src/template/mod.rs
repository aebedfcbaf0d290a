//! A body, cut once into segments, and filled in a single pass.

mod dialect;
mod segment;

mod cut;
mod shell;

mod bind;
mod fill;
mod split;

#[cfg(test)]
mod tests;

pub use bind::{Bound, Variables, is_argument_variable};
pub use cut::{Cut, Lint};
pub use dialect::{Dialect, Positional, is_placeholder_name};
pub use segment::{Argument, Parts, Reference, Segment, ShellSpan, Span, Template, Variable};
pub use split::split;
