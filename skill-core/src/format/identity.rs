//! Name, description and aliases to what a skill is called: for display, for typing, in listings.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::given::Given;
use super::lists;
use super::mend;
use super::prose;
use super::report::Report;
use super::spelling::Key;
use super::{Layout, Origin};
use crate::diagnostic::{Code, Edit};
use crate::model::{Fields, Text, is_valid_name, slug, slug_flat};

/// The most characters of a description before a listing may shorten it; from the specification.
const MAX_DESCRIPTION_CHARS: usize = 1024;
/// The word of a skill in whose name and directory nothing can be typed.
const LAST_WORD: &str = "skill";

/// What the front matter says of name, description and aliases.
#[derive(Debug, Default)]
pub(super) struct Named {
    name: Option<(String, Range<usize>)>,
    description: Option<(String, Range<usize>)>,
    aliases: Vec<String>,
    /// Keys that are there and cannot be read: they are not missing, and that was said.
    lost: Vec<Key>,
    /// What writes the directory's name into the file.
    mend: Option<Edit>,
    /// Whether the key `name` is there.
    is_written: bool,
}

impl Named {
    pub(super) fn lose(&mut self, key: Key) {
        self.lost.push(key);
    }

    pub(super) fn take_name(
        &mut self,
        given: Given<'_>,
        origin: &Origin<'_>,
        report: &mut Report<'_>,
    ) {
        self.name = given
            .text(report)
            .map(|name| display(&name))
            .filter(|name| !name.is_empty())
            .map(|name| (name, given.value_at()));
        self.mend = mend::directory_name(origin).and_then(|name| given.fill(name));
        self.is_written = true;
    }

    /// A front matter without the key gets it in its first line.
    pub(super) fn insert_into(&mut self, text: &str, front: Range<usize>, origin: &Origin<'_>) {
        if !self.is_written && !self.lost.contains(&Key::Name) {
            self.mend =
                mend::directory_name(origin).and_then(|name| mend::insert_name(text, front, &name));
        }
    }

    pub(super) fn take_description(&mut self, given: Given<'_>, report: &mut Report<'_>) {
        self.description = given.text(report).map(|text| (text, given.at()));
    }

    pub(super) fn take_aliases(&mut self, given: Given<'_>, report: &mut Report<'_>) {
        self.aliases = Vec::new();
        for alias in given.list(report, lists::words) {
            let word = slug(&alias);
            if word.is_empty() {
                report.add(
                    Code::InvalidAlias,
                    given.value_at(),
                    format!("the alias `{alias}` has no letter or digit and is dropped"),
                    "write aliases as `aliases: [short, other-name]`",
                );
            } else if !self.aliases.contains(&word) {
                self.aliases.push(word);
            }
        }
    }

    /// Writes the outcome into the fields, with defaults from the origin and the body. What is
    /// missing is reported at `missing_at`, if it is to be.
    pub(super) fn finish(
        self,
        fields: &mut Fields,
        missing_at: Option<usize>,
        origin: &Origin<'_>,
        body: &str,
        report: &mut Report<'_>,
    ) {
        let missing_at = |key| missing_at.filter(|_| !self.lost.contains(&key));
        match (self.name, missing_at(Key::Name)) {
            (Some((name, span)), _) => {
                check(&name, span, self.mend, origin, report);
                let (word, directory_word) = words(&name, origin);
                fields.name = name.into();
                fields.word = word.into();
                fields.directory_word = directory_word.into();
            }
            (None, Some(start)) => {
                report
                    .add(
                        Code::MissingName,
                        start..start,
                        format!("the name is missing; the directory's, `{}`, is used", fields.name),
                        format!("write `name: {}`", fields.word),
                    )
                    .edits
                    .extend(self.mend);
            }
            (None, None) => {}
        }
        fields.description = match self.description {
            Some((description, span)) => {
                let count = description.chars().count();
                if count > MAX_DESCRIPTION_CHARS {
                    report.add(
                        Code::LongDescription,
                        span,
                        format!("the description has {count} characters; listings may shorten it"),
                        format!("say it in at most {MAX_DESCRIPTION_CHARS} characters"),
                    );
                }
                description.into()
            }
            None => {
                if let Some(start) = missing_at(Key::Description) {
                    report.add(
                        Code::MissingDescription,
                        start..start,
                        "the description is missing; the first paragraph of the body is used",
                        "write `description: …` and say what the skill does and when to use it",
                    );
                }
                prose::first_paragraph(body).into()
            }
        };
        let word = fields.word.clone();
        fields.aliases = self.aliases.into_iter().filter(|a| *a != word).map(Text::from).collect();
    }
}

/// A name as it may be shown: without control characters, which a terminal would obey.
pub(super) fn display(name: &str) -> String {
    let mut name: String = name.chars().filter(|c| !c.is_control()).collect();
    name.truncate(name.trim_end().len());
    name.drain(..name.len() - name.trim_start().len());
    name
}

/// The command word and the directory word of a skill of this name.
pub(super) fn words(name: &str, origin: &Origin<'_>) -> (String, String) {
    let slug = if origin.layout == Layout::Commands { slug } else { slug_flat };
    let directory = slug(origin.name);
    let word = match slug(name) {
        word if !word.is_empty() => word,
        _ if !directory.is_empty() => directory.clone(),
        _ => LAST_WORD.to_owned(),
    };
    let directory = if directory.is_empty() { word.clone() } else { directory };
    (word, directory)
}

fn check(
    name: &str,
    span: Range<usize>,
    mend: Option<Edit>,
    origin: &Origin<'_>,
    report: &mut Report<'_>,
) {
    let (word, directory) = words(name, origin);
    let is_valid = is_valid_name(name);
    let fits = origin.layout == Layout::Skills && is_valid_name(origin.name);
    if !is_valid {
        // Two findings about one name give one advice.
        let wanted = if fits { &directory } else { &word };
        report
            .add(
                Code::InvalidName,
                span.clone(),
                format!("`{name}` is not a valid name; its command word is `{word}`"),
                format!(
                    "write `name: {wanted}`: at most 64 lower-case letters and digits, and single \
                     hyphens between them"
                ),
            )
            .edits
            .extend(mend.clone());
    }
    // A command is called by its path, so its name is free.
    let is_same = || name.nfkc().eq(origin.name.nfkc());
    if origin.layout == Layout::Skills && !is_same() && (is_valid || word != directory) {
        report
            .add(
                Code::NameMismatch,
                span,
                format!(
                    "the name `{name}` is not that of the directory, `{}`",
                    display(origin.name)
                ),
                if fits {
                    format!("write `name: {directory}`, or rename the directory to `{word}`")
                } else {
                    format!("rename the directory to `{word}`")
                },
            )
            .edits
            .extend(mend);
    }
}
