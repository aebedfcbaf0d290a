//! A compiled deck: the static table that `include_skills!` writes.

use super::{Index, Skill};

/// Skills compiled into the binary: sorted, indexed and ordered at build time.
///
/// A `static Deck` is a constant: no constructor runs before `main` and none at first use.
#[derive(Debug)]
pub struct Deck {
    skills: &'static [BundledSkill],
    index: Index,
    order: &'static [u32],
    selection: Selection,
}

/// What a call of `include_skills!` took from the package. Not a stable API.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The directories, relative to the package, with `/` between the parts; empty for the package
    /// itself.
    pub directories: &'static [&'static str],
    /// The tier of each directory.
    pub tiers: &'static [&'static str],
    /// Globs; a side file that none of them matches is left out.
    pub files: &'static [&'static str],
    /// Path and SHA-256 of each SKILL.md that lost its word to one of another directory.
    pub passed_over: &'static [(&'static str, &'static str)],
}

/// One skill of a compiled deck, with the files it ships.
#[derive(Debug)]
pub struct BundledSkill {
    /// The skill.
    pub skill: Skill,
    /// Its SKILL.md, relative to the package that compiled it, with `/` between the parts.
    pub path: &'static str,
    /// SHA-256 of the SKILL.md, 64 lower-case hex digits.
    pub sha256: &'static str,
    /// The files beside SKILL.md, sorted by path.
    pub files: &'static [SideFile],
}

/// A file that a skill ships beside its SKILL.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideFile {
    /// Relative to the skill's directory, with `/` between the parts.
    pub path: &'static str,
    /// The contents.
    pub bytes: &'static [u8],
    /// SHA-256 of the contents, 64 lower-case hex digits.
    pub sha256: &'static str,
    /// Whether the file was executable.
    pub executable: bool,
}

impl Deck {
    /// A deck without skills.
    pub const EMPTY: Self = Self::from_parts(&[], Index::EMPTY, &[]);

    /// A deck of these parts: `skills` sorted by word, `order` a permutation of their positions
    /// with dependencies first. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_parts(
        skills: &'static [BundledSkill],
        index: Index,
        order: &'static [u32],
    ) -> Self {
        let selection =
            Selection { directories: &[], tiers: &[], files: &["**"], passed_over: &[] };
        Self::compiled(skills, index, order, selection)
    }

    /// The same, with what it was compiled from. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn compiled(
        skills: &'static [BundledSkill],
        index: Index,
        order: &'static [u32],
        selection: Selection,
    ) -> Self {
        Self { skills, index, order, selection }
    }

    /// What it was compiled from. Not a stable API.
    #[doc(hidden)]
    #[must_use]
    pub const fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The directories it was compiled from, as they are seen from the package, with `/` between
    /// the parts; an empty one is the package itself.
    #[must_use]
    pub const fn directories(&self) -> &'static [&'static str] {
        self.selection.directories
    }

    /// The tier that each of [`Deck::directories`] was given, by the name that the run time has for
    /// it; `bundled` for one that was given none. It has decided which directory won a word in the
    /// deck and decides nothing else: in a registry the whole deck is one source.
    #[must_use]
    pub const fn tiers(&self) -> &'static [&'static str] {
        self.selection.tiers
    }

    /// The skills, sorted by word.
    #[must_use]
    pub const fn skills(&self) -> &'static [BundledSkill] {
        self.skills
    }

    /// The command index over [`Deck::skills`].
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// Positions in [`Deck::skills`], dependencies before what depends on them.
    #[must_use]
    pub const fn order(&self) -> &'static [u32] {
        self.order
    }

    /// The skill that this word, alias or directory word reaches.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<&'static BundledSkill> {
        let position = self.index.exact(word)?.skill;
        self.skills.get(position as usize)
    }
}
