//! Keys of many skills to an index, and the keys that clash.

use super::{Index, Key, KeyKind, Table, Text};
use crate::model::Skill;
use crate::model::name::fold_if_other;

/// A word or alias that another skill has already. A directory word that loses is no clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The key that loses, as it is spelt.
    pub text: Text,
    /// What kind of key it is.
    pub kind: KeyKind,
    /// The key that wins. If it is spelt like [`Clash::text`], the loser cannot be reached by it; if
    /// only the folded forms are equal, both are reached exactly and a third spelling is ambiguous.
    pub rival: Text,
    /// The position of the skill that wins.
    pub winner: u32,
    /// The position of the skill that loses.
    pub loser: u32,
}

impl Index {
    /// An index of these keys, and what clashes, sorted by the loser.
    ///
    /// Where one text is a key of several skills, a word wins over an alias and an alias over a
    /// directory word; among the same kind the one that comes first, so callers put the higher tier
    /// first. Keys without text are left out.
    #[must_use]
    pub fn build(keys: impl IntoIterator<Item = Key>) -> (Self, Vec<Clash>) {
        let mut keys: Vec<Key> = keys.into_iter().filter(|key| !key.text.is_empty()).collect();
        keys.sort_by_key(|key| key.kind);
        let mut clashes = Vec::new();
        let mut exact = Table::with_capacity(keys.len());
        for key in keys {
            let Err(loser) = exact.insert(key) else { continue };
            if let Some(winner) = exact.get(&loser.text) {
                clashes.extend(Clash::between(winner, &loser));
            }
        }
        let folded = fold_keys(&exact, &mut clashes);
        clashes.sort_by(|a, b| (a.loser, a.kind, &a.text).cmp(&(b.loser, b.kind, &b.text)));
        (Self { exact, folded: Table::of_runs(folded) }, clashes)
    }

    /// An index of the words, aliases and directory words of skills at positions 0, 1, 2 …
    #[must_use]
    pub fn of_skills<'a>(skills: impl IntoIterator<Item = &'a Skill>) -> (Self, Vec<Clash>) {
        Self::build((0..).zip(skills).flat_map(|(position, skill)| Key::of_skill(skill, position)))
    }
}

impl Key {
    /// The keys of one skill at this position.
    pub fn of_skill(skill: &Skill, position: u32) -> impl Iterator<Item = Self> + '_ {
        let fields = skill.fields();
        let aliases = fields.aliases.iter().map(|alias| (alias, KeyKind::Alias));
        [(&fields.word, KeyKind::Word), (&fields.directory_word, KeyKind::Directory)]
            .into_iter()
            .chain(aliases)
            .map(move |(text, kind)| Self { text: text.clone(), skill: position, kind })
    }
}

impl Clash {
    fn between(winner: &Key, loser: &Key) -> Option<Self> {
        (winner.skill != loser.skill && loser.kind != KeyKind::Directory).then(|| Self {
            text: loser.text.clone(),
            kind: loser.kind,
            rival: winner.text.clone(),
            winner: winner.skill,
            loser: loser.skill,
        })
    }
}

/// The folded form of each key that is not its own, equal ones side by side; adds the clashes of
/// keys that are equal only when folded.
fn fold_keys(exact: &Table, clashes: &mut Vec<Clash>) -> Vec<Key> {
    let keys = exact.keys();
    let mut odd: Vec<(String, usize)> = (0..)
        .zip(keys)
        .filter_map(|(position, key)| Some((fold_if_other(&key.text)?, position)))
        .filter(|(folded, _)| !folded.is_empty())
        .collect();
    // Positions in the table are the order of winning, within a group too.
    odd.sort();
    for group in odd.chunk_by(|(a, _), (b, _)| a == b) {
        let own = exact.position(&group[0].0);
        let mut members: Vec<usize> =
            own.into_iter().chain(group.iter().map(|(_, at)| *at)).collect();
        members.sort_unstable();
        let winner = &keys[members[0]];
        clashes.extend(members[1..].iter().filter_map(|at| Clash::between(winner, &keys[*at])));
    }
    odd.into_iter()
        .map(|(folded, at)| Key { text: folded.into(), skill: keys[at].skill, kind: keys[at].kind })
        .collect()
}
