//! One entry of `depends-on`: its text to a name and a requirement, and whether a version meets it.

#[cfg(test)]
mod tests;

use std::fmt;

use semver::{Version, VersionReq};

use super::Text;

/// A dependency as written: `name`, or `name@requirement`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The name of the skill that is needed, as written.
    pub name: Text,
    /// The version requirement behind the `@`, in the syntax of Cargo; `None` is any version.
    pub requirement: Option<Text>,
    /// The 1-based line in the file of the skill that asks.
    pub line: u32,
}

impl Dependency {
    /// The dependency that this text asks for: split at the first `@` that has something before it,
    /// blanks around both parts removed.
    ///
    /// ```
    /// # use skilldeck_core::model::Dependency;
    /// let dependency = Dependency::new("git-helper @ ^1.2", 4);
    /// assert_eq!(dependency.name, "git-helper");
    /// assert_eq!(dependency.requirement.as_deref(), Some("^1.2"));
    /// ```
    #[must_use]
    pub fn new(text: &str, line: u32) -> Self {
        let text = text.trim();
        let at = text.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at);
        let (name, requirement) = match at {
            Some(at) => (text[..at].trim_end(), Some(text[at + 1..].trim_start())),
            None => (text, None),
        };
        Self {
            name: name.to_owned().into(),
            requirement: requirement.map(|text| text.to_owned().into()),
            line,
        }
    }

    /// Whether a skill of this version, as its front matter writes it, is what is asked for.
    ///
    /// Versions are read with tolerance: `1`, `1.2` and `v1.2.3` are padded and stripped to full
    /// ones. A version that is absent or cannot be read meets only `*` and no requirement at all.
    ///
    /// # Errors
    /// When the requirement cannot be read, whatever the version.
    ///
    /// ```
    /// # use skilldeck_core::model::Dependency;
    /// assert_eq!(Dependency::new("a@^1.2", 1).matches(Some("v1.4")), Ok(true));
    /// assert_eq!(Dependency::new("a@^1.2", 1).matches(None), Ok(false));
    /// assert!(Dependency::new("a@latest", 1).matches(Some("1.0.0")).is_err());
    /// ```
    pub fn matches(&self, version: Option<&str>) -> Result<bool, RequirementError> {
        let Some(text) = self.requirement.as_deref() else {
            return Ok(true);
        };
        let requirement = VersionReq::parse(text)
            .map_err(|error| RequirementError { reason: error.to_string() })?;
        // `*` has no comparators; a pre-release meets it too, unlike in Cargo, as even no version
        // does.
        if requirement.comparators.is_empty() {
            return Ok(true);
        }
        Ok(version.and_then(read_version).is_some_and(|version| requirement.matches(&version)))
    }
}

impl fmt::Display for Dependency {
    /// `name` or `name@requirement`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.requirement {
            Some(requirement) => write!(f, "@{requirement}"),
            None => Ok(()),
        }
    }
}

/// Why a version requirement cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequirementError {
    reason: String,
}

impl fmt::Display for RequirementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for RequirementError {}

/// A version as people write it: a leading `v` goes, a missing minor or patch number is zero.
pub(crate) fn read_version(text: &str) -> Option<Version> {
    let text = text.trim();
    let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
    let (numbers, rest) = text.split_at(text.find(['-', '+']).unwrap_or(text.len()));
    let missing = match numbers.split('.').count() {
        1 => ".0.0",
        2 => ".0",
        _ => "",
    };
    Version::parse(&format!("{numbers}{missing}{rest}")).ok()
}
