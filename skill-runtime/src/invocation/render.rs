//! A filled body to a block of a shape. The only code that writes prompt text.

use std::borrow::Cow;
use std::ops::Range;

use skilldeck_core::template::{Bound, Dialect, Segment, Template, Variables};

use super::Shape;

/// The tags that close the wrapper of [`Shape::User`].
const USER_TAGS: &[&str] = &["skill"];
/// The tags that close the wrapper of [`Shape::Tool`].
const TOOL_TAGS: &[&str] = &["skill_content", "skill_resources", "skill_instructions"];
/// What the name of every tag of a wrapper starts with.
const COMMON: &str = "skill";

/// How much room arguments may get before it is known how much they take.
const MOST_ROOM: usize = 64 << 10;

/// A skill, ready to be written.
#[derive(Debug)]
pub(super) struct Rendered<'a> {
    /// The name for display.
    pub(super) name: &'a str,
    /// Its body.
    pub(super) template: &'a Template,
    /// Its arguments.
    pub(super) bound: &'a Bound<'a>,
    /// The values of its variables; the resource base among them.
    pub(super) variables: Variables<'a>,
    /// What stands in the place of each shell span.
    pub(super) shells: &'a [Cow<'a, str>],
    /// Where its side files are, if it has any place for them.
    pub(super) base: Option<&'a str>,
    /// Its side files, relative to the base; only [`Shape::Tool`] has them.
    pub(super) files: &'a [Cow<'a, str>],
}

impl Rendered<'_> {
    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let is_argument = |segment: &&Segment| matches!(segment, Segment::Argument(..));
        let uses = self.template.segments().iter().filter(is_argument).count().max(1);
        let arguments = self.bound.raw.len().saturating_mul(uses).min(MOST_ROOM);
        let shells: usize = self.shells.iter().map(|shell| shell.len()).sum();
        let base = self.base.map_or(0, str::len);
        let files: usize = self.files.iter().map(|file| file.len() + 3).sum();
        self.template.text().len() + arguments + shells + 2 * base + files + self.name.len() + 256
    }

    /// Writes it behind what `out` has. Gives the bytes that hold arguments which no placeholder
    /// received, with what sets them apart.
    pub(super) fn write(&self, shape: Shape, out: &mut String) -> Range<usize> {
        match shape {
            Shape::User => self.user(out),
            Shape::Tool => self.tool(out),
            Shape::Plain => self.plain(out),
            Shape::Agui => self.agui(out),
            Shape::OpenCode => self.opencode(out),
        }
    }

    fn user(&self, out: &mut String) -> Range<usize> {
        out.push_str("<skill name=\"");
        attribute(self.name, out);
        out.push_str("\">\n");
        let inside = out.len();
        if let Some(base) = self.base {
            out.push_str("Resources: ");
            one_line(base, out);
            out.push('\n');
        }
        let unreceived = self.fill(out);
        escape(out, inside, USER_TAGS, &mut []);
        out.push_str("\n</skill>");
        self.append(unreceived, "\n\n", out)
    }

    fn tool(&self, out: &mut String) -> Range<usize> {
        out.push_str("<skill_content name=\"");
        attribute(self.name, out);
        out.push_str("\">\n");
        if let Some(base) = self.base {
            out.push_str("<skill_resources>\n");
            let inside = out.len();
            out.push_str("Base directory: ");
            one_line(base, out);
            for file in self.files {
                out.push_str("\n- ");
                one_line(file, out);
            }
            escape(out, inside, TOOL_TAGS, &mut []);
            out.push_str("\n</skill_resources>\n");
        }
        out.push_str("<skill_instructions>\n");
        let inside = out.len();
        let appended = self.plain(out);
        let mut marks = [appended.start, appended.end];
        escape(out, inside, TOOL_TAGS, &mut marks);
        out.push_str("\n</skill_instructions>\n</skill_content>");
        marks[0]..marks[1]
    }

    fn plain(&self, out: &mut String) -> Range<usize> {
        let unreceived = self.fill(out);
        let separator = match self.template.dialect() {
            Dialect::Claude => "\n\nARGUMENTS: ",
            Dialect::OpenCode => "\n\n",
        };
        self.append(unreceived, separator, out)
    }

    fn agui(&self, out: &mut String) -> Range<usize> {
        let start = out.len();
        if !self.fill(out) {
            return start..start;
        }
        let body = out.split_off(start);
        out.push_str("User input: ");
        out.push_str(self.bound.raw);
        out.push_str("\n\n");
        let end = out.len();
        out.push_str(&body);
        start..end
    }

    fn opencode(&self, out: &mut String) -> Range<usize> {
        let appended = self.plain(out);
        if let Some(base) = self.base {
            out.push_str("\n\nBase directory for this skill: ");
            one_line(base, out);
            out.push_str(
                "\nRelative paths in this skill (e.g., scripts/, reference/) are relative to this \
                 base directory.",
            );
        }
        appended
    }

    /// The body. Whether the arguments are still to be told.
    fn fill(&self, out: &mut String) -> bool {
        self.template.fill(self.bound, &self.variables, self.shells, out)
    }

    fn append(&self, unreceived: bool, separator: &str, out: &mut String) -> Range<usize> {
        let start = out.len();
        if unreceived {
            out.push_str(separator);
            out.push_str(self.bound.raw);
        }
        start..out.len()
    }
}

/// Writes an attribute value so that it stays one, on one line.
fn attribute(value: &str, out: &mut String) {
    let is_special = |c: char| matches!(c, '&' | '"' | '<' | '>' | '\n' | '\r' | '\t');
    let mut rest = value;
    while let Some(at) = rest.find(is_special) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'"' => "&quot;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'\n' => "&#10;",
            b'\r' => "&#13;",
            _ => "&#9;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// Writes the name of a file or a directory so that it stays on one line.
fn one_line(name: &str, out: &mut String) {
    for c in name.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
}

/// Takes from what stands behind `start` the power to close the wrapper around it: `</tag>` becomes
/// `<\/tag>`, and so does all that a lenient reader may take for it. `marks` are positions in `out`,
/// in order, and move with the text.
fn escape(out: &mut String, start: usize, tags: &[&str], marks: &mut [usize]) {
    let found = closings(&out[start..], tags);
    // Nearly every body ends here.
    if found.is_empty() {
        return;
    }
    let inside = out.split_off(start);
    for mark in marks {
        *mark += found.iter().filter(|at| start + **at < *mark).count();
    }
    let mut copied = 0;
    for at in found {
        out.push_str(&inside[copied..at]);
        out.push('\\');
        copied = at;
    }
    out.push_str(&inside[copied..]);
}

/// Where the `/` of each closing tag of these names stands, whatever its case, the space in it, and
/// what follows its name.
fn closings(text: &str, tags: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('/') {
        let name = text[at + 1..].trim_start_matches(is_blank);
        let is_near = name.get(..COMMON.len()).is_some_and(|it| it.eq_ignore_ascii_case(COMMON));
        if is_near
            && text[..at].trim_end_matches(is_blank).ends_with('<')
            && tags.iter().any(|tag| is_named(name, tag))
        {
            found.push(at);
        }
    }
    found
}

/// Whether the name of a tag is this one. It ends at anything that cannot go on with a name; a tag
/// that is never closed may be closed by what follows later.
fn is_named(text: &str, tag: &str) -> bool {
    let is_tag = text.get(..tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag));
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    is_tag && !text[tag.len()..].starts_with(goes_on)
}

/// White space of any script, and what takes no room.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests;
