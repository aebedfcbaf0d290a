//! How skills are typed and announced under a policy: prefixes, further words, native commands.

use skilldeck_core::model::{Text, fold};

use super::Policy;
use crate::command::Syntax;
use crate::snapshot::Entry;

impl Policy {
    /// What is announced before command words, in the place of `/skill:`, which is understood all
    /// the same. A request and a skill may have another one.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<Text>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    /// Adds commands of the host, which win over bare words of a line.
    #[must_use]
    pub fn native_commands<T: Into<Text>>(mut self, words: impl IntoIterator<Item = T>) -> Self {
        self.native.extend(words.into_iter().map(Into::into));
        self
    }

    /// What is announced before the word of an entry, if it is said of this one: by this policy, or
    /// by the skill itself.
    #[must_use]
    pub fn prefix_of<'a>(&'a self, entry: Entry<'a>) -> Option<&'a str> {
        let mut said = self.layers.iter().flat_map(|layer| layer.of(entry));
        let own = || entry.skill().slash_command().prefix.as_deref();
        said.find_map(|rules| rules.own_prefix()).or_else(own)
    }

    /// What is announced before the word of an entry: its own prefix, that of this policy, or
    /// `/skill:`.
    #[must_use]
    pub fn announced_prefix<'a>(&'a self, entry: Entry<'a>) -> &'a str {
        self.prefix_of(entry).or(self.announced()).unwrap_or(Syntax::PREFIX)
    }

    /// The further words of an entry: its aliases in the deck, and those that this policy adds
    /// where no skill has the word itself.
    pub fn aliases_of<'a>(&'a self, entry: Entry<'a>) -> impl Iterator<Item = &'a str> {
        let added = self.layers.iter().flat_map(move |layer| layer.of(entry));
        let added = added.flat_map(|rules| rules.words()).map(AsRef::as_ref);
        entry.aliases().chain(added.filter(move |word| entry.is_free(word)))
    }

    pub(crate) fn announced(&self) -> Option<&str> {
        self.prefix.as_deref()
    }

    pub(crate) fn native(&self) -> &[Text] {
        &self.native
    }

    /// Whether this policy adds words to any skill.
    pub(crate) fn names_words(&self) -> bool {
        self.layers.iter().any(super::Rules::names_words)
    }

    /// Whether this policy adds the word to the entry.
    pub(crate) fn is_word_of(&self, word: &str, entry: Entry<'_>) -> bool {
        let word = fold(word);
        let words = self.layers.iter().flat_map(|layer| layer.of(entry)).flat_map(|it| it.words());
        { words }.any(|alias| fold(alias) == word)
    }

    /// Whether this is the word of the entry behind its own prefix, both without a slash.
    pub(crate) fn is_announced_as(&self, typed: &str, entry: Entry<'_>) -> bool {
        self.prefix_of(entry).is_some_and(|prefix| {
            let prefix = prefix.strip_prefix('/').unwrap_or(prefix);
            !prefix.is_empty() && typed.strip_prefix(prefix) == Some(entry.word())
        })
    }
}
