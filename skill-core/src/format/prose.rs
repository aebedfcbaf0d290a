//! A body to its first prose paragraph, which describes a skill that has no description.

/// What a line starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Blank,
    Heading,
    Rule,
    /// A list, table or quote: text, but no prose.
    Other,
    Prose,
}

/// The first paragraph of prose, its lines joined by a blank. Headings, rules, comments and fenced
/// code are skipped. If there is none, the first list, table or quote, then the first heading, and
/// at last the first line with a letter.
pub(super) fn first_paragraph(body: &str) -> String {
    let mut lines = Text { rest: body, fence: None, is_comment: false };
    let mut found = Paragraph::default();
    let mut other = String::new();
    let mut heading = String::new();
    while let Some(line) = lines.next_line() {
        let line = line.trim();
        match block(line) {
            Block::Prose => found.push(line),
            // A line of `=` or `-` makes a heading of the line above.
            Block::Rule if found.lines == 1 && is_underline(line) => {
                let title = std::mem::take(&mut found).text;
                heading = if heading.is_empty() { title } else { heading };
            }
            Block::Other if found.lines > 0 => found.push(line),
            kind => {
                if found.lines > 0 {
                    return found.text;
                }
                if kind == Block::Other && other.is_empty() {
                    other = line.to_owned();
                }
                if kind == Block::Heading && heading.is_empty() {
                    heading = line.trim_matches(['#', ' ', '\t']).to_owned();
                }
            }
        }
    }
    let found = [found.text, other, heading].into_iter().find(|text| !text.is_empty());
    found.or_else(|| first_line(body)).unwrap_or_default()
}

fn first_line(body: &str) -> Option<String> {
    let has_letter = |line: &&str| line.chars().any(char::is_alphanumeric);
    body.lines().map(str::trim).find(has_letter).map(str::to_owned)
}

#[derive(Default)]
struct Paragraph {
    text: String,
    lines: usize,
}

impl Paragraph {
    fn push(&mut self, line: &str) {
        if self.lines > 0 {
            self.text.push(' ');
        }
        self.text.push_str(line);
        self.lines += 1;
    }
}

/// The lines of a body without comments and fenced code, which end a paragraph like a blank line.
struct Text<'t> {
    rest: &'t str,
    /// The mark of an open fence and how often it stands.
    fence: Option<(u8, usize)>,
    is_comment: bool,
}

impl<'t> Text<'t> {
    fn next_line(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        if self.is_comment {
            // What follows a comment on its line is read as a line.
            let Some((_, behind)) = line.split_once("-->") else { return Some("") };
            self.is_comment = false;
            return Some(behind);
        }
        let mark = fence_of(line);
        match (self.fence, mark) {
            (Some((open, count)), Some((close, times))) if open == close && times >= count => {
                let is_bare = line.trim().bytes().all(|byte| byte == close);
                self.fence = if is_bare { None } else { self.fence };
                Some("")
            }
            (Some(_), _) => Some(""),
            (None, Some(_)) => {
                self.fence = mark;
                Some("")
            }
            (None, None) if line.trim_start().starts_with("<!--") => match line.split_once("-->") {
                Some((_, behind)) => Some(behind),
                None => {
                    self.is_comment = true;
                    Some("")
                }
            },
            (None, None) => Some(line),
        }
    }
}

fn fence_of(line: &str) -> Option<(u8, usize)> {
    let line = line.trim_start();
    let mark = *line.as_bytes().first()?;
    let count = line.bytes().take_while(|byte| *byte == mark).count();
    (matches!(mark, b'`' | b'~') && count >= 3).then_some((mark, count))
}

fn block(line: &str) -> Block {
    if line.is_empty() {
        return Block::Blank;
    }
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&marks) && (line.len() == marks || line[marks..].starts_with([' ', '\t'])) {
        return Block::Heading;
    }
    let is_rule = |mark: u8| line.bytes().all(|byte| matches!(byte, b' ' | b'\t') || byte == mark);
    if is_underline(line) || line.len() >= 3 && (is_rule(b'*') || is_rule(b'_') || is_rule(b'-')) {
        return Block::Rule;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_item = ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || digits > 0 && [". ", ") "].iter().any(|mark| line[digits..].starts_with(mark));
    if is_item || line.starts_with(['|', '>']) { Block::Other } else { Block::Prose }
}

fn is_underline(line: &str) -> bool {
    line.bytes().all(|byte| byte == b'=') || line.len() > 1 && line.bytes().all(|byte| byte == b'-')
}
