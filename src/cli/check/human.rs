//! Findings to pages in rustc's look: frame, caret, help.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use skilldeck::diagnostic::{Diagnostic, Severity, one_line};
use skilldeck::scan;

use crate::cli::output::Output;

/// The findings, each with the lines it is about.
pub(super) fn report(diagnostics: &[Diagnostic], output: &Output) -> String {
    let renderer = Renderer::styled()
        .decor_style(DecorStyle::Ascii)
        .term_width(output.width().unwrap_or(100).max(40));
    let mut sources: HashMap<PathBuf, Option<String>> = HashMap::new();
    let mut pages = String::new();
    for diagnostic in diagnostics {
        let source = diagnostic.path.as_deref().and_then(|path| {
            sources.entry(path.to_path_buf()).or_insert_with(|| text_of(path)).as_deref()
        });
        pages.push_str(&renderer.render(&[group(diagnostic, source)]));
        pages.push_str("\n\n");
    }
    pages
}

/// The text of a file whose spans were counted in bytes; none where they cannot be shown.
fn text_of(path: &Path) -> Option<String> {
    String::from_utf8(scan::read(path).ok()?).ok()
}

/// Longer lines are not shown: they would be wrapped over many, and each finding on them again.
const MAX_SHOWN_LINE: usize = 400;

fn group<'a>(diagnostic: &'a Diagnostic, source: Option<&'a str>) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(one_line(&diagnostic.message)).id(diagnostic.code.id());
    let mut group = Group::with_title(title);
    let path = diagnostic.path.as_ref().map(|path| place(path));
    let excerpt = source.and_then(|source| excerpt(source, diagnostic));
    match (excerpt, path) {
        (Some((line, span)), Some(path)) => {
            group = group.element(
                Snippet::source(line)
                    .line_start(diagnostic.line as usize)
                    .path(path)
                    .annotation(AnnotationKind::Primary.span(span)),
            );
        }
        (None, Some(path)) => {
            let at = Origin::path(path).line(diagnostic.line as usize);
            group = group.element(at.char_column(diagnostic.column as usize));
        }
        (_, None) => {}
    }
    for related in &diagnostic.related {
        let message = one_line(&related.message);
        let at = match &related.path {
            Some(path) => format!("{}:{}: {message}", place(path), related.line),
            // It lies in no file: a bundled skill, say.
            None => message.into_owned(),
        };
        group = group.element(Level::NOTE.message(at));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(one_line(help)));
    }
    group
}

fn place(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// The line of a finding, and the bytes of it to underline: the span as far as it is on this line,
/// at least one character where there is one, or all of the line where only the line is known.
fn excerpt<'a>(source: &'a str, diagnostic: &Diagnostic) -> Option<(&'a str, Range<usize>)> {
    let number = (diagnostic.line as usize).checked_sub(1)?;
    let mut start = 0;
    let mut lines = source.split_inclusive('\n');
    for before in lines.by_ref().take(number) {
        start += before.len();
    }
    let line = lines.next().unwrap_or("").trim_end_matches(['\n', '\r']);
    if source.is_empty() || line.len() > MAX_SHOWN_LINE {
        return None;
    }
    let boundary = |mut at: usize| {
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let is_whole = diagnostic.span.is_empty() && diagnostic.column == 1 && diagnostic.line > 1;
    if is_whole && !line.trim().is_empty() {
        return Some((line, line.len() - line.trim_start().len()..line.trim_end().len()));
    }
    let within = |at: usize| boundary(at.saturating_sub(start).min(line.len()));
    let (from, mut to) = (within(diagnostic.span.start), within(diagnostic.span.end));
    if to <= from {
        to = from + line[from..].chars().next().map_or(0, char::len_utf8);
    }
    Some((line, from..to))
}
