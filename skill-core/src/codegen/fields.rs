//! The fields of a skill to numbers: what every skill has, and of the rest what is not as in a plain
//! skill.

use super::pack::{Numbers, Pack, Packer};
use crate::model::{Agents, Fields, List, Restriction, SlashCommand, Text, Value};
use crate::unpack::Field;

/// Every field is taken here or the crate does not compile.
macro_rules! fields {
    ($($always:ident),*; $($field:ident $number:ident,)*) => {
        /// Appends the fields.
        pub(super) fn pack(fields: &Fields, packer: &mut Packer, out: &mut Numbers) {
            let Fields { $($always,)* $($field,)* template: _ } = fields;
            $($always.pack(packer, out);)*
            let mut further: u32 = 0;
            $(if *$field != Fields::PLAIN.$field {
                further |= 1 << Field::$number as u32;
            })*
            out.push(further);
            $(if *$field != Fields::PLAIN.$field {
                $field.held(packer, out);
            })*
        }
    };
}

fields! {
    name, word, directory_word, description;
    aliases Aliases,
    when_to_use WhenToUse,
    license License,
    compatibility Compatibility,
    metadata Metadata,
    version Version,
    depends_on DependsOn,
    allowed_tools AllowedTools,
    disallowed_tools DisallowedTools,
    argument_hint ArgumentHint,
    arguments Arguments,
    input_schema InputSchema,
    slash_command SlashCommand,
    user_invocable UserInvocable,
    disable_model_invocation DisableModelInvocation,
    allowed_agents AllowedAgents,
    require_confirmation RequireConfirmation,
    context Context,
    agent Agent,
    model Model,
    effort Effort,
    background Background,
    shell Shell,
    hooks Hooks,
    paths Paths,
    extra Extra,
    restriction Restriction,
}

/// A value that is there, as its bit announces it: what may be missing is not said to be there
/// once more.
trait Held {
    /// Appends the numbers.
    fn held(&self, packer: &mut Packer, out: &mut Numbers);
}

impl Held for Option<Text> {
    fn held(&self, packer: &mut Packer, out: &mut Numbers) {
        self.as_deref().unwrap_or_default().pack(packer, out);
    }
}

impl Held for Option<Value> {
    fn held(&self, packer: &mut Packer, out: &mut Numbers) {
        self.as_ref().unwrap_or(&Value::Null).pack(packer, out);
    }
}

impl<T: Clone> Held for List<T>
where
    Self: Pack,
{
    fn held(&self, packer: &mut Packer, out: &mut Numbers) {
        self.pack(packer, out);
    }
}

macro_rules! same {
    ($($type:ty),*) => {
        $(impl Held for $type {
            fn held(&self, packer: &mut Packer, out: &mut Numbers) {
                self.pack(packer, out);
            }
        })*
    };
}

same!(bool, Agents, Restriction, SlashCommand, Value);
