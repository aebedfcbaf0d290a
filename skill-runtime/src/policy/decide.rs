//! An entry and a caller to a decision: allow, ask or deny.

use super::open::Role;
use super::{Policy, Reason};
use crate::caller::Caller;
use crate::snapshot::Entry;

/// What is to happen with an invocation, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is to happen.
    pub verdict: Verdict,
    /// Why; empty if it is allowed.
    pub reasons: Vec<Reason>,
}

/// What is to happen with an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It goes on.
    Allow,
    /// A person is asked first.
    Ask,
    /// It does not go on.
    Deny,
}

/// What policy says of an entry and all that it depends on.
#[derive(Debug)]
pub(crate) enum Weighed<'a> {
    /// Nothing of it is refused; these ask first, the entry itself last.
    Open(Vec<(Entry<'a>, Vec<Reason>)>),
    /// This entry is refused, and so is everything that depends on it.
    Closed(Entry<'a>, Vec<Reason>),
}

impl Decision {
    /// Whether it does not go on.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.verdict == Verdict::Deny
    }
}

impl Policy {
    /// Decides about an entry, with all that it depends on, and a caller. Menus, listings and
    /// invocation all ask here, so nothing is offered that is refused afterwards.
    ///
    /// A dependency is held to its own rules: trust, `slash-command.enabled`, `allowed-agents`,
    /// `disable-model-invocation`, damage, and the rules of this policy. Only `user-invocable: false`
    /// does not close a dependency: a person types the skill and not its helpers.
    #[must_use]
    pub fn decide(&self, entry: Entry<'_>, caller: &Caller<'_>) -> Decision {
        let of = |because_of: Entry<'_>, reason| {
            if because_of.word() == entry.word() {
                return reason;
            }
            Reason::Dependency { word: because_of.word().to_owned(), reason: Box::new(reason) }
        };
        match self.weigh(entry, &entry.dependencies(), caller) {
            Weighed::Closed(because_of, reasons) => Decision {
                verdict: Verdict::Deny,
                reasons: reasons.into_iter().map(|reason| of(because_of, reason)).collect(),
            },
            Weighed::Open(asking) => Decision {
                verdict: if asking.is_empty() { Verdict::Allow } else { Verdict::Ask },
                reasons: asking
                    .into_iter()
                    .flat_map(|(one, reasons)| reasons.into_iter().map(move |it| of(one, it)))
                    .collect(),
            },
        }
    }

    /// The one place that says whether an entry may start with these dependencies.
    pub(crate) fn weigh<'a>(
        &self,
        entry: Entry<'a>,
        dependencies: &[Entry<'a>],
        caller: &Caller<'_>,
    ) -> Weighed<'a> {
        let own = std::iter::once((entry, Role::Invoked));
        let needed = || dependencies.iter().map(|needed| (*needed, Role::Dependency));
        for (one, role) in own.chain(needed()) {
            let refusals = self.refusals(one, caller, role);
            if !refusals.is_empty() {
                return Weighed::Closed(one, refusals);
            }
        }
        let all = needed().map(|(one, _)| one).chain([entry]);
        let asks = |one: Entry<'a>| (one, self.questions(one));
        Weighed::Open(all.map(asks).filter(|(_, why)| !why.is_empty()).collect())
    }
}
