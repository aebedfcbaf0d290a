//! A body to a template: regions, then placeholders, then what they mean together.
//!
//! Whether `$N` is a placeholder, and which one takes the rest, is known only when the whole body
//! was read. So candidates are collected first, in one scan, and resolved afterwards.

mod emit;
mod inline;
mod lint;
mod markdown;
mod text;

#[cfg(test)]
mod tests;

use super::dialect::{Names, Spelling};
use super::shell::Script;
use super::{Argument, Dialect, Positional, Template};
use crate::model::Text;
use markdown::Region;
use text::Token;

pub use lint::Lint;

/// What decides how a body is cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cut<'a> {
    /// The dialect of the source.
    pub dialect: Dialect,
    /// The positional rule of the source.
    pub positional: Positional,
    /// The names of the declared arguments.
    pub declared: &'a [Text],
    /// Whether the front matter has an `argument-hint`.
    pub has_hint: bool,
}

impl Template {
    /// Cuts a body, and says what there is to say about it, in order of appearance.
    ///
    /// The cut is total: what is no placeholder is text. Trailing newlines belong to no segment,
    /// and neither does what lies behind the first 4 GiB.
    #[must_use]
    pub fn cut(body: Text, cut: &Cut<'_>) -> (Self, Vec<Lint>) {
        let end = covered(&body);
        let names = Names::new(cut.declared);
        let (regions, unclosed) = markdown::regions(&body, end);
        let mut pieces = Vec::new();
        for region in regions {
            match region {
                Region::Text(range) => pieces.extend(
                    text::tokens(&body, range, cut.dialect, &names).into_iter().map(Piece::Token),
                ),
                Region::Inline { source, command } => {
                    pieces.push(Piece::Shell(Script::inline(&body, source, command)));
                }
                Region::Block { source, lines, indent } => {
                    pieces.push(Piece::Shell(Script::block(&body, source, lines, indent)));
                }
            }
        }
        for piece in &mut pieces {
            if let Piece::Shell(script) = piece {
                script.read(cut.dialect, &names);
            }
        }
        let meaning = Meaning::of(&pieces, cut);
        let mut lints = lint::lints(&body, &pieces, &meaning);
        lints.extend(unclosed.map(lint::unclosed_block));
        lints.sort_by_key(|lint| lint.span.start);
        (emit::template(body, end, &pieces, &meaning), lints)
    }
}

/// Something of a body that is not plain text, in order of appearance.
#[derive(Debug)]
enum Piece {
    /// A placeholder or variable of the text.
    Token(Token),
    /// A shell span.
    Shell(Script),
}

/// What holds for a body as a whole.
#[derive(Clone, Copy, Debug)]
struct Meaning {
    dialect: Dialect,
    /// Whether `$N` is a placeholder.
    live: bool,
    /// The position that takes all words that are left.
    rest: Option<u32>,
}

impl Meaning {
    fn of(pieces: &[Piece], cut: &Cut<'_>) -> Self {
        let live = cut.positional == Positional::Always
            || cut.has_hint
            || !cut.declared.is_empty()
            || spellings(pieces).any(|it| matches!(it, Spelling::All | Spelling::Index(_)));
        let highest = spellings(pieces)
            .filter_map(|spelling| match spelling {
                Spelling::Position(index) => Some(index),
                _ => None,
            })
            .max();
        let rest = highest.filter(|_| live && cut.dialect.highest_takes_rest());
        Self { dialect: cut.dialect, live, rest }
    }

    /// What a spelling stands for; nothing if it is text in this body.
    fn argument(&self, spelling: Spelling) -> Option<Argument> {
        match spelling {
            Spelling::All => Some(Argument::All),
            Spelling::Index(index) => Some(Argument::Position(index)),
            Spelling::Named(index) => Some(Argument::Named(index)),
            Spelling::Position(_) if !self.live => None,
            Spelling::Position(index) if self.rest == Some(index) => Some(Argument::Rest(index)),
            Spelling::Position(index) => Some(Argument::Position(index)),
        }
    }
}

/// The placeholders that are neither escaped nor left to the shell.
fn spellings(pieces: &[Piece]) -> impl Iterator<Item = Spelling> {
    pieces.iter().flat_map(|piece| {
        let (token, uses) = match piece {
            Piece::Token(token) => (token.live_spelling(), &[][..]),
            Piece::Shell(script) => (None, script.uses()),
        };
        token.into_iter().chain(uses.iter().filter_map(|one| one.rewritten()))
    })
}

/// Where the body ends for its segments.
fn covered(body: &str) -> usize {
    let mut end = body.len().min(u32::MAX as usize);
    while !body.is_char_boundary(end) {
        end -= 1;
    }
    let mut rest = &body[..end];
    while let Some(shorter) = rest.strip_suffix("\r\n").or_else(|| rest.strip_suffix('\n')) {
        rest = shorter;
    }
    rest.len()
}
