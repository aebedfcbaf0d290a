//! Which files a look reads.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::{Moved, Shelf};
use crate::catalog::look::Look;
use crate::source::{Fingerprint, Source, SourceInfo, Tier};

thread_local! {
    /// The files that shelves have read on this thread.
    static READ: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
}

/// Called by the shelf for each file that it reads.
pub(in crate::catalog) fn count(path: &Path) {
    READ.with_borrow_mut(|read| read.push(path.to_path_buf()));
}

/// A directory of skills and its shelf. Fewer than pay for threads, so that all is read here.
struct Deck {
    root: tempfile::TempDir,
    shelf: Shelf,
}

impl Deck {
    fn of(count: usize) -> Self {
        let root = tempfile::tempdir().unwrap();
        for at in 0..count {
            let home = root.path().join(format!("skill-{at}"));
            fs::create_dir(&home).unwrap();
            fs::write(home.join("SKILL.md"), "---\ndescription: x\n---\nDo it.\n").unwrap();
        }
        let mut info = SourceInfo::new("mine", Tier::USER);
        info.trusted = true;
        let mut shelf = Shelf::new(Source::directory(root.path(), info));
        shelf.load(&Look::Everything);
        Self { root, shelf }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// Waits until equal numbers are proof, so that looks rely on them.
    fn settle(&self) {
        let mark = self.root.path().with_extension("mark");
        fs::write(&mark, "x").unwrap();
        let is_settled = |_: &u32| {
            thread::sleep(Duration::from_millis(1));
            Fingerprint::of(&mark, SystemTime::now()).is_some()
        };
        assert!((0..1000).any(|turn| is_settled(&turn)), "the clock stands still");
        fs::remove_file(&mark).unwrap();
    }

    /// What a look reads, and in how many versions or, if other files hold skills, `None`.
    fn look(&mut self, look: &Look) -> (Vec<PathBuf>, Option<usize>) {
        READ.take();
        let moved = match self.shelf.load(look) {
            Moved::Versions(versions) => Some(versions.len()),
            Moved::Skills => None,
        };
        (READ.take(), moved)
    }
}

fn paths(paths: &[&Path]) -> Look {
    Look::Paths(paths.iter().map(|path| path.to_path_buf()).collect())
}

#[test]
fn only_what_was_touched_is_read() {
    let mut deck = Deck::of(100);
    let file = deck.path("skill-42/SKILL.md");
    deck.settle();
    // Reads again what was written so shortly before the first look that it might have been written
    // twice, and learns what the directories look like.
    deck.look(&Look::Everything);
    for look in [Look::Everything, paths(&[&file]), paths(&[&file, deck.root.path()])] {
        assert_eq!(deck.look(&look), (vec![], Some(0)), "{look:?}");
    }
    for (turn, look) in
        [Look::Everything, paths(&[&file]), paths(&[deck.root.path()])].into_iter().enumerate()
    {
        fs::write(&file, format!("---\ndescription: x\n---\nTurn {turn}.\n")).unwrap();
        assert_eq!(deck.look(&look), (vec![file.clone()], Some(1)), "{look:?}");
        deck.settle();
        deck.look(&look);
    }
    // Another file in its place, by the rename that editors save with.
    let other = deck.path("skill-42/SKILL.md.tmp");
    fs::write(&other, "---\ndescription: x\n---\nRenamed.\n").unwrap();
    fs::rename(&other, &file).unwrap();
    assert_eq!(deck.look(&paths(&[&other, &file])), (vec![file], Some(1)));
}

#[test]
fn a_new_skill_is_read_and_no_other() {
    let mut deck = Deck::of(20);
    deck.settle();
    deck.look(&Look::Everything);
    let home = deck.path("skill-new");
    fs::create_dir(&home).unwrap();
    fs::write(home.join("SKILL.md"), "Do it.\n").unwrap();
    assert_eq!(deck.look(&paths(&[&home])), (vec![home.join("SKILL.md")], None));
    fs::remove_dir_all(&home).unwrap();
    assert_eq!(deck.look(&paths(&[&home])), (vec![], None));
}

#[test]
fn a_build_in_the_directory_of_a_skill_reads_nothing() {
    let mut deck = Deck::of(20);
    // Nothing is settled here, and yet nothing is read.
    let build = deck.path("skill-7/target");
    fs::create_dir(&build).unwrap();
    let mut files: Vec<PathBuf> = (0..200).map(|at| build.join(format!("{at}.o"))).collect();
    files.iter().for_each(|file| fs::write(file, "x").unwrap());
    files.push(build);
    let look = Look::Paths(files.into_iter().collect());
    assert_eq!(deck.look(&look), (vec![], Some(0)));
}

#[test]
fn directories_are_not_listed_again_while_they_look_the_same() {
    let mut deck = Deck::of(20);
    deck.settle();
    assert!(deck.shelf.sweep.is_none(), "who loads once does not pay for later looks");
    deck.look(&Look::Everything);
    let territory = deck.shelf.territory().cloned().unwrap();
    let holds = |deck: &Deck| {
        let sweep = deck.shelf.sweep.as_ref();
        sweep.is_some_and(|sweep| sweep.holds(&territory, 0..sweep.len(), SystemTime::now()))
    };
    assert!(holds(&deck));
    // A file beside a skill changes its directory: once more everything is listed.
    fs::write(deck.path("skill-7/Skill.md"), "x").unwrap();
    assert!(!holds(&deck));
    deck.look(&Look::Everything);
    assert_eq!(deck.shelf.status().diagnostics.len(), 1);
    assert!(!holds(&deck), "the directory was touched too shortly before");
    deck.settle();
    deck.look(&Look::Everything);
    assert!(holds(&deck));
}
