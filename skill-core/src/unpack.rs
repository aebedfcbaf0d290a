//! Packed numbers and texts to the skills of a static deck: what generated code is made of.
//!
//! Generated code could write each [`Skill`] field by field, but a compiler takes ten times as long
//! for it: every expression is a node to check, to borrow-check and to lower. So it writes each
//! distinct text once, all else as one string of numbers, and constant functions turn the two into
//! skills while the crate is compiled. Texts stay literals of their own, because the compiler copies
//! the whole of what a constant reference points into. Not a stable API.
//!
//! [`codegen`](crate::codegen) writes what is read here, in the same order. Calls are what costs time in a constant, so numbers are read by macros, and
//! what is often empty is not asked for.

use std::borrow::Cow::{Borrowed, Owned};
use std::mem::{forget, replace};
use std::slice::from_ref;

use crate::model::{
    Agents, BundledSkill, Dependency, Extra, Fields, Key, KeyKind, Restriction, SideFile, Skill,
    SlashCommand, Text, Value,
};
use crate::template::{
    Argument, Dialect, Parts, Reference, Segment, ShellSpan, Span, Template, Variable,
};

/// What numbers refer to: the texts, and the items of all lists, each list a run of one of these.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    pub texts: &'static [&'static str],
    pub names: &'static [Text],
    pub values: &'static [Value],
    pub pairs: &'static [(Text, Value)],
    pub dependencies: &'static [Dependency],
    pub extras: &'static [Extra],
    pub segments: &'static [Segment],
    pub references: &'static [Reference],
    pub shells: &'static [ShellSpan],
    pub files: &'static [SideFile],
}

impl Pool {
    /// Nothing.
    pub const EMPTY: Self = Self {
        texts: &[],
        names: &[],
        values: &[],
        pairs: &[],
        dependencies: &[],
        extras: &[],
        segments: &[],
        references: &[],
        shells: &[],
        files: &[],
    };
}

/// A field of [`Fields`] that few skills have, in the order in which their values stand: its bit
/// in the number before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Aliases,
    WhenToUse,
    License,
    Compatibility,
    Metadata,
    Version,
    DependsOn,
    AllowedTools,
    DisallowedTools,
    ArgumentHint,
    Arguments,
    InputSchema,
    SlashCommand,
    UserInvocable,
    DisableModelInvocation,
    AllowedAgents,
    RequireConfirmation,
    Context,
    Agent,
    Model,
    Effort,
    Background,
    Shell,
    Hooks,
    Paths,
    Extra,
    Restriction,
}

/// Reads numbers, and what they stand for.
struct Cursor<'a> {
    numbers: &'static [u32],
    pool: &'a Pool,
}

/// Takes the next numbers, each under a name.
macro_rules! numbers {
    ($cursor:expr, $($name:ident)+) => {
        let [$($name,)+ rest @ ..] = $cursor.numbers else {
            panic!("the numbers of a compiled deck end too early")
        };
        $cursor.numbers = rest;
    };
}

/// The next number.
macro_rules! number {
    ($cursor:expr) => {{
        numbers!($cursor, number);
        *number
    }};
}

/// Whether the next number is not 0.
macro_rules! is {
    ($cursor:expr) => {
        number!($cursor) != 0
    };
}

/// The text with the next number.
macro_rules! text {
    ($cursor:expr) => {
        $cursor.pool.texts[number!($cursor) as usize]
    };
}

/// The text with the next number, if the number before it says that there is one.
macro_rules! optional {
    ($cursor:expr) => {
        if is!($cursor) { Some(Borrowed(text!($cursor))) } else { None }
    };
}

/// A list: so many items from a position of one of the pool on. One that is empty owns that: it has
/// no pointer for the loader to adjust.
macro_rules! list {
    ($cursor:expr, $list:ident) => {{
        numbers!($cursor, start length);
        list!($cursor, $list, start, length)
    }};
    ($cursor:expr, $list:ident, $start:expr, $length:expr) => {
        if *$length == 0 {
            const { Owned(Vec::new()) }
        } else {
            Borrowed(run!($cursor, $list, $start, $length))
        }
    };
}

/// The same as a slice. To cut takes the compiler a dozen calls, so the short lists that most are
/// need none or one.
macro_rules! run {
    ($cursor:expr, $list:ident, $start:expr, $length:expr) => {
        match *$length {
            0 => &[],
            1 => from_ref(&$cursor.pool.$list[*$start as usize]),
            length => $cursor.pool.$list.split_at(*$start as usize).1.split_at(length as usize).0,
        }
    };
}

/// The two numbers of a span.
macro_rules! span {
    ($cursor:expr) => {
        Span { start: number!($cursor), end: number!($cursor) }
    };
}

impl Cursor<'_> {
    const fn argument(&mut self) -> Argument {
        match number!(self) {
            0 => Argument::All,
            1 => Argument::Position(number!(self)),
            2 => Argument::Rest(number!(self)),
            _ => Argument::Named(number!(self)),
        }
    }

    const fn value(&mut self) -> Value {
        match number!(self) {
            0 => Value::Null,
            1 => Value::Bool(is!(self)),
            2 => Value::Number(Borrowed(text!(self))),
            3 => Value::String(Borrowed(text!(self))),
            4 => Value::List(list!(self, values)),
            _ => Value::Map(list!(self, pairs)),
        }
    }

    const fn variable(&mut self) -> Variable {
        match number!(self) {
            0 => Variable::SkillDir,
            1 => Variable::SessionId,
            2 => Variable::ProjectDir,
            _ => Variable::Effort,
        }
    }

    const fn slash_command(&mut self) -> SlashCommand {
        SlashCommand { prefix: optional!(self), enabled: is!(self), auto_inject: is!(self) }
    }

    const fn agents(&mut self) -> Agents {
        match number!(self) {
            0 => Agents::All,
            1 => Agents::Only(list!(self, names)),
            _ => Agents::Nobody,
        }
    }

    const fn restriction(&mut self) -> Restriction {
        match number!(self) {
            0 => Restriction::None,
            1 => Restriction::Keys,
            _ => Restriction::Whole,
        }
    }

    const fn skill(&mut self) -> BundledSkill {
        numbers!(self, text segments segment_count shells shell_count dialect);
        numbers!(self, path sha256 files file_count);
        numbers!(self, name word directory_word description further);
        let further = *further;
        let texts = self.pool.texts;
        /// The field if its bit is set, else what a plain skill has.
        macro_rules! further {
            ($field:ident, $value:expr) => {
                further!($field, $value, const { Owned(Vec::new()) })
            };
            ($field:ident, $value:expr, $plain:expr) => {
                if further & const { 1 << Field::$field as u32 } == 0 { $plain } else { $value }
            };
        }
        let fields = Fields {
            name: Borrowed(texts[*name as usize]),
            word: Borrowed(texts[*word as usize]),
            directory_word: Borrowed(texts[*directory_word as usize]),
            description: Borrowed(texts[*description as usize]),
            aliases: further!(Aliases, list!(self, names)),
            when_to_use: further!(WhenToUse, Some(Borrowed(text!(self))), None),
            license: further!(License, Some(Borrowed(text!(self))), None),
            compatibility: further!(Compatibility, Some(Borrowed(text!(self))), None),
            metadata: further!(Metadata, self.value(), Value::Null),
            version: further!(Version, Some(Borrowed(text!(self))), None),
            depends_on: further!(DependsOn, list!(self, dependencies)),
            allowed_tools: further!(AllowedTools, list!(self, names)),
            disallowed_tools: further!(DisallowedTools, list!(self, names)),
            argument_hint: further!(ArgumentHint, Some(Borrowed(text!(self))), None),
            arguments: further!(Arguments, list!(self, names)),
            input_schema: further!(InputSchema, Some(self.value()), None),
            slash_command: further!(SlashCommand, self.slash_command(), SlashCommand::DEFAULT),
            user_invocable: further!(UserInvocable, is!(self), true),
            disable_model_invocation: further!(DisableModelInvocation, is!(self), false),
            allowed_agents: further!(AllowedAgents, self.agents(), Agents::All),
            require_confirmation: further!(RequireConfirmation, is!(self), false),
            context: further!(Context, Some(Borrowed(text!(self))), None),
            agent: further!(Agent, Some(Borrowed(text!(self))), None),
            model: further!(Model, Some(Borrowed(text!(self))), None),
            effort: further!(Effort, Some(Borrowed(text!(self))), None),
            background: further!(Background, is!(self), false),
            shell: further!(Shell, Some(Borrowed(text!(self))), None),
            hooks: further!(Hooks, Some(self.value()), None),
            paths: further!(Paths, list!(self, names)),
            extra: further!(Extra, list!(self, extras)),
            restriction: further!(Restriction, self.restriction(), Restriction::None),
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
            files: run!(self, files, files, file_count),
        }
    }
}

/// Text to start from. The compiler keeps the pointers of a constant in one sorted list, into which
/// every further one is inserted: it has to be empty before the first value stands, or the time
/// grows with the square of the deck. What is owned and empty has no pointer that counts.
const NO_TEXT: Text = Owned(String::new());
static NO_STR: String = String::new();
static NO_FILES: Vec<SideFile> = Vec::new();

/// Constant functions that read `N` items, each with a value to start from, and how it is put in
/// the place of that: a value that could own something cannot be dropped by a constant.
macro_rules! lists {
    ($($put:ident $name:ident -> $type:ty = $blank:expr; |$cursor:ident| $read:expr;)*) => {$(
        #[must_use]
        pub const fn $name<const N: usize>(pool: &Pool, numbers: &'static [u32]) -> [$type; N] {
            let mut $cursor = Cursor { numbers, pool };
            let mut items = [const { $blank }; N];
            let mut at = 0;
            while at < N {
                lists!(@$put items[at], $read);
                at += 1;
            }
            items
        }
    )*};
    (@copy $place:expr, $value:expr) => {
        $place = $value
    };
    // There is nothing to free.
    (@replace $place:expr, $value:expr) => {
        forget(replace(&mut $place, $value))
    };
}

lists! {
    copy segments -> Segment = Segment::Shell(0);
    |cursor| match number!(cursor) {
        0 => Segment::Text(span!(cursor)),
        1 => Segment::Argument(cursor.argument(), span!(cursor)),
        2 => Segment::Variable(cursor.variable(), span!(cursor)),
        _ => Segment::Shell(number!(cursor)),
    };

    copy references -> Reference =
        Reference { argument: Argument::All, source: Span { start: 0, end: 0 } };
    |cursor| Reference { argument: cursor.argument(), source: span!(cursor) };

    replace names -> Text = NO_TEXT;
    |cursor| Borrowed(text!(cursor));

    replace values -> Value = Value::Null;
    |cursor| cursor.value();

    replace pairs -> (Text, Value) = (NO_TEXT, Value::Null);
    |cursor| (Borrowed(text!(cursor)), cursor.value());

    replace dependencies -> Dependency =
        Dependency { name: NO_TEXT, requirement: None, line: 0 };
    |cursor| Dependency {
        name: Borrowed(text!(cursor)),
        requirement: optional!(cursor),
        line: number!(cursor),
    };

    replace extras -> Extra = Extra { key: NO_TEXT, source: NO_TEXT };
    |cursor| Extra { key: Borrowed(text!(cursor)), source: Borrowed(text!(cursor)) };

    replace shells -> ShellSpan = ShellSpan {
        command: NO_TEXT,
        source: Span { start: 0, end: 0 },
        block: false,
        takes_arguments: false,
        references: Owned(Vec::new()),
    };
    |cursor| ShellSpan {
        command: Borrowed(text!(cursor)),
        source: span!(cursor),
        block: is!(cursor),
        takes_arguments: is!(cursor),
        references: list!(cursor, references),
    };

    replace keys -> Key = Key { text: NO_TEXT, skill: 0, kind: KeyKind::Word };
    |cursor| Key {
        text: Borrowed(text!(cursor)),
        skill: number!(cursor),
        kind: match number!(cursor) {
            0 => KeyKind::Word,
            1 => KeyKind::Alias,
            _ => KeyKind::Directory,
        },
    };

    replace skills -> BundledSkill = BundledSkill {
        skill: Skill::from_fields(Fields::PLAIN),
        path: NO_STR.as_str(),
        sha256: NO_STR.as_str(),
        files: NO_FILES.as_slice(),
    };
    |cursor| cursor.skill();
}

/// The side files, in the order of their contents.
#[must_use]
pub const fn files<const N: usize>(
    pool: &Pool,
    numbers: &'static [u32],
    contents: &[&'static [u8]; N],
) -> [SideFile; N] {
    let mut cursor = Cursor { numbers, pool };
    let mut files = [SideFile { path: "", bytes: &[], sha256: "", executable: false }; N];
    let mut at = 0;
    while at < N {
        files[at] = SideFile {
            path: text!(cursor),
            bytes: contents[at],
            sha256: text!(cursor),
            executable: is!(cursor),
        };
        at += 1;
    }
    files
}
