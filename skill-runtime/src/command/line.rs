//! A typed line to what it asks for: a skill and its arguments, the list, or something else.

use skilldeck_core::model::Text;

/// How commands are typed.
#[derive(Clone, Copy, Debug)]
pub struct Syntax<'a> {
    /// What is announced before a word. `/skill:` is understood whatever this is.
    pub prefix: &'a str,
    /// The host's own commands, with or without a slash; they win over bare words.
    pub native: &'a [Text],
    /// Whether a line without a slash starts with a word too.
    pub bare: bool,
}

impl Syntax<'_> {
    /// The prefix that holds where none is configured.
    pub const PREFIX: &'static str = "/skill:";
}

impl Default for Syntax<'_> {
    fn default() -> Self {
        Self { prefix: Self::PREFIX, native: &[], bare: false }
    }
}

/// A command word and the text behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The word, as it was typed.
    pub word: &'a str,
    /// The arguments, verbatim: all behind the one white-space character that ends the word, line
    /// ends included.
    pub raw: &'a str,
}

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed<'a> {
    /// A skill.
    Skill(Line<'a>),
    /// The list of skills: `/skill`, `/skills` or the prefix alone.
    List,
    /// A command of the host.
    Native(Line<'a>),
    /// No command: text for the agent.
    Text,
}

/// Reads a line.
///
/// `/skill:n args`, `/skill n args`, `/skills n args` and, where no native command has the word,
/// `/n args` are the same command. A bare word with a slash in it, such as `/etc/hosts`, is text.
///
/// ```
/// use skilldeck_runtime::{Line, Syntax, Typed, parse_line};
///
/// let commit = Typed::Skill(Line { word: "commit", raw: "fix  it\n" });
/// for line in ["/skill:commit fix  it\n", "/skill commit fix  it\n", "/commit fix  it\n"] {
///     assert_eq!(parse_line(line, &Syntax::default()), commit);
/// }
/// assert_eq!(parse_line("/skills", &Syntax::default()), Typed::List);
/// assert_eq!(parse_line("fix it", &Syntax::default()), Typed::Text);
/// ```
#[must_use]
pub fn parse_line<'a>(line: &'a str, syntax: &Syntax<'_>) -> Typed<'a> {
    let Some(slashed) = line.strip_prefix('/') else {
        return if syntax.bare { named(line) } else { Typed::Text };
    };
    if let Some(rest) = behind_prefix(slashed, syntax.prefix) {
        return named(rest);
    }
    let bare = split(slashed);
    if bare.word.is_empty() || bare.word.contains('/') {
        return Typed::Text;
    }
    if syntax.native.iter().any(|native| native.trim_start_matches('/') == bare.word) {
        return Typed::Native(bare);
    }
    match bare.word {
        "skill" | "skills" => named(bare.raw),
        _ => Typed::Skill(bare),
    }
}

/// What follows the configured prefix, or the one everybody knows. Both are compared without their
/// slash; a prefix that is nothing else announces bare words.
fn behind_prefix<'a>(slashed: &'a str, prefix: &str) -> Option<&'a str> {
    let prefix = prefix.strip_prefix('/').unwrap_or(prefix);
    let configured = if prefix.is_empty() { None } else { slashed.strip_prefix(prefix) };
    configured.or_else(|| slashed.strip_prefix(&Syntax::PREFIX[1..]))
}

/// A word where one is expected; without one it is the list that is asked for.
fn named(rest: &str) -> Typed<'_> {
    let rest = rest.trim_start();
    if rest.is_empty() { Typed::List } else { Typed::Skill(split(rest)) }
}

/// The name ends at the first white space of any kind; one character of it is left out.
fn split(text: &str) -> Line<'_> {
    match text.split_once(char::is_whitespace) {
        Some((word, raw)) => Line { word, raw },
        None => Line { word: text, raw: "" },
    }
}
