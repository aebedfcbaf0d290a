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
mod schema;
mod shell;

mod render;
mod shape;

mod asked;
mod menu;
mod outcome;
mod tool;

pub use asked::Asked;
pub use outcome::{Outcome, Parts};
pub use request::Request;
pub use shape::Shape;
pub use tool::ModelTool;

use crate::error::Error;
use crate::policy::Policy;
use crate::registry::Registry;
use crate::snapshot::Snapshot;
use crate::telemetry::{Activation, ActivationState};

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
        self.invoke_with(self.policy(), request)
    }

    /// The same under another policy than that of the registry.
    ///
    /// # Errors
    /// As [`invoke`](Self::invoke).
    pub fn invoke_with(&self, policy: &Policy, request: &Request) -> Result<Outcome, Error> {
        let snapshot = self.snapshot();
        let outcome = pipeline::run(&snapshot, self.host(), policy, &self.telemetry, request)?;
        if self.telemetry.follows_sessions() {
            self.remember(&snapshot, request, &outcome);
        }
        Ok(outcome)
    }

    /// Remembers what the session was given. The answer of a fork is no text of a skill.
    fn remember(&self, snapshot: &Snapshot, request: &Request, outcome: &Outcome) {
        let Some(session) = request.session.as_deref().filter(|_| !outcome.is_answer()) else {
            return;
        };
        let started = |event: &&Activation| event.state() == ActivationState::Started;
        let words = || outcome.events().iter().filter(started).map(Activation::skill);
        self.telemetry.sessions.give(session, words(), snapshot.generation());
        // A change that was published meanwhile may have been told before this was remembered.
        let current = self.snapshot();
        if current.generation() != snapshot.generation() {
            let is_old = |word: &&str| {
                let both = snapshot.get(word).zip(current.get(word));
                both.is_some_and(|(old, new)| old.skill().template() != new.skill().template())
            };
            let old: Vec<String> = words().filter(is_old).map(str::to_owned).collect();
            self.telemetry.outdate(&old, current.generation());
        }
    }
}
