//! A call of the model's tool to a request.

use super::Request;
use crate::caller::Initiator;
use crate::error::{Error, ErrorKind};

/// The one tool by which a model starts any skill: `skill {name, args}`.
///
/// Its name, description and parameters never change, whatever skills there are, so a cache of the
/// tools stays valid. Which skills there are is told by an [`Announcer`](crate::Announcer).
///
/// ```
/// use std::sync::Arc;
/// use skilldeck_runtime::{Memory, ModelTool, Registry, Source, SourceInfo, Tier};
///
/// # let mine = Arc::new(Memory::default());
/// # mine.insert("greet", "---\ndescription: Greets.\n---\nGreet $ARGUMENTS.\n");
/// # let mut info = SourceInfo::new("mine", Tier::USER);
/// # info.trusted = true;
/// # let source = Source::memory(mine, info);
/// let registry = Registry::builder().source(source).build()?;
/// let tool = ModelTool::named("robota_command_skills")?;
/// assert_eq!(tool.name(), "robota_command_skills");
/// // The model calls it with {"name": "greet", "args": "Ada"}.
/// let outcome = registry.invoke(&tool.request("greet", "Ada"))?;
/// assert!(outcome.text().starts_with("<skill_content name=\"greet\">"));
/// # Ok::<(), skilldeck_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelTool {
    name: String,
}

/// The longest name of a tool that all of the usual interfaces take.
const MAX_NAME: usize = 64;

impl ModelTool {
    /// What the tool does, for the model that is to call it.
    pub const DESCRIPTION: &'static str = "Loads the instructions of a skill. Call it before you \
        do a task that one of the available skills describes, and follow what it returns.";

    /// Its parameters, as JSON Schema.
    pub const PARAMETERS: &'static str = r#"{"type":"object","properties":{"name":{"type":"string","description":"The name of the skill, as it is listed"},"args":{"type":"string","description":"The arguments of the skill, as one text; empty if it takes none"}},"required":["name"],"additionalProperties":false}"#;

    /// The tool under the name `skill`.
    #[must_use]
    pub fn new() -> Self {
        Self { name: "skill".to_owned() }
    }

    /// The tool under another name, such as one with the prefix of the host.
    ///
    /// # Errors
    /// When the name is empty, longer than 64 characters, or has others than `A-Z`, `a-z`, `0-9`,
    /// `_` and `-`.
    pub fn named(name: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_part) {
            let message = format!(
                "`{}` is no name of a tool; take 1 to {MAX_NAME} of the characters A-Z, a-z, 0-9, \
                 `_` and `-`",
                name.escape_debug()
            );
            return Err(Error::new(ErrorKind::Configuration, message));
        }
        Ok(Self { name })
    }

    /// The name the model calls it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The request of one call. The host adds what it knows: session, agent, protocol, directory.
    #[must_use]
    pub fn request(&self, name: &str, args: &str) -> Request {
        // Models write what they read: the command as it is typed, with its prefix.
        let word = name.strip_prefix('/').unwrap_or(name);
        let word = word.strip_prefix("skill:").unwrap_or(word);
        Request::command(word, args).initiator(Initiator::Model)
    }
}

impl Default for ModelTool {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_interfaces_take() {
        let longest = "a".repeat(MAX_NAME);
        for name in ["skill", "robota_command_skills", "a-B_9", &longest] {
            assert_eq!(ModelTool::named(name).map(|tool| tool.name).ok().as_deref(), Some(name));
        }
        for name in ["", "a b", "skill:x", "ä", "a\n", &"a".repeat(MAX_NAME + 1)] {
            let error = ModelTool::named(name).map_err(|error| error.kind().clone());
            assert_eq!(error, Err(ErrorKind::Configuration), "{name}");
        }
    }
}
