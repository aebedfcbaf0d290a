//! Words to positions of skills: the command index, the same in a `static` and in a snapshot.

mod build;
mod suggest;
mod table;
#[cfg(test)]
mod tests;

pub use build::Clash;
pub use table::Table;

use super::{List, Text, fold};

/// What kind of key reaches a skill; the order is the order of resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyKind {
    /// The command word.
    Word,
    /// An alias.
    Alias,
    /// The slug of the directory's name.
    Directory,
}

/// One key of an [`Index`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The word, or its folded form in the table of folded keys.
    pub text: Text,
    /// The position of the skill.
    pub skill: u32,
    /// Why the key reaches it.
    pub kind: KeyKind,
}

/// Words to positions of skills.
///
/// Two tables: every key as it is spelt, and the folded form of those keys that are not their own
/// (`git:cm` under `git-cm`), for the match without case and separators. Most decks have none of
/// the latter.
///
/// ```
/// use skilldeck_core::model::{Index, Key, KeyKind, Lookup};
///
/// let key = |text: &'static str, skill, kind| Key { text: text.into(), skill, kind };
/// let (index, clashes) = Index::build([
///     key("git-helper", 0, KeyKind::Word),
///     key("commit", 1, KeyKind::Word),
///     key("gh", 0, KeyKind::Alias),
/// ]);
/// assert!(clashes.is_empty());
/// assert_eq!(index.exact("gh").map(|key| key.skill), Some(0));
/// assert_eq!(index.find("Git_Helper").position(), Some(0));
/// assert_eq!(index.find("nothing"), Lookup::None);
/// assert_eq!(index.suggest("comit", 3), ["commit"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    exact: Table,
    folded: Table,
}

/// What a word reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// One skill, and the key that reaches it: as it is spelt if the word is exactly a key, else
    /// with the folded form of the word as its text.
    Found(&'a Key),
    /// The word matches keys of these skills without case and separators, and none exactly; sorted
    /// positions, at least two.
    Ambiguous(Vec<u32>),
    /// No skill.
    None,
}

impl Lookup<'_> {
    /// The position of the skill, if it is exactly one.
    #[must_use]
    pub fn position(&self) -> Option<u32> {
        match self {
            Self::Found(key) => Some(key.skill),
            Self::Ambiguous(_) | Self::None => None,
        }
    }
}

impl Index {
    /// An index without keys.
    pub const EMPTY: Self = Self { exact: Table::EMPTY, folded: Table::EMPTY };

    /// An index of the tables of one that was built. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_parts(exact: Table, folded: Table) -> Self {
        Self { exact, folded }
    }

    /// The table of keys as they are spelt. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn exact_table(&self) -> &Table {
        &self.exact
    }

    /// The table of folded keys. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn folded_table(&self) -> &Table {
        &self.folded
    }

    /// The key that is exactly this word. One probe sequence, no allocation.
    #[must_use]
    pub fn exact(&self, word: &str) -> Option<&Key> {
        self.exact.get(word)
    }

    /// What this word reaches: the exact word, else the exact alias, else the directory's word,
    /// else the one skill whose keys match without case and separators.
    #[must_use]
    pub fn find(&self, word: &str) -> Lookup<'_> {
        // A text is in the table once, under the first kind that has it.
        if let Some(key) = self.exact(word) {
            return Lookup::Found(key);
        }
        let folded = fold(word);
        let own = self.exact.get(&folded);
        let others = self.folded.run(&folded);
        let Some(key) = own.into_iter().chain(others).min_by_key(|key| key.kind) else {
            return Lookup::None;
        };
        let mut positions: Vec<u32> = own.into_iter().chain(others).map(|key| key.skill).collect();
        positions.sort_unstable();
        positions.dedup();
        if positions.len() == 1 { Lookup::Found(key) } else { Lookup::Ambiguous(positions) }
    }

    /// Every key as it is spelt: words, then aliases, then directory words, each in the order in
    /// which they were added. A text stands once.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key> + Clone {
        self.exact.keys().iter()
    }

    /// The keys nearest to a word that reaches nothing or too much, nearest first, one for each
    /// skill and at most `limit`: for "did you mean". What is too far away is left out.
    #[must_use]
    pub fn suggest(&self, word: &str, limit: usize) -> Vec<&str> {
        suggest::suggest(self.keys(), word, limit)
    }
}
