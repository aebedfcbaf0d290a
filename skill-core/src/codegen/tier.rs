//! The name of a tier in a call to its place in the order: which directory wins a word.

/// The tier of a directory in a call: where two have a skill with the same word, the stronger tier
/// wins it. The order is the default one of the run time, strongest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// The project's.
    Project,
    /// The user's.
    User,
    /// Taken over from elsewhere.
    ThirdParty,
    /// The core of a larger system.
    Core,
    /// The program's own; what a directory has that says nothing else.
    #[default]
    Bundled,
}

impl Tier {
    /// All of them, strongest first.
    pub const ALL: [Self; 5] =
        [Self::Project, Self::User, Self::ThirdParty, Self::Core, Self::Bundled];

    /// The tier that a call names with this word.
    ///
    /// ```
    /// use skilldeck_core::codegen::Tier;
    ///
    /// assert_eq!(Tier::from_word("third_party"), Some(Tier::ThirdParty));
    /// assert_eq!(Tier::from_word("managed"), None);
    /// ```
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.word() == word)
    }

    /// How a call names it: `third_party` and so on, an identifier.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
            Self::ThirdParty => "third_party",
            Self::Core => "core",
            Self::Bundled => "bundled",
        }
    }

    /// How the run time names it: `third-party` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThirdParty => "third-party",
            other => other.word(),
        }
    }
}
