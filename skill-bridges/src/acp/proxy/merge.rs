//! The commands of an agent and those of the deck to one list.

use std::borrow::Cow;
use std::collections::HashSet;

use agent_client_protocol::v1::schema::AvailableCommand;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::wire;

/// The commands an agent has announced, as it wrote them.
#[derive(Clone, Debug, Default)]
pub(super) struct Native {
    /// The list with its brackets.
    list: Option<String>,
    names: HashSet<String>,
}

#[derive(Deserialize)]
struct Command<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

impl Native {
    /// Reads a list. What has no name is passed on, and nobody can type it.
    pub(super) fn read(list: &str) -> Self {
        let commands: Vec<&RawValue> = serde_json::from_str(list).unwrap_or_default();
        let name = |command: &&RawValue| {
            let command: Command<'_> = wire::object(command.get())?;
            Some(command.name.into_owned())
        };
        Self { list: Some(list.to_owned()), names: commands.iter().filter_map(name).collect() }
    }

    /// Whether the agent has a command of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The list with the commands of the deck behind it, less those whose name the agent has.
    pub(super) fn with(&self, deck: &[AvailableCommand]) -> String {
        let mut merged = String::from("[");
        let inner = self.list.as_deref().map_or("", inside);
        merged.push_str(inner);
        let mut is_first = inner.trim().is_empty();
        for command in deck.iter().filter(|command| !self.has(&command.name)) {
            // A command is texts, which are always JSON.
            let Ok(command) = serde_json::to_string(command) else { continue };
            if !is_first {
                merged.push(',');
            }
            is_first = false;
            merged.push_str(&command);
        }
        merged.push(']');
        merged
    }
}

/// A list without its brackets.
fn inside(list: &str) -> &str {
    list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use agent_client_protocol::v1::schema::AvailableCommand;

    use super::Native;

    #[test]
    fn the_agents_own_stand_first_and_win() {
        let deck = ["skill:a", "skill:b"].map(|name| AvailableCommand::new(name, "Does it."));
        let (a, b) = (
            r#"{"name":"skill:a","description":"Does it."}"#,
            r#"{"name":"skill:b","description":"Does it."}"#,
        );
        assert_eq!(Native::default().with(&deck), format!("[{a},{b}]"));
        assert_eq!(Native::read("[ ]").with(&deck), format!("[ {a},{b}]"));
        let own = r#"[ {"x":1.0, "name" : "skill\u003aa"} , {"no":"name"}, 3, ["skill:b"] ]"#;
        let native = Native::read(own);
        assert!(native.has("skill:a") && !native.has("skill:b"));
        assert_eq!(
            native.with(&deck),
            format!(
                r#"[ {{"x":1.0, "name" : "skill\u003aa"}} , {{"no":"name"}}, 3, ["skill:b"] ,{b}]"#
            )
        );
        assert_eq!(Native::read("[1]").with(&[]), "[1]");
        assert_eq!(Native::default().with(&[]), "[]");
    }
}
