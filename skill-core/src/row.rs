//! Rows of plain constants to the skills of a static deck: what generated code is made of.
//!
//! Generated code could write a [`Skill`] field by field, but a compiler takes several times as
//! long for it: every `Cow` is inferred, and dropped on every way out. A [`Row`] has what every
//! skill has, and an [`Attribute`] for each further field that is not as in a plain skill; constant
//! functions turn them into skills while the crate is compiled. Not a stable API.

use std::borrow::Cow::{self, Borrowed};
use std::mem::{forget, replace};

use crate::model::{
    Agents, BundledSkill, Dependency, Extra, Fields, Key, KeyKind, Restriction, SideFile, Skill,
    SlashCommand, Text, Value,
};
use crate::template::{Dialect, Parts, Segment, ShellSpan, Template};

/// A [`BundledSkill`] as generated code writes it; [`Fields`] says what the fields mean.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub word: &'static str,
    pub directory_word: &'static str,
    pub description: &'static str,
    pub attributes: &'static [Attribute],
    pub text: &'static str,
    pub segments: &'static [Segment],
    pub shells: &'static [ShellSpan],
    pub dialect: Dialect,
    pub path: &'static str,
    pub sha256: &'static str,
    pub files: &'static [SideFile],
}

/// A field of [`Fields`] that few skills have.
#[derive(Clone, Copy, Debug)]
pub enum Attribute {
    Aliases(&'static [Text]),
    WhenToUse(&'static str),
    License(&'static str),
    Compatibility(&'static str),
    Metadata(&'static Value),
    Version(&'static str),
    DependsOn(&'static [Dependency]),
    AllowedTools(&'static [Text]),
    DisallowedTools(&'static [Text]),
    ArgumentHint(&'static str),
    Arguments(&'static [Text]),
    InputSchema(&'static Value),
    SlashCommand(&'static SlashCommand),
    UserInvocable(bool),
    DisableModelInvocation(bool),
    AllowedAgents(&'static Agents),
    RequireConfirmation(bool),
    Context(&'static str),
    Agent(&'static str),
    Model(&'static str),
    Effort(&'static str),
    Background(bool),
    Shell(&'static str),
    Hooks(&'static Value),
    Paths(&'static [Text]),
    Extra(&'static [Extra]),
    Restriction(Restriction),
}

/// A key of an index as generated code writes it.
pub type KeyRow = (&'static str, u32, KeyKind);

impl Row {
    const fn skill(&self) -> BundledSkill {
        let mut fields = Fields::PLAIN;
        set(&mut fields.name, Borrowed(self.name));
        set(&mut fields.word, Borrowed(self.word));
        set(&mut fields.directory_word, Borrowed(self.directory_word));
        set(&mut fields.description, Borrowed(self.description));
        let mut at = 0;
        while at < self.attributes.len() {
            self.attributes[at].apply(&mut fields);
            at += 1;
        }
        let template = Template::from_parts(Parts {
            text: Borrowed(self.text),
            segments: Borrowed(self.segments),
            shells: Borrowed(self.shells),
            dialect: self.dialect,
        });
        set(&mut fields.template, template);
        let skill = Skill::from_fields(fields);
        BundledSkill { skill, path: self.path, sha256: self.sha256, files: self.files }
    }
}

impl Attribute {
    const fn apply(self, fields: &mut Fields) {
        match self {
            Self::Aliases(it) => set(&mut fields.aliases, Borrowed(it)),
            Self::WhenToUse(it) => set(&mut fields.when_to_use, Some(Borrowed(it))),
            Self::License(it) => set(&mut fields.license, Some(Borrowed(it))),
            Self::Compatibility(it) => set(&mut fields.compatibility, Some(Borrowed(it))),
            Self::Metadata(it) => set(&mut fields.metadata, value(it)),
            Self::Version(it) => set(&mut fields.version, Some(Borrowed(it))),
            Self::DependsOn(it) => set(&mut fields.depends_on, Borrowed(it)),
            Self::AllowedTools(it) => set(&mut fields.allowed_tools, Borrowed(it)),
            Self::DisallowedTools(it) => set(&mut fields.disallowed_tools, Borrowed(it)),
            Self::ArgumentHint(it) => set(&mut fields.argument_hint, Some(Borrowed(it))),
            Self::Arguments(it) => set(&mut fields.arguments, Borrowed(it)),
            Self::InputSchema(it) => set(&mut fields.input_schema, Some(value(it))),
            Self::SlashCommand(it) => set(&mut fields.slash_command, slash_command(it)),
            Self::UserInvocable(it) => fields.user_invocable = it,
            Self::DisableModelInvocation(it) => fields.disable_model_invocation = it,
            Self::AllowedAgents(it) => set(&mut fields.allowed_agents, agents(it)),
            Self::RequireConfirmation(it) => fields.require_confirmation = it,
            Self::Context(it) => set(&mut fields.context, Some(Borrowed(it))),
            Self::Agent(it) => set(&mut fields.agent, Some(Borrowed(it))),
            Self::Model(it) => set(&mut fields.model, Some(Borrowed(it))),
            Self::Effort(it) => set(&mut fields.effort, Some(Borrowed(it))),
            Self::Background(it) => fields.background = it,
            Self::Shell(it) => set(&mut fields.shell, Some(Borrowed(it))),
            Self::Hooks(it) => set(&mut fields.hooks, Some(value(it))),
            Self::Paths(it) => set(&mut fields.paths, Borrowed(it)),
            Self::Extra(it) => set(&mut fields.extra, Borrowed(it)),
            Self::Restriction(it) => fields.restriction = it,
        }
    }
}

/// The skills of a deck.
#[must_use]
pub const fn skills<const N: usize>(rows: &'static [Row; N]) -> [BundledSkill; N] {
    let mut skills = [const {
        BundledSkill { skill: Skill::from_fields(Fields::PLAIN), path: "", sha256: "", files: &[] }
    }; N];
    let mut at = 0;
    while at < N {
        set(&mut skills[at], rows[at].skill());
        at += 1;
    }
    skills
}

/// The keys of a table.
#[must_use]
pub const fn keys<const N: usize>(rows: &'static [KeyRow; N]) -> [Key; N] {
    let mut keys = [const { Key { text: Borrowed(""), skill: 0, kind: KeyKind::Word } }; N];
    let mut at = 0;
    while at < N {
        let (text, skill, kind) = rows[at];
        set(&mut keys[at], Key { text: Borrowed(text), skill, kind });
        at += 1;
    }
    keys
}

/// Assigns without dropping what was there: a constant cannot drop, and has nothing to free.
const fn set<T>(place: &mut T, value: T) {
    forget(replace(place, value));
}

#[expect(clippy::ptr_arg, reason = "what is asked is which variant it is")]
const fn borrowed<T: ?Sized + ToOwned>(cow: &'static Cow<'static, T>) -> Cow<'static, T> {
    match cow {
        Borrowed(value) => Borrowed(value),
        Cow::Owned(_) => panic!("a constant owns nothing"),
    }
}

const fn value(value: &'static Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(value) => Value::Bool(*value),
        Value::Number(text) => Value::Number(borrowed(text)),
        Value::String(text) => Value::String(borrowed(text)),
        Value::List(items) => Value::List(borrowed(items)),
        Value::Map(pairs) => Value::Map(borrowed(pairs)),
    }
}

const fn slash_command(settings: &'static SlashCommand) -> SlashCommand {
    let SlashCommand { prefix, enabled, auto_inject } = settings;
    let prefix = match prefix {
        Some(prefix) => Some(borrowed(prefix)),
        None => None,
    };
    SlashCommand { prefix, enabled: *enabled, auto_inject: *auto_inject }
}

const fn agents(agents: &'static Agents) -> Agents {
    match agents {
        Agents::All => Agents::All,
        Agents::Only(names) => Agents::Only(borrowed(names)),
        Agents::Nobody => Agents::Nobody,
    }
}
