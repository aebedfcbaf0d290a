//! Raw arguments and variables to what a body and its shell spans can refer to.

use std::borrow::Cow;

use super::dialect::VARIABLES;
use super::shell::{ARGUMENTS, REST, WORD};
use super::{Argument, Template, Variable, split};

/// The arguments of one invocation, split by the template's dialect.
#[derive(Clone, Debug)]
pub struct Bound<'a> {
    /// The raw text.
    pub raw: &'a str,
    /// The words.
    pub words: Vec<Cow<'a, str>>,
}

impl<'a> Bound<'a> {
    /// Whether there is something for this placeholder to receive.
    pub(super) fn has(&self, argument: Argument) -> bool {
        match argument {
            Argument::All => !self.raw.is_empty(),
            Argument::Position(index) | Argument::Rest(index) | Argument::Named(index) => {
                self.word(index).is_some()
            }
        }
    }

    /// The word with this 0-based index.
    pub(super) fn word(&self, index: u32) -> Option<&str> {
        self.words.get(index as usize).map(AsRef::as_ref)
    }

    /// The word with this 0-based index and all behind it.
    pub(super) fn rest(&self, index: u32) -> &[Cow<'a, str>] {
        self.words.get(index as usize..).unwrap_or_default()
    }
}

/// The values of the variables; `None` leaves the reference as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variables<'a> {
    /// `${SKILL_DIR}`.
    pub skill_dir: Option<&'a str>,
    /// `${SESSION_ID}`.
    pub session_id: Option<&'a str>,
    /// `${PROJECT_DIR}`.
    pub project_dir: Option<&'a str>,
    /// `${CLAUDE_EFFORT}`.
    pub effort: Option<&'a str>,
}

impl<'a> Variables<'a> {
    /// The value of a variable.
    #[must_use]
    pub const fn get(&self, variable: Variable) -> Option<&'a str> {
        match variable {
            Variable::SkillDir => self.skill_dir,
            Variable::SessionId => self.session_id,
            Variable::ProjectDir => self.project_dir,
            Variable::Effort => self.effort,
        }
    }
}

impl Template {
    /// Splits arguments by the rules of the dialect.
    #[must_use]
    pub fn bind<'a>(&self, raw: &'a str) -> Bound<'a> {
        Bound { raw, words: split(self.dialect(), raw) }
    }

    /// The environment a shell span gets: `SKILL_ARG_0` …, `SKILL_ARG_REST` (if the body has a
    /// placeholder that takes the rest), `ARGUMENTS` (also when it is empty) and every spelling of
    /// the variables. What has no value is absent, and should not be inherited either, see
    /// [`is_argument_variable`].
    ///
    /// A value may hold a NUL or be longer than a system passes; that is for the caller to check.
    #[must_use]
    pub fn environment(
        &self,
        bound: &Bound<'_>,
        variables: &Variables<'_>,
    ) -> Vec<(String, String)> {
        let mut environment: Vec<(String, String)> = bound
            .words
            .iter()
            .enumerate()
            .map(|(index, word)| (format!("{WORD}{index}"), word.clone().into_owned()))
            .collect();
        let rest = self.references().find_map(|reference| match reference.argument {
            Argument::Rest(index) if bound.has(reference.argument) => Some(bound.rest(index)),
            _ => None,
        });
        environment.extend(rest.map(|words| (REST.to_owned(), words.join(" "))));
        environment.push((ARGUMENTS.to_owned(), bound.raw.to_owned()));
        environment.extend(VARIABLES.iter().filter_map(|(name, variable)| {
            Some(((*name).to_owned(), variables.get(*variable)?.to_owned()))
        }));
        environment
    }
}

/// Whether an environment variable is one that carries arguments to a shell span. A host removes
/// inherited ones, so that a missing argument expands to nothing and not to an outer skill's.
///
/// ```
/// use skilldeck_core::template::is_argument_variable;
///
/// assert!(is_argument_variable("SKILL_ARG_0"));
/// assert!(is_argument_variable("ARGUMENTS"));
/// assert!(!is_argument_variable("HOME"));
/// ```
#[must_use]
pub fn is_argument_variable(name: &str) -> bool {
    name == ARGUMENTS || name.starts_with(WORD)
}
