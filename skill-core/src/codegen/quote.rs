//! A model value to the source text of a constant expression that is equal to it.
//!
//! Every implementation takes its type apart to the last field, so a new field does not compile
//! before it is written here. Paths start at `s`, the alias that [`emit`](super::emit()) gives to
//! the hidden module. It is text and not a stream of tokens, because handing the compiler one text
//! is much faster than handing it some hundred tokens for every skill.

use std::fmt::{Debug, Write};

use crate::model::{
    Agents, Dependency, Extra, Index, Key, KeyKind, List, Restriction, SlashCommand, Table, Text,
    Value,
};
use crate::template::{Argument, Dialect, Reference, Segment, ShellSpan, Span, Variable};

/// A value that can be written as a constant expression.
pub(super) trait Quote {
    /// Appends the expression.
    fn quote(&self, out: &mut String);
}

/// Appends `value` as a literal: its debug form is one for text and numbers.
pub(super) fn literal(value: impl Debug, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value:?}");
}

macro_rules! literals {
    ($($type:ty),*) => {
        $(impl Quote for $type {
            fn quote(&self, out: &mut String) {
                literal(self, out);
            }
        })*
    };
}

/// Structures of which every field is public to this crate.
macro_rules! structures {
    ($($type:ident { $($field:ident),* })*) => {
        $(impl Quote for $type {
            fn quote(&self, out: &mut String) {
                let Self { $($field),* } = self;
                out.push_str(concat!("s::", stringify!($type), "{"));
                $(
                    out.push_str(concat!(stringify!($field), ":"));
                    $field.quote(out);
                    out.push(',');
                )*
                out.push('}');
            }
        })*
    };
}

macro_rules! enumerations {
    ($($type:ident { $($variant:ident $(($($value:ident),*))?),* })*) => {
        $(impl Quote for $type {
            fn quote(&self, out: &mut String) {
                match self {
                    $(Self::$variant $(($($value),*))? => {
                        out.push_str(concat!("s::", stringify!($type), "::", stringify!($variant)));
                        $(
                            out.push('(');
                            $($value.quote(out); out.push(',');)*
                            out.push(')');
                        )?
                    })*
                }
            }
        })*
    };
}

literals!(bool, u32, u64);

structures! {
    Dependency { name, requirement, line }
    Extra { key, source }
    Reference { argument, source }
    ShellSpan { command, source, block, takes_arguments, references }
    SlashCommand { prefix, enabled, auto_inject }
    Span { start, end }
}

enumerations! {
    Agents { All, Only(names), Nobody }
    Argument { All, Position(index), Rest(index), Named(index) }
    Dialect { Claude, OpenCode }
    KeyKind { Word, Alias, Directory }
    Restriction { None, Keys, Whole }
    Segment { Text(span), Argument(argument, span), Variable(variable, span), Shell(position) }
    Value { Null, Bool(value), Number(text), String(text), List(items), Map(pairs) }
    Variable { SkillDir, SessionId, ProjectDir, Effort }
}

impl Quote for Text {
    fn quote(&self, out: &mut String) {
        out.push_str("s::Borrowed(");
        literal(self, out);
        out.push(')');
    }
}

impl<T: Quote + Clone> Quote for List<T> {
    fn quote(&self, out: &mut String) {
        out.push_str("s::Borrowed(");
        slice(self, out);
        out.push(')');
    }
}

impl<T: Quote> Quote for Option<T> {
    fn quote(&self, out: &mut String) {
        match self {
            Some(value) => {
                out.push_str("s::Some(");
                value.quote(out);
                out.push(')');
            }
            None => out.push_str("s::None"),
        }
    }
}

impl<A: Quote, B: Quote> Quote for (A, B) {
    fn quote(&self, out: &mut String) {
        let (a, b) = self;
        out.push('(');
        a.quote(out);
        out.push(',');
        b.quote(out);
        out.push(')');
    }
}

impl Quote for Index {
    fn quote(&self, out: &mut String) {
        out.push_str("s::Index::from_parts(");
        self.exact_table().quote(out);
        out.push(',');
        self.folded_table().quote(out);
        out.push(')');
    }
}

impl Quote for Table {
    fn quote(&self, out: &mut String) {
        if self.keys().is_empty() {
            out.push_str("s::Table::EMPTY");
            return;
        }
        let count = self.keys().len();
        out.push_str(&format!("{{static KEYS:[s::Key;{count}]=s::keys("));
        slice(self.keys(), out);
        out.push_str(");s::Table::from_parts(&KEYS,");
        slice(self.slots(), out);
        out.push_str(")}");
    }
}

impl Quote for Key {
    fn quote(&self, out: &mut String) {
        let Self { text, skill, kind } = self;
        out.push('(');
        literal(text, out);
        out.push(',');
        skill.quote(out);
        out.push(',');
        kind.quote(out);
        out.push(')');
    }
}

/// Appends `&[…]`.
pub(super) fn slice<T: Quote>(items: &[T], out: &mut String) {
    out.push_str("&[");
    for item in items {
        item.quote(out);
        out.push(',');
    }
    out.push(']');
}
