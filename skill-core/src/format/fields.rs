//! Pairs of the front matter to the fields of a skill.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::front::{Found, Front, Pair};
use super::given::{Given, Truth, value};
use super::lists;
use super::mention::meant;
use super::report::Report;
use super::rights::Rights;
use super::spelling::{Key, Meaning, Spelling, is_spelt, meaning};
use super::yaml::Node;
use super::{Layout, Origin};
use super::{command, hint, identity};
use crate::diagnostic::{Code, Edit, Related, Severity};
use crate::model::{Extra, Fields, Value};
use crate::template::{Parts, Template};

/// Reads the front matter into fields; the template is still empty.
pub(super) struct Reader<'a, 'r> {
    pub(super) text: &'a str,
    /// Where to point when the lines do not show a key.
    pub(super) start: usize,
    origin: &'a Origin<'a>,
    pub(super) report: &'r mut Report<'a>,
    fields: Fields,
    rights: Rights,
    /// Whether the front matter is unreadable as a whole.
    is_lost: bool,
    named: identity::Named,
    /// Where the last occurrence of each known key starts.
    seen: BTreeMap<Key, usize>,
    extra: Vec<Extra>,
    /// The line and the position in `extra` of each unknown key.
    seen_extra: HashMap<String, (u32, usize)>,
    /// The restriction keys that were lost where none was read: each is said once.
    seen_hidden: BTreeSet<(Key, usize)>,
    /// Whether a merge key was met whose content is not known.
    pub(super) is_merged: bool,
}

/// The fields of a skill about which nothing is known but where it comes from.
pub(super) fn blank(origin: &Origin<'_>) -> Fields {
    let name = identity::display(origin.name);
    let (word, directory_word) = identity::words(&name, origin);
    Fields {
        name: name.into(),
        word: word.into(),
        directory_word: directory_word.into(),
        template: Template::from_parts(Parts {
            text: "".into(),
            segments: Vec::new().into(),
            shells: Vec::new().into(),
            dialect: origin.dialect,
        }),
        ..Fields::PLAIN
    }
}

impl<'a, 'r> Reader<'a, 'r> {
    pub(super) fn new(
        text: &'a str,
        start: usize,
        origin: &'a Origin<'a>,
        report: &'r mut Report<'a>,
    ) -> Self {
        Self {
            text,
            start,
            origin,
            report,
            fields: blank(origin),
            rights: Rights::default(),
            is_lost: false,
            named: identity::Named::default(),
            seen: BTreeMap::new(),
            extra: Vec::new(),
            seen_extra: HashMap::new(),
            seen_hidden: BTreeSet::new(),
            is_merged: false,
        }
    }

    /// Narrows the skill as far as it goes: its front matter cannot be trusted as a whole.
    pub(super) const fn lose_whole(&mut self) {
        self.rights.lose_whole();
    }

    /// Narrows by the restriction keys that stand where none was read.
    pub(super) fn lose_hidden(&mut self, found: Vec<(Key, Range<usize>)>) {
        for (key, span) in found {
            if self.seen_hidden.insert((key, span.start)) {
                self.rights.lose_hidden(key, span, self.report);
            }
        }
    }

    /// Takes everything of a front matter; `front_text` is what it was read from.
    pub(super) fn take(&mut self, mut front: Front, front_text: &str) {
        if front.is_lost {
            self.rights.lose_whole();
        }
        front.lost.iter().for_each(|key| self.rights.lose(*key));
        self.lose_hidden(std::mem::take(&mut front.hidden));
        for pair in &mut front.pairs {
            self.settle_nested(pair);
        }
        self.is_lost = front.is_lost;
        let mut counts = BTreeMap::<Key, usize>::new();
        for pair in &front.pairs {
            if let Meaning::Known(key, _) = meaning(&pair.key) {
                *counts.entry(key).or_default() += 1;
            }
        }
        for pair in &front.pairs {
            let given = Given::new(self.text, pair, self.start);
            match meaning(&pair.key) {
                Meaning::Known(key, spelling) => {
                    let is_single = counts.get(&key) == Some(&1);
                    self.report_spelling(key, spelling, given, is_single);
                    self.report_repeated(key, given);
                    self.lose_inside(key, pair);
                    if key.restricts() {
                        self.rights.take(key, given, self.report);
                    } else if given.is_lost() {
                        self.named.lose(key);
                        if key == Key::SlashCommand {
                            self.fields.slash_command.enabled = false;
                            self.lose_named(&given.source(), given.at());
                        }
                    } else {
                        self.take_field(key, given);
                    }
                }
                Meaning::Near(_) | Meaning::Unknown if pair.key == "<<" => {
                    self.take_merge(given, front_text);
                }
                Meaning::Near(key) => self.take_extra(given, Some(key)),
                Meaning::Unknown => self.take_extra(given, None),
            }
        }
    }

    /// The fields, with what is missing filled from the body.
    ///
    /// Without front matter there is one thing to say, and it is said.
    pub(super) fn finish(mut self, body: &str, front: Option<Range<usize>>) -> Fields {
        self.fields.extra = self.extra.into();
        self.rights.apply(&mut self.fields);
        let missing_at =
            front.clone().filter(|_| self.origin.layout == Layout::Skills).map(|_| self.start);
        if let Some(front) = front.filter(|_| !self.is_lost) {
            self.named.insert_into(self.text, front, self.origin);
        }
        self.named.finish(&mut self.fields, missing_at, self.origin, body, self.report);
        self.fields
    }

    fn take_field(&mut self, key: Key, given: Given<'_>) {
        let report = &mut *self.report;
        let fields = &mut self.fields;
        match key {
            Key::Name => self.named.take_name(given, self.origin, report),
            Key::Description => self.named.take_description(given, report),
            Key::Aliases => self.named.take_aliases(given, report),
            Key::WhenToUse => fields.when_to_use = given.text(report).map(Into::into),
            Key::License => fields.license = given.word(report),
            Key::Compatibility => fields.compatibility = given.word(report),
            Key::Metadata => fields.metadata = given.map(report).unwrap_or(Value::Null),
            Key::Version => {
                fields.version = given.word(report);
                if let Some(version) = fields.version.as_deref().filter(|v| !lists::is_version(v)) {
                    report.add(
                        Code::InvalidVersion,
                        given.value_at(),
                        format!("`{version}` is not a semantic version"),
                        "write `version: 1.2.3`; other skills can only require versions of that form",
                    );
                }
            }
            Key::DependsOn => fields.depends_on = command::dependencies(given, self.text, report),
            Key::ArgumentHint => fields.argument_hint = hint::read(given),
            Key::Arguments => fields.arguments = command::arguments(given, report),
            Key::InputSchema => fields.input_schema = given.map(report),
            Key::SlashCommand => fields.slash_command = command::settings(given, report),
            Key::Context => fields.context = given.word(report),
            Key::Agent => fields.agent = given.word(report),
            Key::Model => fields.model = given.word(report),
            Key::Effort => fields.effort = given.word(report),
            Key::Background => match given.truth() {
                Truth::Is(truth) => fields.background = truth,
                Truth::Missing => fields.background = false,
                Truth::Neither => report_not_boolean(given, given.key(), report),
            },
            Key::Shell => {
                fields.shell = given.word(report);
                if let Some(shell) = fields.shell.as_deref().filter(|s| !["bash", "sh"].contains(s))
                {
                    report.add(
                        Code::UnsupportedShell,
                        given.value_at(),
                        format!("the shell `{shell}` is not available; commands will be refused"),
                        "write `shell: bash`, or remove the key",
                    );
                }
            }
            Key::Hooks => fields.hooks = given.node().filter(|node| !node.is_null()).map(value),
            Key::Paths => fields.paths = paths(given, report),
            // These go to the rights.
            Key::AllowedTools
            | Key::DisallowedTools
            | Key::UserInvocable
            | Key::DisableModelInvocation
            | Key::AllowedAgents
            | Key::RequireConfirmation => {}
        }
    }

    /// A key that stands twice is not respelt: what is now two keys would be one, which YAML does
    /// not allow.
    fn report_spelling(&mut self, key: Key, spelling: Spelling, given: Given<'_>, is_single: bool) {
        let (code, what) = match spelling {
            Spelling::Right => return,
            Spelling::Case => (Code::KeySpelling, "is spelt"),
            Spelling::Wrong => (Code::MisspeltKey, "is a misspelling of"),
        };
        let diagnostic = self.report.add(
            code,
            given.at(),
            format!("`{}` {what} `{}`", given.key(), key.as_str()),
            format!("write `{}`", key.as_str()),
        );
        if let Some(entry) = given.entry().filter(|_| is_single) {
            let replacement = key.as_str().to_owned();
            diagnostic.edits.push(Edit { span: entry.key_span.clone(), replacement });
        }
    }

    fn report_repeated(&mut self, key: Key, given: Given<'_>) {
        // Lines are counted only for what is reported: most files repeat nothing.
        if let Some(first) = self.seen.insert(key, given.at().start) {
            let first = self.report.line(first);
            let holds = if key.restricts() { "the narrower holds" } else { "the last holds" };
            self.repeated(given, first, holds);
        }
    }

    fn repeated(&mut self, given: Given<'_>, first: u32, holds: &str) {
        let diagnostic = self.report.add(
            Code::DuplicateKey,
            given.at(),
            format!("`{}` stands more than once; {holds}", given.key()),
            "keep one of them",
        );
        let message = "it stands here too".to_owned();
        diagnostic.related.push(Related { path: None, line: first, message });
    }

    /// Two equal keys inside a value are nothing YAML allows, and the library says nothing.
    fn settle_nested(&mut self, pair: &mut Pair) {
        let Found::Node(node) = &mut pair.found else { return };
        let mut found = Vec::new();
        node.settle_duplicates(&mut found);
        found.sort_unstable();
        found.dedup();
        let given = Given::new(self.text, pair, self.start);
        for key in found {
            self.report.add(
                Code::DuplicateKey,
                given.at(),
                format!("`{key}` stands more than once in `{}`; the last holds", given.key()),
                "keep one of them",
            );
        }
    }

    fn take_extra(&mut self, given: Given<'_>, near: Option<Key>) {
        let written = given.key();
        let found = meant(written);
        self.lose_hidden(found.into_iter().map(|key| (key, given.at())).collect());
        if given.is_lost() {
            return;
        }
        self.warn_inside(given);
        match near {
            Some(key) => self.report.add_as(
                Code::UnknownKey,
                Severity::Warning,
                given.at(),
                format!("the key `{written}` is not known"),
                Some(format!("did you mean `{}`?", key.as_str())),
            ),
            None => self.report.add(
                Code::UnknownKey,
                given.at(),
                format!("the key `{written}` is not known and is kept as it is"),
                "move it under `metadata` if it is meant for another program",
            ),
        };
        let line = self.report.line(given.at().start);
        let position = match self.seen_extra.get(written) {
            Some(&(first, position)) => {
                self.repeated(given, first, "the last holds");
                position
            }
            None => self.extra.len(),
        };
        self.seen_extra.insert(written.to_owned(), (line, position));
        let extra = Extra { key: written.to_owned().into(), source: given.source().into() };
        match self.extra.get_mut(position) {
            Some(before) => *before = extra,
            None => self.extra.push(extra),
        }
    }
}

/// Says that a key wants a boolean.
pub(super) fn report_not_boolean(given: Given<'_>, key: &str, report: &mut Report<'_>) {
    report.add(
        Code::NotABoolean,
        given.value_at(),
        format!("`{key}` is neither true nor false"),
        format!("write `{key}: true` or `{key}: false`"),
    );
}

fn paths(
    given: Given<'_>,
    report: &mut Report<'_>,
) -> std::borrow::Cow<'static, [std::borrow::Cow<'static, str>]> {
    let globs = given.list(report, lists::globs);
    if lists::alternatives(&globs) > lists::MAX_ALTERNATIVES {
        report.add(
            Code::TooManyAlternatives,
            given.at(),
            format!(
                "the globs of `paths` expand to more than {} alternatives and are ignored",
                lists::MAX_ALTERNATIVES
            ),
            "use `*` or `**` in the place of long `{a,b,…}` groups",
        );
        return Vec::new().into();
    }
    globs.into_iter().map(Into::into).collect()
}

/// The value of a sub-key, in whatever case and separators it is spelt.
pub(super) fn sub_key<'n>(pairs: &'n [(String, Node)], key: &str) -> Option<&'n Node> {
    pairs.iter().rev().find(|(written, _)| is_spelt(written, key)).map(|(_, node)| node)
}
