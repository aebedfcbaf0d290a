//! No argument becomes a command, and what is quoted arrives as it was given.

use std::fs;
use std::path::Path;

use skilldeck_core::template::Dialect;
use skilldeck_runtime::{Registry, Request, Shape};

use crate::corpus::{MARKER, hostile};
use crate::support::{allowed, deck};

/// Spans with what they print for the words and the whole text of the arguments.
struct Form {
    span: &'static str,
    prints: fn(&Given<'_>) -> String,
}

/// What was given to a skill.
struct Given<'a> {
    raw: &'a str,
    words: Vec<String>,
}

impl Given<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }
}

/// In both dialects `FIRST`, `SECOND` and `REST` stand for what they write there.
const QUOTED: &[Form] = &[
    Form { span: "!`printf '<%s>' \"FIRST\"`", prints: |given| format!("<{}>", given.word(0)) },
    Form {
        span: "!`printf '<%s|%s>' \"FIRST\" \"a FIRST b\"`",
        prints: |given| format!("<{0}|a {0} b>", given.word(0)),
    },
    Form { span: "!`printf '<%s>' \"$ARGUMENTS\"`", prints: |given| format!("<{}>", given.raw) },
    Form {
        span: "!`v=\"$ARGUMENTS\"; printf '<%s>' \"$v\"`",
        prints: |given| format!("<{}>", given.raw),
    },
    Form {
        span: "!`case \"FIRST\" in *) printf '<%s>' \"$(printf '%s.' \"FIRST\")\";; esac`",
        prints: |given| format!("<{}.>", given.word(0)),
    },
    Form {
        span: "!`printf '<%s/%s>' 'FIRST' '$ARGUMENTS'`",
        prints: |_| "<FIRST/$ARGUMENTS>".to_owned(),
    },
    Form {
        span: "```!\nprintf '<%s|%s>' \"FIRST\" \\\n  \"$ARGUMENTS\"\n```",
        prints: |given| format!("<{}|{}>", given.word(0), given.raw),
    },
    Form {
        span: "```!\ncat <<END_OF_IT\n<$ARGUMENTS>\nEND_OF_IT\n```",
        prints: |given| format!("<{}>", given.raw),
    },
    Form { span: "!`printf '<%s>' \"REST\"`", prints: |given| format!("<{}>", given.word(1)) },
];

/// Without quotes a value is split and looked up as file names. What comes out is the shell's
/// matter; that nothing runs is ours.
const UNQUOTED: &[&str] = &[
    "!`printf '<%s>' FIRST`",
    "!`printf '<%s>' $ARGUMENTS`",
    "!`printf '<%s>' x FIRST REST`",
    "!`v=$ARGUMENTS; printf '<%s>' $v`",
    "!`for word in $ARGUMENTS; do printf '<%s>' \"$word\"; done`",
    "```!\nprintf '<%s>' FIRST $ARGUMENTS\n```",
    "```!\n: FIRST; : $ARGUMENTS\n```",
];

/// How a dialect writes a body, and how words are given to it so that they stay what they are.
struct Speech {
    dialect: Dialect,
    keys: &'static str,
    first: &'static str,
    rest: &'static str,
    quote: fn(&str) -> Option<String>,
}

const CLAUDE: Speech = Speech {
    dialect: Dialect::Claude,
    keys: "",
    first: "$0",
    rest: "$1",
    quote: |word| Some(format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))),
};

const NAMED: Speech =
    Speech { keys: "arguments: [given, more]\n", first: "$given", rest: "$more", ..CLAUDE };

/// OpenCode knows no escapes, and its last placeholder takes all that is left.
const OPENCODE: Speech = Speech {
    dialect: Dialect::OpenCode,
    keys: "",
    first: "$1",
    rest: "$2",
    quote: |word| {
        let quote = ['"', '\''].into_iter().find(|quote| !word.contains(*quote))?;
        Some(format!("{quote}{word}{quote}"))
    },
};

impl Speech {
    fn write(&self, span: &str) -> String {
        span.replace("FIRST", self.first).replace("REST", self.rest)
    }

    fn deck(&self, shell: &str, spans: impl Iterator<Item = &'static str>) -> Registry {
        let body: String = spans.map(|span| format!("{}\n\n", self.write(span))).collect();
        deck(self.dialect, &format!("shell: {shell}\n{}", self.keys), &body)
    }
}

/// Nothing is in the directory but what was put there.
fn assert_untouched(directory: &Path, what: &str) {
    let names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.is_empty(), "{what} left {names:?}");
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn hold(speech: &Speech, shell: &str) {
    let directory = tempfile::tempdir().unwrap();
    let quoted = speech.deck(shell, QUOTED.iter().map(|form| form.span));
    let unquoted = speech.deck(shell, UNQUOTED.iter().copied());
    let policy = allowed().shell_max_output(1 << 20);
    let invoke = |registry: &Registry, raw: &str| {
        let request = Request::command("x", raw).shape(Shape::Plain).directory(directory.path());
        registry.invoke_with(&policy, &request).map(|outcome| outcome.into_text())
    };
    let mut exact = 0;
    for word in hostile() {
        let mut raws = vec![word.clone()];
        raws.extend((speech.quote)(&word));
        for raw in raws.into_iter().filter(|raw| raw.len() < 127 << 10) {
            let what = format!("{shell}: {}", shortened(&raw));
            let snapshot = quoted.snapshot();
            let template = snapshot.get("x").unwrap().skill().template();
            let bound = template.bind(&raw);
            let mut words: Vec<String> =
                bound.words.iter().map(|word| word.clone().into_owned()).collect();
            if (speech.quote)(&word).as_ref() == Some(&raw) {
                assert_eq!(words, [&*word], "{what}: it is given as one word");
                exact += 1;
            }
            if speech.dialect == Dialect::OpenCode && words.len() > 1 {
                let rest = words.split_off(1);
                words.push(rest.join(" "));
            }
            let given = Given { raw: &raw, words };
            let out = invoke(&quoted, &raw).unwrap_or_else(|error| panic!("{what}: {error}"));
            let expected: Vec<String> = QUOTED.iter().map(|form| (form.prints)(&given)).collect();
            let expected = expected.join("\n\n").replace("<FIRST/", &speech.write("<FIRST/")[..]);
            assert!(out == expected, "{what}\n{}\n{}", shortened(&out), shortened(&expected));
            assert_untouched(directory.path(), &what);
            if raw != word {
                continue;
            }
            let out = invoke(&unquoted, &raw).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(out.starts_with('<'), "{what}: {out}");
            assert_untouched(directory.path(), &what);
        }
    }
    assert!(exact >= 100, "{exact} strings were given as one word");
    assert!(!Path::new(MARKER).exists());
}

#[test]
fn numbered_in_sh() {
    hold(&CLAUDE, "sh");
}

#[test]
fn numbered_in_bash() {
    hold(&CLAUDE, "bash");
}

#[test]
fn named_in_sh() {
    hold(&NAMED, "sh");
}

#[test]
fn named_in_bash() {
    hold(&NAMED, "bash");
}

#[test]
fn opencode_in_sh() {
    hold(&OPENCODE, "sh");
}

#[test]
fn opencode_in_bash() {
    hold(&OPENCODE, "bash");
}

/// The corpus is hostile: where a value is taken for code, which only a skill can do that hands it
/// to a second shell through its environment, the marker appears.
#[test]
fn the_corpus_bites() {
    let directory = tempfile::tempdir().unwrap();
    let registry = deck(Dialect::Claude, "", "!`printf '%s' \"$ARGUMENTS\" | sh 2>&1 || true`\n");
    let mut ran = 0;
    for word in hostile().into_iter().filter(|word| word.contains(MARKER) && word.len() < 1 << 10) {
        let request = Request::command("x", word).directory(directory.path());
        registry.invoke_with(&allowed(), &request).unwrap();
        let marker = directory.path().join(MARKER);
        ran += usize::from(marker.exists());
        let _ = fs::remove_file(marker);
    }
    assert!(ran >= 25, "{ran}");
}
