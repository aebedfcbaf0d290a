//! A script to the places where it uses an argument, by the shell's rules of quoting.
//!
//! It reads what decides about quoting and evaluation, and is lenient about the rest: a script that
//! no shell would take is read to its end too. All it decides is where a reference to the
//! environment is put and what is said about it, so a misreading cannot make a value code.

use std::ops::Range;

use super::frame::{Commands, Kind};
use super::script::{Quoting, Use};
use super::stack::Stack;
use super::{ARGUMENTS, WORD, heredoc};
use crate::template::Dialect;
use crate::template::dialect::Names;

/// The uses of arguments in a script, in order.
pub(super) fn uses(text: &str, dialect: Dialect, names: &Names<'_>) -> Vec<Use> {
    let (stack, uses) = (Stack::new(), Vec::new());
    let mut lexer = Lexer { text, dialect, names, at: 0, stack, heredocs: 0, uses };
    while lexer.at < text.len() || lexer.stack.heredoc().is_some() {
        lexer.step();
    }
    lexer.end_command(false);
    lexer.uses
}

struct Lexer<'a> {
    text: &'a str,
    dialect: Dialect,
    names: &'a Names<'a>,
    at: usize,
    /// What stands open.
    stack: Stack,
    /// How many heredocs were read as such.
    heredocs: usize,
    uses: Vec<Use>,
}

impl Lexer<'_> {
    fn step(&mut self) {
        if let Some(heredoc) = self.stack.heredoc()
            && self.at >= heredoc.end
        {
            self.stack.close_heredoc();
            self.at = heredoc.resume;
            return self.heredoc_lines();
        }
        let Some(byte) = self.byte(0) else { return };
        match byte {
            b'\\' => return self.backslash(),
            b'`' => return self.backtick(),
            b'$' => return self.dollar(),
            _ => {}
        }
        let next = self.byte(1);
        let Some(kind) = self.stack.innermost() else { return };
        match (&mut *kind, byte) {
            (Kind::Commands(_), _) => return self.command(byte),
            (Kind::Double, b'"') | (Kind::Brace { .. }, b'}') => self.stack.close(),
            (Kind::Brace { singles: true, .. } | Kind::Arithmetic { .. }, b'\'') => {
                return self.single(1);
            }
            (Kind::Brace { .. } | Kind::Arithmetic { .. } | Kind::Subscript { .. }, b'"') => {
                self.stack.open(Kind::Double)
            }
            (Kind::Subscript { brackets }, b'[') => *brackets += 1,
            (Kind::Subscript { brackets }, b']') if *brackets > 0 => *brackets -= 1,
            (Kind::Subscript { .. }, b']') => self.stack.close(),
            (Kind::Arithmetic { parentheses }, b'(') => *parentheses += 1,
            (Kind::Arithmetic { parentheses }, b')') if *parentheses > 0 => *parentheses -= 1,
            (Kind::Arithmetic { .. }, b')') => {
                if next == Some(b')') {
                    self.at += 1;
                    self.stack.close();
                } else {
                    // `$((a); b)`: it was a subshell in a substitution.
                    self.stack.reopen(Commands::new(true).starting_at(self.uses.len()));
                }
            }
            _ => self.literal(byte),
        }
        self.at += 1;
    }

    /// A byte among commands, no backslash, backtick or `$`.
    fn command(&mut self, byte: u8) {
        let next = self.byte(1);
        let Some(commands) = self.stack.commands() else { return };
        match byte {
            b' ' | b'\t' => self.end_word(),
            b'\n' => {
                let waits = commands.waits();
                self.end_command(waits);
                self.at += 1;
                return self.heredoc_lines();
            }
            b'\'' => return self.single(1),
            b'"' => {
                commands.simple.begin();
                self.stack.open(Kind::Double);
            }
            b'#' if !commands.simple.in_word() => return self.comment(),
            // `&>file` belongs to the command it stands in.
            b'&' if next == Some(b'>') => self.end_word(),
            b'|' if next == Some(b'|') => {
                self.end_command(false);
                self.at += 1;
            }
            b'|' => {
                self.end_command(true);
                self.at += usize::from(next == Some(b'&'));
            }
            b';' | b'&' => self.end_command(false),
            b'(' if next == Some(b'(') && !commands.test && !commands.simple.in_word() => {
                self.stack.open(Kind::Arithmetic { parentheses: 0 });
                self.at += 1;
            }
            b'(' => {
                commands.end_command();
                commands.parentheses += 1;
            }
            b')' => {
                self.end_command(false);
                if self.stack.commands().is_some_and(Commands::close_parenthesis) {
                    self.stack.close();
                }
            }
            b'<' | b'>' => return self.redirection(),
            _ => commands.simple.push(byte),
        }
        self.at += 1;
    }

    fn redirection(&mut self) {
        let rest = &self.text[self.at..];
        if rest[1..].starts_with('(') {
            // `bash <(…)`: the output is the script.
            let is_script =
                self.stack.commands().is_some_and(|commands| commands.simple.feeds_shell());
            self.expansion();
            self.at += 2;
            let list = Kind::Commands(Commands::new(true).starting_at(self.uses.len()));
            return if is_script { self.stack.open_code(list) } else { self.stack.open(list) };
        }
        let at = self.at;
        let length = if rest.starts_with("<<<") {
            3
        } else if rest.starts_with("<<") || matches!(self.byte(1), Some(b'>' | b'&' | b'|')) {
            2
        } else {
            1
        };
        let inherited = self.stack.is_code();
        let Some(commands) = self.stack.commands() else { return };
        commands.redirect(length == 3);
        self.at += length;
        if length == 2 && rest.starts_with("<<") {
            self.heredoc(at + 2, inherited);
        }
    }

    /// The delimiter of a heredoc, whose operator ends at `at`; `code` is said of its command.
    fn heredoc(&mut self, at: usize, code: bool) {
        if self.heredocs == heredoc::MOST {
            return;
        }
        let Some((mut heredoc, behind)) = heredoc::operator(self.text, at) else { return };
        let Some(commands) = self.stack.commands() else { return };
        // In quoted lines the inner shell looks values up, and none is part of its code.
        heredoc.code = code || (commands.simple.feeds_shell() && !heredoc.quoted);
        self.heredocs += 1;
        commands.pending.push(heredoc);
        // The delimiter is the word that the redirection waits for.
        commands.simple.begin();
        commands.end_word();
        self.at = behind;
    }

    /// A line is over: the lines of the heredocs that it announced follow.
    fn heredoc_lines(&mut self) {
        let limit = self.limit();
        while let Some(commands) = self.stack.commands() {
            if commands.pending.is_empty() {
                return;
            }
            let heredoc = commands.pending.remove(0);
            let Some((lines, behind)) = heredoc.lines(&self.text[..limit], self.at) else {
                continue;
            };
            if heredoc.quoted {
                self.verbatim(lines, heredoc.code);
                self.at = behind;
            } else {
                return self.stack.open_heredoc(lines.end, behind, heredoc.code);
            }
        }
    }

    fn comment(&mut self) {
        let rest = &self.text[self.at..self.limit()];
        let end = if self.stack.in_backtick() { rest.find(['\n', '`']) } else { rest.find('\n') };
        self.at += end.unwrap_or(rest.len());
    }

    fn backslash(&mut self) {
        let escaped = self.text[self.at + 1..].chars().next();
        // A backslash before a newline is nothing at all.
        if let Some(c) = escaped.filter(|c| *c != '\n') {
            self.literal(u8::try_from(c).unwrap_or(b'\0'));
        }
        self.at += 1 + escaped.map_or(0, char::len_utf8);
    }

    fn backtick(&mut self) {
        self.at += 1;
        if self.stack.in_backtick() {
            self.end_command(false);
        }
        if !self.stack.close_backtick() {
            self.expansion();
            self.stack.open_backtick(self.uses.len());
        }
    }

    /// What starts with a `$`.
    fn dollar(&mut self) {
        let behind = self.at + 1;
        let after = &self.text[behind..self.limit()];
        let quotes = self.stack.has_single_quotes();
        if quotes && after.starts_with('\'') {
            return self.single(2);
        }
        if let Some((spelling, length)) = self.dialect.placeholder(after, self.names) {
            let range = self.at..behind + length;
            let (quoting, code) = (self.stack.quoting(), self.stack.is_code());
            self.uses.push(Use { spelling: Some(spelling), range, quoting, code });
            self.expansion();
            self.at = behind + length;
            return;
        }
        if after.starts_with("((") {
            self.expansion();
            self.stack.open(Kind::Arithmetic { parentheses: 0 });
            self.at += 3;
        } else if after.starts_with('(') {
            self.expansion();
            let list = Commands::new(true).starting_at(self.uses.len());
            self.stack.open(Kind::Commands(list));
            self.at += 2;
        } else if let Some(inner) = after.strip_prefix('{') {
            self.brace(inner);
        } else if after.starts_with(['$', '#', '?', '!', '*', '-', '@']) {
            // `$$1` is the shell's own id and a digit.
            self.expansion();
            self.at += 2;
        } else if after.starts_with('"') && quotes {
            self.at += 1;
        } else {
            let name = name_length(after);
            self.environment(&after[..name], behind + name);
            self.expansion();
            self.at = behind + name;
        }
    }

    /// `${`, with `inner` behind it.
    fn brace(&mut self, inner: &str) {
        let start = self.at + 2;
        let mark = usize::from(inner.starts_with(['#', '!']) && name_length(&inner[1..]) > 0);
        let name = mark + name_length(&inner[mark..]);
        let operator = inner[name..].bytes().next();
        let closed = usize::from(operator == Some(b'}'));
        self.environment(&inner[mark..name], start + name + closed);
        self.expansion();
        if closed == 0 {
            let quoted = !self.stack.has_single_quotes();
            // Within double quotes a pattern can be quoted, but not a default.
            let singles = !quoted || matches!(operator, Some(b'#' | b'%' | b'/'));
            let brace = Kind::Brace { quoted, singles };
            // `${x:1:2}`: places are expressions.
            let is_place =
                operator == Some(b':') && !inner[name + 1..].starts_with(['-', '=', '?', '+']);
            if is_place {
                self.stack.open_code(brace);
            } else {
                self.stack.open(brace);
            }
            if operator == Some(b'[') {
                self.stack.open(Kind::Subscript { brackets: 0 });
                self.at = start + name + 1;
                return;
            }
        }
        self.at = start + name + closed;
    }

    /// The author refers to the environment by its own name.
    fn environment(&mut self, name: &str, end: usize) {
        if self.stack.is_code() && (name == ARGUMENTS || name.starts_with(WORD)) {
            let (range, quoting) = (self.at..end, self.stack.quoting());
            self.uses.push(Use { spelling: None, range, quoting, code: true });
        }
    }

    /// A single-quoted string, whose opening (`'` or `$'`) is this long.
    fn single(&mut self, opening: usize) {
        let start = self.at + opening;
        let rest = &self.text[start..self.limit()];
        let length = if opening == 1 { rest.find('\'') } else { ansi_length(rest) };
        let length = length.unwrap_or(rest.len());
        let code = self.stack.is_code();
        self.verbatim(start..start + length, code);
        if let Some(commands) = self.stack.commands() {
            commands.simple.begin();
            rest[..length].bytes().for_each(|byte| commands.simple.push(byte));
        }
        self.at = start + length + usize::from(length < rest.len());
    }

    /// Notes the placeholders in text that the shell leaves alone.
    fn verbatim(&mut self, range: Range<usize>, code: bool) {
        let group = range.start;
        let mut at = group;
        while let Some(dollar) = self.text[at..range.end].find('$').map(|found| at + found) {
            at = dollar + 1;
            let after = &self.text[at..range.end];
            if let Some((spelling, length)) = self.dialect.placeholder(after, self.names) {
                at += length;
                let quoting = Quoting::Verbatim(group);
                self.uses.push(Use { spelling: Some(spelling), range: dollar..at, quoting, code });
            }
        }
    }

    /// The word is over, which may say something of the one before.
    fn end_word(&mut self) {
        let uses = self.uses.len();
        let code = self.stack.commands().map(|commands| commands.end_word_at(uses));
        self.turn_into_code(code);
    }

    /// The command is over, which may say something of those before it in its pipeline.
    fn end_command(&mut self, piped: bool) {
        self.end_word();
        let uses = self.uses.len();
        let code = self.stack.commands().map(|commands| commands.end_command_at(uses, piped));
        self.turn_into_code(code);
    }

    fn turn_into_code(&mut self, uses: Option<Range<usize>>) {
        let uses = uses.and_then(|uses| self.uses.get_mut(uses)).unwrap_or_default();
        uses.iter_mut().for_each(|one| one.code = true);
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Where what stands open must end.
    fn limit(&self) -> usize {
        self.stack.heredoc().map_or(self.text.len(), |heredoc| heredoc.end)
    }

    /// The word being read goes on with a byte that is no quote.
    fn literal(&mut self, byte: u8) {
        if let Some(commands) = self.stack.word() {
            commands.simple.push(byte);
        }
    }

    /// The word being read goes on with what an expansion gives.
    fn expansion(&mut self) {
        if let Some(commands) = self.stack.word() {
            commands.simple.push_expansion();
        }
    }
}

/// The length of the shell name at the start of `text`.
fn name_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

/// The length of an ANSI-C string up to its closing quote.
fn ansi_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'\'' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}
