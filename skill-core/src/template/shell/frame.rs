//! The constructs of a shell that stand open at a byte of a script.

use std::ops::Range;

use super::command::{Ended, Simple};
use super::heredoc::Heredoc;

/// What makes a test between `[[` and `]]` evaluate both its sides as arithmetic.
const COMPARISONS: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// A construct that stands open.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// Whether it stands in what a further shell evaluates as code.
    pub(super) code: bool,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Commands: the script itself, `$(…)`, `<(…)` or `` `…` ``.
    Commands(Commands),
    /// `"…"`.
    Double,
    /// `${…}`; whether it stands in quotes, and whether single quotes quote in it.
    Brace { quoted: bool, singles: bool },
    /// `$((…))` or `((…))`, with the parentheses that are open in it.
    Arithmetic { parentheses: usize },
    /// The subscript in `${x[…]}`, with the brackets that are open in it.
    Subscript { brackets: usize },
    /// The lines of a heredoc that the shell expands.
    Heredoc,
}

/// A list of commands that is being read.
#[derive(Debug)]
pub(super) struct Commands {
    pub(super) simple: Simple,
    /// Whether a `)` closes it.
    pub(super) closed_by_parenthesis: bool,
    pub(super) parentheses: usize,
    /// `case` without its `esac`: a `)` behind a pattern closes nothing.
    pub(super) cases: usize,
    /// Whether it is between `[[` and `]]`.
    pub(super) test: bool,
    /// Heredocs whose lines start behind this line.
    pub(super) pending: Vec<Heredoc>,
    /// How many uses there were before the pipeline, the command and the word being read.
    pipeline: usize,
    command: usize,
    word: usize,
    /// The uses in the word before.
    before: Range<usize>,
    piped: bool,
}

impl Commands {
    pub(super) const fn new(closed_by_parenthesis: bool) -> Self {
        Self {
            simple: Simple::new(),
            closed_by_parenthesis,
            parentheses: 0,
            cases: 0,
            test: false,
            pending: Vec::new(),
            pipeline: 0,
            command: 0,
            word: 0,
            before: 0..0,
            piped: false,
        }
    }

    /// The word is over.
    pub(super) fn end_word(&mut self) {
        let ended = self.simple.end_word();
        self.ended(ended);
    }

    /// The same where so many uses were found. Gives the uses of the word before if this one makes
    /// an expression of it: `[[ x -eq 1 ]]`.
    pub(super) fn end_word_at(&mut self, uses: usize) -> Range<usize> {
        if !self.simple.in_word() {
            return 0..0;
        }
        let is_test = self.test;
        let word = self.simple.word();
        let compares = is_test && COMPARISONS.contains(&word);
        let names = is_test && word == "-v";
        self.end_word();
        if compares || names {
            self.simple.expect_code();
        }
        let before = std::mem::replace(&mut self.before, self.word.min(uses)..uses);
        self.word = uses;
        if compares { before } else { 0..0 }
    }

    /// The command is over where so many uses were found, and its pipeline too unless the output
    /// is `piped` on. Gives the uses in what is piped into a shell that reads it as code.
    pub(super) fn end_command_at(&mut self, uses: usize, piped: bool) -> Range<usize> {
        self.end_word();
        let is_code = self.piped && self.simple.reads_pipe();
        let code = if is_code { self.pipeline.min(self.command)..self.command } else { 0..0 };
        if is_code {
            // It is said once, however many shells follow.
            self.pipeline = self.command;
        }
        self.simple = Simple::new();
        (self.command, self.word, self.before) = (uses, uses, 0..0);
        self.piped = piped;
        if !piped {
            self.pipeline = uses;
        }
        code
    }

    /// Whether a pipe stands before what is still to come.
    pub(super) fn waits(&self) -> bool {
        self.piped && self.simple.is_empty()
    }

    /// A list that starts where so many uses were found.
    pub(super) const fn starting_at(mut self, uses: usize) -> Self {
        self.pipeline = uses;
        self.command = uses;
        self.word = uses;
        self
    }

    /// A redirection operator was read.
    pub(super) fn redirect(&mut self, text: bool) {
        let ended = self.simple.redirect(text);
        self.ended(ended);
    }

    /// The simple command is over.
    pub(super) fn end_command(&mut self) {
        self.end_word();
        self.simple = Simple::new();
    }

    /// Whether this `)` closes the list. If not, it closed something in it, or stands behind a
    /// pattern, and a command can follow.
    pub(super) fn close_parenthesis(&mut self) -> bool {
        self.end_command();
        if self.parentheses > 0 {
            self.parentheses -= 1;
            return false;
        }
        self.closed_by_parenthesis && self.cases == 0
    }

    fn ended(&mut self, ended: Ended) {
        match ended {
            Ended::Plain => {}
            Ended::Case => self.cases += 1,
            Ended::Esac => self.cases = self.cases.saturating_sub(1),
            Ended::Test => self.test = true,
            Ended::TestEnd => self.test = false,
        }
    }
}
