//! How a rendered skill looks to whoever reads it.

/// The form of a rendered skill (format.md, section 6). Dependencies come first, as blocks of the
/// same form, with a blank line between blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// A new turn: `<skill name="…">`, the resource base, the body; arguments that no placeholder
    /// received follow behind.
    User,
    /// A tool result, which starts no turn: `<skill_content name="…">` with the resources and the
    /// plain text as parts of it.
    Tool,
    /// The body; arguments that no placeholder received follow as the dialect has it.
    Plain,
    /// AG-UI: the body; arguments that no placeholder received come before it.
    Agui,
    /// OpenCode: the plain text, and the two lines about the base directory.
    OpenCode,
}

impl Shape {
    /// `user`, `tool`, `plain`, `agui` or `opencode`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Tool => "tool",
            Self::Plain => "plain",
            Self::Agui => "agui",
            Self::OpenCode => "opencode",
        }
    }
}
