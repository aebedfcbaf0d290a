//! Text outside shell spans to the placeholders and variables in it.

use std::ops::Range;

use crate::template::dialect::{Names, Spelling, variable};
use crate::template::{Dialect, Variable};

/// A placeholder or a variable, with the backslashes before it that mean something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) what: What,
    /// From the `$` on.
    pub(super) source: Range<usize>,
    pub(super) escape: Escape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Placeholder(Spelling),
    Variable(Variable),
}

/// What the backslashes directly before a placeholder do to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// Nothing.
    None,
    /// A single one goes, and the placeholder is text.
    Literal,
    /// Of two the second goes, and the placeholder is one. Further ones are text.
    Backslash,
}

impl Token {
    /// The placeholder, escaped or not.
    pub(super) fn spelling(&self) -> Option<Spelling> {
        match self.what {
            What::Placeholder(spelling) => Some(spelling),
            What::Variable(_) => None,
        }
    }

    /// The placeholder, unless it is escaped.
    pub(super) fn live_spelling(&self) -> Option<Spelling> {
        self.spelling().filter(|_| self.escape != Escape::Literal)
    }
}

/// The tokens of a range of the body.
pub(super) fn tokens(
    body: &str,
    range: Range<usize>,
    dialect: Dialect,
    names: &Names<'_>,
) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut floor, end) = (range.start, range.end);
    let mut from = floor;
    while let Some(dollar) = body[from..end].find('$').map(|at| from + at) {
        let behind = dollar + 1;
        let after = &body[behind..end];
        let token = if let Some((spelling, length)) = dialect.placeholder(after, names) {
            let escape = if dialect.has_escapes() {
                escape(&body.as_bytes()[floor..dollar])
            } else {
                Escape::None
            };
            Token { what: What::Placeholder(spelling), source: dollar..behind + length, escape }
        } else if let Some((variable, length)) = variable(after) {
            let source = dollar..behind + length;
            Token { what: What::Variable(variable), source, escape: Escape::None }
        } else {
            from = behind;
            continue;
        };
        floor = token.source.end;
        from = floor;
        tokens.push(token);
    }
    tokens
}

fn escape(before: &[u8]) -> Escape {
    match before {
        [.., b'\\', b'\\'] => Escape::Backslash,
        [.., b'\\'] => Escape::Literal,
        _ => Escape::None,
    }
}
