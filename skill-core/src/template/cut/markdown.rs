//! A body to its regions: shell blocks, inline shell spans, and the text between them.
//!
//! This is as much of CommonMark as decides what is code: fences, also in lists and quotes, and
//! code spans within one paragraph. Where it cannot know, it sees code, and runs nothing.

use std::ops::Range;

use super::inline;

/// A part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// Text that is searched for placeholders.
    Text(Range<usize>),
    /// `` !`command` ``.
    Inline { source: Range<usize>, command: Range<usize> },
    /// A ```` ```! ```` block; `source` has the fences, `lines` what stands between them, and
    /// `indent` is the indentation of the opening fence, which its lines lose.
    Block { source: Range<usize>, lines: Range<usize>, indent: usize },
}

/// The regions of `body[..end]`, and the opening line of a shell block that is never closed.
pub(super) fn regions(body: &str, end: usize) -> (Vec<Region>, Option<Range<usize>>) {
    if !may_hold_shell(&body[..end]) {
        return (with_text(Vec::new(), end), None);
    }
    let mut shells = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut paragraph: Option<Range<usize>> = None;
    let mut start = 0;
    while start < end {
        let next = body[start..end].find('\n').map_or(end, |at| start + at + 1);
        let line = Line::of(&body[start..next]);
        let here = start..start + line.text.len();
        start = next;
        // With fewer quote marks the quote is over, and so is a fence in it.
        if let Some(open) = fence.take_if(|open| line.quotes < open.quotes || line.closes(open)) {
            if line.quotes >= open.quotes {
                shells.extend(open.shell.then_some(Region::Block {
                    source: open.line.start..here.end,
                    lines: open.behind..here.start,
                    indent: open.column,
                }));
                continue;
            }
        } else if fence.is_some() {
            continue;
        }
        let opened = line.opens(here.clone(), next);
        if opened.is_some() || line.is_blank() || line.starts_block() {
            inline::shells(body, paragraph.take(), &mut shells);
        }
        if opened.is_none() && !line.is_blank() {
            paragraph.get_or_insert(here.clone()).end = here.end;
        }
        if line.is_alone() {
            inline::shells(body, paragraph.take(), &mut shells);
        }
        fence = opened;
    }
    inline::shells(body, paragraph, &mut shells);
    (with_text(shells, end), fence.filter(|open| open.shell).map(|open| open.line))
}

/// Whether a shell span can stand anywhere: an exclamation mark before or behind a backtick. Most
/// bodies have none, and need not be read line by line.
fn may_hold_shell(body: &str) -> bool {
    body.match_indices('!')
        .any(|(at, _)| body[at + 1..].starts_with('`') || body[..at].trim_end().ends_with('`'))
}

/// The shells and the text around them.
fn with_text(shells: Vec<Region>, end: usize) -> Vec<Region> {
    let mut regions = Vec::with_capacity(2 * shells.len() + 1);
    let mut cursor = 0;
    for shell in shells {
        let (Region::Text(source) | Region::Inline { source, .. } | Region::Block { source, .. }) =
            &shell;
        if cursor < source.start {
            regions.push(Region::Text(cursor..source.start));
        }
        cursor = source.end;
        regions.push(shell);
    }
    if cursor < end {
        regions.push(Region::Text(cursor..end));
    }
    regions
}

/// An open fence.
struct Fence {
    byte: u8,
    length: usize,
    column: usize,
    /// How far a closing fence may be indented.
    reach: usize,
    quotes: usize,
    shell: bool,
    line: Range<usize>,
    /// The first byte behind its line.
    behind: usize,
}

/// A line, with what containers put before its content.
struct Line<'a> {
    /// Without its line end.
    text: &'a str,
    /// Without indentation, quote marks and list markers.
    content: &'a str,
    /// The column of the content; a tab counts four.
    column: usize,
    quotes: usize,
    list: bool,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let text = line.trim_end_matches(['\n', '\r']);
        let (mut content, mut column, mut quotes, mut list) = (text, 0, 0, false);
        loop {
            let indented = content.trim_start_matches([' ', '\t']);
            let blanks = &content[..content.len() - indented.len()];
            column += blanks.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum::<usize>();
            content = indented;
            let marker = match content.strip_prefix('>') {
                Some(_) => 1,
                None => list_marker(content),
            };
            if marker == 0 {
                break;
            }
            if content.starts_with('>') {
                quotes += 1;
            } else {
                list = true;
            }
            column += marker;
            content = &content[marker..];
        }
        Self { text, content, column, quotes, list }
    }

    fn is_blank(&self) -> bool {
        self.content.is_empty()
    }

    /// Whether it cannot continue the paragraph before it, so that a code span cannot either.
    fn starts_block(&self) -> bool {
        self.list || self.is_alone()
    }

    /// Whether no line continues it: a heading or a row of a table.
    fn is_alone(&self) -> bool {
        self.content.starts_with(['#', '|'])
    }

    /// The run of fence bytes at the start of its content, and what is behind it.
    fn fence(&self) -> Option<(u8, usize, &'a str)> {
        let byte = *self.content.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = self.content.bytes().take_while(|other| *other == byte).count();
        (length >= 3).then(|| (byte, length, self.content[length..].trim()))
    }

    fn opens(&self, line: Range<usize>, behind: usize) -> Option<Fence> {
        let (byte, length, info) = self.fence()?;
        if byte == b'`' && info.contains('`') {
            return None;
        }
        let nested = self.list || self.quotes > 0 || self.column > 3;
        Some(Fence {
            byte,
            length,
            column: self.column,
            reach: if nested { self.column + 3 } else { 3 },
            quotes: self.quotes,
            shell: !nested && byte == b'`' && info == "!",
            line,
            behind,
        })
    }

    fn closes(&self, open: &Fence) -> bool {
        !self.list
            && self.quotes == open.quotes
            && self.column <= open.reach
            && self.fence().is_some_and(|(byte, length, info)| {
                byte == open.byte && length >= open.length && info.is_empty()
            })
    }
}

/// The length of the list marker at the start of `content`, without the blank behind it.
fn list_marker(content: &str) -> usize {
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
    match content[digits..].strip_prefix(marks) {
        Some(behind) if digits < 10 && behind.starts_with([' ', '\t']) => digits + 1,
        _ => 0,
    }
}
