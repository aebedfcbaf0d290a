//! Which session was given the text of which generation, to sessions that hold an old one.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many sessions are remembered; of more, those are forgotten that were longest quiet.
const MAX_SESSIONS: usize = 1024;

/// How many skills of one session are remembered. More than a context holds.
const MAX_SKILLS: usize = 256;

/// A session was given the text of a skill, and by now there is another. It is told once of each
/// text it was given, and never gets the new one unasked: whoever wants it invokes the skill again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StaleContext {
    /// The session.
    pub session: String,
    /// The command word of the skill.
    pub skill: String,
    /// The generation whose text the session has.
    pub given: u64,
    /// The generation that has another.
    pub generation: u64,
}

/// What sessions were given.
#[derive(Default)]
pub(crate) struct Sessions {
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    sessions: HashMap<String, Session>,
    /// Counts invocations: which session was quiet the longest.
    clock: u64,
}

#[derive(Default)]
struct Session {
    last: u64,
    /// Generations by word.
    given: BTreeMap<String, u64>,
}

impl Sessions {
    /// A session was given these skills.
    pub(crate) fn give<'a>(
        &self,
        session: &str,
        words: impl IntoIterator<Item = &'a str>,
        generation: u64,
    ) {
        let mut memory = self.lock();
        memory.clock += 1;
        let clock = memory.clock;
        // What is known already costs no allocation.
        if !memory.sessions.contains_key(session) {
            memory.make_room();
            memory.sessions.insert(session.to_owned(), Session::default());
        }
        let Some(known) = memory.sessions.get_mut(session) else { return };
        known.last = clock;
        for word in words {
            if let Some(given) = known.given.get_mut(word) {
                *given = generation;
            } else if known.given.len() < MAX_SKILLS {
                known.given.insert(word.to_owned(), generation);
            }
        }
    }

    /// These skills have another text since this generation: who was given an older one. Each is
    /// forgotten with it, so that nobody hears twice.
    pub(crate) fn outdate(&self, words: &[String], generation: u64) -> Vec<StaleContext> {
        let mut stale = Vec::new();
        if words.is_empty() {
            return stale;
        }
        for (session, known) in &mut self.lock().sessions {
            for word in words {
                if known.given.get(word).is_some_and(|given| *given < generation)
                    && let Some((skill, given)) = known.given.remove_entry(word)
                {
                    stale.push(StaleContext { session: session.clone(), skill, given, generation });
                }
            }
        }
        stale.sort_unstable_by(|a, b| (&a.session, &a.skill).cmp(&(&b.session, &b.skill)));
        stale
    }

    /// A session has ended.
    pub(crate) fn end(&self, session: &str) {
        self.lock().sessions.remove(session);
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn make_room(&mut self) {
        if self.sessions.len() < MAX_SESSIONS {
            return;
        }
        let quiet = self.sessions.iter().min_by_key(|(_, session)| session.last);
        if let Some(name) = quiet.map(|(name, _)| name.clone()) {
            self.sessions.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(stale: &[StaleContext]) -> Vec<(&str, &str, u64)> {
        stale.iter().map(|it| (&*it.session, &*it.skill, it.given)).collect()
    }

    #[test]
    fn each_text_is_told_of_once() {
        let sessions = Sessions::default();
        sessions.give("a", ["commit", "review"], 1);
        sessions.give("b", ["commit"], 1);
        let moved = ["commit".to_owned()];
        assert_eq!(words(&sessions.outdate(&moved, 2)), [("a", "commit", 1), ("b", "commit", 1)]);
        assert_eq!(sessions.outdate(&moved, 3), []);
        sessions.give("a", ["commit"], 3);
        assert_eq!(sessions.outdate(&moved, 3), [], "it has the text of this generation");
        sessions.end("b");
        assert_eq!(words(&sessions.outdate(&moved, 4)), [("a", "commit", 3)]);
    }

    #[test]
    fn memory_is_bounded() {
        let sessions = Sessions::default();
        for number in 0..=MAX_SESSIONS {
            sessions.give(&number.to_string(), ["commit"], 1);
        }
        let many: Vec<String> = (0..=MAX_SKILLS).map(|number| format!("skill-{number}")).collect();
        sessions.give("1", many.iter().map(String::as_str), 1);
        let stale = sessions.outdate(&["commit".to_owned()], 2);
        assert_eq!(stale.len(), MAX_SESSIONS);
        assert!(stale.iter().all(|it| it.session != "0"), "it was quiet the longest");
        // `commit` took a place of its own.
        assert_eq!(sessions.outdate(&many, 2).len(), MAX_SKILLS - 1);
    }
}
