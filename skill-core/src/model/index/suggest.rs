//! A word that reaches nothing to the keys nearest to it.

use super::Key;
use crate::model::name::{fold, fold_if_other};

/// Longer words are matched by prefix and part only, as edit distance costs the product of lengths.
const MAX_EDIT_CHARS: usize = 128;
/// The most edits that still look like a slip.
const MAX_EDITS: usize = 3;
/// From this length on a part of a word says something about the whole.
const MIN_PART_CHARS: usize = 3;

/// How far a key is from the word, then what makes the order of equals stable.
type Rank<'a> = (Distance, usize, super::KeyKind, &'a str);

/// The unlikeness of two folded words: one slip is nearer than a prefix, a prefix than two slips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Equal,
    OneEdit,
    Prefix,
    TwoEdits,
    Part,
    ThreeEdits,
}

pub(super) fn suggest<'a>(
    keys: impl Iterator<Item = &'a Key>,
    word: &str,
    limit: usize,
) -> Vec<&'a str> {
    let word: Vec<char> = fold(word).chars().collect();
    if word.is_empty() {
        return Vec::new();
    }
    let mut near: Vec<(Rank<'a>, u32)> = keys
        .filter_map(|key| {
            let folded = fold_if_other(&key.text);
            let candidate: Vec<char> = folded.as_deref().unwrap_or(&key.text).chars().collect();
            let distance = distance(&word, &candidate)?;
            let rank = (distance, word.len().abs_diff(candidate.len()), key.kind, &*key.text);
            Some((rank, key.skill))
        })
        .collect();
    near.sort_unstable();
    let mut skills = Vec::new();
    let mut found = Vec::new();
    for ((.., text), skill) in near {
        if found.len() == limit {
            break;
        }
        if !skills.contains(&skill) {
            skills.push(skill);
            found.push(text);
        }
    }
    found
}

fn distance(word: &[char], candidate: &[char]) -> Option<Distance> {
    if word == candidate {
        return Some(Distance::Equal);
    }
    let (short, long) =
        if word.len() < candidate.len() { (word, candidate) } else { (candidate, word) };
    // A third of a word may be wrong; of a short one a letter.
    let most = (long.len() / 3).clamp(1, MAX_EDITS);
    let by_edits = match edits(short, long, most) {
        Some(0 | 1) if short.len() > 1 => Some(Distance::OneEdit),
        Some(2) => Some(Distance::TwoEdits),
        Some(3) => Some(Distance::ThreeEdits),
        _ => None,
    };
    let typed_part = candidate.starts_with(word);
    let by_part = if typed_part || short.len() >= MIN_PART_CHARS && long.starts_with(short) {
        Some(Distance::Prefix)
    } else if short.len() >= MIN_PART_CHARS && long.windows(short.len()).any(|part| part == short) {
        Some(Distance::Part)
    } else {
        None
    };
    by_edits.into_iter().chain(by_part).min()
}

/// Insertions, deletions, replacements and swaps of neighbours between two words, if at most
/// `most` (optimal string alignment).
fn edits(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most || a.len().max(b.len()) > MAX_EDIT_CHARS {
        return None;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|edits| *edits <= most)
}
