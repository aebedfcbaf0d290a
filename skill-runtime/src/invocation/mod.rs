//! A request to a rendered prompt: the one pipeline of every face.

mod request;

mod confirm;
mod extract;
mod find;
mod fork;
mod parallel;
mod pipeline;
mod record;
mod resources;
mod shell;

mod render;
mod shape;

mod outcome;

pub use outcome::{Outcome, Parts};
pub use request::Request;
pub use shape::Shape;

use crate::error::Error;
use crate::policy::Policy;
use crate::registry::Registry;

impl Registry {
    /// Invokes a skill: finds it, decides, renders its dependencies and itself.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use skilldeck_runtime::{Memory, Registry, Request, Source, SourceInfo, Tier};
    ///
    /// let mine = Arc::new(Memory::default());
    /// mine.insert("hello", "---\ndescription: Greets.\n---\nSay hello to $ARGUMENTS.\n");
    /// let source = Source::memory(mine, SourceInfo::new("mine", Tier::USER));
    /// let registry = Registry::builder().source(source).build()?;
    ///
    /// let outcome = registry.invoke(&Request::line("/skill:hello Ada"))?;
    /// assert_eq!(outcome.text(), "<skill name=\"hello\">\nSay hello to Ada.\n</skill>");
    /// # Ok::<(), skilldeck_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`ErrorKind`](crate::ErrorKind): the word reaches nothing or too much, policy refuses or
    /// a person has to be asked, the arguments do not fit, something that the skill needs failed.
    pub fn invoke(&self, request: &Request) -> Result<Outcome, Error> {
        self.invoke_with(&Policy::DEFAULT, request)
    }

    /// The same under this policy.
    ///
    /// # Errors
    /// As [`invoke`](Self::invoke).
    pub fn invoke_with(&self, policy: &Policy, request: &Request) -> Result<Outcome, Error> {
        pipeline::run(&self.snapshot(), self.host(), policy, request)
    }
}
