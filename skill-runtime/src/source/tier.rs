//! Tiers and their order: data, not code.

use skilldeck_core::model::Text;

/// The layer a source belongs to. The well-known ones are constants; a host may add its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tier(Text);

impl Tier {
    /// Set by an administrator.
    pub const MANAGED: Self = Self(Text::Borrowed("managed"));
    /// The user's own.
    pub const USER: Self = Self(Text::Borrowed("user"));
    /// The project's.
    pub const PROJECT: Self = Self(Text::Borrowed("project"));
    /// Installed from elsewhere.
    pub const THIRD_PARTY: Self = Self(Text::Borrowed("third-party"));
    /// The core of a larger system.
    pub const CORE: Self = Self(Text::Borrowed("core"));
    /// Compiled into the binary.
    pub const BUNDLED: Self = Self(Text::Borrowed("bundled"));

    /// A tier of this name.
    #[must_use]
    pub fn new(name: impl Into<Text>) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A tier in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The tier.
    pub tier: Tier,
    /// Whether among its sources the last wins instead of the first.
    pub last_wins: bool,
}

/// The order of the tiers, strongest first. A tier that is not in it is weaker than all that are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precedence {
    ranks: Vec<Rank>,
}

impl Precedence {
    /// An order, strongest first.
    #[must_use]
    pub fn new(ranks: Vec<Rank>) -> Self {
        Self { ranks }
    }

    /// managed, project, user, third-party, core, bundled: the order of the Agent Skills guide and
    /// of most editors. The default.
    #[must_use]
    pub fn project_first() -> Self {
        Self::of([
            Tier::MANAGED,
            Tier::PROJECT,
            Tier::USER,
            Tier::THIRD_PARTY,
            Tier::CORE,
            Tier::BUNDLED,
        ])
    }

    /// managed, user, project, third-party, core, bundled: the order of Claude Code.
    #[must_use]
    pub fn personal_first() -> Self {
        Self::of([
            Tier::MANAGED,
            Tier::USER,
            Tier::PROJECT,
            Tier::THIRD_PARTY,
            Tier::CORE,
            Tier::BUNDLED,
        ])
    }

    fn of<const N: usize>(tiers: [Tier; N]) -> Self {
        Self { ranks: tiers.map(|tier| Rank { tier, last_wins: false }).into() }
    }

    /// The ranks, strongest first.
    #[must_use]
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// The position of a tier, 0 the strongest, and whether its last source wins. Tiers that are
    /// not in the order share the position behind its end.
    pub(crate) fn place(&self, tier: &Tier) -> (usize, bool) {
        match self.ranks.iter().position(|rank| rank.tier == *tier) {
            Some(at) => (at, self.ranks[at].last_wins),
            None => (self.ranks.len(), false),
        }
    }

    /// A tier that stands in the order more than once.
    pub(crate) fn repeated(&self) -> Option<&Tier> {
        let tiers = self.ranks.iter().map(|rank| &rank.tier);
        tiers.enumerate().find(|(at, tier)| self.place(tier).0 != *at).map(|(_, tier)| tier)
    }
}

impl Default for Precedence {
    fn default() -> Self {
        Self::project_first()
    }
}
