//! A loaded skill to the source text of a [`Row`](crate::row::Row).

use super::load::LoadedSkill;
use super::quote::{Quote, literal, slice};
use crate::model::{Agents, Fields, List, Restriction, SlashCommand, Text, Value};
use crate::template::Parts;

/// Every field is taken here or the crate does not compile.
impl Quote for LoadedSkill {
    fn quote(&self, out: &mut String) {
        let Self { skill, path, sha256, files } = self;
        out.push_str("\ns::Row{");
        fields(skill.fields(), out);
        let Parts { text, segments, shells, dialect } = skill.template().parts();
        cell("text", out, |out| literal(text, out));
        cell("segments", out, |out| slice(segments, out));
        cell("shells", out, |out| slice(shells, out));
        cell("dialect", out, |out| dialect.quote(out));
        cell("path", out, |out| literal(path, out));
        cell("sha256", out, |out| literal(sha256, out));
        cell("files", out, |out| slice(files, out));
        out.push('}');
    }
}

/// Appends `name:`, what `value` appends, and a comma.
fn cell(name: &str, out: &mut String, value: impl FnOnce(&mut String)) {
    out.push_str(name);
    out.push(':');
    value(out);
    out.push(',');
}

macro_rules! fields {
    ($($always:ident),*; $($field:ident $variant:ident,)*) => {
        fn fields(fields: &Fields, out: &mut String) {
            let Fields { $($always,)* $($field,)* template: _ } = fields;
            $(cell(stringify!($always), out, |out| literal($always, out));)*
            cell("attributes", out, |out| {
                out.push_str("&[");
                $(if *$field != Fields::PLAIN.$field {
                    out.push_str(concat!("s::Attribute::", stringify!($variant), "("));
                    $field.attribute(out);
                    out.push_str("),");
                })*
                out.push(']');
            });
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

/// A value as an attribute holds it: text and slices as they are, anything else borrowed.
trait Held {
    /// Appends the expression.
    fn attribute(&self, out: &mut String);
}

impl<T: Quote + Clone> Held for List<T> {
    fn attribute(&self, out: &mut String) {
        slice(self, out);
    }
}

impl Held for Option<Text> {
    fn attribute(&self, out: &mut String) {
        literal(self.as_deref().unwrap_or_default(), out);
    }
}

impl Held for Option<Value> {
    fn attribute(&self, out: &mut String) {
        self.as_ref().unwrap_or(&Value::Null).attribute(out);
    }
}

impl Held for bool {
    fn attribute(&self, out: &mut String) {
        self.quote(out);
    }
}

impl Held for Restriction {
    fn attribute(&self, out: &mut String) {
        self.quote(out);
    }
}

macro_rules! borrowed {
    ($($type:ty),*) => {
        $(impl Held for $type {
            fn attribute(&self, out: &mut String) {
                out.push('&');
                self.quote(out);
            }
        })*
    };
}

borrowed!(Agents, SlashCommand, Value);
