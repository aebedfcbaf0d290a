//! The constructs of a shell that stand open at a byte of a script.

use super::command::{Ended, Simple};
use super::heredoc::Heredoc;

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
    /// `$((…))`, with the parentheses that are open in it.
    Arithmetic { parentheses: usize },
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
        }
    }

    /// The word is over.
    pub(super) fn end_word(&mut self) {
        let ended = self.simple.end_word();
        self.ended(ended);
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
