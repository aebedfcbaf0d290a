//! The words of a simple command to whether the next one is code for a further shell.

/// Shells whose `-c` takes code.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh"];
/// Words behind which a command can start.
const OPENERS: [&str; 15] = [
    "if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!",
    "time", "coproc",
];
/// Commands that run the command behind them in this very shell.
const PREFIXES: [&str; 2] = ["command", "builtin"];
/// As much of a word as is ever compared.
const LONGEST: usize = 256;

/// The simple command that is being read.
#[derive(Debug)]
pub(super) struct Simple {
    /// The word so far, quotes removed; an expansion is a NUL.
    word: String,
    in_word: bool,
    /// Whether the word that is read or comes next names the command.
    at_command: bool,
    expects: Expects,
    redirect: Redirect,
    /// Whether the shell splits no words here (`case $x in`).
    whole: bool,
}

/// What the words so far make of those that come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    Words,
    /// Options of a shell, then its code (with `-c`) or a script.
    Shell {
        code: bool,
        value: bool,
    },
    /// Only code: `eval`.
    Code,
}

/// What the next word is to a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Redirect {
    No,
    Target,
    /// The word of `<<<`.
    Text,
}

/// What a word that ended means to the command it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Plain,
    Case,
    Esac,
    /// `[[`, behind which no words are split.
    Test,
    TestEnd,
}

impl Simple {
    pub(super) const fn new() -> Self {
        Self {
            word: String::new(),
            in_word: false,
            at_command: true,
            expects: Expects::Words,
            redirect: Redirect::No,
            whole: false,
        }
    }

    pub(super) const fn in_word(&self) -> bool {
        self.in_word
    }

    /// A word begins, if none has.
    pub(super) fn begin(&mut self) {
        self.in_word = true;
    }

    /// The word goes on with this byte, which is no quote.
    pub(super) fn push(&mut self, byte: u8) {
        self.begin();
        if self.word.len() < LONGEST {
            // Only ASCII is ever compared.
            self.word.push(if byte.is_ascii() { char::from(byte) } else { '\u{fffd}' });
        }
    }

    /// The word goes on with what an expansion gives.
    pub(super) fn push_expansion(&mut self) {
        self.push(0);
    }

    /// Whether the word being read is code for a further shell.
    pub(super) fn is_code(&self) -> bool {
        match (self.redirect, self.expects) {
            (Redirect::Target, _) => false,
            (Redirect::Text, _) => self.feeds_shell(),
            (Redirect::No, Expects::Code) => true,
            (Redirect::No, Expects::Shell { code, value }) => {
                code && !value && !self.word.starts_with(['-', '+'])
            }
            (Redirect::No, Expects::Words) => false,
        }
    }

    /// Whether the command is a shell that reads its code from its input.
    pub(super) fn feeds_shell(&self) -> bool {
        matches!(self.expects, Expects::Shell { code: false, .. })
    }

    /// Whether a value stays whole here although no quotes are around it.
    pub(super) fn keeps_whole(&self) -> bool {
        self.whole
            || (self.at_command && self.redirect == Redirect::No && is_assignment(&self.word))
    }

    /// A redirection operator was read; digits directly before it belong to it.
    pub(super) fn redirect(&mut self, text: bool) -> Ended {
        let ended = if self.in_word && self.word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.word.clear();
            self.in_word = false;
            Ended::Plain
        } else {
            self.end_word()
        };
        self.redirect = if text { Redirect::Text } else { Redirect::Target };
        ended
    }

    /// The word is over, if there was one.
    pub(super) fn end_word(&mut self) -> Ended {
        if !self.in_word {
            return Ended::Plain;
        }
        self.in_word = false;
        let word = std::mem::take(&mut self.word);
        if std::mem::replace(&mut self.redirect, Redirect::No) != Redirect::No {
            return Ended::Plain;
        }
        if let Expects::Shell { code, value } = self.expects {
            self.expects = behind_shell(&word, code, value);
        } else if self.expects == Expects::Words && is_shell(&word) {
            self.expects = Expects::Shell { code: false, value: false };
        }
        if word == "]]" {
            return Ended::TestEnd;
        }
        if !self.at_command || is_assignment(&word) || OPENERS.contains(&word.as_str()) {
            return if self.at_command && word == "esac" { Ended::Esac } else { Ended::Plain };
        }
        // `command -p eval …`: options of a prefix leave the command to come.
        if PREFIXES.contains(&word.as_str()) || word.starts_with('-') {
            return Ended::Plain;
        }
        self.at_command = false;
        match word.as_str() {
            "eval" => self.expects = Expects::Code,
            "case" => {
                self.whole = true;
                return Ended::Case;
            }
            "[[" => return Ended::Test,
            _ => {}
        }
        Ended::Plain
    }
}

/// What is expected behind a word that stands behind the name of a shell.
fn behind_shell(word: &str, code: bool, value: bool) -> Expects {
    if value {
        return Expects::Shell { code, value: false };
    }
    if word.starts_with("--") {
        let value = matches!(word, "--rcfile" | "--init-file");
        return Expects::Shell { code, value };
    }
    match word.strip_prefix(['-', '+']) {
        Some(flags) if !flags.is_empty() => Expects::Shell {
            code: code || (word.starts_with('-') && flags.contains('c')),
            // `-o pipefail`, also in `-euo pipefail`.
            value: flags.contains(['o', 'O']),
        },
        // The code or the script is over; what follows are its positional parameters.
        _ => Expects::Words,
    }
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    SHELLS.contains(&name)
}

/// Whether a word is `NAME=…`, `NAME+=…` or `NAME[…]=…`.
fn is_assignment(word: &str) -> bool {
    let name = word.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let named = name > 0 && !word.starts_with(|c: char| c.is_ascii_digit());
    let behind = &word[name..];
    let indexed = behind.starts_with('[') && behind.contains("]=");
    named && (indexed || behind.starts_with('=') || behind.starts_with("+="))
}
