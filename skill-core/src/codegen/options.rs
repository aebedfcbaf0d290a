//! What stands behind the path in a call of the macro to what is compiled in, and how it is named.

use std::fmt;

use crate::model::{InvalidPrefix, Prefix};

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

impl From<InvalidPrefix> for OptionError {
    fn from(error: InvalidPrefix) -> Self {
        Self::new(error.to_string(), InvalidPrefix::HELP)
    }
}

impl fmt::Display for OptionError {
    /// What is wrong, and what to do on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  = help: {}", self.message, self.help)
    }
}

impl std::error::Error for OptionError {}
