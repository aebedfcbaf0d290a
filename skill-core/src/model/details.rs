//! What only some skills say: the fields that most leave out, kept apart from those that all have.
//!
//! A skill without any of them is a quarter as large, and a deck that is compiled in is that much less
//! for the loader of a program to go through.

use std::borrow::Cow::Owned;
use std::ops::{Deref, DerefMut};

use super::{Agents, Dependency, Extra, List, Restriction, SlashCommand, Text, Value};

/// The fields of a skill that may be left out. Not a stable API.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct Details {
    pub aliases: List<Text>,
    pub when_to_use: Option<Text>,
    pub license: Option<Text>,
    pub compatibility: Option<Text>,
    pub metadata: Value,
    pub version: Option<Text>,
    pub depends_on: List<Dependency>,
    pub allowed_tools: List<Text>,
    pub disallowed_tools: List<Text>,
    pub argument_hint: Option<Text>,
    pub arguments: List<Text>,
    pub input_schema: Option<Value>,
    pub slash_command: SlashCommand,
    pub user_invocable: bool,
    pub disable_model_invocation: bool,
    pub allowed_agents: Agents,
    pub require_confirmation: bool,
    pub context: Option<Text>,
    pub agent: Option<Text>,
    pub model: Option<Text>,
    pub effort: Option<Text>,
    pub background: bool,
    pub shell: Option<Text>,
    pub hooks: Option<Value>,
    pub paths: List<Text>,
    pub extra: List<Extra>,
    pub restriction: Restriction,
}

impl Details {
    /// What holds for a skill that leaves all of them out.
    pub(crate) const PLAIN: Self = Self {
        aliases: Owned(Vec::new()),
        when_to_use: None,
        license: None,
        compatibility: None,
        metadata: Value::Null,
        version: None,
        depends_on: Owned(Vec::new()),
        allowed_tools: Owned(Vec::new()),
        disallowed_tools: Owned(Vec::new()),
        argument_hint: None,
        arguments: Owned(Vec::new()),
        input_schema: None,
        slash_command: SlashCommand::DEFAULT,
        user_invocable: true,
        disable_model_invocation: false,
        allowed_agents: Agents::All,
        require_confirmation: false,
        context: None,
        agent: None,
        model: None,
        effort: None,
        background: false,
        shell: None,
        hooks: None,
        paths: Owned(Vec::new()),
        extra: Owned(Vec::new()),
        restriction: Restriction::None,
    };
}

static PLAIN: Details = Details::PLAIN;

/// Where the details of a skill are. Not a stable API.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Kept {
    /// Nowhere: it has none.
    Plain,
    /// In a compiled deck.
    Static(&'static Details),
    /// In memory.
    Owned(Box<Details>),
}

impl Kept {
    /// Gives back the memory for details that say nothing.
    pub(crate) fn settle(&mut self) {
        if **self == PLAIN {
            *self = Self::Plain;
        }
    }
}

impl Deref for Kept {
    type Target = Details;

    fn deref(&self) -> &Details {
        match self {
            Self::Plain => &PLAIN,
            Self::Static(details) => details,
            Self::Owned(details) => details,
        }
    }
}

impl DerefMut for Kept {
    fn deref_mut(&mut self) -> &mut Details {
        if !matches!(self, Self::Owned(_)) {
            *self = Self::Owned(Box::new(Details::clone(self)));
        }
        match self {
            Self::Owned(details) => details,
            Self::Plain | Self::Static(_) => unreachable!("they are owned by now"),
        }
    }
}

/// Details are equal wherever they are.
impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
