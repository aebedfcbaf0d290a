//! A skill's tool lists to what the host may pre-approve and must not use.

use skilldeck_core::model::{Restriction, Text};

use super::Policy;
use crate::snapshot::Entry;

/// What a skill grants while it is at work. skilldeck runs no tools: keeping to this is the host's,
/// and a grant never overrides a deny.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// The tools that are pre-approved, as written.
    pub allowed_tools: Vec<Text>,
    /// The tools that must not be used, as written.
    pub disallowed_tools: Vec<Text>,
}

impl Policy {
    /// What an entry grants: nothing is pre-approved by a source that is not trusted or by a file
    /// whose front matter is damaged. What is disallowed stays so.
    #[must_use]
    pub fn grant(&self, entry: Entry<'_>) -> Grant {
        let skill = entry.skill();
        let approves = entry.source().trusted && skill.restriction() != Restriction::Whole;
        let allowed = if approves { skill.allowed_tools() } else { &[] };
        Grant {
            allowed_tools: allowed.to_vec(),
            disallowed_tools: skill.disallowed_tools().to_vec(),
        }
    }
}

impl Grant {
    /// Adds what a dependency disallows. What it allows is not added: a skill vouches for its own
    /// tools only.
    pub(crate) fn narrow_by(&mut self, dependency: Entry<'_>) {
        for tool in dependency.skill().disallowed_tools() {
            if !self.disallowed_tools.contains(tool) {
                self.disallowed_tools.push(tool.clone());
            }
        }
    }
}
