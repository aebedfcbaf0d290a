//! A request to the entry and the arguments it names.

use std::ops::Range;

use super::Request;
use super::request::Target;
use crate::command::{Typed, unknown, unnamed};
use crate::error::{Error, ErrorKind};
use crate::policy::Policy;
use crate::snapshot::{Entry, Lookup, Snapshot};

/// What a request names.
#[derive(Clone, Debug)]
pub(super) struct Found<'a> {
    pub(super) entry: Entry<'a>,
    /// The arguments, verbatim.
    pub(super) raw: &'a str,
    /// The bytes they are in the text of the target.
    pub(super) range: Range<usize>,
}

/// Finds the entry. Words that the caller may not use are not suggested.
pub(super) fn find<'a>(
    snapshot: &'a Snapshot,
    policy: &Policy,
    request: &'a Request,
) -> Result<Found<'a>, Error> {
    let usable = |entry: &Entry<'_>| policy.offers(*entry, &request.caller());
    let all = || snapshot.iter().filter(usable).map(Entry::word);
    let nothing = |why: &str| {
        let kind = ErrorKind::UnknownSkill { nearest: Vec::new() };
        Error::new(kind, unnamed(why, all()))
    };
    let text = request.target.text();
    let (word, raw) = match &request.target {
        Target::Command { word, .. } => (word.as_str(), &**text),
        Target::Line(_) => match request.read(text, policy) {
            Typed::Skill(line) => (line.word, line.raw),
            Typed::List => {
                return Err(nothing("no skill is named"));
            }
            Typed::Text => return Err(nothing("the line is no command: it names no skill")),
            Typed::Native(line) => {
                let why = format!("`/{}` is a command of the host and no skill", line.word);
                return Err(nothing(&why));
            }
        },
    };
    match reach(snapshot, policy, word) {
        Lookup::Found(entry) => {
            // Arguments are always the end of the text.
            Ok(Found { entry, raw, range: text.len() - raw.len()..text.len() })
        }
        Lookup::Ambiguous(entries) => Err(ambiguous(word, &entries)),
        Lookup::Unknown(_) if snapshot.sources().is_empty() => {
            let kind = ErrorKind::UnknownSkill { nearest: Vec::new() };
            let message = "skills are unavailable: there is no source of skills";
            Err(Error::new(kind, message))
        }
        Lookup::Unknown(nearest) => {
            let may_use = |near: &&str| snapshot.get(near).is_none_or(|entry| usable(&entry));
            let nearest: Vec<&str> = nearest.into_iter().filter(may_use).collect();
            let message = unknown(word, &nearest, all());
            let nearest = nearest.into_iter().map(str::to_owned).collect();
            Err(Error::new(ErrorKind::UnknownSkill { nearest }, message))
        }
    }
}

/// What a word reaches. A word that configuration adds loses against all that skills have
/// themselves, and wins over what is only similar.
pub(super) fn reach<'a>(snapshot: &'a Snapshot, policy: &Policy, word: &str) -> Lookup<'a> {
    if policy.names_words() && snapshot.get(word).is_none() {
        let named = |entry: &Entry<'_>| policy.is_word_of(word, *entry);
        let mut named = snapshot.iter().filter(named);
        match (named.next(), named.next()) {
            (Some(entry), None) => return Lookup::Found(entry),
            (Some(first), Some(second)) => {
                return Lookup::Ambiguous([first, second].into_iter().chain(named).collect());
            }
            (None, _) => {}
        }
    }
    match snapshot.find(word) {
        // The announced form of one skill may have a prefix of its own.
        Lookup::Unknown(nearest) => {
            let announced = |entry: &Entry<'_>| policy.is_announced_as(word, *entry);
            snapshot.iter().find(announced).map_or(Lookup::Unknown(nearest), Lookup::Found)
        }
        reached => reached,
    }
}

fn ambiguous(word: &str, entries: &[Entry<'_>]) -> Error {
    let candidates: Vec<String> = entries.iter().map(|entry| entry.word().to_owned()).collect();
    let message = format!("`{word}` may be {}; type one of them", candidates.join(" or "));
    Error::new(ErrorKind::Ambiguous { candidates }, message)
}
