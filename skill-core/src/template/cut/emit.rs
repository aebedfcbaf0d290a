//! Pieces and their meaning to segments and shell spans.

use std::borrow::Cow;

use super::text::{Escape, Token, What};
use super::{Meaning, Piece};
use crate::model::Text;
use crate::template::shell::Script;
use crate::template::{Parts, Reference, Segment, ShellSpan, Span, Template};

/// The template of a body whose segments end at `end`.
pub(super) fn template(body: Text, end: usize, pieces: &[Piece], meaning: &Meaning) -> Template {
    let mut segments = Segments::default();
    let mut shells = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Token(token) => segments.token(token, meaning),
            Piece::Shell(script) => {
                let index = u32::try_from(shells.len()).unwrap_or(u32::MAX);
                segments.text_to(script.source.start);
                segments.list.push(Segment::Shell(index));
                segments.cursor = script.source.end;
                shells.push(shell_span(script, meaning));
            }
        }
    }
    segments.text_to(end);
    Template::from_parts(Parts {
        text: body,
        segments: Cow::Owned(segments.list),
        shells: Cow::Owned(shells),
        dialect: meaning.dialect,
    })
}

/// The segments up to a cursor.
#[derive(Default)]
struct Segments {
    list: Vec<Segment>,
    cursor: usize,
}

impl Segments {
    /// The bytes from the cursor up to `end` are text.
    fn text_to(&mut self, end: usize) {
        if self.cursor < end {
            self.list.push(Segment::Text(Span::of(&(self.cursor..end))));
        }
        self.cursor = end;
    }

    fn token(&mut self, token: &Token, meaning: &Meaning) {
        let source = &token.source;
        let segment = match token.what {
            What::Variable(variable) => Segment::Variable(variable, Span::of(source)),
            What::Placeholder(spelling) => match meaning.argument(spelling) {
                Some(argument) => Segment::Argument(argument, Span::of(source)),
                // It is text, and so is a backslash before it.
                None => return,
            },
        };
        if token.escape != Escape::None {
            self.text_to(source.start - 1);
            self.cursor = source.start;
        }
        if token.escape != Escape::Literal {
            self.text_to(source.start);
            self.list.push(segment);
            self.cursor = source.end;
        }
    }
}

fn shell_span(script: &Script, meaning: &Meaning) -> ShellSpan {
    let mut rewritten = Vec::new();
    let mut references = Vec::new();
    for one in script.uses() {
        if let Some(argument) = one.rewritten().and_then(|spelling| meaning.argument(spelling)) {
            references.push(Reference { argument, source: Span::of(&script.in_body(&one.range)) });
            rewritten.push((one.range.clone(), argument));
        }
    }
    ShellSpan {
        command: script.rewrite(&rewritten).into(),
        source: Span::of(&script.source),
        block: script.block,
        takes_arguments: !references.is_empty(),
        references: Cow::Owned(references),
    }
}
