//! The details of a skill to numbers: what is not as in a plain skill.

use super::pack::{Numbers, Pack, Packer};
use crate::model::{Agents, Details, List, Restriction, SlashCommand, Text, Value};
use crate::unpack::Detail;

/// Every field is taken here or the crate does not compile.
macro_rules! details {
    ($($field:ident $bit:ident,)*) => {
        /// The bits of the details that are there, and their values.
        pub(super) fn pack(details: &Details, packer: &mut Packer) -> (u32, Numbers) {
            let Details { $($field,)* } = details;
            let (mut bits, mut values) = (0, Numbers::default());
            $(if *$field != Details::PLAIN.$field {
                bits |= 1 << Detail::$bit as u32;
                $field.held(packer, &mut values);
            })*
            (bits, values)
        }
    };
}

details! {
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
