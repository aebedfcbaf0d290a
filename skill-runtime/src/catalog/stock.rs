//! What a source was found to hold to its slots, reading only what is not as before.

use std::sync::Arc;
use std::time::SystemTime;

use skilldeck_core::scan::{Found, Scan};

use super::item::{Loaded, origin};
use super::read::{self, Read, unreadable_file, way_to};
use super::slot::{Slot, Stamp, advance, bytes};
use super::succession::succeed;
use super::threads::{on_threads, parts};
use crate::source::{Fingerprint, SourceInfo};

/// How many files to read make up for starting a thread.
pub(super) const LEAST_READS: usize = 150;

/// A file that was found: as it was read before, or still to be read.
enum Pending {
    Same(Slot),
    Read { found: Found, print: Option<Fingerprint>, before: Option<Arc<Loaded>> },
}

/// Texts to slots, reading those that are others than before.
pub(super) fn load_texts(
    texts: Vec<(String, Arc<str>)>,
    before: Vec<Slot>,
    info: &SourceInfo,
) -> Vec<Slot> {
    let mut before = before.into_iter().peekable();
    let load = |(name, text): (String, Arc<str>)| {
        let old = advance(&mut before, |slot| slot.text_name().cmp(name.as_str()));
        let before = old.as_ref().map(|slot| Arc::clone(&slot.loaded));
        let loaded = match old.filter(|slot| slot.holds(&text)) {
            Some(slot) => slot.loaded,
            None => {
                let loaded = Loaded::parse(text.as_bytes(), &origin(info, &name, None))
                    .among(&info.namespace);
                succeed(loaded, before.clone())
            }
        };
        Slot::new(loaded, Stamp::Text(name, text), before)
    };
    texts.into_iter().map(load).collect()
}

/// Files to slots, reading those that have other numbers than before.
pub(super) fn load_files(scan: Scan, before: Vec<Slot>, info: &SourceInfo) -> Vec<Slot> {
    let Scan { files, unreadable, .. } = scan;
    let now = SystemTime::now();
    let found = files.into_iter().map(|found| (found, None));
    let mut found: Vec<_> =
        found.chain(unreadable.into_iter().map(|(found, why)| (found, Some(why)))).collect();
    // Two sorted runs: the sort is one merge.
    found.sort_by(|(a, _), (b, _)| bytes(&a.path).cmp(bytes(&b.path)));

    let mut before = before.into_iter().peekable();
    let pending = found.into_iter().map(|(found, why)| {
        let old = advance(&mut before, |slot| bytes(slot.path()).cmp(bytes(&found.path)));
        if let Some(why) = why {
            let before = old.map(|slot| slot.loaded);
            let loaded = succeed(unreadable_file(found, vec![why], info), before.clone());
            return Pending::Same(Slot::new(loaded, Stamp::Fault, before));
        }
        let print = Fingerprint::of(way_to(&found, info), now);
        match old {
            Some(slot) if slot.is_still(print) && slot.real_path() == found.real_path => {
                Pending::Same(slot)
            }
            old => Pending::Read { found, print, before: old.map(|slot| slot.loaded) },
        }
    });
    let pending: Vec<_> = pending.collect();

    let unread = pending.iter().filter(|file| matches!(file, Pending::Read { .. })).count();
    let count = pending.len();
    let share = count.div_ceil(parts(unread, LEAST_READS)).max(1);
    let mut pending = pending.into_iter();
    let chunks = (0..count).step_by(share).map(|_| pending.by_ref().take(share).collect());
    let read = |file| match file {
        Pending::Same(slot) => Some(slot),
        Pending::Read { found, print, before } => {
            let name = found.name.as_str().into();
            let Read { loaded, is_settled } = read_file(found, info)?;
            let loaded = succeed(loaded, before.clone());
            let stamp = Stamp::File { name, print: print.filter(|_| is_settled) };
            Some(Slot::new(loaded, stamp, before))
        }
    };
    let chunks =
        on_threads(chunks, |part: Vec<_>| part.into_iter().filter_map(read).collect::<Vec<_>>());
    let mut slots = Vec::with_capacity(chunks.iter().map(Vec::len).sum());
    chunks.into_iter().for_each(|chunk| slots.extend(chunk));
    slots
}

/// Reads a file that was found; the one place in which a shelf opens any.
pub(super) fn read_file(found: Found, info: &SourceInfo) -> Option<Read> {
    #[cfg(test)]
    super::shelf::tests::count(&found.path);
    read::read_file(found, info)
}
