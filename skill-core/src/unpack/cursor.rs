//! Numbers and what they stand for, read in the order in which they were written.

use std::borrow::Cow::{Borrowed, Owned};
use std::slice::from_ref;

use super::lists::NO_FILES;
use super::{Detail, Pool};
use crate::model::{
    Agents, BundledSkill, Details, Fields, Kept, Restriction, Skill, SlashCommand, Value,
};
use crate::template::{Argument, Dialect, Parts, Template, Variable};

/// Reads numbers, and what they stand for.
pub(super) struct Cursor<'a> {
    pub(super) numbers: &'static [u32],
    pub(super) pool: &'a Pool,
}

impl Cursor<'_> {
    pub(super) const fn argument(&mut self) -> Argument {
        match number!(self) {
            0 => Argument::All,
            1 => Argument::Position(number!(self)),
            2 => Argument::Rest(number!(self)),
            _ => Argument::Named(number!(self)),
        }
    }

    pub(super) const fn value(&mut self) -> Value {
        match number!(self) {
            0 => Value::Null,
            1 => Value::Bool(is!(self)),
            2 => Value::Number(Borrowed(text!(self))),
            3 => Value::String(Borrowed(text!(self))),
            4 => Value::List(list!(self, values)),
            _ => Value::Map(list!(self, pairs)),
        }
    }

    pub(super) const fn variable(&mut self) -> Variable {
        match number!(self) {
            0 => Variable::SkillDir,
            1 => Variable::SessionId,
            2 => Variable::ProjectDir,
            _ => Variable::Effort,
        }
    }

    pub(super) const fn slash_command(&mut self) -> SlashCommand {
        SlashCommand { prefix: optional!(self), enabled: is!(self), auto_inject: is!(self) }
    }

    pub(super) const fn agents(&mut self) -> Agents {
        match number!(self) {
            0 => Agents::All,
            1 => Agents::Only(list!(self, names)),
            _ => Agents::Nobody,
        }
    }

    pub(super) const fn restriction(&mut self) -> Restriction {
        match number!(self) {
            0 => Restriction::None,
            1 => Restriction::Keys,
            _ => Restriction::Whole,
        }
    }

    pub(super) const fn details(&mut self) -> Details {
        let bits = number!(self);
        /// The field if its bit is set, else what a plain skill has.
        macro_rules! given {
            ($field:ident, $value:expr) => {
                given!($field, $value, const { Owned(Vec::new()) })
            };
            ($field:ident, $value:expr, $plain:expr) => {
                if bits & const { 1 << Detail::$field as u32 } == 0 { $plain } else { $value }
            };
        }
        Details {
            aliases: given!(Aliases, list!(self, names)),
            when_to_use: given!(WhenToUse, Some(Borrowed(text!(self))), None),
            license: given!(License, Some(Borrowed(text!(self))), None),
            compatibility: given!(Compatibility, Some(Borrowed(text!(self))), None),
            metadata: given!(Metadata, self.value(), Value::Null),
            version: given!(Version, Some(Borrowed(text!(self))), None),
            depends_on: given!(DependsOn, list!(self, dependencies)),
            allowed_tools: given!(AllowedTools, list!(self, names)),
            disallowed_tools: given!(DisallowedTools, list!(self, names)),
            argument_hint: given!(ArgumentHint, Some(Borrowed(text!(self))), None),
            arguments: given!(Arguments, list!(self, names)),
            input_schema: given!(InputSchema, Some(self.value()), None),
            slash_command: given!(SlashCommand, self.slash_command(), SlashCommand::DEFAULT),
            user_invocable: given!(UserInvocable, is!(self), true),
            disable_model_invocation: given!(DisableModelInvocation, is!(self), false),
            allowed_agents: given!(AllowedAgents, self.agents(), Agents::All),
            require_confirmation: given!(RequireConfirmation, is!(self), false),
            context: given!(Context, Some(Borrowed(text!(self))), None),
            agent: given!(Agent, Some(Borrowed(text!(self))), None),
            model: given!(Model, Some(Borrowed(text!(self))), None),
            effort: given!(Effort, Some(Borrowed(text!(self))), None),
            background: given!(Background, is!(self), false),
            shell: given!(Shell, Some(Borrowed(text!(self))), None),
            hooks: given!(Hooks, Some(self.value()), None),
            paths: given!(Paths, list!(self, names)),
            extra: given!(Extra, list!(self, extras)),
            restriction: given!(Restriction, self.restriction(), Restriction::None),
        }
    }

    pub(super) const fn skill(&mut self) -> BundledSkill {
        numbers!(self, text segments segment_count shells shell_count dialect);
        numbers!(self, path sha256 files file_count);
        numbers!(self, name word directory_word description details);
        let texts = self.pool.texts;
        let fields = Fields {
            name: Borrowed(texts[*name as usize]),
            word: Borrowed(texts[*word as usize]),
            directory_word: Borrowed(texts[*directory_word as usize]),
            description: Borrowed(texts[*description as usize]),
            details: match *details {
                0 => Kept::Plain,
                behind => Kept::Static(&self.pool.details[behind as usize - 1]),
            },
            template: Template::from_parts(Parts {
                text: Borrowed(texts[*text as usize]),
                segments: list!(self, segments, segments, segment_count),
                shells: list!(self, shells, shells, shell_count),
                dialect: match *dialect {
                    0 => Dialect::Claude,
                    _ => Dialect::OpenCode,
                },
            }),
        };
        BundledSkill {
            skill: Skill::from_fields(fields),
            path: texts[*path as usize],
            sha256: texts[*sha256 as usize],
            files: if *file_count == 0 { NO_FILES } else { run!(self, files, files, file_count) },
        }
    }
}
