//! Segments and bound arguments to text, in a single pass.

use std::borrow::Cow;

use super::{Argument, Bound, Dialect, Segment, Template, Variables};

impl Template {
    /// Fills the template into `out`, and says whether raw is to be appended: whether it is not
    /// empty and the dialect's condition for appending holds. `shells` has the replacement of each
    /// shell span; one that is missing there stays as it is written. Nothing inserted is looked at
    /// again. The appending itself is the shape's.
    ///
    /// A placeholder received an argument if there is a value for it: a missing one receives
    /// nothing. That holds in shell spans too, whether they ran or not: the argument belonged to
    /// the command, and the text should not repeat it.
    pub fn fill(
        &self,
        bound: &Bound<'_>,
        variables: &Variables<'_>,
        shells: &[Cow<'_, str>],
        out: &mut String,
    ) -> bool {
        let pieces = || self.segments().iter().map(|it| self.piece(it, bound, variables, shells));
        out.reserve(pieces().map(|piece| piece.len()).sum());
        pieces().for_each(|piece| piece.push_to(out));
        !bound.raw.is_empty()
            && match self.dialect() {
                Dialect::Claude => !self.references().any(|one| bound.has(one.argument)),
                Dialect::OpenCode => !self.has_placeholder(),
            }
    }

    /// What takes the place of a segment.
    fn piece<'p>(
        &'p self,
        segment: &Segment,
        bound: &'p Bound<'_>,
        variables: &Variables<'p>,
        shells: &'p [Cow<'_, str>],
    ) -> Piece<'p> {
        Piece::One(match *segment {
            Segment::Text(span) => self.source(span),
            Segment::Argument(argument, span) => match argument {
                Argument::All => bound.raw,
                Argument::Rest(index) => return Piece::Joined(bound.rest(index)),
                Argument::Named(index) => bound.word(index).unwrap_or_default(),
                Argument::Position(index) => bound.word(index).unwrap_or_else(|| {
                    // Of the dialects, one keeps a missing positional and one drops it.
                    match self.dialect() {
                        Dialect::Claude => self.source(span),
                        Dialect::OpenCode => "",
                    }
                }),
            },
            Segment::Variable(variable, span) => {
                variables.get(variable).unwrap_or_else(|| self.source(span))
            }
            Segment::Shell(index) => shells.get(index as usize).map_or_else(
                || self.shell(index).map_or("", |shell| self.source(shell.source)),
                AsRef::as_ref,
            ),
        })
    }
}

/// Text that takes the place of a segment.
enum Piece<'p> {
    One(&'p str),
    /// Words, joined by single blanks.
    Joined(&'p [Cow<'p, str>]),
}

impl Piece<'_> {
    fn len(&self) -> usize {
        match self {
            Self::One(text) => text.len(),
            Self::Joined(words) => {
                words.iter().map(|word| word.len()).sum::<usize>() + words.len().saturating_sub(1)
            }
        }
    }

    fn push_to(&self, out: &mut String) {
        match self {
            Self::One(text) => out.push_str(text),
            Self::Joined(words) => {
                for (index, word) in words.iter().enumerate() {
                    if index > 0 {
                        out.push(' ');
                    }
                    out.push_str(word);
                }
            }
        }
    }
}
