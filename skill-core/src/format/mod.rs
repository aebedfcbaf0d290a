//! Bytes of a SKILL.md to a [`Skill`] and diagnostics. Total: it never panics and never stops at
//! the first fault.

mod document;
mod lines;
mod outline;

mod alone;
mod front;
mod keys;
mod mend;
mod repair;
mod yaml;

mod command;
mod fields;
mod given;
mod hint;
mod identity;
mod inside;
mod lists;
mod mention;
mod prose;
mod rights;
mod spelling;

mod fix;
mod report;
pub mod spec;

#[cfg(test)]
mod tests;

use std::path::Path;

use crate::diagnostic::{Code, Diagnostic, Edit, line_and_column};
use crate::model::{Agents, Restriction, Skill, Text};
use crate::template::{Cut, Dialect, Positional, Template};
use document::Document;
use fields::Reader;
use report::Report;

pub use fix::{Fixed, fix, fix_where};
pub use outline::{Outline, OutlineKey, outline};
pub use rights::narrowed;

/// The most bytes a SKILL.md may have: a hundred times what people write, and still read at once.
pub const MAX_FILE_BYTES: usize = 1 << 20;
/// The most bytes its front matter may have: the time of the YAML library grows with its square.
pub const MAX_FRONT_MATTER_BYTES: usize = 64 << 10;

/// How the files of a source are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// `<dir>/SKILL.md`.
    #[default]
    Skills,
    /// `**/*.md`: front matter is optional and the path is the name.
    Commands,
}

/// Where bytes come from, as far as reading them depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The default name: the directory's for a skill, the path's (`git:cm`) for a command.
    pub name: &'a str,
    /// The file, for diagnostics.
    pub path: Option<&'a Path>,
    /// The layout of the source.
    pub layout: Layout,
    /// The dialect of the source.
    pub dialect: Dialect,
    /// The positional rule of the source.
    pub positional: Positional,
}

impl<'a> Origin<'a> {
    /// A skill in the directory `name`, as a source of skills has them: no path, the `claude`
    /// dialect, positionals where arguments are declared.
    ///
    /// ```
    /// use skilldeck_core::format::{Layout, Origin};
    ///
    /// let command = Origin { layout: Layout::Commands, ..Origin::new("git:cm") };
    /// assert_eq!(command.path, None);
    /// ```
    #[must_use]
    pub const fn new(name: &'a str) -> Self {
        Self {
            name,
            path: None,
            layout: Layout::Skills,
            dialect: Dialect::Claude,
            positional: Positional::Declared,
        }
    }
}

/// What came out of a file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The skill; `None` only if the bytes are too large or not UTF-8.
    pub skill: Option<Skill>,
    /// Everything that is to be said about the file, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the bytes of one file.
///
/// ```
/// use skilldeck_core::format::{Origin, parse};
///
/// let file = b"---\nname: commit\ndescription: a: b\n---\nWrite it.\n";
/// let parsed = parse(file, &Origin::new("commit"));
/// let skill = parsed.skill.expect("the file is UTF-8");
/// assert_eq!(skill.description(), "a: b");
/// assert_eq!(skill.body(), "Write it.\n");
/// // The unquoted colon was repaired, and is reported with its place.
/// assert_eq!((parsed.diagnostics[0].line, parsed.diagnostics[0].column), (3, 15));
/// ```
#[must_use]
pub fn parse(bytes: &[u8], origin: &Origin<'_>) -> Parsed {
    match text_of(bytes) {
        Ok(text) => parse_text(text, origin),
        Err(mut diagnostic) => {
            diagnostic.path = origin.path.map(Path::to_path_buf);
            Parsed { skill: None, diagnostics: vec![*diagnostic] }
        }
    }
}

/// The skill that stands for a file that cannot be read: its name and words come from where it is,
/// it has no description and no body, and it is restricted as far as it goes.
///
/// ```
/// use skilldeck_core::format::{Origin, unreadable};
///
/// let skill = unreadable(&Origin::new("commit"));
/// assert_eq!(skill.word(), "commit");
/// assert!(skill.restricted() && skill.disable_model_invocation() && !skill.user_invocable());
/// ```
#[must_use]
pub fn unreadable(origin: &Origin<'_>) -> Skill {
    let mut fields = fields::blank(origin);
    fields.disallowed_tools = vec![Text::Borrowed("*")].into();
    fields.user_invocable = false;
    fields.disable_model_invocation = true;
    fields.require_confirmation = true;
    fields.allowed_agents = Agents::Nobody;
    fields.restriction = Restriction::Whole;
    Skill::from_fields(fields)
}

fn text_of(bytes: &[u8]) -> Result<&str, Box<Diagnostic>> {
    if bytes.len() > MAX_FILE_BYTES {
        let diagnostic = Diagnostic::new(Code::TooLarge, "the file is larger than 1 MiB")
            .help("move what the skill only needs at times into files beside it");
        return Err(Box::new(diagnostic));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let diagnostic = Diagnostic::new(Code::NotUtf8, "the file is UTF-16, at byte 0")
            .help("save the file as UTF-8");
        return Err(Box::new(diagnostic));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let length = error.error_len().unwrap_or(bytes.len() - at);
        let mut diagnostic =
            Diagnostic::new(Code::NotUtf8, format!("the file is not UTF-8 at byte {at}"))
                .help("save the file as UTF-8");
        let before = std::str::from_utf8(&bytes[..at]).unwrap_or_default();
        (diagnostic.line, diagnostic.column) = line_and_column(before, at);
        diagnostic.span = at..at + length;
        Box::new(diagnostic)
    })
}

fn parse_text(text: &str, origin: &Origin<'_>) -> Parsed {
    let mut report = Report::new(text, origin.path);
    let document = document::split(text);
    report_document(&document, text, origin, &mut report);
    let body = &text[document.body.clone()];
    let front = document
        .front
        .clone()
        .map(|range| (front::read(text, range.clone(), &mut report), &text[range]));
    let mut reader = Reader::new(text, document.opening.start, origin, &mut report);
    let is_empty = document.front.clone().is_none_or(|front| text[front].trim().is_empty());
    if is_empty || document.unclosed {
        // An unclosed or wrapped file, `---x`, a second byte order mark, or nothing between the
        // fences: restrictions that were written must not vanish with the fence.
        // Where a front matter that is never closed should have ended nobody knows.
        let range = if document.unclosed {
            document.body.clone()
        } else {
            document::before_heading(text, &document.body)
        };
        let hidden = front::hidden(text, range, true);
        if document.unclosed || !hidden.is_empty() {
            reader.lose_whole();
        }
        reader.lose_hidden(hidden);
    }
    if let Some((front, source)) = front {
        reader.take(front, source);
    }
    let mut fields = reader.finish(body, document.front.clone());
    let cut = Cut {
        dialect: origin.dialect,
        positional: origin.positional,
        declared: &fields.arguments,
        has_hint: fields.argument_hint.is_some(),
    };
    let (template, lints) = Template::cut(Text::Owned(body.to_owned()), &cut);
    fields.template = template;
    fields.details.settle();
    for lint in lints {
        let start = document.body.start;
        let span = start + lint.span.start..start + lint.span.end;
        report.add_as(lint.code, lint.code.severity(), span, lint.message, lint.help);
    }
    Parsed { skill: Some(Skill::from_fields(fields)), diagnostics: report.finish() }
}

fn report_document(document: &Document, text: &str, origin: &Origin<'_>, report: &mut Report<'_>) {
    if let Some(span) = document.wrapper.clone() {
        report
            .add(
                Code::WrappedFile,
                span,
                "the whole file stands inside a code fence, which is taken away",
                "remove the first and the last line of the file",
            )
            .edits
            .extend(mend::unwrap(text, document));
    }
    if let Some(span) = document.blank_before.clone() {
        report
            .add(
                Code::BlankBeforeFence,
                span.clone(),
                "blank lines stand before the opening `---`",
                "remove them: other readers want `---` in the first line",
            )
            .edits
            .push(Edit { span, replacement: String::new() });
    }
    if document.unclosed {
        report
            .add(
                Code::UnclosedFrontMatter,
                document.opening.clone(),
                "the front matter is never closed, so the skill is restricted",
                "write a line `---` below the last key",
            )
            .edits
            .extend(mend::close(text, document));
    }
    if document.front.is_some() {
        return;
    }
    if let Some(path) = document::linked_path(text, origin.layout) {
        report.add(
            Code::MaterialisedSymlink,
            document.body.clone(),
            format!("the file is a symbolic link to `{path}` that was checked out as text"),
            "check it out again with `git config core.symlinks true`, or copy the file it means",
        );
    } else if origin.layout == Layout::Skills {
        report
            .add(
                Code::NoFrontMatter,
                document.opening.clone(),
                "the file has no front matter",
                "start the file with `---`, `name: …`, `description: …` and `---`, a line each",
            )
            .edits
            .extend(mend::remove_marks(text));
    }
}
