//! Findings to pages in rustc's look: frame, caret, help.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use skilldeck::diagnostic::{Diagnostic, Severity};
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

fn group<'a>(diagnostic: &'a Diagnostic, source: Option<&'a str>) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group =
        Group::with_title(level.primary_title(&*diagnostic.message).id(diagnostic.code.id()));
    let path = diagnostic.path.as_ref().map(|path| path.to_string_lossy());
    match (source, path) {
        (Some(source), Some(path)) if !source.is_empty() => {
            let span = shown(source, diagnostic);
            group = group.element(
                Snippet::source(source).path(path).annotation(AnnotationKind::Primary.span(span)),
            );
        }
        (_, Some(path)) => {
            group = group.element(
                Origin::path(path)
                    .line(diagnostic.line as usize)
                    .char_column(diagnostic.column as usize),
            );
        }
        (_, None) => {}
    }
    for place in &diagnostic.related {
        let at = match &place.path {
            Some(path) => format!("{}:{}: {}", path.display(), place.line, place.message),
            // It lies in no file: a bundled skill, say.
            None => place.message.clone(),
        };
        group = group.element(Level::NOTE.message(at));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    group
}

/// The bytes to underline: the span on its first line, at least one character where there is one.
fn shown(source: &str, diagnostic: &Diagnostic) -> std::ops::Range<usize> {
    let boundary = |mut at: usize| {
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    if diagnostic.span.is_empty() && (diagnostic.line, diagnostic.column) != (1, 1) {
        // Only the line is known: all of it is meant.
        let line = source.split_inclusive('\n').nth(diagnostic.line as usize - 1).unwrap_or("");
        let from: usize =
            source.split_inclusive('\n').take(diagnostic.line as usize - 1).map(str::len).sum();
        let blank = line.len() - line.trim_start().len();
        if !line.trim().is_empty() && diagnostic.column == 1 {
            return from + blank..from + line.trim_end().len();
        }
    }
    let start = boundary(diagnostic.span.start.min(source.len()));
    let line_end = source[start..].find(['\r', '\n']).map_or(source.len(), |at| start + at);
    let end = boundary(diagnostic.span.end.clamp(start, line_end));
    if end > start {
        return start..end;
    }
    let next = source[start..line_end].chars().next().map_or(0, char::len_utf8);
    start..start + next
}
