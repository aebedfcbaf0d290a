//! The text of one shell span, and where each byte of it stands in the body.

use std::ops::Range;

use super::{lexer, reference};
use crate::template::dialect::{Names, Spelling};
use crate::template::{Argument, Dialect};

/// A shell span: its text as the shell gets it, but for the placeholders.
#[derive(Debug)]
pub(crate) struct Script {
    /// Its source in the body, fences included.
    pub(crate) source: Range<usize>,
    pub(crate) block: bool,
    text: String,
    /// Where text from the first byte on stands in the body from the second byte on.
    origins: Vec<(usize, usize)>,
    uses: Vec<Use>,
}

/// A place where a script uses an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// The placeholder; none for an environment variable of ours that the author wrote.
    pub(crate) spelling: Option<Spelling>,
    /// Its bytes in the script.
    pub(crate) range: Range<usize>,
    pub(crate) quoting: Quoting,
    /// Whether it is part of what a further shell evaluates as code.
    pub(crate) code: bool,
}

/// What the shell does to a placeholder at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// It expands it, and splits the value into words.
    Unquoted,
    /// It expands it, and the value stays whole.
    Whole,
    /// It does not look at it: single quotes, or a heredoc with a quoted delimiter, which starts
    /// at this byte of the script.
    Verbatim(usize),
}

impl Use {
    /// The placeholder, if it is rewritten rather than left to the shell.
    pub(crate) fn rewritten(&self) -> Option<Spelling> {
        self.spelling.filter(|_| !matches!(self.quoting, Quoting::Verbatim(_)))
    }
}

impl Script {
    /// The script of `` !`command` ``.
    pub(crate) fn inline(body: &str, source: Range<usize>, command: Range<usize>) -> Self {
        let text = body[command.clone()].to_owned();
        Self { source, block: false, text, origins: vec![(0, command.start)], uses: Vec::new() }
    }

    /// The script of a block: its lines without the indentation of the fence (as Markdown has it)
    /// and without CRs (to a shell they are part of the last word).
    pub(crate) fn block(
        body: &str,
        source: Range<usize>,
        lines: Range<usize>,
        indent: usize,
    ) -> Self {
        let mut text = String::with_capacity(lines.len());
        let mut origins = Vec::new();
        let mut start = lines.start;
        for line in body[lines].split_inclusive('\n') {
            let lost = line.bytes().take(indent).take_while(|byte| *byte == b' ').count();
            origins.push((text.len(), start + lost));
            match line.strip_suffix("\r\n") {
                Some(content) => {
                    text.push_str(&content[lost..]);
                    text.push('\n');
                }
                None => text.push_str(&line[lost..]),
            }
            start += line.len();
        }
        if text.ends_with('\n') {
            text.pop();
        }
        Self { source, block: true, text, origins, uses: Vec::new() }
    }

    /// Finds the places where it uses an argument.
    pub(crate) fn read(&mut self, dialect: Dialect, names: &Names<'_>) {
        self.uses = lexer::uses(&self.text, dialect, names);
    }

    /// The places where it uses an argument, in order.
    pub(crate) fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// The text behind a place in the script.
    pub(crate) fn behind(&self, range: &Range<usize>) -> &str {
        &self.text[range.end..]
    }

    /// The text of a place in the script.
    pub(crate) fn text_at(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
    }

    /// The bytes of the body that a range of the script comes from; it is within one line.
    pub(crate) fn in_body(&self, range: &Range<usize>) -> Range<usize> {
        let line = self.origins.partition_point(|(text, _)| *text <= range.start);
        let (text, body) = self.origins[..line].last().copied().unwrap_or_default();
        let start = body + (range.start - text);
        start..start + range.len()
    }

    /// The command, with these ranges replaced by references to the environment.
    pub(crate) fn rewrite(&self, placeholders: &[(Range<usize>, Argument)]) -> String {
        let mut command = String::with_capacity(self.text.len() + 16 * placeholders.len());
        let mut cursor = 0;
        for (range, argument) in placeholders {
            command.push_str(&self.text[cursor..range.start]);
            command.push_str(&reference(*argument));
            cursor = range.end;
        }
        command.push_str(&self.text[cursor..]);
        command
    }
}
