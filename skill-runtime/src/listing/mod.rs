//! A snapshot to the text that tells a model or a person what there is.

mod announcer;

use crate::caller::{Caller, Initiator};
use crate::policy::Policy;
use crate::registry::Registry;
use crate::snapshot::{Entry, Snapshot};

pub use announcer::Announcer;

/// Who reads a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The model: no skill with `disable-model-invocation`, none from an untrusted source.
    Model,
    /// A person: no skill with `user-invocable: false`.
    User,
}

impl Audience {
    fn initiator(self) -> Initiator {
        match self {
            Self::Model => Initiator::Model,
            Self::User => Initiator::User,
        }
    }
}

/// Names and descriptions for a system prompt or a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// One line per skill, sorted: `- name: description`, or `- name` where there is none or no
    /// room for it. The name is the command word; a skill from an untrusted source has
    /// `(untrusted)` before its description.
    pub text: String,
    /// The words whose description was shortened or left out.
    pub shortened: Vec<String>,
}

/// One line before it is known how much of it fits.
struct Line<'a> {
    word: &'a str,
    /// `- name`, and the label.
    head: String,
    description: String,
    /// The length of the description in Unicode scalar values.
    length: usize,
}

/// What stands between name and description.
const SEPARATOR: &str = ": ";
/// What stands where a description was cut; one Unicode scalar value.
const ELLIPSIS: char = '…';

impl Snapshot {
    /// Names and descriptions of what this audience may use. Every name is always kept; if the text
    /// would be longer than `budget` Unicode scalar values, the longest descriptions are shortened
    /// to a common length, at a character boundary, until it fits. If the names alone do not fit,
    /// the text is longer than the budget.
    ///
    /// What is refused because of a dependency is left out like what is refused itself. The agent
    /// is not known here, so skills with `allowed-agents` are left out too; see
    /// [`listing_for`](Self::listing_for).
    #[must_use]
    pub fn listing(&self, audience: Audience, budget: Option<usize>) -> Listing {
        self.listing_for(&Caller::new(audience.initiator()), budget)
    }

    /// The same for a caller whose agent may be known.
    #[must_use]
    pub fn listing_for(&self, caller: &Caller<'_>, budget: Option<usize>) -> Listing {
        self.listing_under(&Policy::DEFAULT, caller, budget)
    }

    /// The same under this policy; a registry's own is that of
    /// [`Registry::listing`](crate::Registry::listing).
    #[must_use]
    pub fn listing_under(
        &self,
        policy: &Policy,
        caller: &Caller<'_>,
        budget: Option<usize>,
    ) -> Listing {
        Listing::of(&lines(self, policy, caller), budget)
    }
}

impl Registry {
    /// Names and descriptions of what this caller may use under the policy of this registry; see
    /// [`Snapshot::listing`](crate::Snapshot::listing).
    #[must_use]
    pub fn listing(&self, caller: &Caller<'_>, budget: Option<usize>) -> Listing {
        self.snapshot().listing_under(self.policy(), caller, budget)
    }
}

/// A line for each entry that the caller may use, sorted.
fn lines<'a>(snapshot: &'a Snapshot, policy: &Policy, caller: &Caller<'_>) -> Vec<Line<'a>> {
    snapshot.iter().filter(|entry| policy.offers(*entry, caller)).map(Line::of).collect()
}

impl Listing {
    /// These lines, within the budget.
    fn of<'a>(lines: &[Line<'a>], budget: Option<usize>) -> Self {
        let allowance = match budget {
            Some(budget) => Allowance::within(budget, lines),
            None => Allowance { each: usize::MAX, more: 0 },
        };
        let mut listing = Self { text: String::new(), shortened: Vec::new() };
        let mut more = allowance.more;
        for line in lines {
            if !listing.text.is_empty() {
                listing.text.push('\n');
            }
            listing.text.push_str(&line.head);
            let mut room = allowance.each;
            if line.length > room && more > 0 {
                more -= 1;
                room += 1;
            }
            line.describe(room, &mut listing);
        }
        listing
    }
}

/// How long descriptions may be: each this long, and the first few longer ones by one more.
struct Allowance {
    each: usize,
    more: usize,
}

impl Allowance {
    /// The fairest allowance: no description is cut while a longer one is left as it is.
    fn within(budget: usize, lines: &[Line<'_>]) -> Self {
        let heads: usize = lines.iter().map(|line| line.head.chars().count() + 1).sum();
        let room = budget.saturating_sub(heads.saturating_sub(1));
        let cost = |each: usize| lines.iter().map(|line| line.cost(each)).sum::<usize>();
        let longest = lines.iter().map(|line| line.length).max().unwrap_or(0);
        // The greatest length that fits; the cost only grows with it.
        let (mut fits, mut above) = (0, longest + 1);
        while fits + 1 < above {
            let middle = fits + (above - fits) / 2;
            if cost(middle) <= room {
                fits = middle;
            } else {
                above = middle;
            }
        }
        let more = if fits < SHORTEST { 0 } else { room.saturating_sub(cost(fits)) };
        Self { each: fits, more }
    }
}

/// A description shorter than this and its ellipsis says nothing.
const SHORTEST: usize = 2;

impl<'a> Line<'a> {
    fn of(entry: Entry<'a>) -> Self {
        let skill = entry.skill();
        let texts = [skill.description(), skill.when_to_use().unwrap_or_default()];
        let words = texts.iter().flat_map(|text| text.split_whitespace());
        let description = words.collect::<Vec<_>>().join(" ");
        let label = if entry.source().trusted { "" } else { ": (untrusted)" };
        Self {
            word: entry.word(),
            head: format!("- {}{label}", entry.word()),
            length: description.chars().count(),
            description,
        }
    }

    /// The whole of it.
    fn in_full(&self) -> String {
        let separator = if self.length == 0 { "" } else { self.separator() };
        [&self.head, separator, &self.description].concat()
    }

    /// What goes between head and description.
    fn separator(&self) -> &'static str {
        if self.head.ends_with(')') { " " } else { SEPARATOR }
    }

    /// How many Unicode scalar values the line gets longer by, if its description may be this long.
    fn cost(&self, each: usize) -> usize {
        let shown = self.length.min(each);
        let is_left_out = shown == 0 || (shown < self.length && each < SHORTEST);
        if is_left_out { 0 } else { self.separator().len() + shown }
    }

    fn describe(&self, room: usize, listing: &mut Listing) {
        if self.length == 0 {
            return;
        }
        if self.length > room {
            listing.shortened.push(self.word.to_owned());
            if room < SHORTEST {
                return;
            }
        }
        listing.text.push_str(self.separator());
        if self.length <= room {
            listing.text.push_str(&self.description);
            return;
        }
        let kept = self.description.char_indices().nth(room - 1).map_or(0, |(at, _)| at);
        listing.text.push_str(self.description[..kept].trim_end());
        listing.text.push(ELLIPSIS);
    }
}

#[cfg(test)]
mod tests;
