//! Front matter to pairs of key and value: strict YAML first, and the rest if that fails.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::keys::{self, Entry, Extent};
use super::lines::yaml_lines;
use super::mention::{anywhere, restriction_at};
use super::report::Report;
use super::spelling::{Key, Meaning, meaning};
use super::yaml::{self, Node, Root};
use super::{MAX_FRONT_MATTER_BYTES, alone};
use crate::diagnostic::Code;

/// What was read of a value.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// What YAML makes of it.
    Node(Node),
    /// Text that is not YAML and was read as if it were quoted.
    Text(String),
    /// Nothing; it was reported.
    Lost,
}

/// A top-level key with its value.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) key: String,
    pub(super) found: Found,
    /// Where it stands, if the lines show it (`{a: b}` on one line does not).
    pub(super) entry: Option<Entry>,
}

/// What was read of a front matter.
#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) pairs: Vec<Pair>,
    /// Restriction keys in lines that were read as something else, or not at all.
    pub(super) hidden: Vec<(Key, Range<usize>)>,
    /// Restriction keys in what was not read because of a fault that is reported.
    pub(super) lost: Vec<Key>,
    /// Whether it is unreadable as a whole.
    pub(super) is_lost: bool,
}

/// Reads the front matter in a range of a file.
pub(super) fn read(text: &str, range: Range<usize>, report: &mut Report<'_>) -> Front {
    let mut front = read_pairs(text, range.clone(), report);
    if let Some(pair) = front.pairs.last_mut() {
        clip(pair, text, range.end);
    }
    front
}

/// The line end before the closing fence is the fence's: a block scalar there loses it, as in all
/// readers that cut the text out between the fences. `|+` asks for it and keeps it.
fn clip(pair: &mut Pair, text: &str, end: usize) {
    let Some(entry) = &pair.entry else { return };
    let source = &text[entry.value_span.clone()];
    let header = source.lines().next().unwrap_or_default();
    let behind = &text[entry.value_span.end..end];
    let is_clipped = header.starts_with(['|', '>'])
        && !header.contains('+')
        && behind.trim().is_empty()
        && behind.matches('\n').count() == 1;
    if let (true, Found::Node(Node::Scalar(_, value))) = (is_clipped, &mut pair.found) {
        value.truncate(value.trim_end_matches('\n').len());
    }
}

/// The same with the line end before the closing fence, where a block scalar keeps it.
pub(super) fn read_pairs(text: &str, range: Range<usize>, report: &mut Report<'_>) -> Front {
    let source = &text[range.clone()];
    if source.len() > MAX_FRONT_MATTER_BYTES {
        report.add(
            Code::FrontMatterTooLarge,
            range.start..range.start,
            format!("the front matter has {} bytes; at most 64 KiB are read", source.len()),
            "move the text behind the closing `---`, into the body",
        );
        return Front { lost: lost(text, range), is_lost: true, ..Front::default() };
    }
    if let Some(at) = yaml::opens_too_much(source) {
        report.add(
            Code::FrontMatterTooLarge,
            range.start + at..range.start + at + 1,
            format!("the front matter nests more than {} times", yaml::MAX_OPENINGS),
            "write lists with a `- item` on each line, or move the text into the body",
        );
        let mut front = alone::read(text, range, None, report);
        front.is_lost = true;
        return front;
    }
    if let Some(at) = source.find('\0') {
        report.add(
            Code::NulByte,
            range.start + at..range.start + at + 1,
            "a NUL byte stands in the front matter",
            "remove the byte; a text editor shows it as ^@",
        );
        return alone::read(text, range, None, report);
    }
    match yaml::read(source) {
        Ok(Root::Empty) => Front::default(),
        Ok(Root::Pairs(pairs)) => matched(text, range, pairs, &HashMap::new()),
        Ok(Root::Other) => {
            let at = range.start + (source.len() - source.trim_start().len());
            report.add(
                Code::NotAMapping,
                at..at,
                "the front matter is no mapping of keys to values",
                "write one `key: value` on each line, with a blank behind the colon",
            );
            Front { lost: lost(text, range), is_lost: true, ..Front::default() }
        }
        Err(fault) => alone::read(text, range, Some(fault), report),
    }
}

/// Gives the pairs that the library read their places, and what was replaced its text.
pub(super) fn matched(
    text: &str,
    range: Range<usize>,
    pairs: Vec<(String, Node)>,
    replaced: &HashMap<usize, (String, Entry)>,
) -> Front {
    let entries = keys::find(text, range.clone(), Extent::AsYaml).entries;
    let mut front = Front::default();
    let mut next = 0;
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, entry) in entries.iter().enumerate().rev() {
        places.entry(&entry.key).or_default().push(at);
    }
    for (key, node) in pairs {
        let place = places.get_mut(key.as_str()).and_then(|places| {
            while places.last().is_some_and(|at| *at < next) {
                places.pop();
            }
            places.pop()
        });
        let entry = place.map(|at| {
            next = at + 1;
            &entries[at]
        });
        let replacement = entry.and_then(|entry| replaced.get(&entry.key_span.start));
        front.pairs.push(match replacement {
            Some((text, entry)) => {
                Pair { key, found: Found::Text(text.clone()), entry: Some(entry.clone()) }
            }
            None => Pair { key, found: Found::Node(node), entry: entry.cloned() },
        });
    }
    front.hidden = unmatched(text, range, &front.pairs);
    front
}

/// Restriction keys in a range that was not read.
pub(super) fn hidden(text: &str, range: Range<usize>, colon: bool) -> Vec<(Key, Range<usize>)> {
    yaml_lines(text, range)
        .filter_map(|line| {
            restriction_at(&text[line.span.clone()], colon).map(|key| (key, line.span))
        })
        .collect()
}

fn lost(text: &str, range: Range<usize>) -> Vec<Key> {
    anywhere(&text[range])
}

/// Restriction keys that continuation lines start with.
pub(super) fn hidden_behind(text: &str, entry: &Entry) -> Vec<(Key, Range<usize>)> {
    let mut found = hidden(text, entry.span.clone(), false);
    found.retain(|(_, span)| span.start > entry.key_span.start);
    found
}

/// Lines in the column of the keys that a restriction key starts and that gave no pair: a quote, a
/// bracket or a block swallowed them. YAML wants such lines indented; the library does not mind.
pub(super) fn unmatched(
    text: &str,
    range: Range<usize>,
    pairs: &[Pair],
) -> Vec<(Key, Range<usize>)> {
    let entries = || pairs.iter().filter_map(|pair| pair.entry.as_ref());
    let column = entries().next().map_or(0, |entry| entry.indent);
    let matched: HashSet<usize> = entries().map(|entry| entry.key_span.start).collect();
    // The lines do not show the keys of a mapping in brackets, and of those behind a tag or anchor.
    let mut unplaced: Vec<Key> = pairs
        .iter()
        .filter(|pair| pair.entry.is_none())
        .filter_map(|pair| match meaning(&pair.key) {
            Meaning::Known(key, _) => Some(key),
            Meaning::Near(_) | Meaning::Unknown => None,
        })
        .collect();
    let is_flow = text[range.clone()].trim_start().starts_with('{');
    let mut found = hidden(text, range, true);
    found.retain(|(key, span)| {
        let line = &text[span.clone()];
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        if matched.contains(&(span.start + indent)) || indent > column && !is_flow {
            return false;
        }
        let may_be_unplaced = is_flow || bare.starts_with(['&', '!']);
        match unplaced.iter().position(|other| other == key).filter(|_| may_be_unplaced) {
            Some(at) => {
                unplaced.swap_remove(at);
                false
            }
            None => true,
        }
    });
    found
}
