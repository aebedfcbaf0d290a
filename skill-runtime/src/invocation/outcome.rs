//! What came out of an invocation.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::Shape;
use super::record::Events;
use crate::policy::Grant;
use crate::telemetry::Activation;

/// A rendered skill, and what a host needs to know about it.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub(super) prompt: String,
    pub(super) answer: Option<String>,
    /// The bytes of `prompt` that hold arguments which no placeholder received.
    pub(super) appended: Range<usize>,
    /// The text that arguments are a part of, and where they are in it.
    pub(super) target: Arc<str>,
    pub(super) raw: Range<usize>,
    pub(super) shape: Shape,
    pub(super) generation: u64,
    pub(super) inject: bool,
    pub(super) grant: Grant,
    pub(super) notices: Vec<String>,
    pub(super) events: Events,
}

/// The text in two parts, for hosts that put instructions into the system prompt and arguments into
/// a turn of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The prompt without what was appended of the arguments; what placeholders received is in it.
    pub instructions: Cow<'a, str>,
    /// The arguments, verbatim.
    pub arguments: &'a str,
}

impl Outcome {
    /// The text to deliver: the prompt, or the answer of the fork that ran it.
    #[must_use]
    pub fn text(&self) -> &str {
        self.answer.as_deref().unwrap_or(&self.prompt)
    }

    /// The same, taken out.
    #[must_use]
    pub fn into_text(self) -> String {
        self.answer.unwrap_or(self.prompt)
    }

    /// The prompt in two parts, also if a fork ran it.
    #[must_use]
    pub fn parts(&self) -> Parts<'_> {
        let before = &self.prompt[..self.appended.start];
        let behind = &self.prompt[self.appended.end..];
        let instructions = match (before.is_empty(), behind.is_empty()) {
            (_, true) => Cow::Borrowed(before),
            (true, false) => Cow::Borrowed(behind),
            (false, false) => Cow::Owned([before, behind].concat()),
        };
        Parts { instructions, arguments: &self.target[self.raw.clone()] }
    }

    /// Whether [`text`](Self::text) is the answer of a fork and no prompt.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether the text is to be delivered. `auto-inject: false` gives it to the host only.
    #[must_use]
    pub fn inject(&self) -> bool {
        self.inject
    }

    /// The shape it has.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The name of the skill for display.
    #[must_use]
    pub fn skill(&self) -> &str {
        self.events.first().map_or("", Activation::name)
    }

    /// Its command word.
    #[must_use]
    pub fn word(&self) -> &str {
        self.events.first().map_or("", Activation::skill)
    }

    /// The generation of the deck it was rendered from.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// What it grants.
    #[must_use]
    pub fn grant(&self) -> &Grant {
        &self.grant
    }

    /// What a person should know: an untrusted skill shadows a trusted one, a version is stale.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Its events: it started, its dependencies started and completed, it completed.
    #[must_use]
    pub fn events(&self) -> &[Activation] {
        self.events.as_slice()
    }
}
