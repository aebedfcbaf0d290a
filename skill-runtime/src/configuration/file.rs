//! The settings of one file, as they are written. Nothing is merged and nothing decided here.

#[cfg(test)]
use std::collections::BTreeMap;

use serde::Deserialize;

use super::values::{Length, Named, Order, Piece, Size};

/// A whole file.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct File {
    /// The settings of skilldeck.
    pub(super) skills: Option<Section>,
}

/// The settings of skilldeck.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(expecting = "a mapping of settings")]
pub(super) struct Section {
    /// Whether there are skill commands at all.
    pub(super) enable_skill_commands: Option<bool>,
    /// Which protocols can start skills; all that are not switched off.
    pub(super) faces: Option<Faces>,
    /// What is announced before command words: `/skill:` by default.
    pub(super) prefix: Option<Piece>,
    /// The order of the tiers: a preset or a list, strongest first.
    pub(super) precedence: Option<Order>,
    /// Commands of the host, which win over bare words.
    pub(super) native_commands: Option<Vec<Piece>>,
    /// Sources, by name, and workspaces, by path, that are trusted. Only in the user's file.
    pub(super) trust: Option<Vec<String>>,
    /// Further sources of skills.
    pub(super) sources: Option<Vec<SourceBlock>>,
    /// The shell commands of skills.
    pub(super) shell: Option<Shell>,
    /// How often each skill may be started by people, and as often by models.
    pub(super) rate_limit: Option<Rate>,
    /// Whether bodies are kept in memory.
    pub(super) bodies: Option<Bodies>,
    /// What is recorded of invocations.
    pub(super) telemetry: Option<Telemetry>,
    /// What holds for every skill of which nothing else is said.
    pub(super) global_slash_config: Option<Global>,
    /// What holds for single skills, by any of their names.
    pub(super) per_skill_config: Option<Named<SkillBlock>>,
    /// Skills in the RFC's other form, `my-skill: { slash_command: { … } }`, and unknown keys.
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, RfcBlock>"))]
    pub(super) rest: Named<serde_yaml::Value>,
}

/// A skill in the RFC's other form.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct RfcBlock {
    /// What holds for this skill.
    pub(super) slash_command: SkillBlock,
}

/// Which protocols can start skills.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct Faces {
    acp: Option<bool>,
    agui: Option<bool>,
    opencode: Option<bool>,
    mcp: Option<bool>,
}

impl Faces {
    /// Protocols and what is said of them.
    pub(super) fn said(self) -> impl Iterator<Item = (&'static str, bool)> {
        let Self { acp, agui, opencode, mcp } = self;
        [("acp", acp), ("agui", agui), ("opencode", opencode), ("mcp", mcp)]
            .into_iter()
            .filter_map(|(name, open)| Some((name, open?)))
    }
}

/// The shell commands of skills.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct Shell {
    /// Whether commands of trusted skills run.
    pub(super) default: Option<ShellDefault>,
    /// How long a command may run, such as `120s`.
    pub(super) timeout: Option<Length>,
    /// How much of its output is kept, such as `64KiB`.
    pub(super) max_output: Option<Size>,
    /// What becomes of an invocation whose command fails.
    pub(super) on_failure: Option<ShellFailure>,
}

/// Whether shell commands run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum ShellDefault {
    /// None runs.
    Deny,
    /// Those of trusted sources run.
    Allow,
}

/// What becomes of an invocation whose command fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum ShellFailure {
    /// It fails too.
    Error,
    /// Nothing stands in the place of the command.
    Empty,
}

/// So many invocations in each such time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct Rate {
    /// How many at once, and in each `per`.
    pub(super) burst: std::num::NonZeroU32,
    /// The time in which they come back, such as `1m`.
    pub(super) per: Length,
}

/// Whether bodies are kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum Bodies {
    /// They are kept.
    Keep,
    /// They are read again when they are needed. Not supported yet.
    Reread,
}

/// What is recorded of invocations.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct Telemetry {
    /// A database of invocations. Not supported yet.
    pub(super) sqlite: Option<String>,
    /// Whether there is a Prometheus exporter. Not supported yet.
    pub(super) prometheus: Option<bool>,
}

/// What holds for every skill of which nothing else is said.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct Global {
    /// Whether they can be started.
    pub(super) enabled: Option<bool>,
    /// Whether a person is asked first.
    pub(super) require_confirmation: Option<bool>,
    /// The agents that may start them; an empty list is all.
    pub(super) allowed_agents: Option<Vec<String>>,
}

/// What holds for one skill.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct SkillBlock {
    /// Whether it can be started.
    pub(super) enabled: Option<bool>,
    /// Whether a person is asked first.
    pub(super) require_confirmation: Option<bool>,
    /// The agents that may start it; an empty list is all.
    pub(super) allowed_agents: Option<Vec<String>>,
    /// Further words that reach it.
    pub(super) aliases: Option<Vec<Piece>>,
    /// What is announced before its word.
    pub(super) prefix: Option<Piece>,
    /// `false` gives the outcome to the host only.
    pub(super) auto_inject: Option<bool>,
    /// A JSON Schema that its arguments are held to, beside its own.
    #[cfg_attr(test, schemars(with = "Option<BTreeMap<String, serde_json::Value>>"))]
    pub(super) input_schema: Option<serde_yaml::Mapping>,
    /// The least version it must have, such as `1.2.0`.
    pub(super) min_version: Option<String>,
}

/// A source of skills.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mapping of settings")]
pub(super) struct SourceBlock {
    /// Its name, shown as the origin of its skills.
    pub(super) name: String,
    /// Directories, relative to the file's own.
    pub(super) roots: Option<Vec<String>>,
    /// A pattern of directories instead, such as `modules/*/skills`.
    pub(super) glob: Option<String>,
    /// The tier: `project`, `third-party`, `core`, …; `project` by default.
    pub(super) tier: Option<String>,
    /// Whether it is trusted; `required` leaves it out where it is not.
    pub(super) trust: Option<SourceTrust>,
    /// The dialect of its bodies.
    pub(super) dialect: Option<SourceDialect>,
    /// When `$1` is a placeholder.
    pub(super) positional: Option<SourcePositional>,
    /// How its files lie.
    pub(super) layout: Option<SourceLayout>,
    /// What the prefix is to its command words.
    pub(super) namespace: Option<SourceNamespace>,
    /// The prefix of its command words; `{package}` is the directory that the first `*` matched.
    pub(super) prefix: Option<String>,
    /// Patterns of Markdown files that are always told to models, if the source is
    /// trusted.
    pub(super) instructions: Option<Vec<String>>,
}

/// Whether a source is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceTrust {
    Said(bool),
    /// It is not loaded unless something else trusts it.
    Required,
}

/// The dialect of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum SourceDialect {
    /// Claude Code's.
    Claude,
    /// OpenCode's.
    Opencode,
}

/// When `$1` is a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum SourcePositional {
    /// In skills that declare arguments.
    Declared,
    /// In every skill.
    Always,
}

/// How files lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum SourceLayout {
    /// `<name>/SKILL.md`.
    Skills,
    /// `<name>.md`.
    Commands,
}

/// What a prefix is to command words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum SourceNamespace {
    /// Nothing.
    None,
    /// A skill without it is reported.
    Expect,
    /// It is put before words that do not start with it.
    Apply,
}
