//! `${…}` to the variable it names; both dialects share the eight spellings.

use crate::template::Variable;

/// Every spelling of a variable.
pub(crate) const VARIABLES: [(&str, Variable); 8] = [
    ("CLAUDE_SKILL_DIR", Variable::SkillDir),
    ("SKILL_DIR", Variable::SkillDir),
    ("CLAUDE_SESSION_ID", Variable::SessionId),
    ("SESSION_ID", Variable::SessionId),
    ("CLAUDE_PROJECT_DIR", Variable::ProjectDir),
    ("PROJECT_DIR", Variable::ProjectDir),
    ("CLAUDE_EFFORT", Variable::Effort),
    ("EFFORT", Variable::Effort),
];

/// The variable that stands at the start of `after`, the text behind a `$`, and its length.
pub(crate) fn variable(after: &str) -> Option<(Variable, usize)> {
    let inner = after.strip_prefix('{')?;
    VARIABLES.iter().find_map(|(name, variable)| {
        let closed = inner.strip_prefix(name)?.starts_with('}');
        closed.then_some((*variable, name.len() + 2))
    })
}
