//! The settled overlay to the records of a merged deck.

use std::collections::BTreeMap;
use std::sync::Arc;

use skilldeck_core::diagnostic::{Code, Diagnostic};
use skilldeck_core::graph::Unavailable;
use skilldeck_core::model::Index;

use super::overlay::{Candidate, Overlay};
use super::record::{Record, State, by_itself};
use super::resolve::Settled;
use super::shape::is_same_shape;
use super::shelf::Version;

/// A deck that was put together at run time.
pub(crate) struct Merged {
    records: Vec<Arc<Record>>,
    layout: Arc<Layout>,
}

/// What follows from the shapes of the skills alone; shared by decks that differ in texts only.
struct Layout {
    index: Index,
    order: Vec<u32>,
    edges: Vec<Vec<u32>>,
}

impl Merged {
    /// The records, sorted by word.
    pub(crate) fn records(&self) -> &[Arc<Record>] {
        &self.records
    }

    pub(crate) fn index(&self) -> &Index {
        &self.layout.index
    }

    /// Positions of the available skills, dependencies first.
    pub(crate) fn order(&self) -> &[u32] {
        &self.layout.order
    }

    /// What a skill depends on directly; nothing for one that is unavailable.
    pub(crate) fn edges(&self, position: u32) -> &[u32] {
        self.layout.edges.get(position as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether the same words stand at the same positions because the one was made from the other.
    pub(crate) fn has_layout_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.layout, &other.layout)
    }

    /// Whether every record is shared; index and order follow from the records.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        let shared = |(a, b): (&Arc<Record>, &Arc<Record>)| Arc::ptr_eq(a, b);
        self.records.len() == other.records.len()
            && self.records.iter().zip(&other.records).all(shared)
    }

    /// The deck in which these versions stand in the places of those before: the records that hold
    /// one are written anew, everything else is shared. Nothing if a version has another shape, as
    /// then the deck is to be put together anew.
    pub(super) fn with(&self, versions: &[Version]) -> Option<Self> {
        let has_shape = |version: &Version| is_same_shape(&version.before, &version.now);
        if !versions.iter().all(has_shape) {
            return None;
        }
        let mut records = self.records.clone();
        for version in versions {
            let word = version.now.skill.word();
            let at = records.binary_search_by(|record| record.item.skill().word().cmp(word));
            // A file that a stronger source reaches too is in no record.
            let Some(record) = at.ok().map(|at| &mut records[at]) else { continue };
            if let Some(changed) = record.with(version) {
                *record = Arc::new(changed);
            }
        }
        Some(Self { records, layout: Arc::clone(&self.layout) })
    }
}

/// Writes the records down, sharing those that are as in `previous`, which is sorted by word.
pub(super) fn merge(overlay: &Overlay<'_>, settled: Settled, previous: &[Arc<Record>]) -> Merged {
    let Settled { depths, refused, words, resolution } = settled;
    let mut previous = previous.iter().peekable();
    let mut clashes = words.clashes.into_iter().peekable();
    let mut faults = resolution.unavailable.into_iter().peekable();
    let record = |(word, &depth): (usize, &usize)| {
        let mut record = place(overlay, word, depth, &refused);
        while let Some((_, clash)) = clashes.next_if(|(at, _)| *at as usize == word) {
            record.placed.push(clash);
        }
        if let Some(fault) = faults.next_if(|fault| fault.skill as usize == word) {
            record.state = State::Unavailable;
            record.reason = Some(fault.reason);
            record.placed.extend(fault.diagnostics);
        }
        record.gather();
        let name = overlay.version(word, depth).word();
        while previous.next_if(|old| old.item.skill().word() < name).is_some() {}
        record.shared(previous.next_if(|old| old.item.skill().word() == name))
    };
    let records = depths.iter().enumerate().map(record).collect();
    let (order, edges) = (resolution.order, resolution.edges);
    Merged { records, layout: Arc::new(Layout { index: words.index, order, edges }) }
}

/// The record of a word as the overlay alone makes it.
fn place(
    overlay: &Overlay<'_>,
    word: usize,
    depth: usize,
    refused: &BTreeMap<(usize, usize), Unavailable>,
) -> Record {
    let winner = overlay.version(word, depth);
    let unreadable = winner.item.unreadable();
    let (state, reason) = by_itself(&winner.item);
    let mut record = Record {
        item: winner.item.clone(),
        source: winner.source,
        state,
        reason,
        shadows: Vec::new(),
        losers: Vec::new(),
        placed: Vec::new(),
        all: Vec::new(),
    };
    let chain = overlay.chain(word);
    if chain.len() == 1 {
        return record;
    }
    // Losers stand in the order of their strength, whatever they lost by.
    let mut versions: Vec<(u32, usize)> = chain.iter().copied().zip(0..).collect();
    versions.sort_unstable();
    let mut earlier: Vec<&Candidate<'_>> = Vec::with_capacity(versions.len());
    for (at, loser_depth) in versions {
        let candidate = &overlay.candidates[at as usize];
        let duplicate = earlier.iter().find(|other| other.source == candidate.source);
        if let Some(first) = duplicate
            && candidate.item.unreadable().is_none()
        {
            record.placed.push(duplicate_word(candidate, first));
        }
        earlier.push(candidate);
        if loser_depth == depth {
            continue;
        }
        let why = match (refused.get(&(word, loser_depth)), candidate.item.unreadable()) {
            (Some(fault), _) => {
                record.placed.push(override_refused(candidate, winner, fault));
                format!("refused, because its dependencies cannot be resolved: {}", fault.reason)
            }
            (None, Some(reason)) if unreadable.is_none() => {
                record.placed.extend_from_slice(candidate.item.diagnostics());
                format!("it cannot be read: {reason}")
            }
            (None, _) => candidate.reason_against(winner),
        };
        record.shadows.push(candidate.shadow(why));
        record.losers.push(candidate.item.clone());
    }
    record
}

fn duplicate_word(loser: &Candidate<'_>, first: &Candidate<'_>) -> Diagnostic {
    let message = format!(
        "the command word `{}` stands twice in {}; the smaller path wins",
        loser.word(),
        loser.info.name
    );
    about(loser, Diagnostic::new(Code::DuplicateWord, message))
        .help("rename one of the two skills")
        .related(first.path(), 1, format!("the other one, of {}", first.info.name))
}

fn override_refused(
    refused: &Candidate<'_>,
    winner: &Candidate<'_>,
    fault: &Unavailable,
) -> Diagnostic {
    let message = format!(
        "`{}` of {} cannot resolve its dependencies ({}), so the one of {} stays in force",
        refused.word(),
        refused.info.name,
        fault.reason,
        winner.info.name
    );
    about(refused, Diagnostic::new(Code::OverrideRefused, message))
        .at_line(fault.diagnostics.first().map_or(1, |diagnostic| diagnostic.line))
        .help("mend `depends-on`, or remove the override")
        .related(winner.path(), 1, format!("the one of {} stays in force", winner.info.name))
}

fn about(candidate: &Candidate<'_>, diagnostic: Diagnostic) -> Diagnostic {
    match candidate.path() {
        Some(path) => diagnostic.in_file(path),
        None => diagnostic,
    }
}
