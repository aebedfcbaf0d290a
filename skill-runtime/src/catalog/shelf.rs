//! A source to its skills, reading only the files that moved since the last look.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use skilldeck_core::diagnostic::{Code, Diagnostic};
use skilldeck_core::model::Deck;
use skilldeck_core::scan::{self, ScanOptions};

use super::glance::{Glance, Ground};
use super::item::{Item, Loaded};
use super::look::{Asked, Look, Territory};
use super::read::Read;
use super::record::SourceStatus;
use super::slot::{Since, Slot};
use super::stock::{LEAST_READS, load_files, load_texts, read_file};
use super::succession::{keep_unreached, succeed};
use super::sweep::{Sweep, is_rooted};
use super::threads::{on_threads, parts, share};
use crate::source::{Fingerprint, Kind, Memory, Sight, Source, SourceInfo};

/// How many looks at numbers make up for starting a thread, on a busy machine too.
const LEAST_LOOKS: usize = 256;

/// A source and what was last read from it.
pub(crate) struct Shelf {
    source: Source,
    slots: Vec<Slot>,
    diagnostics: Vec<Diagnostic>,
    present: bool,
    failed: bool,
    /// Where a change of the source shows; nothing for one that is no directory.
    territory: Option<Arc<Territory>>,
    /// By what to tell that discovery need not be repeated, once that was learnt.
    sweep: Option<Sweep>,
    /// How often a source in memory had been changed at the last look.
    edits: Option<u64>,
    /// Whether the last look may have changed the status.
    is_relisted: bool,
}

/// How the skills of a source differ from those before a look.
#[derive(Debug)]
pub(crate) enum Moved {
    /// The same files hold skills, of which these are in another version.
    Versions(Vec<Version>),
    /// There are others.
    Skills,
}

/// Two versions of one file or text.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) before: Arc<Loaded>,
    pub(crate) now: Arc<Loaded>,
}

/// A slot whose file has other numbers than before, and these.
type Touched = (usize, Option<Fingerprint>);

impl Shelf {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            slots: Vec::new(),
            diagnostics: Vec::new(),
            present: true,
            failed: false,
            territory: None,
            sweep: None,
            edits: None,
            is_relisted: true,
        }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
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
            instructions: Vec::new(),
        }
    }

    /// Where a change of the source shows, if it is a directory.
    pub(crate) fn territory(&self) -> Option<&Arc<Territory>> {
        self.territory.as_ref()
    }

    /// Whether the last look may have changed the status.
    pub(crate) fn is_relisted(&self) -> bool {
        self.is_relisted
    }

    /// Looks at the source again.
    pub(crate) fn load(&mut self, look: &Look) -> Moved {
        self.is_relisted = false;
        match &self.source.kind {
            Kind::Bundled(_) => Moved::Versions(Vec::new()),
            Kind::Memory(memory) => {
                let memory = Arc::clone(memory);
                self.look_into(&memory)
            }
            Kind::Directory(_) => {
                let Some(territory) = self.territory.clone() else { return self.discover() };
                match look.asks(&territory) {
                    Asked::Everything => self.look_everywhere(&territory),
                    Asked::Paths(paths) => self.look_at(&paths, &territory),
                }
            }
        }
    }

    fn look_into(&mut self, memory: &Memory) -> Moved {
        let edits = memory.edits();
        if self.edits == Some(edits) {
            return Moved::Versions(Vec::new());
        }
        let before = std::mem::take(&mut self.slots);
        let count = before.len();
        self.slots = load_texts(memory.texts(), before, &self.source.info);
        self.edits = Some(edits);
        self.is_relisted = self.slots.len() != count;
        self.moved(count)
    }

    /// Looks at these paths only, unless what happened there may have made other files hold skills.
    fn look_at(&mut self, paths: &[Cow<'_, Path>], territory: &Territory) -> Moved {
        let ground = Ground {
            territory,
            slots: &self.slots,
            layout: self.source.info.layout,
            is_quiet: self.diagnostics.is_empty(),
        };
        if !paths.is_empty() && (!self.present || self.failed) {
            return self.look_everywhere(territory);
        }
        let mut files = Vec::new();
        for path in paths {
            match ground.glance(path) {
                Glance::Nothing => {}
                Glance::File(at) => files.push(at),
                Glance::Discovery => return self.look_everywhere(territory),
            }
        }
        // A path may be given in both of its forms.
        files.sort_unstable();
        files.dedup();
        let touched = self.touched(files, SystemTime::now());
        match touched.and_then(|files| self.read_again(files)) {
            Some(moved) => moved,
            None => self.look_everywhere(territory),
        }
    }

    /// Looks at the numbers of all directories and files, and repeats discovery where those of the
    /// directories do not show that it would find the same.
    fn look_everywhere(&mut self, territory: &Territory) -> Moved {
        match self.swept(territory).and_then(|files| self.read_again(files)) {
            Some(moved) => moved,
            None => self.discover(),
        }
    }

    /// Those slots of which the file was touched, if the numbers of the directories show that
    /// discovery would find the same.
    fn swept(&self, territory: &Territory) -> Option<Vec<Touched>> {
        let now = SystemTime::now();
        let sweep = self.sweep.as_ref().filter(|_| is_rooted(territory))?;
        let (directories, files) = (sweep.len(), self.slots.len());
        let count = parts(directories + files, LEAST_LOOKS);
        let looked = on_threads(0..count, |part| {
            let holds = sweep.holds(territory, share(directories, part, count), now);
            if holds { self.touched(share(files, part, count), now) } else { None }
        });
        let touched: Option<Vec<_>> = looked.into_iter().collect();
        touched.map(|parts| parts.concat())
    }

    /// Those slots of which the file was touched; `None` if one is no regular file any more.
    fn touched(
        &self,
        slots: impl IntoIterator<Item = usize>,
        now: SystemTime,
    ) -> Option<Vec<Touched>> {
        let mut touched = Vec::new();
        for at in slots {
            let slot = &self.slots[at];
            match Sight::of(slot.way(&self.source.info), now) {
                Sight::File(print) if slot.is_still(print) => {}
                Sight::File(print) => touched.push((at, print)),
                Sight::Nothing | Sight::Other => return None,
            }
        }
        Some(touched)
    }

    /// Reads these files; `None` if one is gone by now.
    fn read_again(&mut self, files: Vec<Touched>) -> Option<Moved> {
        let share = files.len().div_ceil(parts(files.len(), LEAST_READS)).max(1);
        let read = |&(at, print): &Touched| {
            let slot = &self.slots[at];
            let Read { loaded, is_settled } = read_file(slot.found()?, &self.source.info)?;
            let loaded = succeed(loaded, Some(Arc::clone(&slot.loaded)));
            Some((at, print.filter(|_| is_settled), loaded))
        };
        let parts = on_threads(files.chunks(share), |part| {
            part.iter().map(read).collect::<Option<Vec<_>>>()
        });
        let parts: Vec<_> = parts.into_iter().collect::<Option<_>>()?;
        let mut versions = Vec::new();
        for (at, print, now) in parts.into_iter().flatten() {
            let slot = &mut self.slots[at];
            slot.stamp_with(print);
            let before = std::mem::replace(&mut slot.loaded, Arc::clone(&now));
            if !Arc::ptr_eq(&before, &now) {
                versions.push(Version { before, now });
            }
        }
        Some(Moved::Versions(versions))
    }

    /// Finds out which files hold skills, and reads those that are new or were touched.
    fn discover(&mut self) -> Moved {
        let Kind::Directory(root) = &self.source.kind else {
            return Moved::Versions(Vec::new());
        };
        let now = SystemTime::now();
        let info = &self.source.info;
        let options = ScanOptions { layout: info.layout, trusted: info.trusted };
        // Not `probe`: it does not see a second file in another case, so what there is to say would
        // depend on how it was looked.
        let mut scan = scan::scan(root, &options);
        let says =
            |codes: &[Code]| scan.diagnostics.iter().any(|found| codes.contains(&found.code));
        self.present = !says(&[Code::MissingRoot]);
        // Directories below the root that cannot be read are entries of their own.
        self.failed = says(&[Code::RootNotADirectory, Code::UnreadableDirectory]);
        if self.source.optional {
            scan.diagnostics.retain(|diagnostic| diagnostic.code != Code::MissingRoot);
        }
        let territory = Territory::of(root, &scan);
        // Who loads once need not pay for what makes later looks fast.
        let is_again = self.territory.is_some();
        let can_tell = is_again && scan.plain && scan.unreadable.is_empty();
        keep_unreached(&mut scan, self.slots.iter().map(|slot| &*slot.loaded));
        self.diagnostics = std::mem::take(&mut scan.diagnostics);
        self.sweep = None;
        let sweep = can_tell.then(|| Sweep::of(&territory, now)).flatten();
        if self.territory.as_deref() != Some(&territory) {
            self.territory = Some(Arc::new(territory));
        }
        self.is_relisted = true;
        let before = std::mem::take(&mut self.slots);
        let count = before.len();
        self.slots = load_files(scan, before, info);
        self.sweep = sweep;
        self.moved(count)
    }

    /// What became of the slots, of which there were this many.
    fn moved(&mut self, before: usize) -> Moved {
        let mut is_same = self.slots.len() == before;
        let mut versions = Vec::new();
        for slot in &mut self.slots {
            match std::mem::replace(&mut slot.since, Since::Same) {
                Since::Same => {}
                Since::New => is_same = false,
                Since::Replaced(before) => {
                    versions.push(Version { before, now: Arc::clone(&slot.loaded) });
                }
            }
        }
        if is_same { Moved::Versions(versions) } else { Moved::Skills }
    }
}

#[cfg(test)]
pub(super) mod tests;
