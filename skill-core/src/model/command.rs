//! The invocable face of a skill.

use super::{Skill, Text};

/// What menus and protocols show of a skill, and what checks its arguments.
#[derive(Clone, Copy, Debug)]
pub struct SkillCommand<'a> {
    skill: &'a Skill,
}

impl<'a> SkillCommand<'a> {
    /// The command of this skill.
    #[must_use]
    pub const fn new(skill: &'a Skill) -> Self {
        Self { skill }
    }

    /// The skill behind it.
    #[must_use]
    pub const fn skill(&self) -> &'a Skill {
        self.skill
    }

    /// The name for display.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.skill.name()
    }

    /// The command word.
    #[must_use]
    pub fn word(&self) -> &'a str {
        self.skill.word()
    }

    /// Further words.
    #[must_use]
    pub fn aliases(&self) -> &'a [Text] {
        self.skill.aliases()
    }

    /// What it does.
    #[must_use]
    pub fn description(&self) -> &'a str {
        self.skill.description()
    }

    /// What a menu shows in the place of the arguments; RFC-0016 gives the default.
    #[must_use]
    pub fn input_hint(&self) -> Text {
        match &self.skill.fields().argument_hint {
            Some(hint) => hint.clone(),
            None => format!("Arguments for {}", self.name()).into(),
        }
    }

    /// The category menus group by.
    #[must_use]
    pub const fn category(&self) -> &'static str {
        "skill"
    }

    /// How it is typed.
    #[must_use]
    pub fn usage(&self) -> String {
        format!("/skill:{} [arguments]", self.word())
    }
}
