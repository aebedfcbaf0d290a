//! A skill: the fields of a SKILL.md and its body, cut into a template.

use std::borrow::Cow::Owned;
use std::ops::{Deref, DerefMut};

use super::{Agents, Dependency, Details, Kept, Restriction, Text, Value};
use crate::template::{Dialect, Parts, Template};

/// One skill, the same type whether it was compiled in or loaded from disk.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    fields: Fields,
}

/// RFC-0016's per-skill settings, key `slash-command`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlashCommand {
    /// Replaces the announced prefix; empty announces the bare word.
    pub prefix: Option<Text>,
    /// `false` takes the command out of every menu and face.
    pub enabled: bool,
    /// `false` gives the outcome to the host only, which does not deliver it as a turn.
    pub auto_inject: bool,
}

impl SlashCommand {
    /// What holds when the key is absent.
    pub const DEFAULT: Self = Self { prefix: None, enabled: true, auto_inject: true };
}

/// A key that skilldeck does not know, kept verbatim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// The key as written.
    pub key: Text,
    /// The source text of the value, without the line ends around it.
    pub source: Text,
}

/// The parts of a [`Skill`]: what the parser and generated code build one from. Not a stable API.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    pub name: Text,
    pub word: Text,
    pub directory_word: Text,
    pub description: Text,
    pub details: Kept,
    pub template: Template,
}

impl Fields {
    /// What a skill has that says nothing. What is empty is owned: that needs neither memory nor a
    /// pointer in a constant.
    pub(crate) const PLAIN: Self = Self {
        name: Owned(String::new()),
        word: Owned(String::new()),
        directory_word: Owned(String::new()),
        description: Owned(String::new()),
        details: Kept::Plain,
        template: Template::from_parts(Parts {
            text: Owned(String::new()),
            segments: Owned(Vec::new()),
            shells: Owned(Vec::new()),
            dialect: Dialect::Claude,
        }),
    };
}

/// The details are read as if they stood here.
impl Deref for Fields {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.details
    }
}

impl DerefMut for Fields {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.details
    }
}

macro_rules! accessors {
    ($($(#[$meta:meta])* $name:ident -> $type:ty = |$fields:ident| $value:expr;)*) => {
        $($(#[$meta])* #[must_use] pub fn $name(&self) -> $type { let $fields = &self.fields; $value })*
    };
}

impl Skill {
    /// A skill of these parts. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_fields(fields: Fields) -> Self {
        Self { fields }
    }

    /// The parts. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The parts, taken out. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub fn into_fields(self) -> Fields {
        self.fields
    }

    accessors! {
        /// The name for display, as the front matter gives it (control characters removed), or the
        /// name of the directory.
        name -> &str = |f| &f.name;
        /// The command word: the name as a slug. This is what people type behind `/skill:`.
        word -> &str = |f| &f.word;
        /// The slug of the directory's name; it reaches the skill too.
        directory_word -> &str = |f| &f.directory_word;
        /// Further command words.
        aliases -> &[Text] = |f| &f.aliases;
        /// What the skill does; never empty for a file that has any text.
        description -> &str = |f| &f.description;
        /// When to use it, appended to the description in listings.
        when_to_use -> Option<&str> = |f| f.when_to_use.as_deref();
        /// The licence of the skill.
        license -> Option<&str> = |f| f.license.as_deref();
        /// What the skill needs from its surroundings.
        compatibility -> Option<&str> = |f| f.compatibility.as_deref();
        /// The `metadata` mapping, or [`Value::Null`].
        metadata -> &Value = |f| &f.metadata;
        /// The version as written.
        version -> Option<&str> = |f| f.version.as_deref();
        /// The skills this one needs, in source order.
        depends_on -> &[Dependency] = |f| &f.depends_on;
        /// The tools that are pre-approved while the skill is at work.
        allowed_tools -> &[Text] = |f| &f.allowed_tools;
        /// The tools that must not be used while the skill is at work.
        disallowed_tools -> &[Text] = |f| &f.disallowed_tools;
        /// What a menu shows behind the command, raw.
        argument_hint -> Option<&str> = |f| f.argument_hint.as_deref();
        /// The names of the declared arguments, in positional order.
        arguments -> &[Text] = |f| &f.arguments;
        /// The JSON Schema of the arguments.
        input_schema -> Option<&Value> = |f| f.input_schema.as_ref();
        /// The per-skill command settings.
        slash_command -> &SlashCommand = |f| &f.slash_command;
        /// Whether a person may start it by its command.
        user_invocable -> bool = |f| f.user_invocable;
        /// Whether the model may *not* start it.
        disable_model_invocation -> bool = |f| f.disable_model_invocation;
        /// The agents that may start it.
        allowed_agents -> &Agents = |f| &f.allowed_agents;
        /// Whether the host is asked before it starts.
        require_confirmation -> bool = |f| f.require_confirmation;
        /// The `context` value; see [`Skill::is_fork`].
        context -> Option<&str> = |f| f.context.as_deref();
        /// Whether it runs in a sub-session of the host (`context: fork`).
        is_fork -> bool = |f| f.context.as_deref() == Some("fork");
        /// The agent type that should run it, for the host.
        agent -> Option<&str> = |f| f.agent.as_deref();
        /// The model that should run it, for the host.
        model -> Option<&str> = |f| f.model.as_deref();
        /// The effort to spend, for the host.
        effort -> Option<&str> = |f| f.effort.as_deref();
        /// Whether it should run in the background, for the host.
        background -> bool = |f| f.background;
        /// The shell for its shell spans.
        shell -> Option<&str> = |f| f.shell.as_deref();
        /// Hooks, for the host.
        hooks -> Option<&Value> = |f| f.hooks.as_ref();
        /// Globs of the files it is about, for the host.
        paths -> &[Text] = |f| &f.paths;
        /// Keys that skilldeck does not know.
        extra -> &[Extra] = |f| &f.extra;
        /// How far a damaged file narrowed it.
        restriction -> Restriction = |f| f.restriction;
        /// Whether anything was narrowed because the file is damaged.
        restricted -> bool = |f| f.restriction != Restriction::None;
        /// The body, cut.
        template -> &Template = |f| &f.template;
        /// The body, byte for byte.
        body -> &str = |f| f.template.text();
    }
}
