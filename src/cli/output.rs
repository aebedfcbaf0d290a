//! Results to stdout, diagnostics to stderr: colours, closed pipes and exit codes in one place.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use skilldeck::diagnostic::{Code, Diagnostic, Severity};

use super::args::{Color, Global};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// The answer is no.
    No,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::SUCCESS,
            Exit::No => Self::from(1),
        }
    }
}

/// Why a command did not come to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no, for this reason.
    No(String),
    /// The command line was wrong.
    Usage(String),
    /// Nobody reads our output any more.
    ClosedPipe,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::No(error.to_string()),
        }
    }
}

impl From<skilldeck::Error> for Failure {
    fn from(error: skilldeck::Error) -> Self {
        Self::No(error.to_string())
    }
}

/// The two streams of a command.
#[derive(Debug)]
pub(crate) struct Output {
    quiet: bool,
    verbose: bool,
    /// The width to wrap to, if stdout is a terminal.
    width: Option<usize>,
}

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(crate) const CYAN: Style = AnsiColor::Cyan.on_default();

impl Output {
    /// The streams as the arguments want them.
    pub(crate) fn new(global: &Global) -> Self {
        match global.color {
            Color::Auto => {}
            Color::Always => anstream::ColorChoice::Always.write_global(),
            Color::Never => anstream::ColorChoice::Never.write_global(),
        }
        let width = if io::stdout().is_terminal() {
            // A terminal that does not tell its size has the size that terminals had.
            let told = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
            let set = || std::env::var("COLUMNS").ok()?.parse().ok();
            told.or_else(set).or(Some(80))
        } else {
            None
        };
        Self { quiet: global.quiet, verbose: global.verbose, width }
    }

    /// The width of the terminal, if there is one.
    pub(crate) fn width(&self) -> Option<usize> {
        self.width
    }

    /// Writes a result; a line end is added where it is missing.
    pub(crate) fn result(&self, text: &str) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            stdout.write_all(b"\n")?;
        }
        stdout.flush()?;
        Ok(())
    }

    /// Writes a result that may be empty.
    pub(crate) fn result_or_nothing(&self, text: &str) -> Result<(), Failure> {
        if text.is_empty() { Ok(()) } else { self.result(text) }
    }

    /// Writes a result byte for byte, colours or not: a rendered prompt is data. Only a terminal
    /// is kept from obeying what a skill says.
    pub(crate) fn verbatim(&self, text: &str) -> Result<(), Failure> {
        let text = &*if self.width.is_some() { shown(text) } else { text.into() };
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            stdout.write_all(b"\n")?;
        }
        stdout.flush()?;
        Ok(())
    }

    /// Writes JSON, indented for people and stable for scripts.
    pub(crate) fn json(&self, value: &serde_json::Value) -> Result<(), Failure> {
        self.verbatim(&format!("{value:#}"))
    }

    /// Writes a note to stderr, unless it is to be quiet.
    pub(crate) fn note(&self, text: impl fmt::Display) {
        if !self.quiet {
            self.stderr(&format!("{text}\n"));
        }
    }

    /// Writes a step to stderr, if every one is wanted.
    pub(crate) fn step(&self, text: impl fmt::Display) {
        if self.verbose {
            self.stderr(&format!("{DIM}{text}{DIM:#}\n"));
        }
    }

    /// Writes a warning to stderr, unless it is to be quiet.
    pub(crate) fn warn(&self, text: impl fmt::Display) {
        if !self.quiet {
            self.stderr(&format!("{YELLOW}warning{YELLOW:#}: {text}\n"));
        }
    }

    /// Writes the diagnostics of a deck: all of them if asked, else those that stop something from
    /// working and one line that counts the rest.
    pub(crate) fn diagnostics<'a>(&self, all: impl IntoIterator<Item = &'a Diagnostic>) {
        if self.quiet {
            return;
        }
        let (mut errors, mut warnings) = (0, 0);
        for diagnostic in all {
            match diagnostic.severity {
                Severity::Error => errors += 1,
                Severity::Warning => warnings += 1,
                Severity::Note => {}
            }
            if self.verbose || is_about_a_source(diagnostic) {
                self.diagnostic(diagnostic);
            }
        }
        if !self.verbose && errors + warnings > 0 {
            self.stderr(&format!("{DIM}{}; -v shows them{DIM:#}\n", counts(errors, warnings)));
        }
    }

    /// Writes those diagnostics that stop something from working; all of them if asked.
    pub(crate) fn faults<'a>(&self, all: impl IntoIterator<Item = &'a Diagnostic>) {
        let is_fault = |diagnostic: &Diagnostic| {
            self.verbose || diagnostic.severity == Severity::Error || is_about_a_source(diagnostic)
        };
        if !self.quiet {
            all.into_iter().filter(|it| is_fault(it)).for_each(|it| self.diagnostic(it));
        }
    }

    /// Writes one diagnostic.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) {
        let style = match diagnostic.severity {
            Severity::Error => RED,
            Severity::Warning => YELLOW,
            Severity::Note => CYAN,
        };
        let text = diagnostic.to_string();
        let text = shown(&text);
        let plain = format!("{}[{}]", diagnostic.severity, diagnostic.code.id());
        let styled = format!("{style}{plain}{style:#}");
        self.stderr(&format!("{}\n", text.replacen(&plain, &styled, 1)));
    }

    /// Says why a command failed, and with which code it ends.
    pub(crate) fn fail(&self, failure: &Failure) -> ExitCode {
        match failure {
            // The reader has what it wanted.
            Failure::ClosedPipe => ExitCode::SUCCESS,
            Failure::No(why) => {
                // It may hold what a command of a skill wrote.
                self.stderr(&format!("{RED}error{RED:#}: {}\n", shown(why)));
                ExitCode::from(1)
            }
            Failure::Usage(why) => {
                self.stderr(&format!(
                    "{RED}error{RED:#}: {why}\n\nFor more information, try '--help'.\n"
                ));
                ExitCode::from(2)
            }
        }
    }

    fn stderr(&self, text: &str) {
        // When even stderr is gone there is nobody left to tell.
        let _ = anstream::stderr().write_all(text.as_bytes());
    }
}

/// Text without what a terminal would obey, or what would change the order in which it is read:
/// control characters but line ends and tabs, and those for the direction of text.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(obeyed) { text.replace(obeyed, "\u{fffd}").into() } else { text.into() }
}

/// What a person who named a directory, or overrides a skill, has to know in any case.
pub(crate) fn is_about_a_source(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        Code::MissingRoot
            | Code::RootNotADirectory
            | Code::UnreadableDirectory
            | Code::OverrideRefused
    )
}

/// `2 errors, 1 warning`.
pub(crate) fn counts(errors: usize, warnings: usize) -> String {
    let one = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{count} {noun}s")),
    };
    [one(errors, "error"), one(warnings, "warning")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}
