//! Diagnostics of many files to one text for each file, as a compiler shows it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::Directory;
use crate::diagnostic::{Diagnostic, Severity};

/// The most characters of a source line that are shown; of a longer one the part round the fault.
const MAX_SHOWN: usize = 100;

/// Everything that is wrong with one file.
///
/// It displays as several lines: place and message, the source line with the fault underlined,
/// further places, help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// As seen from the package.
    path: String,
    text: String,
    diagnostics: Vec<Diagnostic>,
}

impl Fault {
    /// The file, as seen from the package that compiles it, with `/` between the parts.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong, in the order of the file.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.diagnostics.iter().enumerate() {
            if number > 0 {
                f.write_str("\n\n")?;
            }
            let Diagnostic { line, column, message, code, .. } = diagnostic;
            f.write_str(&self.path)?;
            // What has no text has no line: a directory, or a file that cannot be read.
            if !self.text.is_empty() {
                write!(f, ":{line}:{column}")?;
            }
            write!(f, ": {message} [{}]", code.id())?;
            let margin = " ".repeat(line.to_string().len());
            if let Some(frame) = Frame::new(&self.text, diagnostic) {
                let Frame { source, indent, width } = frame;
                let (blank, caret) = (" ".repeat(indent), "^".repeat(width));
                write!(f, "\n{margin} |\n{line} | {source}\n{margin} | {blank}{caret}")?;
            }
            for place in &diagnostic.related {
                let path = place
                    .path
                    .as_ref()
                    .map_or(self.path.clone(), |path| path.to_string_lossy().into_owned());
                write!(f, "\n{margin} = note: {path}:{}: {}", place.line, place.message)?;
            }
            if let Some(help) = &diagnostic.help {
                write!(f, "\n{margin} = help: {help}")?;
            }
            if diagnostic.severity == Severity::Warning {
                write!(f, "\n{margin} = note: a warning is an error here because of `strict`")?;
            }
        }
        Ok(())
    }
}

/// A source line and what to underline of it, in characters.
struct Frame {
    source: String,
    indent: usize,
    width: usize,
}

impl Frame {
    /// `None` for a finding about the file as a whole.
    fn new(text: &str, diagnostic: &Diagnostic) -> Option<Self> {
        let Diagnostic { line, column, span, .. } = diagnostic;
        let has_span = span.start < span.end;
        if (*line, *column) == (1, 1) && !has_span {
            return None;
        }
        let line = text.lines().nth(usize::try_from(*line).ok()?.checked_sub(1)?)?;
        let mut shown: Vec<char> =
            line.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut indent = usize::try_from(*column).ok()?.checked_sub(1)?.min(shown.len());
        let mut width = match text.get(span.clone()) {
            Some(spanned) if has_span => spanned.lines().next().map_or(1, |s| s.chars().count()),
            _ if *column == 1 => {
                indent = shown.iter().take_while(|c| c.is_whitespace()).count();
                shown.len() - indent
            }
            _ => 1,
        };
        if shown.len() > MAX_SHOWN {
            let start = indent.saturating_sub(MAX_SHOWN / 2).min(shown.len() - MAX_SHOWN);
            let cut = start + MAX_SHOWN < shown.len();
            shown = shown.split_off(start);
            shown.truncate(MAX_SHOWN);
            indent -= start;
            if start > 0 {
                shown[0] = '…';
            }
            if cut {
                shown[MAX_SHOWN - 1] = '…';
            }
        }
        width = width.min(shown.len().saturating_sub(indent)).max(1);
        Some(Self { source: shown.into_iter().collect(), indent, width })
    }
}

/// Collects the faults of a whole directory before anyone gives up.
pub(super) struct Collector<'a> {
    directories: &'a [Directory],
    threshold: Severity,
    files: BTreeMap<String, Vec<Diagnostic>>,
}

impl<'a> Collector<'a> {
    /// A collector of errors, and of warnings if `strict`.
    pub(super) fn new(directories: &'a [Directory], strict: bool) -> Self {
        let threshold = if strict { Severity::Warning } else { Severity::Error };
        Self { directories, threshold, files: BTreeMap::new() }
    }

    /// Adds a finding if it weighs enough. Its path, or else `path`, says which file it is about.
    pub(super) fn add(&mut self, path: &Path, mut diagnostic: Diagnostic) {
        if diagnostic.severity < self.threshold {
            return;
        }
        let path = self.show(diagnostic.path.as_deref().unwrap_or(path));
        for place in &mut diagnostic.related {
            place.path = place.path.as_deref().map(|path| self.show(path).into());
            self.relieve(&mut place.message);
        }
        self.relieve(&mut diagnostic.message);
        if let Some(help) = &mut diagnostic.help {
            self.relieve(help);
        }
        diagnostic.path = Some(path.clone().into());
        self.files.entry(path).or_default().push(diagnostic);
    }

    /// The faults, sorted by file; `text` gives the source of a file.
    pub(super) fn finish(self, text: impl Fn(&str) -> Option<String>) -> Vec<Fault> {
        let fault = |(path, mut diagnostics): (String, Vec<Diagnostic>)| {
            diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
            Fault { text: text(&path).unwrap_or_default(), path, diagnostics }
        };
        self.files.into_iter().map(fault).collect()
    }

    /// Takes the package's own path out of a text, which is the same on every machine then.
    fn relieve(&self, text: &mut String) {
        let Some(directory) = self.directories.first() else { return };
        let package = format!("`{}/", directory.package().display());
        if text.contains(&package) {
            *text = text.replace(&package, "`");
        }
    }

    /// A path as it is seen from the package.
    fn show(&self, path: &Path) -> String {
        // All directories are of one package.
        let shown = self.directories.first().and_then(|directory| directory.in_package(path));
        shown.unwrap_or_else(|| path.to_string_lossy().into_owned())
    }
}
