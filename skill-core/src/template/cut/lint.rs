//! What there is to say about a body that was cut.

use std::ops::Range;

use super::{Meaning, Piece};
use crate::diagnostic::Code;
use crate::template::dialect::Spelling;
use crate::template::shell::{Quoting, Script, Use};

/// How often one thing is said of one body; what is beyond is counted. Whoever mends a hundred
/// places has understood, and a hostile file must not cost more than it is long.
const MOST_OF_A_KIND: usize = 100;

/// Something to say about a body; the span is in bytes of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// What kind.
    pub code: Code,
    /// Where.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// A shell block that is never closed, at its opening line.
pub(super) fn unclosed_block(span: Range<usize>) -> Lint {
    Lint {
        code: Code::UnclosedShellBlock,
        span,
        message: "the shell block is never closed, so it is text and does not run".to_owned(),
        help: Some("close it with a line of as many backticks as open it".to_owned()),
    }
}

/// The lints of the placeholders of a body.
pub(super) fn lints(body: &str, pieces: &[Piece], meaning: &Meaning) -> Vec<Lint> {
    let mut found = Lints { meaning, list: Vec::new(), kinds: Vec::new(), told_not_live: false };
    for piece in pieces {
        match piece {
            Piece::Token(token) => {
                let span = token.source.clone();
                let (written, behind) = (&body[span.clone()], &body[span.end..]);
                if let Some(spelling) = token.spelling() {
                    found.not_live(spelling, written, span.clone());
                }
                if let Some(spelling) = token.live_spelling() {
                    found.near_number(spelling, written, behind, span);
                }
            }
            Piece::Shell(script) => found.script(script),
        }
    }
    found.finish()
}

/// How often something of one code was said.
struct Kind {
    code: Code,
    told: usize,
    left_out: usize,
    /// The first place that was left out.
    first: Range<usize>,
}

struct Lints<'a> {
    meaning: &'a Meaning,
    list: Vec<Lint>,
    kinds: Vec<Kind>,
    told_not_live: bool,
}

impl Lints<'_> {
    fn add(&mut self, code: Code, span: Range<usize>, message: String, help: String) {
        let at = self.kinds.iter().position(|kind| kind.code == code).unwrap_or_else(|| {
            self.kinds.push(Kind { code, told: 0, left_out: 0, first: 0..0 });
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[at];
        if kind.told < MOST_OF_A_KIND {
            kind.told += 1;
            self.list.push(Lint { code, span, message, help: Some(help) });
            return;
        }
        if kind.left_out == 0 {
            kind.first = span;
        }
        kind.left_out += 1;
    }

    fn finish(mut self) -> Vec<Lint> {
        let beyond = self.kinds.into_iter().filter(|kind| kind.left_out > 0);
        self.list.extend(beyond.map(|kind| Lint {
            code: kind.code,
            span: kind.first,
            message: format!("{} more of this kind", kind.left_out),
            help: Some("mend those before it first, and look again".to_owned()),
        }));
        self.list
    }

    /// `$1` where positional placeholders are text; told once.
    fn not_live(&mut self, spelling: Spelling, written: &str, span: Range<usize>) {
        let is_text = matches!(spelling, Spelling::Position(_)) && !self.meaning.live;
        if is_text && !std::mem::replace(&mut self.told_not_live, true) {
            self.add(
                Code::PositionalNotLive,
                span,
                format!("`{written}` is text here, because the skill declares no arguments"),
                "if it is meant as a placeholder, add `argument-hint` or `arguments` to the front \
                 matter"
                    .to_owned(),
            );
        }
    }

    /// `$0.10` where positional placeholders are live.
    fn near_number(&mut self, spelling: Spelling, written: &str, behind: &str, span: Range<usize>) {
        let number =
            behind.strip_prefix('.').is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
        if number && self.meaning.live && matches!(spelling, Spelling::Position(_)) {
            let help = if self.meaning.dialect.has_escapes() {
                "write a backslash before the `$` if it is an amount"
            } else {
                "write the amount without `$`; this dialect has no escape"
            };
            self.add(
                Code::PlaceholderNearNumber,
                span,
                format!("`{written}` is a placeholder here, although a fraction follows it"),
                help.to_owned(),
            );
        }
    }

    fn script(&mut self, script: &Script) {
        let mut told = None;
        for one in script.uses() {
            let written = script.text_at(&one.range);
            let span = script.in_body(&one.range);
            if let Some(spelling) = one.rewritten() {
                self.not_live(spelling, written, span.clone());
                self.near_number(spelling, written, script.behind(&one.range), span.clone());
            }
            let live = one.spelling.is_none_or(|it| self.meaning.argument(it).is_some());
            if !live {
                continue;
            }
            // One string in single quotes is one finding, however many fields its awk prints.
            if let Quoting::Verbatim(string) = one.quoting
                && told.replace(string) == Some(string)
            {
                continue;
            }
            self.in_shell(one, written, span);
        }
    }

    fn in_shell(&mut self, one: &Use, written: &str, span: Range<usize>) {
        if one.code {
            return self.add(
                Code::PlaceholderInShellCode,
                span,
                format!("`{written}` is part of code that a shell evaluates"),
                "an argument could run commands there; let the inner shell read it from its \
                 environment: in single quotes, `\"$SKILL_ARG_0\"` for the first argument"
                    .to_owned(),
            );
        }
        match one.quoting {
            Quoting::Whole => {}
            Quoting::Verbatim(_) => self.add(
                Code::PlaceholderInSingleQuotes,
                span,
                format!("`{written}` in single quotes is left to the shell"),
                "if it is meant as a placeholder, put it in double quotes".to_owned(),
            ),
            Quoting::Unquoted => self.add(
                Code::UnquotedPlaceholder,
                span,
                format!("`{written}` is not quoted, so the shell splits its value into words"),
                format!("write `\"{written}\"`"),
            ),
        }
    }
}
