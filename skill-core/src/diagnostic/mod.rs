//! Diagnostics: what is wrong, where, and what to do about it.

mod code;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use code::Code;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something to know; never fails a check.
    Note,
    /// The skill loads, but a reader elsewhere may not read it as meant.
    Warning,
    /// Something was lost or refused.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A place in a file that helps to understand a diagnostic, such as one edge of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file.
    pub path: Option<PathBuf>,
    /// The 1-based line.
    pub line: u32,
    /// What is there.
    pub message: String,
}

/// A change of a file's bytes that mends what a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub span: Range<usize>,
    /// What comes in their place.
    pub replacement: String,
}

/// One finding about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of finding; stable.
    pub code: Code,
    /// The weight; the code's own unless a caller changed it.
    pub severity: Severity,
    /// The file, if it is about one.
    pub path: Option<PathBuf>,
    /// The bytes it is about; empty at the start for the file as a whole.
    pub span: Range<usize>,
    /// The 1-based line of the span's start.
    pub line: u32,
    /// The 1-based column of the span's start, in Unicode scalar values.
    pub column: u32,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Further places.
    pub related: Vec<Related>,
    /// What mends it, where that is mechanical: all of these changes or none.
    pub edits: Vec<Edit>,
}

impl Diagnostic {
    /// A finding about a file as a whole, at 1:1, with the code's own severity.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            path: None,
            span: 0..0,
            line: 1,
            column: 1,
            message: message.into(),
            help: None,
            related: Vec::new(),
            edits: Vec::new(),
        }
    }

    /// The same at these bytes of `text`.
    #[must_use]
    pub fn at(mut self, text: &str, span: Range<usize>) -> Self {
        (self.line, self.column) = line_and_column(text, span.start);
        self.span = span;
        self
    }

    /// The same at the start of this 1-based line.
    #[must_use]
    pub fn at_line(mut self, line: u32) -> Self {
        self.line = line.max(1);
        self
    }

    /// The same with this advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same about this file.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Self {
        self.path = Some(path.to_path_buf());
        self
    }

    /// The same with one more change that mends it.
    #[must_use]
    pub fn edit(mut self, span: Range<usize>, replacement: impl Into<String>) -> Self {
        self.edits.push(Edit { span, replacement: replacement.into() });
        self
    }

    /// The same with one more place to look at.
    #[must_use]
    pub fn related(mut self, path: Option<&Path>, line: u32, message: impl Into<String>) -> Self {
        self.related.push(Related {
            path: path.map(Path::to_path_buf),
            line,
            message: message.into(),
        });
        self
    }
}

impl fmt::Display for Diagnostic {
    /// `path:line:column: severity[code]: message`, the help and further places on lines of their
    /// own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on_a_line = |path: &Path| one_line(&path.to_string_lossy()).into_owned();
        if let Some(path) = &self.path {
            write!(f, "{}:{}:{}: ", on_a_line(path), self.line, self.column)?;
        }
        write!(f, "{}[{}]: {}", self.severity, self.code.id(), one_line(&self.message))?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {}", one_line(help))?;
        }
        for place in &self.related {
            let message = one_line(&place.message);
            match &place.path {
                Some(path) => write!(f, "\n  {}:{}: {message}", on_a_line(path), place.line)?,
                None => write!(f, "\n  {message}")?,
            }
        }
        Ok(())
    }
}

/// Text on one line that no terminal obeys: control characters, and those that change the direction
/// of text, become U+FFFD. A name or a path may hold any of them, and a line of its own could pass
/// for another finding.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    let obeyed =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.contains(obeyed) { text.replace(obeyed, "\u{fffd}").into() } else { text.into() }
}

/// The 1-based line and column (in Unicode scalar values) of a byte offset.
#[must_use]
pub fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before[start..].chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
