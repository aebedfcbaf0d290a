//! OpenCode's placeholders: `$ARGUMENTS`, `$@` and `$N` from one.

use super::{ALL, Spelling, digits};

pub(super) fn placeholder(after: &str) -> Option<(Spelling, usize)> {
    if after.starts_with('@') {
        return Some((Spelling::All, 1));
    }
    if after.starts_with(ALL) {
        return Some((Spelling::All, ALL.len()));
    }
    // `$0` is text.
    let (number, length) = digits(after)?;
    Some((Spelling::Position(number.checked_sub(1)?), length))
}
