//! Dependencies: a stable topological order, and what stands in its way.

mod adjacency;
mod cycles;
mod faults;
mod resolution;
#[cfg(test)]
mod tests;
mod topological;

pub use resolution::{Node, Resolution, Unavailable, resolve};
pub use topological::{Order, order};
