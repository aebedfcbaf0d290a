//! Front matter that is not YAML as a whole to what can be read: repair, then each key alone.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::front::{Found, Front, Pair, hidden_behind, matched, unmatched};
use super::hint;
use super::keys::{self, Entry, Extent, Keys};
use super::lines::is_yaml_break;
use super::mend;
use super::mention::{anywhere, restriction_at};
use super::repair::{self, Repair};
use super::report::Report;
use super::rights::narrowest;
use super::spelling::{Key, Meaning, meaning};
use super::yaml::{self, Node, Root};
use crate::diagnostic::Code;

/// The state of one key that is read without the others.
enum Alone {
    Read(Node),
    Hint(String),
    Repaired(Repair),
    Bad(yaml::Fault),
}

/// Reads each key by itself. If what is repaired makes a whole that YAML reads, that is the result,
/// so that anchors keep working; `fault` is why the whole could not be read as it is, `None` if it
/// must not be.
pub(super) fn read(
    text: &str,
    range: Range<usize>,
    fault: Option<yaml::Fault>,
    report: &mut Report<'_>,
) -> Front {
    let keys = keys::find(text, range.clone(), Extent::ToNextKey);
    let Keys { entries, strays } = &keys;
    let anchors = repair::anchors(&text[range.clone()]);
    let states: Vec<Alone> = entries.iter().map(|entry| state(text, entry, &anchors)).collect();
    let whole = fault.as_ref().map(|fault| fault.message.clone());
    let mut hidden_lines = Vec::new();
    let mut replaced = HashMap::new();
    for (entry, state) in entries.iter().zip(&states) {
        match state {
            Alone::Repaired(repair) => {
                let at = entry.value_span.start + repair.at;
                let edit = mend::repaired(text, entry, &repair.text);
                report
                    .add(
                        Code::RepairedValue,
                        at..entry.value_span.end.max(at),
                        format!("{}: `{}` was read as if it were quoted", repair.why, entry.key),
                        format!("write `{}: {}`", entry.key, quoted(&repair.text)),
                    )
                    .edits
                    .extend(edit);
                hidden_lines.extend(hidden_behind(text, entry));
                replaced.insert(entry.key_span.start, (repair.text.clone(), entry.clone()));
            }
            Alone::Hint(hint) => {
                hidden_lines.extend(hidden_behind(text, entry));
                replaced.insert(entry.key_span.start, (hint.clone(), entry.clone()));
            }
            Alone::Read(_) | Alone::Bad(_) => {}
        }
    }
    if fault.is_some() && !replaced.is_empty() {
        let masked = mask(text, &range, entries.iter().zip(&states));
        if let Ok(Root::Pairs(pairs)) = yaml::read(&masked[range.clone()]) {
            let mut front = matched(&masked, range, pairs, &replaced);
            front.hidden.extend(hidden_lines);
            return front;
        }
    }
    let mut front = Front { hidden: hidden_lines, ..Front::default() };
    let mut said = 0;
    let mut is_merged = false;
    let aliases = anchored(&text[range.clone()]);
    for stray in strays {
        said += 1;
        let line = &text[stray.clone()];
        let alias = || line.strip_prefix('*').and_then(|line| aliases.get(repair::word(line)));
        let key = restriction_at(line, false).or_else(|| alias().copied());
        front.hidden.extend(key.map(|key| (key, stray.clone())));
        if !is_merged && line.contains("<<") {
            // What was to be merged is not known.
            is_merged = true;
            let keys = anywhere(&text[range.clone()]);
            front.hidden.extend(keys.into_iter().map(|key| (key, stray.clone())));
        }
        if line.starts_with("---") {
            report
                .add(
                    Code::NotAFence,
                    stray.clone(),
                    "the line looks like the closing fence, but the front matter goes on behind it",
                    "write exactly `---` to close the front matter, or remove the line",
                )
                .edits
                .extend(mend::remove_dashes(text, &range, stray, &keys));
        }
        report.add(
            Code::StrayLine,
            stray.clone(),
            format!("`{}` is no `key: value`", shortened(line)),
            "write `key: value` with a blank behind the colon, indent the line if it belongs to \
             the value above, or remove it",
        );
    }
    for (entry, state) in keys.entries.into_iter().zip(states) {
        let found = match state {
            Alone::Read(node) => Found::Node(node),
            Alone::Hint(text) => Found::Text(text),
            Alone::Repaired(repair) => Found::Text(repair.text),
            Alone::Bad(fault) => {
                said += 1;
                front.hidden.extend(hidden_behind(text, &entry));
                let fault = match &whole {
                    Some(whole)
                        if fault.message.contains("unknown anchor") && !anchors.is_empty() =>
                    {
                        let message = format!(
                            "it needs an anchor of another key, and the front matter as a whole \
                             cannot be read: {whole}"
                        );
                        yaml::Fault { message, ..fault }
                    }
                    _ => fault,
                };
                report_lost(&entry, &fault, text, report);
                Found::Lost
            }
        };
        front.pairs.push(Pair { key: entry.key.clone(), found, entry: Some(entry) });
    }
    if said == 0
        && let Some(fault) = fault
    {
        // Every key is well by itself; what is wrong stands between them.
        let at = fault.offset.map_or(range.start, |offset| (range.start + offset).min(range.end));
        report.add(
            Code::InvalidYaml,
            at..at,
            format!("the front matter is not YAML: {}", fault.message),
            "start each key in the same column and indent what belongs to it",
        );
    }
    front.hidden.extend(unmatched(text, range, &front.pairs));
    front.is_lost = said > 0 && !front.pairs.iter().any(|pair| !matches!(pair.found, Found::Lost));
    front
}

/// The most characters behind an anchor that are looked at; a restriction key is shorter.
const MAX_ANCHORED: usize = 80;

/// The anchors that stand before a restriction key, so that an alias may be one.
fn anchored(front: &str) -> HashMap<&str, Key> {
    let anchored = |(at, _): (usize, &str)| {
        let behind = &front[at + 1..];
        let name = repair::word(behind);
        let rest = &behind[name.len()..];
        let end = rest
            .char_indices()
            .enumerate()
            .find(|(count, (_, c))| *count == MAX_ANCHORED || is_yaml_break(*c))
            .map_or(rest.len(), |(_, (at, _))| at);
        let near = &rest[..end];
        restriction_at(near, false).map(|key| (name, key))
    };
    front.match_indices('&').filter_map(anchored).collect()
}

fn state(text: &str, entry: &Entry, anchors: &HashSet<&str>) -> Alone {
    let lines = &text[entry.span.clone()];
    let key = match meaning(&entry.key) {
        Meaning::Known(key, _) => Some(key),
        Meaning::Near(_) | Meaning::Unknown => None,
    };
    let fault = if lines.contains('\0') {
        yaml::Fault { message: "a NUL byte is not allowed".to_owned(), offset: None }
    } else if let Some(at) = yaml::opens_too_much(lines) {
        yaml::Fault { message: "the value nests too much".to_owned(), offset: Some(at) }
    } else {
        match yaml::read(lines) {
            Ok(Root::Pairs(mut pairs)) if pairs.len() == 1 => {
                return Alone::Read(pairs.swap_remove(0).1);
            }
            Ok(_) => yaml::Fault { message: "more than one value".to_owned(), offset: None },
            Err(fault) => {
                let source = &text[entry.value_span.clone()];
                if let Some(state) = rescued(source, key, anchors) {
                    return state;
                }
                fault
            }
        }
    };
    Alone::Bad(fault)
}

fn rescued(source: &str, key: Option<Key>, anchors: &HashSet<&str>) -> Option<Alone> {
    if key == Some(Key::ArgumentHint) {
        let is_open_quote =
            source.starts_with(['"', '\'']) && keys::closing(source, 0, source.len()).is_none();
        return (!is_open_quote).then(|| Alone::Hint(hint::raw(source)));
    }
    // A nested mapping that is damaged is no text.
    let is_nested = key.is_none()
        && source.lines().next().is_some_and(|line| {
            let word = line.split(':').next().unwrap_or_default();
            word.len() < line.len() && !word.contains(char::is_whitespace)
        })
        && source.lines().nth(1).is_some();
    if is_nested { None } else { repair::repair(source, key, anchors).map(Alone::Repaired) }
}

/// The text with the values that were replaced blanked, so that no place in it moves.
fn mask<'e>(
    text: &str,
    range: &Range<usize>,
    states: impl Iterator<Item = (&'e Entry, &'e Alone)>,
) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for (entry, state) in states {
        if matches!(state, Alone::Hint(_) | Alone::Repaired(_)) {
            masked.push_str(&text[at..entry.value_span.start]);
            for c in text[entry.value_span.clone()].chars() {
                if matches!(c, '\n' | '\r') {
                    masked.push(c);
                } else {
                    masked.extend(std::iter::repeat_n(' ', c.len_utf8()));
                }
            }
            at = entry.value_span.end;
        }
    }
    masked.push_str(&text[at..range.end]);
    masked
}

fn report_lost(entry: &Entry, fault: &yaml::Fault, text: &str, report: &mut Report<'_>) {
    let at = fault.offset.map_or(entry.key_span.start, |offset| entry.span.start + offset);
    // The library often notices at the end of the value, which may be the line of the next key.
    let span = if at > entry.key_span.start && at < entry.value_span.end {
        at..entry.value_span.end
    } else {
        entry.key_span.clone()
    };
    let source = &text[entry.value_span.clone()];
    let help = match source.chars().next() {
        _ if source.contains("\n\t") => "indent with blanks: a tab indents nothing in YAML",
        Some('"') => "close the quote with `\"`, and write `\\\\` for a backslash",
        Some('\'') => "close the quote with `'`, and write `''` for a quote inside",
        Some('[') => "close the list with `]`, or write the value in quotes",
        Some('{') => "close the mapping with `}`, or write the value in quotes",
        Some('|' | '>') => "write the text on the lines below `|`, indented",
        Some('*') => "define the anchor, or write the value in quotes",
        _ => "write the value in quotes, or indent its lines alike",
    };
    let consequence = match meaning(&entry.key) {
        Meaning::Known(key, _) if key.restricts() => format!("; {}", narrowest(key)),
        _ => String::new(),
    };
    report.add(
        Code::UnreadableKey,
        span,
        format!("the value of `{}` cannot be read: {}{consequence}", entry.key, fault.message),
        help,
    );
}

/// The longest text that a message quotes.
const MAX_QUOTED_CHARS: usize = 60;

fn shortened(text: &str) -> String {
    let mut chars = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = chars.by_ref().take(MAX_QUOTED_CHARS).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) {
        format!("'{}'", shortened(&text.replace('\'', "''")))
    } else {
        format!("\"{}\"", shortened(text))
    }
}
