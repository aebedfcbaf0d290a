//! Findings to diagnostics: each gets its file, line and column, and all come out in source order.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use crate::diagnostic::{Code, Diagnostic, Severity};

/// How often one thing is said of one file: whoever mends a hundred places has understood, and a
/// hostile file must not cost more than it is long.
const MOST_OF_A_KIND: usize = 100;

/// Collects what is to be said about one file.
pub(super) struct Report<'a> {
    text: &'a str,
    path: Option<&'a Path>,
    /// The starts of the lines, once somebody asks: most files have nothing to report.
    starts: OnceCell<Vec<usize>>,
    found: Vec<Diagnostic>,
    /// The last place whose column was counted, so that many findings on one long line are not
    /// counted from its start each.
    counted: (usize, u32),
}

impl<'a> Report<'a> {
    pub(super) fn new(text: &'a str, path: Option<&'a Path>) -> Self {
        Self { text, path, starts: OnceCell::new(), found: Vec::new(), counted: (0, 1) }
    }

    /// Adds a finding with its advice.
    pub(super) fn add(
        &mut self,
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add_as(code, code.severity(), span, message, Some(help.into()))
    }

    /// Adds a finding with another severity than the code's own.
    pub(super) fn add_as(
        &mut self,
        code: Code,
        severity: Severity,
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) -> &mut Diagnostic {
        let mut diagnostic = Diagnostic::new(code, message);
        diagnostic.severity = severity;
        diagnostic.help = help;
        diagnostic.path = self.path.map(Path::to_path_buf);
        (diagnostic.line, diagnostic.column) = self.place(span.start);
        diagnostic.span = span;
        let last = self.found.len();
        self.found.push(diagnostic);
        &mut self.found[last]
    }

    /// The 1-based line of a byte.
    pub(super) fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.starts().partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// Everything, in source order; of one kind the first ones and how many more there are.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|diagnostic| diagnostic.span.start);
        let mut counts: HashMap<(Code, Severity), usize> = HashMap::new();
        self.found.retain_mut(|diagnostic| {
            let count = counts.entry((diagnostic.code, diagnostic.severity)).or_default();
            *count += 1;
            *count <= MOST_OF_A_KIND + 1
        });
        for ((code, severity), count) in counts {
            let more = count.saturating_sub(MOST_OF_A_KIND);
            let is_of_kind =
                |found: &&mut Diagnostic| (found.code, found.severity) == (code, severity);
            // A single one too many is worth its own words.
            if more > 1
                && let Some(last) = self.found.iter_mut().rev().find(is_of_kind)
            {
                last.message = format!("{more} more of this kind from here on");
                last.related.clear();
                last.edits.clear();
            }
        }
        self.found
    }

    fn place(&mut self, offset: usize) -> (u32, u32) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        let start = self.starts()[line as usize - 1];
        let (from, column) = match self.counted {
            (at, column) if (start..=offset).contains(&at) => (at, column),
            _ => (start, 1),
        };
        let count = self.text[from..offset].chars().count();
        let column = column.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        self.counted = (offset, column);
        (line, column)
    }

    fn starts(&self) -> &[usize] {
        self.starts.get_or_init(|| {
            let ends = self.text.match_indices('\n');
            std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
        })
    }
}
