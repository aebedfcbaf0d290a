//! Skills held in memory: tests, hosts with their own store, commands registered by hand.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A set of skills in memory that a host may change at any time; the next reload publishes the
/// change. Its skills survive reloads and are announced like others.
///
/// ```
/// use std::sync::Arc;
/// use skilldeck_runtime::{Memory, Registry, Source, SourceInfo, Tier};
///
/// let mine = Arc::new(Memory::default());
/// mine.insert("hello", "---\nname: hello\ndescription: Says hello.\n---\nSay hello.\n");
/// let source = Source::memory(mine.clone(), SourceInfo::new("mine", Tier::USER));
/// let registry = Registry::builder().source(source).build()?;
/// assert!(registry.snapshot().get("hello").is_some());
///
/// mine.remove("hello");
/// assert_eq!(registry.reload().removed, ["hello"]);
/// # Ok::<(), skilldeck_runtime::Error>(())
/// ```
#[derive(Default)]
pub struct Memory {
    skills: Mutex<Skills>,
}

#[derive(Default)]
struct Skills {
    texts: BTreeMap<String, Arc<str>>,
    /// How often they were changed.
    edits: u64,
}

impl Memory {
    /// Adds a skill, or replaces the one of this name. `name` is what the directory's name is to a
    /// file: the default name, and a word that reaches the skill; `text` is a whole SKILL.md. One
    /// with an error does not replace one without that a registry has loaded: see
    /// [`State::Stale`](crate::State::Stale).
    pub fn insert(&self, name: impl Into<String>, text: impl Into<Arc<str>>) {
        let (name, text) = (name.into(), text.into());
        let mut skills = self.lock();
        skills.edits += 1;
        skills.texts.insert(name, text);
    }

    /// Removes a skill; whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        let mut skills = self.lock();
        skills.edits += 1;
        skills.texts.remove(name).is_some()
    }

    /// How often the skills were changed. Ask before the texts: if they are changed in between, the
    /// next look sees it.
    pub(crate) fn edits(&self) -> u64 {
        self.lock().edits
    }

    /// The skills as they are now, sorted by name.
    pub(crate) fn texts(&self) -> Vec<(String, Arc<str>)> {
        self.lock().texts.iter().map(|(name, text)| (name.clone(), Arc::clone(text))).collect()
    }

    /// A panic elsewhere cannot leave the map half changed, so a poisoned lock is as good as new.
    fn lock(&self) -> MutexGuard<'_, Skills> {
        self.skills.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.lock().texts.keys()).finish()
    }
}
