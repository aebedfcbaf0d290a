//! What a person is told in the place of an answer.

use skilldeck_runtime::{Error, Outcome};

/// How much of a text that went nowhere is given back.
const MOST_GIVEN_BACK: usize = 64 << 10;

/// Text for an agent where there is none.
pub(super) const NOBODY: &str = "There is no agent here to answer: this is a preview of skills. \
    Type one of the commands, such as `/skill:name`, to see its prompt, or `/skills` for all of them.";

pub(super) const PANICKED: &str =
    "The skill was not started: there is a fault in skilldeck. Please report it.";

/// Why a command did not start, with what was typed: it went to nobody else.
pub(super) fn refused(error: &Error, line: &str) -> String {
    let end = (0..=line.len().min(MOST_GIVEN_BACK)).rev().find(|end| line.is_char_boundary(*end));
    let end = end.unwrap_or_default();
    let cut = if end < line.len() { " […]" } else { "" };
    format!("{error}\n\nNot sent: {}{cut}", &line[..end])
}

/// Why there are no skills at all.
pub(super) fn unavailable(why: &str) -> String {
    format!("Skills are unavailable: {why}")
}

pub(super) fn declined(question: &str) -> String {
    format!("Nothing was started. The question was: {question} The answer was no.")
}

pub(super) fn cannot_ask(question: &str, why: &str) -> String {
    format!("Nothing was started. The question was: {question} The editor cannot ask: {why}.")
}

/// The text of a skill that is not for the conversation.
pub(super) fn kept(outcome: &Outcome) -> String {
    format!("`{}` was started; its text is not for the conversation.", outcome.word())
}
