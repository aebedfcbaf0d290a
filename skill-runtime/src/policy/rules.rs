//! What a host or a file of configuration demands beside what skills demand themselves.

use std::collections::{BTreeMap, BTreeSet};

use skilldeck_core::model::{Dependency, Text, Value, fold};

use super::Reason;
use crate::caller::Caller;
use crate::error::{Error, ErrorKind};
use crate::snapshot::Entry;

/// One layer of rules over what skills demand themselves: the settings of one file, or of a host.
///
/// Within a layer what is said of one skill stands in the place of what is said of all. Layers only
/// narrow each other, and no layer takes away what a skill's own front matter demands.
///
/// ```
/// use skilldeck_runtime::{Rules, SkillRules};
///
/// // Everything asks first, but for one.
/// let rules = Rules::new()
///     .require_confirmation(true)
///     .skill("commit", SkillRules::new().require_confirmation(false))
///     .face("mcp", false);
/// assert_ne!(rules, Rules::new());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    commands: bool,
    closed_faces: BTreeSet<String>,
    enabled: bool,
    confirm: bool,
    /// Empty for all.
    agents: Vec<String>,
    /// By the folded name, so that no spelling of a name escapes its rules.
    skills: BTreeMap<String, SkillRules>,
}

/// What is said of one skill. What is not said is as for all skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillRules {
    enabled: Option<bool>,
    confirm: Option<bool>,
    agents: Option<Vec<String>>,
    auto_inject: Option<bool>,
    min_version: Option<String>,
    input_schema: Option<Value>,
    aliases: Vec<Text>,
    prefix: Option<Text>,
}

/// What a layer says of one entry and an agent, all that it says of its names put together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    enabled: bool,
    pub(super) confirm: bool,
    /// Whether the agent is one of those that may start it.
    agent: bool,
    /// The least version that it does not have.
    wanted: Option<&'a str>,
}

impl Rules {
    /// Rules that demand nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            commands: true,
            closed_faces: BTreeSet::new(),
            enabled: true,
            confirm: false,
            agents: Vec::new(),
            skills: BTreeMap::new(),
        }
    }

    /// Whether there are commands at all (`enable_skill_commands`). If not, every skill is refused,
    /// whatever is said of it, and no menu or listing has one.
    #[must_use]
    pub fn commands(mut self, enabled: bool) -> Self {
        self.commands = enabled;
        self
    }

    /// Whether skills can be started by a protocol, such as `acp`; they can by each that is not
    /// switched off.
    #[must_use]
    pub fn face(mut self, protocol: impl Into<String>, open: bool) -> Self {
        let protocol = protocol.into();
        if open {
            self.closed_faces.remove(&protocol);
        } else {
            self.closed_faces.insert(protocol);
        }
        self
    }

    /// Whether skills of which nothing else is said can be started.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Whether a person is asked before a skill of which nothing else is said.
    #[must_use]
    pub fn require_confirmation(mut self, asks: bool) -> Self {
        self.confirm = asks;
        self
    }

    /// The agents that may start skills of which nothing else is said; none named is all. An agent
    /// whose name is not known is none of them.
    #[must_use]
    pub fn allowed_agents<T: Into<String>>(mut self, agents: impl IntoIterator<Item = T>) -> Self {
        self.agents = agents.into_iter().map(Into::into).collect();
        self
    }

    /// What is said of one skill. Any of its names will do, in any spelling that reaches it: the
    /// word, the directory's, the display name, or an alias. What is said of several of its names
    /// holds together.
    #[must_use]
    pub fn skill(mut self, name: &str, rules: SkillRules) -> Self {
        self.skills.insert(fold(name), rules);
        self
    }

    /// The names of which something is said, folded.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.skills.keys().map(String::as_str)
    }

    /// What is said of an entry, by any of its names; each only once, as most names are the same.
    pub(super) fn of(&self, entry: Entry<'_>) -> impl Iterator<Item = &SkillRules> {
        let skill = entry.skill();
        // Without rules for single skills nothing is folded.
        let has_rules = !self.skills.is_empty();
        let names = [skill.word(), skill.directory_word(), skill.name()];
        let aliases = skill.aliases().iter().map(AsRef::as_ref);
        let names = has_rules.then(|| names.into_iter().chain(aliases));
        let mut given: Vec<&SkillRules> = Vec::new();
        names.into_iter().flatten().filter_map(move |name: &str| {
            let rules = self.skills.get(&fold(name))?;
            let is_new = !given.iter().any(|other| std::ptr::eq(*other, rules));
            is_new.then(|| {
                given.push(rules);
                rules
            })
        })
    }

    /// One look at all that is said.
    pub(super) fn say(&self, entry: Entry<'_>, agent: Option<&str>) -> Said<'_> {
        let may = |agents: &[String]| {
            agents.is_empty() || agent.is_some_and(|name| agents.iter().any(|it| it == name))
        };
        let version = entry.skill().version();
        let (mut enabled, mut confirm, mut is_allowed, mut wanted) = (None, None, None, None);
        for rules in self.of(entry) {
            if let Some(said) = rules.enabled {
                enabled = Some(enabled.unwrap_or(true) && said);
            }
            if let Some(said) = rules.confirm {
                confirm = Some(confirm.unwrap_or(false) || said);
            }
            if let Some(agents) = &rules.agents {
                is_allowed = Some(is_allowed.unwrap_or(true) && may(agents));
            }
            let least = rules.min_version.as_deref();
            wanted = wanted.or(least.filter(|least| !is_at_least(version, least)));
        }
        Said {
            enabled: enabled.unwrap_or(self.enabled),
            confirm: confirm.unwrap_or(self.confirm),
            agent: is_allowed.unwrap_or_else(|| may(&self.agents)),
            wanted,
        }
    }

    /// Adds why this layer does not let the caller start the entry.
    pub(super) fn refuse(&self, entry: Entry<'_>, caller: &Caller<'_>, reasons: &mut Vec<Reason>) {
        if !self.commands {
            reasons.push(Reason::CommandsOff);
        }
        if let Some(protocol) = caller.protocol.filter(|it| self.closed_faces.contains(*it)) {
            reasons.push(Reason::FaceOff(protocol.to_owned()));
        }
        let said = self.say(entry, caller.agent);
        if !said.enabled {
            reasons.push(Reason::SwitchedOff);
        }
        if !said.agent {
            reasons.push(match caller.agent {
                Some(agent) => Reason::AgentNotConfigured(agent.to_owned()),
                None => Reason::UnknownAgentNotConfigured,
            });
        }
        if let Some(wanted) = said.wanted {
            let version = entry.skill().version().map(str::to_owned);
            reasons.push(Reason::TooOld { version, wanted: wanted.to_owned() });
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::new()
    }
}

impl SkillRules {
    /// Nothing is said yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it can be started.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = Some(enabled);
        self
    }

    /// Whether a person is asked first.
    #[must_use]
    pub fn require_confirmation(mut self, asks: bool) -> Self {
        self.confirm = Some(asks);
        self
    }

    /// The agents that may start it; none named is all.
    #[must_use]
    pub fn allowed_agents<T: Into<String>>(mut self, agents: impl IntoIterator<Item = T>) -> Self {
        self.agents = Some(agents.into_iter().map(Into::into).collect());
        self
    }

    /// `false` gives the outcome to the host only, which does not deliver it as a turn.
    #[must_use]
    pub fn auto_inject(mut self, injects: bool) -> Self {
        self.auto_inject = Some(injects);
        self
    }

    /// The least version it must have. A skill without a version that can be read has none.
    ///
    /// # Errors
    /// When this is no version, such as `1.2` or `2.0.0`.
    pub fn min_version(mut self, version: &str) -> Result<Self, Error> {
        let version = version.trim();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
        let is_version = version.starts_with(|c: char| c.is_ascii_digit())
            && version.chars().all(is_part)
            && at_least(version).matches(None).is_ok();
        if !is_version {
            let message =
                format!("`{}` is no version; write one such as `1.2.0`", version.escape_debug());
            return Err(Error::new(ErrorKind::Configuration, message));
        }
        self.min_version = Some(version.to_owned());
        Ok(self)
    }

    /// A JSON Schema that its arguments are held to, beside its own.
    #[must_use]
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input_schema = Some(schema);
        self
    }

    /// Further words that reach it, where no skill has them itself.
    #[must_use]
    pub fn aliases<T: Into<Text>>(mut self, words: impl IntoIterator<Item = T>) -> Self {
        self.aliases = words.into_iter().map(Into::into).collect();
        self
    }

    /// What is announced before its word; empty announces the bare word.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<Text>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    pub(super) fn keeps_back(&self) -> bool {
        self.auto_inject == Some(false)
    }

    pub(super) fn schema(&self) -> Option<&Value> {
        self.input_schema.as_ref()
    }

    pub(super) fn own_prefix(&self) -> Option<&str> {
        self.prefix.as_deref()
    }

    pub(super) fn words(&self) -> &[Text] {
        &self.aliases
    }
}

impl Rules {
    /// Whether a word is added to any skill.
    pub(super) fn names_words(&self) -> bool {
        self.skills.values().any(|rules| !rules.aliases.is_empty())
    }
}

/// The requirement of a least version, in the terms of `depends-on`, so that versions are read with
/// the same tolerance everywhere.
fn at_least(version: &str) -> Dependency {
    Dependency::new(&format!("skill@>={version}"), 1)
}

fn is_at_least(version: Option<&str>, wanted: &str) -> bool {
    at_least(wanted).matches(version).unwrap_or(false)
}
