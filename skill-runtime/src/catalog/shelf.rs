//! A source to its skills, reading only the files that moved since the last look.

use std::iter::Peekable;
use std::num::NonZero;
use std::panic;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;
use std::vec;

use skilldeck_core::diagnostic::{Code, Diagnostic};
use skilldeck_core::model::Deck;
use skilldeck_core::scan::{self, Found, Scan, ScanOptions};

use super::item::{Item, Loaded, origin};
use super::look::{Look, Territory};
use super::read::{read_file, unreadable_file, way_to};
use super::record::SourceStatus;
use super::succession::succeed;
use crate::source::{Fingerprint, Kind, Source, SourceInfo};

/// From how many files on reading them on several threads pays for starting the threads.
const PARALLEL_FROM: usize = 300;
/// More threads than this only wait for the same disk.
const MAX_THREADS: usize = 8;

/// A source and what was last read from it.
pub(crate) struct Shelf {
    source: Source,
    slots: Vec<Slot>,
    diagnostics: Vec<Diagnostic>,
    present: bool,
    failed: bool,
    /// Where a change of the source shows; nothing for one that is no directory.
    territory: Option<Arc<Territory>>,
}

/// One skill of a source that is read at run time, and how to tell whether it is still the same.
pub(super) struct Slot {
    pub(super) loaded: Arc<Loaded>,
    stamp: Stamp,
}

/// What a skill was read from.
enum Stamp {
    /// A file; `None` is read again at the next look.
    File(Option<Fingerprint>),
    /// A text in memory under this name.
    Text(String, Arc<str>),
}

/// A file that was found: as it was read before, or still to be read.
enum Pending {
    Same(Slot),
    Read { found: Found, print: Option<Fingerprint>, before: Option<Arc<Loaded>> },
}

impl Shelf {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            slots: Vec::new(),
            diagnostics: Vec::new(),
            present: true,
            failed: false,
            territory: None,
        }
    }

    pub(crate) fn info(&self) -> &SourceInfo {
        &self.source.info
    }

    /// The compiled deck, if this is one.
    pub(crate) fn deck(&self) -> Option<&'static Deck> {
        match self.source.kind {
            Kind::Bundled(deck) => Some(deck),
            Kind::Directory(_) | Kind::Memory(_) => None,
        }
    }

    pub(crate) fn is_directory(&self) -> bool {
        matches!(self.source.kind, Kind::Directory(_))
    }

    pub(crate) fn len(&self) -> usize {
        self.deck().map_or(self.slots.len(), |deck| deck.skills().len())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The skills, in the order of their paths.
    pub(crate) fn items(&self) -> impl Iterator<Item = Item> {
        let bundled = self.deck().map_or(&[][..], Deck::skills).iter().map(Item::Bundled);
        bundled.chain(self.slots.iter().map(|slot| Item::Loaded(Arc::clone(&slot.loaded))))
    }

    /// The source as it was found.
    pub(crate) fn status(&self) -> SourceStatus {
        SourceStatus {
            info: self.source.info.clone(),
            root: self.source.root().map(Path::to_path_buf),
            present: self.present,
            failed: self.failed,
            skills: self.len(),
            diagnostics: self.diagnostics.clone(),
        }
    }

    /// Where a change of the source shows, if it is a directory.
    pub(crate) fn territory(&self) -> Option<&Arc<Territory>> {
        self.territory.as_ref()
    }

    /// Looks at the source again; whether its skills are others than before.
    pub(crate) fn load(&mut self, look: &Look) -> bool {
        if self.deck().is_some() || self.is_spared(look) {
            return false;
        }
        let before: Vec<_> = self.slots.iter().map(|slot| Arc::clone(&slot.loaded)).collect();
        self.look();
        let shared = |(slot, before): (&Slot, &Arc<Loaded>)| Arc::ptr_eq(&slot.loaded, before);
        self.slots.len() != before.len() || !self.slots.iter().zip(&before).all(shared)
    }

    /// Whether nothing that this looks at is of this source.
    fn is_spared(&self, look: &Look) -> bool {
        let territory = self.territory.as_ref();
        territory.is_some_and(|territory| !look.touches(&territory.root))
    }

    fn look(&mut self) {
        let before = std::mem::take(&mut self.slots);
        match &self.source.kind {
            Kind::Bundled(_) => {}
            Kind::Memory(memory) => {
                self.slots = load_texts(memory.texts(), before, &self.source.info);
            }
            Kind::Directory(root) => {
                let options = ScanOptions {
                    layout: self.source.info.layout,
                    trusted: self.source.info.trusted,
                };
                let mut scan = scan::scan(root, &options);
                let says = |codes: &[Code]| {
                    scan.diagnostics.iter().any(|found| codes.contains(&found.code))
                };
                self.present = !says(&[Code::MissingRoot]);
                // Directories below the root that cannot be read are entries of their own.
                self.failed = says(&[Code::RootNotADirectory, Code::UnreadableDirectory]);
                if self.source.optional {
                    scan.diagnostics.retain(|diagnostic| diagnostic.code != Code::MissingRoot);
                }
                self.diagnostics = scan.diagnostics.clone();
                let territory = Territory::of(root, &scan);
                if self.territory.as_deref() != Some(&territory) {
                    self.territory = Some(Arc::new(territory));
                }
                self.slots = load_files(scan, before, &self.source.info);
            }
        }
    }
}

fn load_texts(texts: Vec<(String, Arc<str>)>, before: Vec<Slot>, info: &SourceInfo) -> Vec<Slot> {
    let mut before = before.into_iter().peekable();
    let load = |(name, text): (String, Arc<str>)| {
        let old = advance(&mut before, |slot| slot.text_name().cmp(name.as_str()));
        if let Some(old) = old.as_ref().filter(|slot| slot.holds(&text)) {
            let loaded = Arc::clone(&old.loaded);
            return Slot { loaded, stamp: Stamp::Text(name, text) };
        }
        let loaded = Loaded::parse(text.as_bytes(), &origin(info, &name, None));
        let loaded = succeed(loaded, old.map(|slot| slot.loaded));
        Slot { loaded, stamp: Stamp::Text(name, text) }
    };
    texts.into_iter().map(load).collect()
}

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
        let old = advance(&mut before, |slot| slot.path_bytes().cmp(bytes(&found.path)));
        if let Some(why) = why {
            let loaded = unreadable_file(found, vec![why], info);
            let loaded = succeed(loaded, old.map(|slot| slot.loaded));
            return Pending::Same(Slot { loaded, stamp: Stamp::File(None) });
        }
        let print = Fingerprint::of(way_to(&found, info), now);
        match old {
            Some(slot) if slot.is_still(&found, print) => Pending::Same(slot),
            old => Pending::Read { found, print, before: old.map(|slot| slot.loaded) },
        }
    });
    let pending: Vec<_> = pending.collect();

    let unread = pending.iter().filter(|file| matches!(file, Pending::Read { .. })).count();
    on_threads(pending, unread, |file| match file {
        Pending::Same(slot) => Some(slot),
        Pending::Read { found, print, before } => {
            let loaded = succeed(read_file(found, info)?, before);
            // What cannot be read may become readable without a trace in its own numbers.
            let print = print.filter(|_| loaded.unreadable.is_none());
            Some(Slot { loaded, stamp: Stamp::File(print) })
        }
    })
}

impl Slot {
    fn path_bytes(&self) -> &[u8] {
        self.loaded.path.as_deref().map_or(&[], bytes)
    }

    fn text_name(&self) -> &str {
        match &self.stamp {
            Stamp::Text(name, _) => name,
            Stamp::File(_) => "",
        }
    }

    /// Whether it was read from this very text.
    fn holds(&self, text: &Arc<str>) -> bool {
        matches!(&self.stamp, Stamp::Text(_, read) if Arc::ptr_eq(read, text))
    }

    /// Whether it was read from this file as it is now.
    fn is_still(&self, found: &Found, print: Option<Fingerprint>) -> bool {
        let real_path = self.loaded.real_path.as_ref().or(self.loaded.path.as_ref());
        let unmoved = matches!(self.stamp, Stamp::File(Some(read)) if Some(read) == print);
        unmoved && real_path == Some(&found.real_path)
    }
}

/// The slot that compares equal, out of sorted slots that are asked for in their order.
fn advance(
    slots: &mut Peekable<vec::IntoIter<Slot>>,
    compare: impl Fn(&Slot) -> std::cmp::Ordering,
) -> Option<Slot> {
    while slots.next_if(|slot| compare(slot).is_lt()).is_some() {}
    slots.next_if(|slot| compare(slot).is_eq())
}

pub(super) fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Reads in order, on several threads if there are enough files to read.
fn on_threads(
    files: Vec<Pending>,
    unread: usize,
    read: impl Fn(Pending) -> Option<Slot> + Sync,
) -> Vec<Slot> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    if threads == 1 || unread < PARALLEL_FROM {
        return files.into_iter().filter_map(read).collect();
    }
    let total = files.len();
    let share = total.div_ceil(threads);
    let mut rest = files.into_iter();
    thread::scope(|scope| {
        let parts = (0..threads).map(|_| rest.by_ref().take(share).collect::<Vec<_>>());
        let read = &read;
        let workers: Vec<_> = parts
            .map(|part| scope.spawn(move || part.into_iter().filter_map(read).collect::<Vec<_>>()))
            .collect();
        let mut slots = Vec::with_capacity(total);
        for worker in workers {
            slots.extend(worker.join().unwrap_or_else(|fault| panic::resume_unwind(fault)));
        }
        slots
    })
}
