//! What stands behind the path in a call of the macro to what is compiled in, and how it is named.

use std::fmt;

use crate::model::{Dependency, Index, Lookup, Skill, Text, slug};

/// What to compile in, and how much to refuse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether a warning is an error too.
    pub strict: bool,
    /// Which side files are embedded.
    pub files: Files,
    /// What is put before the command words.
    pub prefix: Prefix,
}

/// Which of the files beside a SKILL.md are embedded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// Globs over the path that a file has in its skill's directory; one that matches is enough.
    globs: Vec<String>,
}

impl Files {
    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        Self { globs: vec!["**".to_owned()] }
    }

    /// None.
    #[must_use]
    pub const fn none() -> Self {
        Self { globs: Vec::new() }
    }

    /// The same, and those that this glob matches too.
    ///
    /// It is held against the path that a file has in the directory of its skill: `*` stands for
    /// any characters but `/`, `?` for one of them, and `**` for any number of directories.
    ///
    /// # Errors
    /// When the glob could match no file, or uses signs that mean something elsewhere and nothing
    /// here.
    pub fn matching(mut self, glob: &str) -> Result<Self, OptionError> {
        let fault =
            |what: &str, help| Err(OptionError::new(format!("the glob `{glob}` {what}"), help));
        if glob.contains('\\') {
            return fault("has a backslash", "write `/` between the parts, on every system");
        }
        if let Some(sign) = glob.chars().find(|sign| "[]{}!".contains(*sign)) {
            let help = "`*`, `?` and `**` are known; write a list of globs for alternatives";
            return fault(&format!("has `{sign}`"), help);
        }
        for part in glob.split('/') {
            match part {
                "" | "." | ".." => {
                    let help = "write the path of a file below the directory of a skill, such as \
                                `references/**`";
                    return fault("has an empty part, `.` or `..`", help);
                }
                "**" => {}
                _ if part.contains("**") => {
                    return fault(
                        "has `**` beside other signs",
                        "`**` is a part of its own: `**/*.md`",
                    );
                }
                _ => {}
            }
        }
        self.globs.push(glob.to_owned());
        Ok(self)
    }

    pub(super) fn globs(&self) -> &[String] {
        &self.globs
    }
}

impl Default for Files {
    fn default() -> Self {
        Self::all()
    }
}

/// What is put before every command word that does not start with it; by default nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// This prefix.
    ///
    /// # Errors
    /// When a word that starts with it would be no command word.
    pub fn new(text: &str) -> Result<Self, OptionError> {
        let word = format!("{text}x");
        if text.is_empty() || slug(&word) != word {
            return Err(OptionError::new(
                format!("the prefix `{text}` cannot stand before a command word"),
                "write lower-case letters and digits with single hyphens between them, and a \
                 hyphen at the end, such as `team-`",
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// This word with the prefix.
    pub(super) fn word(&self, word: &str) -> String {
        if word.starts_with(&self.0) { word.to_owned() } else { format!("{}{word}", self.0) }
    }

    /// The skill with the prefix before all that it can be called by. A name that is no command
    /// word is for display, and stays.
    pub(super) fn on_words(&self, skill: Skill) -> Skill {
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
    pub(super) fn on_dependencies(&self, skill: &Skill, index: &Index) -> Option<Skill> {
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

/// Why an option cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    message: String,
    help: &'static str,
}

impl OptionError {
    fn new(message: String, help: &'static str) -> Self {
        Self { message, help }
    }
}

impl fmt::Display for OptionError {
    /// What is wrong, and what to do on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  = help: {}", self.message, self.help)
    }
}

impl std::error::Error for OptionError {}
