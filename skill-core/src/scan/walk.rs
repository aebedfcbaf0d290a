//! A readable root to the skills below it, in the order of their paths' bytes.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

use super::links::{Target, follow, marked};
use super::listing::{Entry, Place, list};
use super::{
    Entered, Found, LINK_MARK, MAX_DEPTH, SKILL_FILE, Scan, ScanOptions, faults, is_command,
    is_skill_file, is_skipped,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::format::Layout;
use crate::model::slug;

/// Walks `root`, a directory whose canonical path is `real`.
pub(super) fn walk(root: &Path, real: PathBuf, options: &ScanOptions, probe: bool) -> Scan {
    let mut walk = Walk {
        root,
        real_root: real.clone(),
        options,
        probe,
        scan: Scan { plain: true, ..Scan::default() },
        files: Vec::new(),
        unreadable: Vec::new(),
        seen: HashMap::new(),
        chain: Vec::new(),
        reported: HashSet::new(),
        too_deep: Vec::new(),
    };
    walk.enter(Place::root(root, real));
    walk.finish()
}

struct Walk<'a> {
    root: &'a Path,
    real_root: PathBuf,
    options: &'a ScanOptions,
    /// Whether SKILL.md is asked for by name before a directory is listed.
    probe: bool,
    scan: Scan,
    files: Vec<(Vec<u8>, Found)>,
    unreadable: Vec<(Vec<u8>, Found, Diagnostic)>,
    /// The directories that were looked at, each with the least depth it was seen at. A canonical
    /// path stands for device and inode: it is the same for the same directory (but for bind
    /// mounts, which cannot form a circle), every system has it, and it costs no call.
    seen: HashMap<OsString, usize>,
    /// The canonical directories from the root to the one being looked at.
    chain: Vec<PathBuf>,
    /// What was said already about a canonical path: a directory may be looked at twice.
    reported: HashSet<(Code, PathBuf)>,
    /// Directories that are at the limit, each with a canonical directory in it.
    too_deep: Vec<(PathBuf, PathBuf)>,
}

impl Walk<'_> {
    /// Looks at a directory, unless that was done from a smaller path. Directories come in the
    /// order of their paths' bytes, so the first way to a directory is the one that names it; it is
    /// looked at again only if a later way is shorter and may therefore lead further down.
    fn enter(&mut self, place: Place) {
        let least = self.seen.entry(place.real.clone().into_os_string()).or_insert(usize::MAX);
        if *least <= place.depth {
            return;
        }
        *least = place.depth;
        self.scan
            .directories
            .push(Entered { path: place.path.clone(), real_path: place.real.clone() });
        if self.probe && self.probed(&place) {
            return;
        }
        let mut entries = match list(&place.real) {
            Ok(entries) => entries,
            Err(error) => return self.unlisted(&place, &error),
        };
        if entries.iter().any(|entry| entry.name == LINK_MARK && entry.kind.is_file()) {
            self.scan.plain = false;
            let made = marked(&place.real.join(LINK_MARK));
            if made.is_empty() && place.depth > 0 {
                return;
            }
            entries.retain(|entry| {
                !(entry.kind.is_symlink() && made.contains(entry.name.as_encoded_bytes()))
            });
        }
        self.chain.push(place.real.clone());
        match self.options.layout {
            Layout::Skills => self.look_for_skill(&place, &entries),
            Layout::Commands => self.look_for_commands(&place, &entries),
        }
        self.chain.pop();
    }

    /// Takes the SKILL.md of a directory without listing it; false if the directory must be listed.
    fn probed(&mut self, place: &Place) -> bool {
        if self.options.layout != Layout::Skills {
            return false;
        }
        let Ok(metadata) = place.real.join(SKILL_FILE).symlink_metadata() else { return false };
        if place.real.join(LINK_MARK).symlink_metadata().is_ok() {
            return false;
        }
        self.take(place.entry(SKILL_FILE.as_ref()), metadata.file_type());
        true
    }

    /// A directory with a SKILL.md is a skill, another one is descended into.
    fn look_for_skill(&mut self, place: &Place, entries: &[Entry]) {
        // A directory that is called `skill.md` is no misspelt file.
        let named = |entry: &&Entry| {
            entry.name == SKILL_FILE || is_skill_file(&entry.name) && !entry.kind.is_dir()
        };
        let exact = entries.iter().find(|entry| entry.name == SKILL_FILE);
        let Some(file) = exact.or_else(|| entries.iter().find(named)) else {
            return self.descend(place, entries);
        };
        let taken = place.entry(&file.name);
        if exact.is_none() {
            self.report(&taken.real, faults::odd_case(&taken.path));
        }
        for other in entries.iter().filter(named).filter(|entry| entry.name != file.name) {
            let other = place.entry(&other.name);
            self.report(&other.real, faults::ignored_case(&other.path, &taken.path));
        }
        self.take(taken, file.kind);
    }

    /// Every Markdown file is a command, every directory is descended into.
    fn look_for_commands(&mut self, place: &Place, entries: &[Entry]) {
        for entry in entries {
            if is_command(&entry.name) && !entry.kind.is_dir() {
                self.take(place.entry(&entry.name), entry.kind);
            }
        }
        self.descend(place, entries);
    }

    /// Looks into the directories of a directory.
    fn descend(&mut self, place: &Place, entries: &[Entry]) {
        for entry in entries.iter().filter(|entry| !is_skipped(&entry.name)) {
            let next = place.entry(&entry.name);
            let next = if entry.kind.is_dir() {
                Some(next)
            } else if entry.kind.is_symlink() {
                self.linked_directory(next)
            } else {
                None
            };
            match next {
                Some(next) if next.depth > MAX_DEPTH => {
                    self.too_deep.push((place.path.clone(), next.real));
                }
                Some(next) => self.enter(next),
                None => {}
            }
        }
    }

    /// The directory that a link leads to, if it may be entered.
    fn linked_directory(&mut self, link: Place) -> Option<Place> {
        self.scan.plain = false;
        // What looks like a command was taken already, faults and all.
        let taken = self.options.layout == Layout::Commands && link.key.ends_with(b".md");
        match follow(&link.real) {
            Target::There(_, kind) if !kind.is_dir() => {}
            Target::There(real, _) if self.is_outside(&real) => {
                self.report(&link.real, faults::outside(&link.path, &real, self.root));
            }
            // A directory above any of those on the way here leads here again.
            Target::There(real, _) if self.chain.iter().any(|above| above.starts_with(&real)) => {
                self.report(&link.real, faults::cycle(&link.path, Some(&real)));
            }
            Target::There(real, _) => return Some(Place { real, ..link }),
            Target::Gone => {}
            Target::Nowhere(_) | Target::Itself(_) | Target::Unknown(_) if taken => {}
            Target::Nowhere(target) => {
                self.report(&link.real, faults::dangling(&link.path, &target));
            }
            Target::Itself(first) => self.report(&first, faults::cycle(&link.path, None)),
            Target::Unknown(error) => {
                let fault = faults::unreadable(&link.path, &error);
                self.keep_unreadable(self.would_be(&link), fault);
            }
        }
        None
    }

    /// Takes an entry that has the name of a skill's file.
    fn take(&mut self, mut file: Place, mut kind: FileType) {
        if kind.is_symlink() {
            self.scan.plain = false;
            let fault = match follow(&file.real) {
                Target::There(real, _) if self.is_outside(&real) => {
                    let fault = faults::outside(&file.path, &real, self.root);
                    return self.report(&file.real, fault);
                }
                // A directory with a command's name is a directory: `descend` follows the link.
                Target::There(_, target)
                    if target.is_dir() && self.options.layout == Layout::Commands =>
                {
                    return;
                }
                Target::There(real, target) => {
                    (file.real, kind) = (real, target);
                    None
                }
                Target::Gone => return,
                Target::Nowhere(target) => Some(faults::dangling_file(&file.path, &target)),
                Target::Itself(_) => Some(faults::cycle_file(&file.path)),
                Target::Unknown(error) => Some(faults::unreadable(&file.path, &error)),
            };
            if let Some(fault) = fault {
                return self.keep_unreadable(file, fault);
            }
        }
        if !kind.is_file() {
            let fault = faults::not_regular(&file.path, kind);
            return self.keep_unreadable(file, fault);
        }
        let found = self.found(&file);
        self.files.push((file.key, found));
    }

    /// A directory that could not be listed stays visible as the skill it may be.
    fn unlisted(&mut self, place: &Place, error: &io::Error) {
        self.scan.plain = false;
        if place.depth == 0 {
            self.scan.diagnostics.push(faults::root(self.root, error));
        } else if error.kind() != io::ErrorKind::NotFound {
            let fault = faults::unreadable_directory(&place.path, error);
            self.keep_unreadable(self.would_be(place), fault);
        }
        // Else it was removed since its parent was listed.
    }

    /// The file for which a directory stands that cannot be looked into.
    fn would_be(&self, directory: &Place) -> Place {
        match self.options.layout {
            Layout::Skills => directory.entry(SKILL_FILE.as_ref()),
            Layout::Commands => directory.clone(),
        }
    }

    fn keep_unreadable(&mut self, file: Place, fault: Diagnostic) {
        let found = self.found(&file);
        self.unreadable.push((file.key, found, fault));
    }

    /// Names a file: after its directory, or after its path in a commands layout.
    fn found(&mut self, file: &Place) -> Found {
        let key = file.key.as_slice();
        let name = match self.options.layout {
            Layout::Commands => key.strip_suffix(b".md").unwrap_or(key),
            Layout::Skills => match key.rsplit(|byte| *byte == b'/').nth(1) {
                Some(directory) => directory,
                None => root_name(self.root, &self.real_root),
            },
        };
        let text = String::from_utf8_lossy(name);
        let name = match self.options.layout {
            Layout::Commands => {
                name.split(|byte| *byte == b'/').map(typable).collect::<Vec<_>>().join(":")
            }
            Layout::Skills => text.clone().into_owned(),
        };
        if matches!(text, std::borrow::Cow::Owned(_)) {
            self.report(&file.real, faults::not_utf8_name(&file.path));
        }
        Found { path: file.path.clone(), real_path: file.real.clone(), name }
    }

    fn is_outside(&self, real: &Path) -> bool {
        !self.options.trusted && !real.starts_with(&self.real_root)
    }

    /// Says something about a canonical path, once.
    fn report(&mut self, real: &Path, fault: Diagnostic) {
        if self.reported.insert((fault.code, real.to_path_buf())) {
            self.scan.diagnostics.push(fault);
        }
    }

    /// Sorts, and leaves one of the ways to each file.
    fn finish(mut self) -> Scan {
        self.files.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.unreadable.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut once = HashSet::with_capacity(self.files.len());
        let mut first = |found: &Found| once.insert(found.real_path.clone().into_os_string());
        self.files.retain(|(_, found)| first(found));
        self.unreadable.retain(|(_, found, _)| first(found));
        // What lies deep from one side may have been reached from another.
        self.too_deep.retain(|(_, below)| !self.seen.contains_key(below.as_os_str()));
        let mut too_deep: Vec<PathBuf> = self.too_deep.into_iter().map(|(path, _)| path).collect();
        too_deep.dedup();

        self.scan.files = self.files.into_iter().map(|(_, found)| found).collect();
        self.scan.unreadable =
            self.unreadable.into_iter().map(|(_, found, fault)| (found, fault)).collect();
        self.scan.diagnostics.extend(faults::too_deep(&too_deep));
        self.scan
    }
}

/// One part of the path of a command as it is typed.
fn typable(part: &[u8]) -> String {
    let text = String::from_utf8_lossy(part);
    if !slug(&text).is_empty() {
        return text.into_owned();
    }
    part.iter().fold("x".to_owned(), |mut word, byte| {
        // Writing to a string cannot fail.
        let _ = write!(word, "{byte:02x}");
        word
    })
}

/// The bytes of the name of a root, however it was written (`.`, `/`).
fn root_name<'a>(root: &'a Path, real: &'a Path) -> &'a [u8] {
    root.file_name().or_else(|| real.file_name()).map_or(b"skill", |name| name.as_encoded_bytes())
}
