//! Snapshots to what a model is told of them: once in full, then only what is new.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Line, Listing, lines};
use crate::caller::{Caller, Initiator};
use crate::policy::Policy;
use crate::registry::Registry;
use crate::snapshot::Snapshot;

/// Tells the model of one conversation which skills there are: a listing for the system prompt at
/// its start, then a text to append whenever that has changed.
///
/// What was said already stays as it is, word for word, so a cache of the conversation's beginning
/// stays valid. A change of a body alone is not announced: a listing does not show bodies.
///
/// ```
/// use std::sync::Arc;
/// use skilldeck_runtime::{Announcer, Memory, Registry, Source, SourceInfo, Tier};
///
/// let mine = Arc::new(Memory::default());
/// mine.insert("commit", "---\ndescription: Commits.\n---\nCommit it.\n");
/// let mut info = SourceInfo::new("mine", Tier::USER);
/// info.trusted = true;
/// let source = Source::memory(Arc::clone(&mine), info);
/// let registry = Registry::builder().source(source).build()?;
///
/// let mut announcer = Announcer::new();
/// assert_eq!(announcer.listing(&registry.snapshot()).text, "- commit: Commits.");
/// assert_eq!(announcer.update(&registry.snapshot()), None);
///
/// mine.remove("commit");
/// mine.insert("review", "---\ndescription: Reviews.\n---\nReview it.\n");
/// registry.reload();
/// let update = announcer.update(&registry.snapshot()).expect("something to say");
/// assert_eq!(update, "New or changed skills:\n- review: Reviews.\nSkills no longer available: commit");
/// # Ok::<(), skilldeck_runtime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Announcer {
    policy: Arc<Policy>,
    agent: Option<String>,
    protocol: Option<String>,
    budget: Option<usize>,
    /// Whole lines by word, also of what was shown shortened: that another skill takes more room
    /// is no change of this one.
    told: BTreeMap<String, String>,
}

impl Announcer {
    /// For a model whose agent is not known, under the skills' own rules. It has been told nothing
    /// yet. [`Registry::announcer`] makes one under the policy of a registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The agent, for skills with `allowed-agents`.
    #[must_use]
    pub fn agent(mut self, agent: impl Into<String>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// The policy that says what is told.
    #[must_use]
    pub fn policy(mut self, policy: impl Into<Arc<Policy>>) -> Self {
        self.policy = policy.into();
        self
    }

    /// The protocol of the conversation, which configuration may have switched off.
    #[must_use]
    pub fn protocol(mut self, protocol: impl Into<String>) -> Self {
        self.protocol = Some(protocol.into());
        self
    }

    /// How many Unicode scalar values a listing or an update may have; names are always kept (see
    /// [`Snapshot::listing`]).
    #[must_use]
    pub fn budget(mut self, budget: usize) -> Self {
        self.budget = Some(budget);
        self
    }

    /// All that the model may use: the start of a conversation, or its new start after its context
    /// was cleared.
    pub fn listing(&mut self, snapshot: &Snapshot) -> Listing {
        let lines = lines(snapshot, &self.policy, &self.caller());
        let listing = Listing::of(&lines, self.budget);
        self.told = lines.iter().map(|it| (it.word.to_owned(), it.in_full())).collect();
        listing
    }

    /// What is different from what was told so far, if anything is.
    pub fn update(&mut self, snapshot: &Snapshot) -> Option<String> {
        let lines = lines(snapshot, &self.policy, &self.caller());
        let words = lines.iter().map(|it| it.word);
        let gone: Vec<String> = {
            let here: Vec<&str> = words.collect();
            let is_gone = |word: &&String| here.binary_search(&word.as_str()).is_err();
            self.told.keys().filter(is_gone).cloned().collect()
        };
        let is_new = |it: &Line<'_>| self.told.get(it.word) != Some(&it.in_full());
        let new: Vec<Line<'_>> = lines.into_iter().filter(is_new).collect();
        if gone.is_empty() && new.is_empty() {
            return None;
        }
        let mut parts = Vec::new();
        if !new.is_empty() {
            let room = self.budget.map(|budget| budget.saturating_sub(reserved(&gone)));
            parts.push(format!("{NEW}\n{}", Listing::of(&new, room).text));
        }
        if !gone.is_empty() {
            parts.push(format!("{GONE} {}", gone.join(", ")));
        }
        self.told.retain(|word, _| !gone.contains(word));
        self.told.extend(new.iter().map(|it| (it.word.to_owned(), it.in_full())));
        Some(parts.join("\n"))
    }

    fn caller(&self) -> Caller<'_> {
        Caller {
            initiator: Initiator::Model,
            agent: self.agent.as_deref(),
            protocol: self.protocol.as_deref(),
        }
    }
}

impl Registry {
    /// An [`Announcer`] under the policy of this registry.
    #[must_use]
    pub fn announcer(&self) -> Announcer {
        Announcer::new().policy(Arc::clone(&self.policy))
    }
}

const NEW: &str = "New or changed skills:";
const GONE: &str = "Skills no longer available:";

/// What an update takes beside the lines of skills.
fn reserved(gone: &[String]) -> usize {
    let names = gone.iter().map(|word| word.chars().count() + ", ".len()).sum::<usize>();
    let ending = if gone.is_empty() { 0 } else { "\n".len() + GONE.len() + names };
    NEW.len() + "\n".len() + ending
}
