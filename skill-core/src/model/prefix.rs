//! A prefix and the words, names and dependencies of a skill to the same with the prefix.

use std::fmt;

use super::{Dependency, Index, Lookup, Skill, Text, slug};

/// What is put before every command word that does not start with it; by default nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// This prefix.
    ///
    /// # Errors
    /// When a word that starts with it would be no command word.
    pub fn new(text: &str) -> Result<Self, InvalidPrefix> {
        let word = format!("{text}x");
        if text.is_empty() || slug(&word) != word {
            return Err(InvalidPrefix { text: text.to_owned() });
        }
        Ok(Self(text.to_owned()))
    }

    /// The prefix itself; nothing by default.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// This word with the prefix.
    #[must_use]
    pub fn word(&self, word: &str) -> String {
        if word.starts_with(&self.0) { word.to_owned() } else { format!("{}{word}", self.0) }
    }

    /// The skill with the prefix before all that it can be called by. A name that is no command
    /// word is for display, and stays.
    #[must_use]
    pub fn on_words(&self, skill: Skill) -> Skill {
        if self.0.is_empty() {
            return skill;
        }
        let mut fields = skill.into_fields();
        let put = |text: &mut Text| {
            if !text.is_empty() {
                *text = self.word(text).into();
            }
        };
        if fields.name == fields.word {
            put(&mut fields.name);
        }
        put(&mut fields.word);
        put(&mut fields.directory_word);
        fields.aliases.to_mut().iter_mut().for_each(put);
        Skill::from_fields(fields)
    }

    /// The skill with the prefix before each dependency that only then is in the index; `None` if
    /// it has no such dependency.
    #[must_use]
    pub fn on_dependencies(&self, skill: &Skill, index: &Index) -> Option<Skill> {
        let prefixed = |Dependency { name, .. }: &Dependency| {
            let word = self.word(&slug(name));
            (index.find(name) == Lookup::None && index.find(&word) != Lookup::None).then_some(word)
        };
        if self.0.is_empty() || !skill.depends_on().iter().any(|it| prefixed(it).is_some()) {
            return None;
        }
        let mut fields = skill.clone().into_fields();
        for dependency in fields.depends_on.to_mut() {
            if let Some(word) = prefixed(dependency) {
                dependency.name = word.into();
            }
        }
        Some(Skill::from_fields(fields))
    }
}

/// Why a text is no prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPrefix {
    text: String,
}

impl InvalidPrefix {
    /// What to write instead.
    pub const HELP: &'static str = "write lower-case letters and digits with single hyphens \
        between them, and a hyphen at the end, such as `team-`";
}

impl fmt::Display for InvalidPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the prefix `{}` cannot stand before a command word", self.text.escape_debug())
    }
}

impl std::error::Error for InvalidPrefix {}
