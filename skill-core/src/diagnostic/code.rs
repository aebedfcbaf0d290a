//! The one table of diagnostic codes.

use super::Severity;

macro_rules! codes {
    ($($(#[$meta:meta])* $variant:ident $id:literal $severity:ident $title:literal;)*) => {
        /// What kind of finding a diagnostic is. The id is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$meta])* #[doc = $title] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable id, in kebab-case.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The severity it has unless a caller changes it.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// What it says, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// The code with this id.
            #[must_use]
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.id() == id)
            }
        }
    };
}

codes! {
    // Bytes and files.
    TooLarge "too-large" Error "the file is larger than 1 MiB";
    NotRegular "not-regular" Error "the path is no regular file";
    Unreadable "unreadable" Error "the file cannot be read";
    NotUtf8 "not-utf8" Error "the file is not UTF-8";
    NulByte "nul-byte" Error "a NUL byte stands in the front matter";
    // Fences.
    BlankBeforeFence "blank-before-fence" Warning "blank lines stand before the opening fence";
    NoFrontMatter "no-front-matter" Warning "the file has no front matter";
    UnclosedFrontMatter "unclosed-front-matter" Error "the front matter is never closed";
    NotAFence "not-a-fence" Warning "a line looks like a fence and is none";
    WrappedFile "wrapped-file" Warning "the whole file stands inside a code fence";
    MaterialisedSymlink "materialised-symlink" Warning "the file is a symbolic link checked out as text";
    // YAML.
    FrontMatterTooLarge "front-matter-too-large" Error "the front matter is larger than 64 KiB or nests too much";
    InvalidYaml "invalid-yaml" Error "the front matter is not YAML";
    NotAMapping "not-a-mapping" Error "the front matter is no mapping";
    UnreadableKey "unreadable-key" Error "the value of a key cannot be read";
    StrayLine "stray-line" Error "a line of the front matter is no `key: value`";
    RepairedValue "repaired-value" Warning "a value was read as if it were quoted";
    DuplicateKey "duplicate-key" Warning "a key stands more than once";
    // Keys.
    UnknownKey "unknown-key" Note "the key is not known";
    MisspeltKey "misspelt-key" Warning "the key looks like a known one";
    KeySpelling "key-spelling" Warning "the key is spelt in another case than the format's";
    // Values.
    MissingName "missing-name" Warning "the name is missing";
    InvalidName "invalid-name" Warning "the name is not valid";
    NameMismatch "name-mismatch" Warning "the name is not the directory's";
    MissingDescription "missing-description" Warning "the description is missing";
    LongDescription "long-description" Warning "the description is longer than 1,024 characters";
    NotText "not-text" Warning "text is wanted here";
    NotABoolean "not-a-boolean" Error "a boolean is wanted here";
    EmptyValue "empty-value" Warning "a key has no value and counts as missing";
    NotAList "not-a-list" Warning "a list of text is wanted here";
    NotAMap "not-a-map" Warning "a mapping is wanted here";
    DroppedItem "dropped-item" Warning "an item of a list is not text";
    InvalidVersion "invalid-version" Warning "the version is not a semantic version";
    InvalidRequirement "invalid-requirement" Error "the version requirement cannot be read";
    InvalidAlias "invalid-alias" Warning "an alias has no letter or digit";
    InvalidArgumentName "invalid-argument-name" Warning "an argument's name cannot be used as a placeholder";
    TooManyAlternatives "too-many-alternatives" Warning "a glob expands to more than 256 alternatives";
    RestrictionLost "restriction-lost" Error "a restriction cannot be understood and takes its narrowest value";
    // The Agent Skills specification, where it is stricter.
    SpecKey "spec-key" Error "the key is not part of the Agent Skills specification";
    SpecCompatibility "spec-compatibility" Error "the compatibility is longer than 500 characters";
    // The body.
    PositionalNotLive "positional-not-live" Note "`$N` is text, because the skill declares no arguments";
    PlaceholderNearNumber "placeholder-near-number" Warning "`$N.` looks like an amount of money but is a placeholder";
    PlaceholderInSingleQuotes "placeholder-in-single-quotes" Warning "a placeholder in single quotes is left to the shell";
    UnquotedPlaceholder "unquoted-placeholder" Warning "a placeholder in a shell command is not quoted";
    PlaceholderInShellCode "placeholder-in-shell-code" Error "a placeholder is part of code that a shell evaluates";
    UnclosedShellBlock "unclosed-shell-block" Warning "a shell block is never closed";
    UnsupportedShell "unsupported-shell" Warning "the shell is not available on this system";
    // Decks.
    MissingDependency "missing-dependency" Error "a dependency does not exist";
    DependencyVersion "dependency-version" Error "a dependency has another version than is required";
    DependencyCycle "dependency-cycle" Error "skills depend on each other in a circle";
    UnavailableDependency "unavailable-dependency" Error "a dependency is itself unavailable";
    DuplicateWord "duplicate-word" Error "two skills have the same command word";
    AliasClash "alias-clash" Warning "an alias clashes with another command word";
    OverrideRefused "override-refused" Error "an override cannot resolve its dependencies, so what it shadows stays in force";
    MissingPrefix "missing-prefix" Warning "the command word does not start with the prefix of its source";
    LastGoodKept "last-good-kept" Warning "the file has an error now, so its last good version stays in force";
    // Directories.
    MissingRoot "missing-root" Warning "the directory does not exist";
    RootNotADirectory "root-not-a-directory" Error "the root is no directory";
    UnreadableDirectory "unreadable-directory" Error "a directory cannot be read";
    DanglingLink "dangling-link" Warning "a symbolic link leads nowhere";
    LinkCycle "link-cycle" Warning "a symbolic link leads back to a directory above it";
    LinkOutside "link-outside" Warning "a symbolic link leads out of an untrusted directory";
    OddCase "odd-case" Warning "the file is not spelt SKILL.md";
    TooDeep "too-deep" Warning "directories nest deeper than discovery looks";
    NotUtf8Name "not-utf8-name" Warning "a file name is not UTF-8";
    // Configuration.
    WideningSetting "widening-setting" Warning "a project's configuration allows more than the user's";
    // A compiled deck beside its directory.
    ChangedSinceBuild "changed-since-build" Error "a file has changed since it was compiled in";
    AddedSinceBuild "added-since-build" Error "a file was added since the deck was compiled";
    RemovedSinceBuild "removed-since-build" Error "a file was removed since it was compiled in";
}
