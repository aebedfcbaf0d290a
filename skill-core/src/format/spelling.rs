//! The word before a colon to the key it means: the one table of keys and their spellings.

/// A key of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Name,
    Description,
    WhenToUse,
    License,
    Compatibility,
    Metadata,
    Version,
    DependsOn,
    AllowedTools,
    DisallowedTools,
    ArgumentHint,
    Arguments,
    InputSchema,
    Aliases,
    SlashCommand,
    UserInvocable,
    DisableModelInvocation,
    AllowedAgents,
    RequireConfirmation,
    Context,
    Agent,
    Model,
    Effort,
    Background,
    Shell,
    Hooks,
    Paths,
}

/// Each key with its canonical spelling.
const KEYS: [(Key, &str); 27] = [
    (Key::Name, "name"),
    (Key::Description, "description"),
    (Key::WhenToUse, "when_to_use"),
    (Key::License, "license"),
    (Key::Compatibility, "compatibility"),
    (Key::Metadata, "metadata"),
    (Key::Version, "version"),
    (Key::DependsOn, "depends-on"),
    (Key::AllowedTools, "allowed-tools"),
    (Key::DisallowedTools, "disallowed-tools"),
    (Key::ArgumentHint, "argument-hint"),
    (Key::Arguments, "arguments"),
    (Key::InputSchema, "input-schema"),
    (Key::Aliases, "aliases"),
    (Key::SlashCommand, "slash-command"),
    (Key::UserInvocable, "user-invocable"),
    (Key::DisableModelInvocation, "disable-model-invocation"),
    (Key::AllowedAgents, "allowed-agents"),
    (Key::RequireConfirmation, "require-confirmation"),
    (Key::Context, "context"),
    (Key::Agent, "agent"),
    (Key::Model, "model"),
    (Key::Effort, "effort"),
    (Key::Background, "background"),
    (Key::Shell, "shell"),
    (Key::Hooks, "hooks"),
    (Key::Paths, "paths"),
];

/// The spellings of RFC-0016 that differ from ours, and ours where the RFC's is canonical.
const ACCEPTED: [(&str, Key); 3] = [
    ("slash_command", Key::SlashCommand),
    ("input_schema", Key::InputSchema),
    ("when-to-use", Key::WhenToUse),
];

/// Misspellings that are read as the key that was meant, without case and separators.
const MISSPELT: [(&str, Key); 14] = [
    ("userinvokable", Key::UserInvocable),
    ("userinvokeable", Key::UserInvocable),
    ("userinvocible", Key::UserInvocable),
    ("userinvocables", Key::UserInvocable),
    ("disablemodelinvokation", Key::DisableModelInvocation),
    ("disablemodelinvocations", Key::DisableModelInvocation),
    ("disabledmodelinvocation", Key::DisableModelInvocation),
    ("disallowedtool", Key::DisallowedTools),
    ("disalowedtools", Key::DisallowedTools),
    ("allowedtool", Key::AllowedTools),
    ("allowedagent", Key::AllowedAgents),
    ("requiresconfirmation", Key::RequireConfirmation),
    ("requireconfirmations", Key::RequireConfirmation),
    ("argumenthints", Key::ArgumentHint),
];

/// How a key was spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As the format spells it, or as RFC-0016 does.
    Right,
    /// In another case or with other separators.
    Case,
    /// Wrong, but it is known what was meant.
    Wrong,
}

/// What a written key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Known(Key, Spelling),
    /// Unknown, and only a slip away from this key.
    Near(Key),
    Unknown,
}

impl Key {
    /// The canonical spelling.
    pub(super) fn as_str(self) -> &'static str {
        KEYS.iter().find(|(key, _)| *key == self).map_or("", |(_, name)| name)
    }

    /// Whether losing its value could widen rights.
    pub(super) const fn restricts(self) -> bool {
        matches!(
            self,
            Self::AllowedTools
                | Self::DisallowedTools
                | Self::DisableModelInvocation
                | Self::UserInvocable
                | Self::RequireConfirmation
                | Self::AllowedAgents
        )
    }

    /// Whether its value is a mapping.
    pub(super) const fn is_map(self) -> bool {
        matches!(self, Self::Metadata | Self::InputSchema | Self::SlashCommand | Self::Hooks)
    }
}

/// What a key means as it was written.
pub(super) fn meaning(written: &str) -> Meaning {
    if let Some((key, _)) = KEYS.iter().find(|(_, name)| *name == written) {
        return Meaning::Known(*key, Spelling::Right);
    }
    if let Some((_, key)) = ACCEPTED.iter().find(|(name, _)| *name == written) {
        return Meaning::Known(*key, Spelling::Right);
    }
    if let Some((key, _)) = KEYS.iter().find(|(_, name)| is_spelt(written, name)) {
        return Meaning::Known(*key, Spelling::Case);
    }
    if let Some((_, key)) = MISSPELT.iter().find(|(name, _)| is_spelt(written, name)) {
        return Meaning::Known(*key, Spelling::Wrong);
    }
    let letters: Vec<char> = letters(written).take(MAX_SLIP_CHARS).collect();
    KEYS.iter()
        .find(|(_, name)| is_slip(&letters, name))
        .map_or(Meaning::Unknown, |(key, _)| Meaning::Near(*key))
}

/// Whether what is written is `key`, in whatever case and separators.
pub(super) fn is_spelt(written: &str, key: &str) -> bool {
    letters(written).eq(letters(key))
}

/// The restriction keys whose names stand in a text, in whatever case and separators.
pub(super) fn contained(text: &str) -> Vec<Key> {
    let mut folded: String = letters(text).collect();
    let mut found = Vec::new();
    let names = KEYS.iter().map(|(key, name)| (*name, *key)).chain(MISSPELT);
    // `disallowed-tools` ends like `allowed-tools`, and comes first here.
    for forbids in [true, false] {
        for (name, key) in names.clone().filter(|(_, key)| key.restricts()) {
            let name: String = letters(name).collect();
            if (key == Key::DisallowedTools) == forbids && folded.contains(&name) {
                folded = folded.replace(&name, " ");
                found.push(key);
            }
        }
    }
    found
}

/// Without case and separators.
fn letters(written: &str) -> impl Iterator<Item = char> {
    written.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// The longest word that is compared for slips; the keys are shorter.
const MAX_SLIP_CHARS: usize = 40;

/// Whether two words are one slip apart (two for long words): a letter more, less, other, or two
/// swapped.
fn is_slip(written: &[char], key: &str) -> bool {
    let length = letters(key).count();
    let allowed = if length >= 7 { 2 } else { 1 };
    if written.len() < 3 || written.len().abs_diff(length) > allowed {
        return false;
    }
    let key: Vec<char> = letters(key).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=key.len()).collect();
    for (row, letter) in written.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, other) in key.iter().enumerate() {
            let change = above[column] + usize::from(letter != other);
            let mut least = change.min(above[column + 1] + 1).min(line[column] + 1);
            let swapped =
                row > 0 && column > 0 && *letter == key[column - 1] && written[row - 1] == *other;
            if swapped {
                least = least.min(before[column - 1] + 1);
            }
            line.push(least);
        }
        before = std::mem::replace(&mut above, line);
    }
    above[key.len()] <= allowed
}
