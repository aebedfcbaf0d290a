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
/// Commands that run the command behind them, so that what they pass on is still its input.
const WRAPPERS: [&str; 7] = ["command", "builtin", "exec", "env", "sudo", "nohup", "nice"];
/// Commands whose words name variables; a subscript in a name is evaluated.
const DECLARERS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];
/// The options of `su` behind which code stands; unlike others it takes them behind words too.
const SU: &str = "cC";
/// Options of `ssh` that take a value.
const SSH_VALUES: &str = "BbcDEeFIiJLlmOopQRSWw";
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
    /// Whether all words so far pass the input on to what follows.
    wrapped: bool,
    /// Whether a shell was named that gets the input of the command.
    direct: bool,
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
    /// A shell that reads its code from its input, whatever words follow (`sh -s`).
    Input,
    /// Only code: `eval`.
    Code,
    /// Options, then a word of code: `trap`, `source`.
    First,
    /// One word of code.
    Next,
    /// Words, and behind `-v` the name of a variable; whether only the first word counts.
    Variable {
        first: bool,
    },
    /// Names of variables, with values behind `=`; whether these are numbers.
    Names {
        numbers: bool,
    },
    /// Options of an interpreter, these followed by code; whether its code comes now.
    Interpreter {
        flags: &'static str,
        code: bool,
    },
    /// Options of `ssh`, then the host; whether a value of an option comes now.
    Host {
        value: bool,
    },
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
            wrapped: true,
            direct: false,
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
            (Redirect::No, expects) => match expects {
                Expects::Code | Expects::Next => true,
                Expects::Shell { code, value } => {
                    // `-c"…"`, in one word.
                    let glued = is_flag(&self.word, "c");
                    glued || (code && !value && !self.word.starts_with(['-', '+']))
                }
                Expects::First => !self.word.starts_with('-'),
                Expects::Variable { .. } => self.word.starts_with("-v"),
                Expects::Names { numbers } => numbers || !self.word.contains('='),
                Expects::Interpreter { flags, code } => code || is_flag(&self.word, flags),
                Expects::Words | Expects::Input | Expects::Host { .. } => {
                    self.at_command && has_open_subscript(&self.word)
                }
            },
        }
    }

    /// The next word is code.
    pub(super) fn expect_code(&mut self) {
        self.expects = Expects::Next;
    }

    /// The word so far.
    pub(super) fn word(&self) -> &str {
        &self.word
    }

    /// Whether nothing of a command was read.
    pub(super) fn is_empty(&self) -> bool {
        self.at_command && !self.in_word
    }

    /// Whether the command is a shell that gets its code from what is piped into it.
    pub(super) fn reads_pipe(&self) -> bool {
        self.direct && self.feeds_shell()
    }

    /// Whether the command is a shell that reads its code from its input.
    pub(super) fn feeds_shell(&self) -> bool {
        matches!(self.expects, Expects::Shell { code: false, .. } | Expects::Input)
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
        let named = self.expects == Expects::Words;
        self.expects = behind(self.expects, &word);
        if named && is_shell(&word) {
            self.expects = Expects::Shell { code: false, value: false };
            self.direct = self.wrapped;
        } else if named && let Some(flags) = code_flags(&word) {
            self.expects = Expects::Interpreter { flags, code: false };
        }
        self.wrapped &= WRAPPERS.contains(&word.as_str())
            || OPENERS.contains(&word.as_str())
            || word.starts_with('-')
            || is_assignment(&word);
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
            "eval" | "let" => self.expects = Expects::Code,
            "." | "source" | "trap" => self.expects = Expects::First,
            "test" | "[" => self.expects = Expects::Variable { first: false },
            "printf" => self.expects = Expects::Variable { first: true },
            "ssh" => self.expects = Expects::Host { value: false },
            name if DECLARERS.contains(&name) => self.expects = Expects::Names { numbers: false },
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

/// What is expected behind this word.
fn behind(expects: Expects, word: &str) -> Expects {
    let is_option = word.starts_with('-');
    match expects {
        Expects::Shell { code, value } => behind_shell(word, code, value),
        Expects::First if is_option => expects,
        Expects::First | Expects::Next => Expects::Words,
        Expects::Variable { .. } if word == "-v" => Expects::Next,
        Expects::Variable { first: true } => Expects::Words,
        Expects::Names { numbers } => {
            Expects::Names { numbers: numbers || (is_option && word.contains('i')) }
        }
        Expects::Interpreter { flags, code: true } => Expects::Interpreter { flags, code: false },
        Expects::Interpreter { flags, .. } if is_option => {
            let long = matches!(word, "--eval" | "--print" | "--command");
            let short = word.ends_with(|last| flags.contains(last)) && is_flag(word, flags);
            Expects::Interpreter { flags, code: long || short }
        }
        // `su me -c …`: the user comes first.
        Expects::Interpreter { flags: SU, .. } => expects,
        Expects::Interpreter { .. } => Expects::Words,
        Expects::Host { value: true } => Expects::Host { value: false },
        Expects::Host { .. } if is_option => {
            let last = word.chars().last().filter(|_| word.len() == 2);
            Expects::Host { value: last.is_some_and(|last| SSH_VALUES.contains(last)) }
        }
        // What follows the host is joined, and a shell evaluates it there.
        Expects::Host { .. } => Expects::Code,
        Expects::Words | Expects::Input | Expects::Code | Expects::Variable { .. } => expects,
    }
}

/// The options of a program behind which its code stands.
fn code_flags(word: &str) -> Option<&'static str> {
    let name = word.rsplit('/').next().unwrap_or(word);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match plain {
        "python" | "pypy" => "c",
        "su" => SU,
        "perl" => "eE",
        "ruby" => "e",
        "node" | "nodejs" => "ep",
        "php" => "r",
        _ => return None,
    })
}

/// Whether a word is short options with one of these among them.
fn is_flag(word: &str, flags: &str) -> bool {
    let options = word.strip_prefix('-').filter(|options| !options.starts_with('-'));
    options.is_some_and(|options| options.contains(|c| flags.contains(c)))
}

/// Whether a word is `NAME[` and what follows is still its subscript.
fn has_open_subscript(word: &str) -> bool {
    let name = word.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    name > 0 && word[name..].starts_with('[') && !word.contains(']')
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
        // A `-` ends the options, and the code is still to come.
        Some("") => Expects::Shell { code, value: false },
        Some(flags) if flags.contains('s') && !flags.contains('c') && !code => Expects::Input,
        Some(flags) => Expects::Shell {
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
