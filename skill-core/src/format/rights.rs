//! Restriction keys to what a skill may do: the narrower of two, and the narrowest of what is lost.

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::given::{Given, Items, Truth};
use super::lists;
use super::mention::restriction_at;
use super::report::Report;
use super::spelling::Key;
use crate::diagnostic::Code;
use crate::model::{Agents, Fields, Restriction, Skill, Text};

/// What the restriction keys say so far; `None` is a key that is absent.
#[derive(Debug, Default)]
pub(super) struct Rights {
    allowed_tools: Option<Vec<String>>,
    disallowed_tools: Option<Vec<String>>,
    user_invocable: Option<bool>,
    disable_model_invocation: Option<bool>,
    require_confirmation: Option<bool>,
    allowed_agents: Option<Agents>,
    lost: Vec<Key>,
    is_whole: bool,
}

impl Rights {
    /// The front matter as a whole cannot be trusted.
    pub(super) const fn lose_whole(&mut self) {
        self.is_whole = true;
    }

    /// A restriction key is there and its value is not: whoever calls this has reported it.
    pub(super) fn lose(&mut self, key: Key) {
        self.lost.push(key);
    }

    /// A restriction key stands in a line that was not read as a key.
    pub(super) fn lose_hidden(&mut self, key: Key, span: Range<usize>, report: &mut Report<'_>) {
        self.lose(key);
        report.add(
            Code::RestrictionLost,
            span,
            format!(
                "`{}` stands here, but not as a key of the front matter, so {}",
                key.as_str(),
                narrowest(key)
            ),
            format!(
                "write `{}: …` on a line of its own in the column of the other keys, or reword the \
                 line",
                key.as_str()
            ),
        );
    }

    /// A tool or agent with the name of a restriction key was a line that the value swallowed.
    fn lose_named(&mut self, names: &[String], given: Given<'_>, report: &mut Report<'_>) {
        for key in names.iter().filter_map(|name| restriction_at(name, false)) {
            if !self.lost.contains(&key) {
                self.lose_hidden(key, given.value_at(), report);
            }
        }
    }

    /// Takes one occurrence of a restriction key; the narrower of two holds.
    pub(super) fn take(&mut self, key: Key, given: Given<'_>, report: &mut Report<'_>) {
        if given.is_lost() {
            self.lose(key);
            return;
        }
        match key {
            Key::UserInvocable => {
                let truth = self.truth(key, given, false, report);
                narrow(&mut self.user_invocable, truth, false);
            }
            Key::DisableModelInvocation => {
                let truth = self.truth(key, given, true, report);
                narrow(&mut self.disable_model_invocation, truth, true);
            }
            Key::RequireConfirmation => {
                let truth = self.truth(key, given, true, report);
                narrow(&mut self.require_confirmation, truth, true);
            }
            Key::AllowedTools => {
                if let Some(tools) = self.tools(key, given, report) {
                    self.allowed_tools = Some(match self.allowed_tools.take() {
                        Some(before) => common_tools(before, tools),
                        None => tools,
                    });
                }
            }
            Key::DisallowedTools => {
                if let Some(tools) = self.tools(key, given, report) {
                    let all = self.disallowed_tools.get_or_insert_default();
                    all.extend(tools);
                }
            }
            Key::AllowedAgents => self.take_agents(given, report),
            _ => {}
        }
    }

    /// Writes the outcome into the fields.
    pub(super) fn apply(self, fields: &mut Fields) {
        let lost = |key| self.lost.contains(&key);
        let no_tools = self.is_whole || lost(Key::AllowedTools) || lost(Key::DisallowedTools);
        fields.allowed_tools = if no_tools {
            Vec::new().into()
        } else {
            texts(self.allowed_tools.unwrap_or_default())
        };
        let mut disallowed = self.disallowed_tools.unwrap_or_default();
        if lost(Key::DisallowedTools) {
            // Nobody knows which tools were meant, so it is all of them.
            disallowed = vec!["*".to_owned()];
        }
        fields.disallowed_tools = texts(disallowed);
        fields.user_invocable = self.user_invocable.unwrap_or(true) && !lost(Key::UserInvocable);
        fields.disable_model_invocation = self.disable_model_invocation.unwrap_or(false)
            || self.is_whole
            || lost(Key::DisableModelInvocation);
        fields.require_confirmation = self.require_confirmation.unwrap_or(false)
            || self.is_whole
            || lost(Key::RequireConfirmation);
        fields.allowed_agents = if lost(Key::AllowedAgents) {
            Agents::Nobody
        } else {
            self.allowed_agents.unwrap_or_default()
        };
        fields.restriction = if self.is_whole {
            Restriction::Whole
        } else if self.lost.is_empty() {
            Restriction::None
        } else {
            Restriction::Keys
        };
    }

    /// The boolean of a key; `None` if it is missing or lost.
    fn truth(
        &mut self,
        key: Key,
        given: Given<'_>,
        narrow: bool,
        report: &mut Report<'_>,
    ) -> Option<bool> {
        match given.truth() {
            Truth::Is(truth) => return Some(truth),
            Truth::Missing if given.is_blank() => {
                report.add(
                    Code::EmptyValue,
                    given.at(),
                    format!("`{}` has no value and counts as missing", given.key()),
                    format!("write `{}: {narrow}`, or remove the key", key.as_str()),
                );
            }
            Truth::Missing | Truth::Neither => {
                self.lose(key);
                report.add(
                    Code::NotABoolean,
                    given.value_at(),
                    format!("`{}` is neither true nor false, so {}", key.as_str(), narrowest(key)),
                    format!("write `{0}: true` or `{0}: false`", key.as_str()),
                );
            }
        }
        None
    }

    /// The tools of a key; `None` if they are lost.
    fn tools(
        &mut self,
        key: Key,
        given: Given<'_>,
        report: &mut Report<'_>,
    ) -> Option<Vec<String>> {
        let tools = match given.items() {
            // YAML takes the `!` of `!Bash Read` for a tag and drops the word.
            _ if key == Key::DisallowedTools && has_tag(&given.source()) => None,
            Items::Missing if given.is_blank() => Some(Vec::new()),
            Items::Missing | Items::Neither => None,
            Items::Text(text) if key == Key::DisallowedTools => lists::forbidden(&[text], true),
            Items::Text(text) => lists::tools(&text),
            // To forget a tool that must not be used would allow it.
            Items::List(_, 1..) if key == Key::DisallowedTools => None,
            Items::List(items, _) if key == Key::DisallowedTools => lists::forbidden(&items, false),
            Items::List(mut items, mut dropped) => {
                let count = items.len();
                items.retain(|item| lists::is_tool(item));
                dropped += count - items.len();
                if dropped > 0 {
                    given.report_dropped(dropped, report);
                }
                Some(items)
            }
        };
        self.lose_named(tools.as_deref().unwrap_or_default(), given, report);
        if tools.is_none() {
            self.lose(key);
            report_lost(key, given, "Read, Bash(git add:*)", report);
        }
        tools
    }

    fn take_agents(&mut self, given: Given<'_>, report: &mut Report<'_>) {
        let names = match given.items() {
            Items::Missing if given.is_blank() => Some(Vec::new()),
            Items::Missing | Items::Neither => None,
            // No names would be everybody.
            Items::Text(text) => Some(lists::words(&text)).filter(|names| !names.is_empty()),
            Items::List(items, dropped) => {
                if dropped > 0 {
                    given.report_dropped(dropped, report);
                }
                Some(items).filter(|items| dropped == 0 || !items.is_empty())
            }
        };
        let Some(names) = names else {
            self.lose(Key::AllowedAgents);
            report_lost(Key::AllowedAgents, given, "[planner, builder]", report);
            return;
        };
        self.lose_named(&names, given, report);
        let agents = if names.is_empty() { Agents::All } else { Agents::Only(texts(names)) };
        self.allowed_agents = Some(match self.allowed_agents.take() {
            Some(before) => common_agents(before, agents),
            None => agents,
        });
    }
}

/// A skill with the narrower of its own restrictions and those of another one, such as an earlier
/// version; everything else is its own. Neither gives a right that the other does not give.
///
/// ```
/// use skilldeck_core::format::{Origin, narrowed, parse};
///
/// let skill = |keys| {
///     let text = format!("---\nname: demo\ndescription: d\n{keys}\n---\n");
///     parse(text.as_bytes(), &Origin::new("demo")).skill.expect("it is UTF-8")
/// };
/// let old = skill("allowed-tools: Read, Edit");
/// let new = skill("allowed-tools: Read, Bash\nuser-invocable: false");
/// let kept = narrowed(&old, &new);
/// assert_eq!(kept.allowed_tools(), ["Read"]);
/// assert!(!kept.user_invocable());
/// ```
#[must_use]
pub fn narrowed(skill: &Skill, other: &Skill) -> Skill {
    let (own, other) = (skill.fields(), other.fields());
    let all = [&*own.disallowed_tools, &*other.disallowed_tools].concat();
    let mut disallowed: Vec<Text> = Vec::with_capacity(all.len());
    for tool in all {
        if !disallowed.contains(&tool) {
            disallowed.push(tool);
        }
    }
    let mut narrow = own.clone();
    narrow.allowed_tools =
        common_tools(own.allowed_tools.to_vec(), other.allowed_tools.to_vec()).into();
    narrow.disallowed_tools = disallowed.into();
    narrow.user_invocable &= other.user_invocable;
    narrow.disable_model_invocation |= other.disable_model_invocation;
    narrow.require_confirmation |= other.require_confirmation;
    narrow.allowed_agents = common_agents(own.allowed_agents.clone(), other.allowed_agents.clone());
    narrow.slash_command.enabled &= other.slash_command.enabled;
    // This is also what keeps shell from running.
    narrow.restriction = own.restriction.max(other.restriction);
    narrow.details.settle();
    Skill::from_fields(narrow)
}

/// Whether fields give no right that others do not give.
pub(super) fn is_as_narrow(fields: &Fields, other: &Fields) -> bool {
    let covers = |all: &[Text], some: &[Text]| {
        all.iter().any(|text| text == "*") || some.iter().all(|text| all.contains(text))
    };
    let agents = match (&fields.allowed_agents, &other.allowed_agents) {
        (Agents::Nobody, _) | (_, Agents::All) => true,
        (Agents::Only(some), Agents::Only(all)) => some.iter().all(|agent| all.contains(agent)),
        _ => false,
    };
    agents
        && covers(&other.allowed_tools, &fields.allowed_tools)
        && covers(&fields.disallowed_tools, &other.disallowed_tools)
        && fields.user_invocable <= other.user_invocable
        && fields.disable_model_invocation >= other.disable_model_invocation
        && fields.require_confirmation >= other.require_confirmation
        && fields.slash_command.enabled <= other.slash_command.enabled
        && fields.restriction >= other.restriction
}

/// What holds when the value of a restriction key is lost.
pub(super) const fn narrowest(key: Key) -> &'static str {
    match key {
        Key::AllowedTools => "no tool is pre-approved",
        Key::DisallowedTools => "no tool is pre-approved and all are disallowed",
        Key::DisableModelInvocation => "the skill is not offered to the model",
        Key::UserInvocable => "the skill is not offered to people",
        Key::RequireConfirmation => "the host is asked before the skill starts",
        Key::AllowedAgents => "no agent may start the skill",
        _ => "the skill is restricted",
    }
}

/// Of two booleans the narrow one holds, whichever of the two it is.
fn narrow(field: &mut Option<bool>, truth: Option<bool>, narrow: bool) {
    if let Some(truth) = truth {
        *field = Some(if *field == Some(narrow) { narrow } else { truth });
    }
}

/// Whether a word of a value starts with one `!`; two start a tag that says nothing here.
fn has_tag(source: &str) -> bool {
    source.match_indices('!').any(|(at, _)| {
        let before = source[..at].chars().next_back();
        let is_start =
            before.is_none_or(|c| c.is_whitespace() || matches!(c, '[' | ',' | '\u{feff}'));
        is_start && !source[at + 1..].starts_with('!')
    })
}

fn report_lost(key: Key, given: Given<'_>, example: &str, report: &mut Report<'_>) {
    report.add(
        Code::RestrictionLost,
        given.value_at(),
        format!("`{}` cannot be understood, so {}", key.as_str(), narrowest(key)),
        format!("write a list of text, such as `{}: {example}`", key.as_str()),
    );
}

fn common_tools<T: AsRef<str> + PartialEq>(before: Vec<T>, tools: Vec<T>) -> Vec<T> {
    let is_all = |tools: &[T]| tools.iter().any(|tool| tool.as_ref() == "*");
    if is_all(&before) {
        tools
    } else if is_all(&tools) {
        before
    } else {
        before.into_iter().filter(|tool| tools.contains(tool)).collect()
    }
}

fn common_agents(before: Agents, agents: Agents) -> Agents {
    match (before, agents) {
        (Agents::Nobody, _) | (_, Agents::Nobody) => Agents::Nobody,
        (Agents::All, other) | (other, Agents::All) => other,
        (Agents::Only(before), Agents::Only(names)) => {
            let both: Vec<Text> =
                before.iter().filter(|name| names.contains(name)).cloned().collect();
            if both.is_empty() { Agents::Nobody } else { Agents::Only(both.into()) }
        }
    }
}

fn texts(items: Vec<String>) -> std::borrow::Cow<'static, [Text]> {
    items.into_iter().map(Text::from).collect()
}
