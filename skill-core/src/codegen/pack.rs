//! Model values to numbers and texts, in the order in which [`unpack`](crate::unpack) reads them.
//!
//! Every implementation takes its type apart to the last field, so a new field does not compile
//! before it is written here.

use std::collections::HashMap;

use super::load::LoadedSkill;
use super::side_files::LoadedFile;
use crate::model::{
    Agents, Dependency, Extra, Fields, Key, KeyKind, List, Restriction, SlashCommand, Text, Value,
};
use crate::template::{Argument, Dialect, Parts, Reference, Segment, ShellSpan, Span, Variable};

/// Numbers as generated code has them.
#[derive(Debug, Default)]
pub(super) struct Numbers(Vec<u32>);

impl Numbers {
    pub(super) fn push(&mut self, number: impl Into<u32>) {
        self.0.push(number.into());
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.0
    }
}

/// The items of all lists of one type.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) count: u32,
    pub(super) numbers: Numbers,
}

/// What the numbers refer to: a [`Pool`](crate::unpack::Pool) to be.
#[derive(Debug, Default)]
pub(super) struct Packer {
    /// Each distinct text once, in the order of its first use.
    texts: Vec<String>,
    positions: HashMap<String, u32>,
    pub(super) names: Items,
    pub(super) values: Items,
    pub(super) pairs: Items,
    pub(super) dependencies: Items,
    pub(super) extras: Items,
    pub(super) details: Items,
    pub(super) segments: Items,
    pub(super) references: Items,
    pub(super) shells: Items,
    pub(super) files: Items,
    /// As seen from the package, in the order of the items.
    pub(super) contents: Vec<String>,
}

impl Packer {
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The position of a text.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        if let Some(position) = self.positions.get(text) {
            return *position;
        }
        let position = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.positions.insert(text.to_owned(), position);
        position
    }

    /// These items as the next of a pool: where they start, and how many they are.
    pub(super) fn list<T: Pack>(
        &mut self,
        items: &[T],
        pool: fn(&mut Self) -> &mut Items,
        out: &mut Numbers,
    ) {
        // What an item itself has a list of goes into the pools first, so these stay in a row.
        let mut numbers = Numbers::default();
        for item in items {
            item.pack(self, &mut numbers);
        }
        let pool = pool(self);
        out.push(if items.is_empty() { 0 } else { pool.count });
        out.push(items.len() as u32);
        pool.count += items.len() as u32;
        pool.numbers.0.extend(numbers.0);
    }
}

/// A value that can be written as numbers.
pub(super) trait Pack {
    /// Appends the numbers; texts and items of lists go to the packer.
    fn pack(&self, packer: &mut Packer, out: &mut Numbers);
}

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl Pack for $type {
            fn pack(&self, _: &mut Packer, out: &mut Numbers) {
                out.push(*self);
            }
        })*
    };
}

/// Structures: their fields in this order.
macro_rules! structures {
    ($($type:ident { $($field:ident),* })*) => {
        $(impl Pack for $type {
            fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
                let Self { $($field),* } = self;
                $($field.pack(packer, out);)*
            }
        })*
    };
}

/// Enumerations: the number of the variant, then what it holds.
macro_rules! enumerations {
    ($($type:ident { $($number:literal $variant:ident $(($($value:ident),*))?),* })*) => {
        $(impl Pack for $type {
            #[allow(unused_variables, reason = "not every one holds something")]
            fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
                match self {
                    $(Self::$variant $(($($value),*))? => {
                        out.push($number as u32);
                        $($($value.pack(packer, out);)*)?
                    })*
                }
            }
        })*
    };
}

/// Lists, and the pool that keeps their items.
macro_rules! lists {
    ($($type:ty => $pool:ident),* $(,)?) => {
        $(impl Pack for List<$type> {
            fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
                packer.list(self, |packer| &mut packer.$pool, out);
            }
        })*
    };
}

numbers!(bool, u32);

structures! {
    Dependency { name, requirement, line }
    Extra { key, source }
    Key { text, skill, kind }
    Reference { argument, source }
    ShellSpan { command, source, block, takes_arguments, references }
    SlashCommand { prefix, enabled, auto_inject }
    Span { start, end }
    Parts { text, segments, shells, dialect }
}

enumerations! {
    Agents { 0 All, 1 Only(names), 2 Nobody }
    Argument { 0 All, 1 Position(index), 2 Rest(index), 3 Named(index) }
    Dialect { 0 Claude, 1 OpenCode }
    KeyKind { 0 Word, 1 Alias, 2 Directory }
    Restriction { 0 None, 1 Keys, 2 Whole }
    Segment { 0 Text(span), 1 Argument(argument, span), 2 Variable(variable, span), 3 Shell(position) }
    Value { 0 Null, 1 Bool(value), 2 Number(text), 3 String(text), 4 List(items), 5 Map(pairs) }
    Variable { 0 SkillDir, 1 SessionId, 2 ProjectDir, 3 Effort }
}

lists! {
    Text => names,
    Value => values,
    (Text, Value) => pairs,
    Dependency => dependencies,
    Extra => extras,
    Segment => segments,
    Reference => references,
    ShellSpan => shells,
}

impl Pack for str {
    fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
        out.push(packer.text(self));
    }
}

impl Pack for Text {
    fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
        str::pack(self, packer, out);
    }
}

impl Pack for (Text, Value) {
    fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
        let (key, value) = self;
        key.pack(packer, out);
        value.pack(packer, out);
    }
}

impl Pack for Option<Text> {
    fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
        self.is_some().pack(packer, out);
        if let Some(text) = self {
            text.pack(packer, out);
        }
    }
}

impl Pack for LoadedFile {
    fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
        let Self { path, package_path, sha256, executable } = self;
        path.as_str().pack(packer, out);
        sha256.as_str().pack(packer, out);
        executable.pack(packer, out);
        packer.contents.push(package_path.clone());
    }
}

impl Pack for LoadedSkill {
    fn pack(&self, packer: &mut Packer, out: &mut Numbers) {
        let Self { skill, path, sha256, files } = self;
        let Fields { name, word, directory_word, description, details, template } = skill.fields();
        template.parts().pack(packer, out);
        path.as_str().pack(packer, out);
        sha256.as_str().pack(packer, out);
        packer.list(files, |packer| &mut packer.files, out);
        for text in [name, word, directory_word, description] {
            text.pack(packer, out);
        }
        let (bits, values) = super::details::pack(details, packer);
        if bits == 0 {
            out.push(0_u32);
            return;
        }
        packer.details.count += 1;
        packer.details.numbers.push(bits);
        packer.details.numbers.0.extend(values.0);
        // One more than the position: none is 0.
        out.push(packer.details.count);
    }
}
