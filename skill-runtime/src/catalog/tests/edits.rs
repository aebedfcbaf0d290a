//! Edits of real directories: what a look makes of them step by step is what a cold load finds.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use skilldeck_core::diagnostic::Severity;
use skilldeck_core::format::Layout;

use crate::catalog::{Catalog, Deckview, Look, SourceStatus};
use crate::source::{Fingerprint, Memory, Precedence, Source, SourceInfo, Tier};

const ROOTS: [&str; 3] = ["user", "project", "commands"];
const PLACES: [&str; 5] = ["a", "b", "a-b", "group/c", "group/d"];
const WORDS: [&str; 4] = ["a", "b", "c", "other"];

/// One edit: what is done, in which root, at which place, and a number to vary it.
type Edit = (Kind, usize, usize, usize);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Body,
    Description,
    Name,
    Alias,
    Needs,
    Version,
    Break,
    Tear,
    RemoveFile,
    RemoveDirectory,
    FileToDirectory,
    Beside,
    Dropping,
    OddCase,
    Rename,
    LinkDirectory,
    LinkFile,
    Mark,
    Memory,
    Touch,
    NewRoot,
}

const KINDS: [Kind; 21] = [
    Kind::Body,
    Kind::Description,
    Kind::Name,
    Kind::Alias,
    Kind::Needs,
    Kind::Version,
    Kind::Break,
    Kind::Tear,
    Kind::RemoveFile,
    Kind::RemoveDirectory,
    Kind::FileToDirectory,
    Kind::Beside,
    Kind::Dropping,
    Kind::OddCase,
    Kind::Rename,
    Kind::LinkDirectory,
    Kind::LinkFile,
    Kind::Mark,
    Kind::Memory,
    Kind::Touch,
    Kind::NewRoot,
];

/// Directories, and the links that were made in them.
struct World {
    directory: tempfile::TempDir,
    memory: Arc<Memory>,
    links: Vec<(PathBuf, PathBuf)>,
    dirty: BTreeSet<PathBuf>,
    count: usize,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let world = Self {
            directory,
            memory: Arc::default(),
            links: Vec::new(),
            dirty: BTreeSet::new(),
            count: 0,
        };
        for (at, place) in PLACES.iter().enumerate() {
            let path = world.file(0, place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("---\ndescription: About {at}.\n---\nDo it.\n")).unwrap();
        }
        for root in &ROOTS[1..] {
            fs::create_dir(world.path(root)).unwrap();
        }
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn home(&self, root: usize, place: &str) -> PathBuf {
        self.path(ROOTS[root]).join(place)
    }

    /// The file of a skill, or of a command in the last root.
    fn file(&self, root: usize, place: &str) -> PathBuf {
        let home = self.home(root, place);
        if root == 2 { home.with_extension("md") } else { home.join("SKILL.md") }
    }

    fn catalog(&self) -> Catalog {
        let source = |at: usize, tier| {
            let mut info = SourceInfo::new(ROOTS[at], tier);
            info.trusted = at == 0;
            info.layout = if at == 2 { Layout::Commands } else { Layout::Skills };
            Source::directory(self.path(ROOTS[at]), info)
        };
        let memory = Source::memory(self.memory.clone(), SourceInfo::new("memory", Tier::USER));
        let sources =
            vec![source(0, Tier::USER), source(1, Tier::PROJECT), source(2, Tier::PROJECT), memory];
        Catalog::new(Precedence::default(), sources)
    }

    /// Something happened here: in each way that leads here, as a watcher tells it.
    fn touch(&mut self, path: &Path) {
        let mut found = vec![path.to_path_buf()];
        let mut at = 0;
        while let Some(path) = found.get(at).cloned() {
            at += 1;
            let below = |from: &Path, to: &Path| {
                let rest = path.strip_prefix(from).ok()?;
                Some(if rest.as_os_str().is_empty() { to.to_path_buf() } else { to.join(rest) })
            };
            for (link, target) in &self.links {
                let above = target.starts_with(&path).then(|| link.clone());
                let ways = [below(link, target), below(target, link), above];
                for way in ways.into_iter().flatten() {
                    if !found.contains(&way) {
                        found.push(way);
                    }
                }
            }
        }
        self.dirty.extend(found);
    }

    /// Makes a directory; whether nothing stood in the way.
    fn make(&mut self, directory: &Path) -> bool {
        let is_new = |above: &&Path| above.symlink_metadata().is_err();
        if let Some(new) = directory.ancestors().take_while(is_new).last() {
            self.touch(new);
        }
        fs::create_dir_all(directory).is_ok()
    }

    fn write(&mut self, path: &Path, bytes: impl AsRef<[u8]>) {
        if self.make(path.parent().unwrap()) && fs::write(path, bytes).is_ok() {
            self.touch(path);
        }
    }

    fn remove(&mut self, path: &Path) {
        let Ok(metadata) = path.symlink_metadata() else { return };
        if metadata.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        self.touch(path);
        self.links.retain(|(link, _)| !link.starts_with(path));
    }

    fn link(&mut self, link: &Path, target: &Path) {
        self.remove(link);
        if self.make(link.parent().unwrap()) && symlink(target, link).is_ok() {
            self.links.push((link.to_path_buf(), target.to_path_buf()));
            self.touch(link);
        }
    }

    fn apply(&mut self, (kind, root, place, number): Edit) {
        let place = PLACES[place];
        let (home, file) = (self.home(root, place), self.file(root, place));
        self.count += 1;
        let turn = self.count;
        let skill = |line: &str| {
            format!("---\ndescription: About {place}.\n{line}\n---\nDo it, turn {turn}.\n")
        };
        let word = WORDS[number % WORDS.len()];
        match kind {
            Kind::Body => self.write(&file, skill("license: MIT")),
            Kind::Description => {
                let text = format!("---\ndescription: Turn {turn}.\n---\nDo it.\n");
                self.write(&file, text);
            }
            Kind::Name => self.write(&file, skill(&format!("name: {word}"))),
            Kind::Alias => self.write(&file, skill(&format!("aliases: [{word}, x{number}]"))),
            Kind::Needs => {
                let version = ["", "@0", "@1"][number % 3];
                self.write(&file, skill(&format!("depends-on: [\"{word}{version}\"]")));
            }
            Kind::Version => {
                self.write(&file, skill(&format!("version: {}.0.{turn}", number % 2)));
            }
            Kind::Break => self.write(&file, skill("depends-on: [")),
            Kind::Tear => self.write(&file, [b'-', b'-', 0xff, turn as u8]),
            Kind::RemoveFile => self.remove(&file),
            Kind::RemoveDirectory => self.remove(&home),
            Kind::FileToDirectory => {
                self.remove(&file);
                self.write(&file.join("inside"), "x");
            }
            Kind::Beside => {
                self.write(&home.join("notes.txt"), turn.to_string());
                self.write(&home.join("scripts/SKILL.md"), skill("license: MIT"));
            }
            Kind::Dropping => {
                for name in ["4913", ".SKILL.md.swp", "SKILL.md~", ".hidden.md", "x.tmp"] {
                    self.write(&home.with_file_name(name), turn.to_string());
                    if number.is_multiple_of(2) {
                        self.remove(&home.with_file_name(name));
                    }
                }
            }
            Kind::OddCase => self.write(&home.join("Skill.md"), skill("license: MIT")),
            Kind::Rename => {
                let to = self.home(root, PLACES[number % PLACES.len()]);
                if self.make(to.parent().unwrap()) && fs::rename(&home, &to).is_ok() {
                    self.touch(&home);
                    self.touch(&to);
                    for (link, _) in &mut self.links {
                        if let Ok(rest) = link.strip_prefix(&home) {
                            *link = to.components().chain(rest.components()).collect();
                        }
                    }
                }
            }
            Kind::LinkDirectory => {
                let target = self.home((root + number) % 2, PLACES[number % PLACES.len()]);
                self.link(&home, &target);
            }
            Kind::LinkFile => {
                let target = self.path("shared.md");
                self.write(&target, skill("license: ISC"));
                self.link(&file, &target);
            }
            Kind::Mark if number.is_multiple_of(2) => {
                self.write(&home.join(skilldeck_core::scan::LINK_MARK), "");
            }
            Kind::Mark => self.remove(&home.join(skilldeck_core::scan::LINK_MARK)),
            Kind::Memory if number.is_multiple_of(3) => drop(self.memory.remove(word)),
            Kind::Memory => self.memory.insert(word, skill("license: MIT")),
            Kind::Touch => {
                if let Ok(bytes) = fs::read(&file) {
                    self.write(&file, bytes);
                }
            }
            Kind::NewRoot => {
                let root = self.path(ROOTS[root]);
                self.remove(&root);
                if number.is_multiple_of(2) {
                    fs::create_dir(&root).unwrap();
                }
                self.touch(&root);
            }
        }
    }

    /// Waits until equal numbers are proof again, so that looks rely on them.
    fn settle(&self) {
        let mark = self.path("mark");
        fs::write(&mark, "x").unwrap();
        for _ in 0..1000 {
            if Fingerprint::of(&mark, SystemTime::now()).is_some() {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the clock of the file system does not go on");
    }
}

/// Everything there is in a deck.
fn describe(deck: &Deckview, sources: &[SourceStatus]) -> String {
    let mut out = format!("{sources:#?}\n");
    match deck {
        Deckview::Bundled { deck, source } => {
            write!(out, "{} compiled skills of {source}", deck.skills().len()).unwrap();
        }
        Deckview::Merged(merged) => {
            for (at, record) in (0..).zip(merged.records()) {
                writeln!(out, "{record:#?} needs {:?}", merged.edges(at)).unwrap();
            }
            for key in merged.index().keys() {
                let found = merged.index().find(&key.text.to_uppercase());
                writeln!(out, "{key:?} {found:?}").unwrap();
            }
            writeln!(out, "{:?}", merged.order()).unwrap();
        }
    }
    out
}

/// Whether some file is in a state that a cold load cannot know the version before of.
fn has_broken_file(catalog: &Catalog) -> bool {
    let mut items = catalog.shelves.iter().flat_map(|shelf| shelf.items().collect::<Vec<_>>());
    items.any(|item| item.diagnostics().iter().any(|found| found.severity == Severity::Error))
}

/// Goes through steps of edits, each with whether everything is looked at.
fn check(steps: &[(Vec<Edit>, bool)], settled: bool) {
    let mut world = World::new();
    let mut catalog = world.catalog();
    let (mut deck, _) = catalog.load(&Look::Everything, None);
    for (edits, everything) in steps {
        if settled {
            world.settle();
            for _ in 0..2 {
                let (next, _) = catalog.load(&Look::Everything, Some(&deck));
                assert!(next.is_as(&deck), "nothing was changed before {edits:?}");
                deck = next;
            }
        }
        edits.iter().for_each(|edit| world.apply(*edit));
        let dirty = std::mem::take(&mut world.dirty);
        let look = if *everything { Look::Everything } else { Look::Paths(dirty) };
        let (next, sources) = catalog.load(&look, Some(&deck));
        deck = next;
        let seen = describe(&deck, &sources);
        let anew = catalog.deck(None, None);
        pretty(&seen, &describe(&anew, &sources), "a whole merge", edits, &look);

        let mut cold = world.catalog();
        let (found, statuses) = cold.load(&Look::Everything, None);
        if !has_broken_file(&cold) {
            pretty(&seen, &describe(&found, &statuses), "a cold load", edits, &look);
        }
    }
}

#[track_caller]
fn pretty(seen: &str, wanted: &str, of: &str, edits: &[Edit], look: &Look) {
    let pairs = seen.lines().zip(wanted.lines());
    let first = pairs.enumerate().find(|(_, (a, b))| a != b);
    assert!(
        seen == wanted,
        "not as {of} after {edits:?} and {look:#?}\nfirst difference: {first:#?}\nin\n{seen}"
    );
}

/// Each step changes one thing that others hang on. (A word of `needs` and its version come from the
/// number: 1 is `b@0`, 4 is `a@0`, 5 is `b@1`.)
#[test]
fn whatever_others_hang_on_is_seen() {
    let step = |kind, place, number| (vec![(kind, 0, place, number)], false);
    let cases = [
        vec![step(Kind::Version, 1, 0), step(Kind::Needs, 0, 1), step(Kind::Version, 1, 1)],
        vec![step(Kind::Needs, 0, 1), step(Kind::Needs, 0, 5), step(Kind::Needs, 1, 4)],
        vec![step(Kind::Alias, 1, 3), step(Kind::Alias, 0, 3), step(Kind::Body, 1, 0)],
        vec![step(Kind::Name, 1, 0), step(Kind::Name, 1, 3), step(Kind::Body, 1, 0)],
        vec![step(Kind::Needs, 0, 1), step(Kind::Tear, 1, 0), step(Kind::Body, 1, 0)],
    ];
    for steps in cases {
        check(&steps, false);
    }
}

fn steps(most: usize) -> impl Strategy<Value = Vec<(Vec<Edit>, bool)>> {
    let kind = prop::sample::select(&KINDS[..]);
    let edit = (kind, 0..ROOTS.len(), 0..PLACES.len(), 0..7_usize);
    let step = (prop::collection::vec(edit, 1..4), prop::bool::weighted(0.2));
    prop::collection::vec(step, 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn looks_at_paths_end_where_a_cold_load_does(steps in steps(12)) {
        check(&steps, false);
    }
}

proptest! {
    // Each step waits for the clock of the file system.
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn so_do_looks_that_rely_on_numbers(steps in steps(7)) {
        check(&steps, true);
    }
}
