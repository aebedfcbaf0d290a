//! The deck to a table, to JSON, or to the listing of one reader.

use serde_json::json;
use skilldeck::{Caller, Entry, Initiator, NoHost, Policy, Reason, State};
use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

use super::args::{Global, ListArgs, Reader};
use super::deck::{self, Reading};
use super::json;
use super::output::{BOLD, CYAN, DIM, Exit, Failure, Output, RED, YELLOW, shown};

/// Prints the deck.
pub(crate) fn list(global: &Global, args: &ListArgs, output: &Output) -> Result<Exit, Failure> {
    let registry = deck::load(global, Reading::default(), NoHost)?;
    let snapshot = registry.snapshot();
    if let Some(reader) = args.audience {
        let caller = Caller::new(match reader {
            Reader::Model => Initiator::Model,
            Reader::User => Initiator::User,
        });
        let listing = registry.listing(&caller, args.budget);
        if global.json {
            output.json(&json!({ "text": listing.text, "shortened": listing.shortened }))?;
        } else if !listing.text.is_empty() {
            output.verbatim(&listing.text)?;
        }
        return Ok(Exit::Done);
    }
    let policy = registry.policy();
    let mut entries: Vec<Entry<'_>> =
        snapshot.iter().filter(|entry| args.all || in_menu(*entry, policy)).collect();
    entries.sort_by(|a, b| (a.skill().name(), a.word()).cmp(&(b.skill().name(), b.word())));
    if global.json {
        let entries = entries.into_iter().map(|entry| json::entry(entry, policy)).collect();
        output.json(&entries)?;
    } else if entries.is_empty() {
        match snapshot.iter().count() {
            0 => output.note("no skills; `skilldeck roots` shows where they are looked for"),
            hidden => output.note(format_args!("{hidden} hidden or unavailable; --all shows them")),
        }
    } else {
        output.result(&table(&entries, policy, output.width()))?;
    }
    output.diagnostics(snapshot.diagnostics());
    Ok(Exit::Done)
}

/// Whether an entry stands in a person's menu.
fn in_menu(entry: Entry<'_>, policy: &Policy) -> bool {
    let skill = entry.skill();
    matches!(entry.state(), State::Ready | State::Stale)
        && skill.user_invocable()
        && skill.slash_command().enabled
        && !is_switched_off(entry, policy)
}

/// Whether configuration switches it off for everybody. Rules about agents are left to the
/// listings, as nobody knows here which agent will ask.
fn is_switched_off(entry: Entry<'_>, policy: &Policy) -> bool {
    let decision = policy.decide(entry, &Caller::new(Initiator::User));
    let is_off = |reason: &Reason| {
        matches!(reason, Reason::CommandsOff | Reason::SwitchedOff | Reason::TooOld { .. })
    };
    decision.reasons.iter().any(is_off)
}

/// Command, scope and description in columns; the description is cut to the terminal.
fn table(entries: &[Entry<'_>], policy: &Policy, width: Option<usize>) -> String {
    // Where there is little room, what a skill does is worth more than what it takes.
    let with_hint = width.is_none_or(|width| width >= 110);
    let commands: Vec<String> =
        entries.iter().map(|entry| command(*entry, policy, with_hint)).collect();
    let scopes: Vec<String> = entries.iter().map(|entry| scope(*entry)).collect();
    let command_width = commands.iter().map(|text| text.width()).max().unwrap_or(0);
    let scope_width = scopes.iter().map(|text| text.width()).max().unwrap_or(0);
    let mut table = String::new();
    for ((entry, command), scope) in entries.iter().zip(&commands).zip(&scopes) {
        let pad = |text: &str, to: usize| " ".repeat(to - text.width());
        let mut rest = one_line(entry.skill().description());
        let mark = mark(*entry, policy);
        if let Some(width) = width {
            let used = command_width + scope_width + 4 + mark.width();
            rest = cut(&rest, width.saturating_sub(used).max(20));
        }
        table.push_str(&format!(
            "{BOLD}{command}{BOLD:#}{}  {CYAN}{scope}{CYAN:#}{}  ",
            pad(command, command_width),
            pad(scope, scope_width),
        ));
        let style = if entry.state() == State::Unreadable { RED } else { YELLOW };
        if !mark.is_empty() {
            table.push_str(&format!("{style}{mark}{style:#}"));
        }
        table.push_str(&format!("{DIM}{rest}{DIM:#}"));
        table.truncate(table.trim_end().len());
        table.push('\n');
    }
    table
}

fn command(entry: Entry<'_>, policy: &Policy, with_hint: bool) -> String {
    let prefix = policy.announced_prefix(entry);
    let mut command = one_line(&json::command(prefix, entry.word()));
    if let Some(hint) = entry.skill().argument_hint().filter(|_| with_hint) {
        command.push(' ');
        command.push_str(&cut(&one_line(hint), 32));
    }
    command
}

fn scope(entry: Entry<'_>) -> String {
    let source = entry.source();
    let trust = if source.trusted { "" } else { " (untrusted)" };
    format!("{}{trust}", source.tier.as_str())
}

/// What is to be known before the description is read.
fn mark(entry: Entry<'_>, policy: &Policy) -> String {
    let skill = entry.skill();
    match entry.state() {
        State::Ready if !skill.user_invocable() => "[hidden] ".to_owned(),
        State::Ready if !skill.slash_command().enabled || is_switched_off(entry, policy) => {
            "[disabled] ".to_owned()
        }
        State::Ready => String::new(),
        state => match entry.reason() {
            Some(reason) => format!("[{}: {}] ", json::state(state), one_line(reason)),
            None => format!("[{}] ", json::state(state)),
        },
    }
}

/// Text on one line: runs of white space become one blank, control characters vanish.
pub(crate) fn one_line(text: &str) -> String {
    let clean: String = text.chars().filter(|c| c.is_whitespace() || !c.is_control()).collect();
    shown(&clean.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// At most `width` columns of text, with `…` where something is missing.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let mut cut: String = text
        .chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests;
