//! A snapshot to the commands that an editor shows.

use std::collections::HashSet;

use agent_client_protocol::v1::schema::{
    AvailableCommand, AvailableCommandInput, UnstructuredCommandInput,
};
use skilldeck_core::diagnostic::one_line;
use skilldeck_runtime::{Caller, Entry, Policy, Registry, Snapshot};

/// The commands that a caller may type, sorted by name: the words of the skills and their aliases,
/// each behind its prefix and without a slash.
///
/// The input is absent where a skill takes no arguments: it declares none, hints at none and has no
/// placeholder.
#[must_use]
pub fn commands(
    snapshot: &Snapshot,
    policy: &Policy,
    caller: &Caller<'_>,
) -> Vec<AvailableCommand> {
    let mut commands = Vec::with_capacity(snapshot.len());
    let offered = || snapshot.iter().filter(|entry| policy.offers(*entry, caller));
    commands.extend(offered().map(|entry| command(entry, entry.word(), policy)));
    for entry in offered() {
        commands.extend(policy.aliases_of(entry).map(|alias| command(entry, alias, policy)));
    }
    // Words come before aliases, so of two that are the same the word is kept.
    let mut names = HashSet::with_capacity(commands.len());
    commands.retain(|command| names.insert(command.name.clone()));
    commands.sort_by(|one, other| one.name.cmp(&other.name));
    commands
}

fn command(entry: Entry<'_>, word: &str, policy: &Policy) -> AvailableCommand {
    let prefix = policy.announced_prefix(entry);
    let name = format!("{}{word}", prefix.strip_prefix('/').unwrap_or(prefix));
    let skill = entry.skill();
    let label = if entry.source().trusted { "" } else { "(untrusted) " };
    let description = format!("{label}{}", spaced(skill.description()));
    let hint = skill.argument_hint().map(spaced).or_else(|| hint(entry));
    let input = hint
        .map(|hint| one_line(&hint).into_owned())
        .map(|hint| AvailableCommandInput::Unstructured(UnstructuredCommandInput::new(hint)));
    AvailableCommand::new(name, one_line(&description)).input(input)
}

/// What to type behind a command that has no hint of its own.
fn hint(entry: Entry<'_>) -> Option<String> {
    let skill = entry.skill();
    let names: Vec<String> = skill.arguments().iter().map(|name| format!("[{name}]")).collect();
    if !names.is_empty() {
        return Some(names.join(" "));
    }
    skill.template().has_placeholder().then(|| "[arguments]".to_owned())
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a session was told, so that it is told again only when that has changed: a change of bodies
/// alone is none.
///
/// ```
/// use std::sync::Arc;
///
/// use skilldeck_bridges::acp::{Announced, Sender};
/// use skilldeck_runtime::{Memory, Registry, Source, SourceInfo, Tier};
///
/// # let mine = Arc::new(Memory::default());
/// # let source = Source::memory(Arc::clone(&mine), SourceInfo::new("mine", Tier::USER));
/// let registry = Registry::builder().source(source).build()?;
/// let sender = Sender::new("session-1");
/// let mut announced = Announced::default();
/// let mut changes = registry.subscribe();
/// # mine.insert("greet", "---\ndescription: Greets.\n---\nHello.\n");
/// # registry.reload();
/// # let mut told = Vec::new();
/// # let mut send = |name: String| told.push(name);
/// // A thread or a task for each session; the first change is what exists.
/// while let Some(change) = changes.recv() {
///     if let Some(commands) = announced.update(&registry, &sender.caller()) {
///         commands.iter().for_each(|command| send(command.name.clone()));
///     }
/// #   if change.generation == 2 { break; }
/// }
/// # assert_eq!(told, ["skill:greet"]);
/// # Ok::<(), skilldeck_runtime::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Announced {
    last: Vec<AvailableCommand>,
}

impl Announced {
    /// The commands of now, if they are others than those of the last time. At first there are none,
    /// so nothing is announced where there is nothing.
    pub fn update(
        &mut self,
        registry: &Registry,
        caller: &Caller<'_>,
    ) -> Option<&[AvailableCommand]> {
        let commands = commands(&registry.snapshot(), registry.policy(), caller);
        if self.last == commands {
            return None;
        }
        self.last = commands;
        Some(&self.last)
    }
}
