//! Shelves to one chain of versions per command word, the strongest first.

use std::collections::HashSet;
use std::path::Path;

use skilldeck_core::model::Skill;

use super::item::Item;
use super::record::Shadow;
use super::shelf::Shelf;
use crate::source::{Precedence, SourceInfo, Tier};

/// One version of a command.
pub(crate) struct Candidate<'a> {
    pub(crate) item: Item,
    /// The position of its source.
    pub(crate) source: u32,
    pub(crate) info: &'a SourceInfo,
    last_wins: bool,
}

/// All versions of all commands, stacked by tier, then source, then path.
pub(crate) struct Overlay<'a> {
    /// Every version, the strongest first: `a < b` here decides who wins.
    pub(crate) candidates: Vec<Candidate<'a>>,
    /// Positions in `candidates`, grouped by word; within a word readable ones first, then by
    /// strength.
    grouped: Vec<u32>,
    /// One chain per word, sorted by word.
    chains: Vec<Chain>,
}

/// The versions of one word: a range of `grouped`.
#[derive(Clone, Copy)]
struct Chain {
    start: usize,
    length: usize,
}

impl<'a> Overlay<'a> {
    /// Stacks the shelves.
    pub(crate) fn of(shelves: &'a [Shelf], precedence: &Precedence) -> Self {
        let candidates = stack(shelves, precedence);
        let mut grouped: Vec<u32> = (0..).take(candidates.len()).collect();
        let candidate = |at: u32| &candidates[at as usize];
        // Only readable versions hide others: an unreadable one stands behind them all.
        let is_unreadable = |at| candidate(at).item.unreadable().is_some();
        grouped.sort_unstable_by(|&a, &b| {
            let words = candidate(a).word().cmp(candidate(b).word());
            words.then_with(|| is_unreadable(a).cmp(&is_unreadable(b))).then(a.cmp(&b))
        });
        let mut chains = Vec::new();
        let mut start = 0;
        for same in grouped.chunk_by(|&a, &b| candidate(a).word() == candidate(b).word()) {
            chains.push(Chain { start, length: same.len() });
            start += same.len();
        }
        Self { candidates, grouped, chains }
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.chains.len()
    }

    /// The versions of a word as positions in `candidates`, readable ones first, then by strength.
    pub(crate) fn chain(&self, word: usize) -> &[u32] {
        let Chain { start, length } = self.chains[word];
        &self.grouped[start..start + length]
    }

    /// A version of a word: 0 is the one that wins unless its dependencies fail.
    pub(crate) fn version(&self, word: usize, depth: usize) -> &Candidate<'a> {
        &self.candidates[self.chain(word)[depth] as usize]
    }

    /// How many versions of a word can be read.
    pub(crate) fn readable(&self, word: usize) -> usize {
        let readable = |&at: &u32| self.candidates[at as usize].item.unreadable().is_none();
        self.chain(word).iter().take_while(|at| readable(at)).count()
    }
}

impl Candidate<'_> {
    pub(crate) fn skill(&self) -> &Skill {
        self.item.skill()
    }

    pub(crate) fn word(&self) -> &str {
        self.skill().word()
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.item.path()
    }

    /// This as something that lost, for this reason.
    pub(crate) fn shadow(&self, why: String) -> Shadow {
        Shadow { source: self.info.clone(), path: self.path().map(Path::to_path_buf), why }
    }

    /// Why this lost against `winner`, both of them readable or both not.
    pub(crate) fn reason_against(&self, winner: &Candidate<'_>) -> String {
        if self.source == winner.source {
            "a smaller path in the same source wins".to_owned()
        } else if self.info.tier != winner.info.tier {
            let (strong, weak): (&Tier, &Tier) = (&winner.info.tier, &self.info.tier);
            format!("{} wins over {}", strong.as_str(), weak.as_str())
        } else if winner.last_wins {
            format!("a later source of the same tier wins: {}", winner.info.name)
        } else {
            format!("an earlier source of the same tier wins: {}", winner.info.name)
        }
    }
}

/// All versions, the strongest first. A file that several sources reach counts once, for the
/// strongest of them.
fn stack<'a>(shelves: &'a [Shelf], precedence: &Precedence) -> Vec<Candidate<'a>> {
    let mut order: Vec<_> = (0..)
        .zip(shelves)
        .map(|(source, shelf)| {
            let (rank, last_wins) = precedence.place(&shelf.info().tier);
            let turn = if last_wins { -i64::from(source) } else { i64::from(source) };
            (rank, turn, source, last_wins, shelf)
        })
        .collect();
    order.sort_by_key(|&(rank, turn, ..)| (rank, turn));

    let total = shelves.iter().map(Shelf::len).sum();
    let mut candidates = Vec::with_capacity(total);
    for (_, _, source, last_wins, shelf) in order {
        let info = shelf.info();
        candidates.extend(shelf.items().map(|item| Candidate { item, source, info, last_wins }));
    }
    // Discovery already reaches each file of one source once.
    if shelves.iter().filter(|shelf| shelf.is_directory() && !shelf.is_empty()).count() > 1 {
        drop_repeated_files(&mut candidates);
    }
    candidates
}

fn drop_repeated_files(candidates: &mut Vec<Candidate<'_>>) {
    let mut seen: HashSet<&Path> = HashSet::with_capacity(candidates.len());
    let first: Vec<bool> = candidates
        .iter()
        .map(|candidate| candidate.item.real_path().is_none_or(|path| seen.insert(path)))
        .collect();
    drop(seen);
    let mut first = first.into_iter();
    candidates.retain(|_| first.next().unwrap_or(true));
}
