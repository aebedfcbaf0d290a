//! Claude Code's placeholders: `$ARGUMENTS`, `$ARGUMENTS[N]`, `$N` and `$name`.

use super::{ALL, Names, Spelling, digits};

pub(super) fn placeholder(after: &str, names: &Names<'_>) -> Option<(Spelling, usize)> {
    if let Some((index, length)) = digits(after) {
        return Some((Spelling::Position(index), length));
    }
    let named = names.longest(after);
    let Some(behind) = after.strip_prefix(ALL) else {
        return named.map(|(index, length)| (Spelling::Named(index), length));
    };
    // `$ARGUMENTS_OLD` is the raw text and `_OLD`, unless the longer name is declared.
    if let Some((index, length)) = named.filter(|(_, length)| *length > ALL.len()) {
        return Some((Spelling::Named(index), length));
    }
    let indexed = behind.strip_prefix('[').and_then(digits);
    match indexed {
        Some((index, length)) if behind[1 + length..].starts_with(']') => {
            Some((Spelling::Index(index), ALL.len() + length + 2))
        }
        _ => Some((Spelling::All, ALL.len())),
    }
}
