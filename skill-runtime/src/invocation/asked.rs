//! A request to what it asks for, before anything is decided.

use super::Request;
use super::find::reach;
use super::request::Target;
use crate::command::Typed;
use crate::policy::Policy;
use crate::registry::Registry;
use crate::snapshot::Lookup;

/// What a request asks for. A face that stands before an agent passes on what is not for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Asked {
    /// A skill that is there, or several that the word may mean.
    Skill,
    /// A skill, by the prefix that only skills have, and there is none.
    NoSkill,
    /// A bare word that is no skill's: it may be a command of somebody else.
    Unknown,
    /// The list of skills.
    List,
    /// A command of the host.
    Native,
    /// No command: text for the agent.
    Text,
}

impl Registry {
    /// What a request asks for. Nothing is started, and policy is not asked.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use skilldeck_runtime::{Asked, Memory, Registry, Request, Source, SourceInfo, Tier};
    ///
    /// let mine = Arc::new(Memory::default());
    /// mine.insert("greet", "---\ndescription: Greets.\n---\nHello.\n");
    /// let source = Source::memory(mine, SourceInfo::new("mine", Tier::USER));
    /// let registry = Registry::builder().source(source).build()?;
    ///
    /// for (line, asked) in [
    ///     ("/greet Ada", Asked::Skill),
    ///     ("/skill:greet Ada", Asked::Skill),
    ///     ("/skill:compact", Asked::NoSkill),
    ///     ("/compact", Asked::Unknown),
    ///     ("/skills", Asked::List),
    ///     ("hello", Asked::Text),
    /// ] {
    ///     assert_eq!(registry.asked(&Request::line(line)), asked, "{line}");
    /// }
    /// # Ok::<(), skilldeck_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn asked(&self, request: &Request) -> Asked {
        self.asked_with(self.policy(), request)
    }

    /// The same under another policy.
    #[must_use]
    pub fn asked_with(&self, policy: &Policy, request: &Request) -> Asked {
        let (word, is_bare) = match &request.target {
            Target::Command { word, .. } => (word.as_str(), false),
            Target::Line(line) => match request.read(line, policy) {
                Typed::Skill(typed) => {
                    // Behind a prefix the word is not all there is before the first white space.
                    let first = line.split(char::is_whitespace).next().unwrap_or_default();
                    (typed.word, first.strip_prefix('/') == Some(typed.word))
                }
                Typed::List => return Asked::List,
                Typed::Native(_) => return Asked::Native,
                Typed::Text => return Asked::Text,
            },
        };
        match reach(&self.snapshot(), policy, word) {
            Lookup::Found(_) | Lookup::Ambiguous(_) => Asked::Skill,
            Lookup::Unknown(_) if is_bare => Asked::Unknown,
            Lookup::Unknown(_) => Asked::NoSkill,
        }
    }
}
