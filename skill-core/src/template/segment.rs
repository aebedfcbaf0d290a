//! Segments: what a cut body is made of, as data that a `static` can hold.

use std::ops::Range;

use super::Dialect;
use crate::model::{List, Text};

/// A range of bytes of the body, in four bytes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span as a range, to index the body with.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Bodies end below 4 GiB: the cut covers no more of them.
    pub(super) fn of(range: &Range<usize>) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: narrow(range.start), end: narrow(range.end) }
    }
}

/// What a placeholder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The raw text, untouched.
    All,
    /// The word with this 0-based index.
    Position(u32),
    /// The word with this 0-based index and all behind it, joined by single blanks.
    Rest(u32),
    /// The declared argument with this 0-based index.
    Named(u32),
}

/// What a `${…}` variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// The resource base of the skill.
    SkillDir,
    /// The session's id.
    SessionId,
    /// The project's directory.
    ProjectDir,
    /// The effort.
    Effort,
}

/// One piece of a cut body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Text that is copied (an escape is text without its backslash).
    Text(Span),
    /// A placeholder; the span is its source, for a value that is missing.
    Argument(Argument, Span),
    /// A variable; the span is its source.
    Variable(Variable, Span),
    /// The shell span with this position in [`Template::shells`].
    Shell(u32),
}

/// A placeholder and where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// What it stands for.
    pub argument: Argument,
    /// Its source in the body.
    pub source: Span,
}

/// A shell command of a body. No argument text is ever part of it: placeholders were rewritten to
/// references that the shell resolves from its environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellSpan {
    /// The command, placeholders rewritten; a block has lost its indentation and its CRs.
    pub command: Text,
    /// Its source in the body, fences included.
    pub source: Span,
    /// Whether it is a block (```` ```! ````) rather than inline.
    pub block: bool,
    /// Whether the command refers to an argument.
    pub takes_arguments: bool,
    /// The placeholders that were rewritten, in order of appearance.
    pub references: List<Reference>,
}

/// A body, cut.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    pub text: Text,
    pub segments: List<Segment>,
    pub shells: List<ShellSpan>,
    pub dialect: Dialect,
}

/// A body, cut into segments that a single pass fills.
///
/// ```
/// use skilldeck_core::template::{Cut, Template, Variables};
///
/// let (template, lints) = Template::cut("Fix $0 in $ARGUMENTS.\n".into(), &Cut::default());
/// assert!(lints.is_empty());
/// let mut out = String::new();
/// let append = template.fill(&template.bind("'the parser' now"), &Variables::default(), &[], &mut out);
/// assert_eq!(out, "Fix the parser in 'the parser' now.");
/// assert!(!append);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    parts: Parts,
}

impl Template {
    /// A template of these parts. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_parts(parts: Parts) -> Self {
        Self { parts }
    }

    /// The parts. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The body, byte for byte.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.parts.text
    }

    /// The segments; together they cover the body without its trailing newlines and without the
    /// backslashes that escapes lose.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.parts.segments
    }

    /// The shell spans, in order.
    #[must_use]
    pub fn shells(&self) -> &[ShellSpan] {
        &self.parts.shells
    }

    /// The dialect it was cut in.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.parts.dialect
    }

    /// Whether the body has a placeholder for an argument, in text or in a shell span.
    #[must_use]
    pub fn has_placeholder(&self) -> bool {
        self.references().next().is_some()
    }

    /// The placeholders as written, each once, in order of appearance (OpenCode's `hints`).
    #[must_use]
    pub fn placeholders(&self) -> Vec<&str> {
        let mut written: Vec<&str> = Vec::new();
        for reference in self.references() {
            let source = self.source(reference.source);
            if !written.contains(&source) {
                written.push(source);
            }
        }
        written
    }

    /// Every placeholder, in order of appearance, those of shell spans included.
    pub(super) fn references(&self) -> impl Iterator<Item = Reference> {
        self.segments().iter().flat_map(|segment| {
            let (own, shell) = match segment {
                Segment::Argument(argument, source) => {
                    (Some(Reference { argument: *argument, source: *source }), &[][..])
                }
                Segment::Shell(index) => {
                    (None, self.shell(*index).map_or(&[][..], |shell| &shell.references))
                }
                Segment::Text(_) | Segment::Variable(..) => (None, &[][..]),
            };
            own.into_iter().chain(shell.iter().copied())
        })
    }

    /// The shell span with this position.
    pub(super) fn shell(&self, index: u32) -> Option<&ShellSpan> {
        self.shells().get(index as usize)
    }

    /// The bytes of the body at a span; empty if it is none of this body's.
    pub(super) fn source(&self, span: Span) -> &str {
        self.text().get(span.range()).unwrap_or_default()
    }
}
