//! The lists of a deck: each a constant function that reads as many items as its caller has place for.

use std::borrow::Cow::{Borrowed, Owned};
use std::mem::{forget, replace};
use std::slice::from_ref;

use super::Pool;
use super::cursor::Cursor;
use crate::model::{
    BundledSkill, Dependency, Details, Extra, Fields, Key, KeyKind, SideFile, Skill, Text, Value,
};
use crate::template::{Argument, Reference, Segment, ShellSpan, Span};

/// Text to start from. The compiler keeps the pointers of a constant in one sorted list, into which
/// every further one is inserted: it has to be empty before the first value stands, or the time
/// grows with the square of the deck. What is owned and empty has no pointer that counts.
const NO_TEXT: Text = Owned(String::new());
const NO_STR: &str = {
    static NONE: String = String::new();
    NONE.as_str()
};
pub(super) const NO_FILES: &[SideFile] = {
    static NONE: Vec<SideFile> = Vec::new();
    NONE.as_slice()
};

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

    replace details -> Details = Details::PLAIN;
    |cursor| cursor.details();

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
        path: NO_STR,
        sha256: NO_STR,
        files: NO_FILES,
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
