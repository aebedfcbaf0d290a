//! A filled body to a block of a shape. The only code that writes prompt text.

use std::borrow::Cow;
use std::ops::Range;

use skilldeck_core::template::{Bound, Dialect, Segment, Template, Variables};

use super::Shape;

/// The tags that close the wrapper of [`Shape::User`].
const USER_TAGS: &[&str] = &["skill"];
/// The tags that close the wrapper of [`Shape::Tool`].
const TOOL_TAGS: &[&str] = &["skill_content", "skill_resources", "skill_instructions"];
/// What every closing tag of a wrapper starts with.
const CLOSING: &str = "</skill";

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
            out.push_str(base);
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
            out.push_str(base);
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
            out.push_str(base);
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

/// Writes a file name so that it cannot pass for two.
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
/// `<\/tag>`. `marks` are positions in `out`, in order, and move with the text.
fn escape(out: &mut String, start: usize, tags: &[&str], marks: &mut [usize]) {
    // Nearly every body ends here; this search is far faster than the walk below.
    if !out[start..].contains(CLOSING) {
        return;
    }
    let inside = out.split_off(start);
    let is_tag = |at: usize| tags.iter().any(|tag| is_closing(&inside[at + "</".len()..], tag));
    let found = inside.match_indices(CLOSING).map(|(at, _)| at).filter(|at| is_tag(*at));
    let found: Vec<usize> = found.collect();
    for mark in marks {
        *mark += found.iter().filter(|at| start + **at < *mark).count();
    }
    let mut copied = 0;
    for at in found {
        out.push_str(&inside[copied..at]);
        out.push_str("<\\");
        copied = at + "<".len();
    }
    out.push_str(&inside[copied..]);
}

/// Whether this text, behind a `</`, is a tag of this name: XML lets white space stand before `>`.
fn is_closing(text: &str, tag: &str) -> bool {
    text.strip_prefix(tag)
        .is_some_and(|rest| rest.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('>'))
}

#[cfg(test)]
mod tests;
