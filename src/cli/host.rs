//! The host of the command line: a person at a terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use skilldeck::{Answer, Host, Question};

/// Asks at the terminal, or takes `--yes` for an answer.
#[derive(Debug)]
pub(crate) struct TerminalHost {
    /// Whether every question is answered with yes.
    pub(crate) yes: bool,
}

impl Host for TerminalHost {
    fn confirm(&self, question: &Question<'_>) -> Answer {
        if self.yes {
            return Answer::Yes;
        }
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Answer::CannotAsk;
        }
        let mut stderr = anstream::stderr();
        if write!(stderr, "{} [y/N] ", question.text).and_then(|()| stderr.flush()).is_err() {
            return Answer::CannotAsk;
        }
        let mut answer = String::new();
        match io::stdin().lock().read_line(&mut answer) {
            Ok(_) if matches!(answer.trim(), "y" | "Y" | "yes" | "Yes") => Answer::Yes,
            Ok(_) => Answer::No,
            Err(_) => Answer::CannotAsk,
        }
    }
}
