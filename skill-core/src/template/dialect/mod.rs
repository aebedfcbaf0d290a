//! The text behind a `$` to the placeholder or variable that a dialect sees there.

mod claude;
mod names;
mod opencode;
mod variable;

pub(super) use names::Names;
pub use names::is_placeholder_name;
pub(super) use variable::{VARIABLES, variable};

/// The rules of substitution: a property of the source, never of the protocol that invokes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Claude Code's rules.
    #[default]
    Claude,
    /// OpenCode's rules.
    OpenCode,
}

/// When `$N` is a placeholder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Positional {
    /// Only if the skill declares that it takes arguments: it names some, has a hint, or its body
    /// has a placeholder for all of them.
    #[default]
    Declared,
    /// Always.
    Always,
}

/// A placeholder as a dialect spells it; whether `$N` is live is decided for the body as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// The raw text.
    All,
    /// `$ARGUMENTS[N]`, always live.
    Index(u32),
    /// `$N` as a 0-based index, live by the positional rule.
    Position(u32),
    /// A declared name, by its position.
    Named(u32),
}

impl Dialect {
    /// The placeholder that stands at the start of `after`, the text behind a `$`, and its length.
    pub(super) fn placeholder(self, after: &str, names: &Names<'_>) -> Option<(Spelling, usize)> {
        match self {
            Self::Claude => claude::placeholder(after, names),
            Self::OpenCode => opencode::placeholder(after),
        }
    }

    /// Whether a backslash before a placeholder escapes it.
    pub(super) const fn has_escapes(self) -> bool {
        matches!(self, Self::Claude)
    }

    /// Whether the highest positional placeholder takes all words that are left.
    pub(super) const fn highest_takes_rest(self) -> bool {
        matches!(self, Self::OpenCode)
    }
}

/// What both dialects call the raw text.
const ALL: &str = "ARGUMENTS";

/// The digits at the start of `text` as a number, and how many they are. A number that is too
/// large names a word that nobody can have written.
fn digits(text: &str) -> Option<(u32, usize)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| (text[..length].parse().unwrap_or(u32::MAX), length))
}
