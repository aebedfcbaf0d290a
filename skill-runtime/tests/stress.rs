//! Writers that add, edit, break, mend and delete 300 skills while readers look up, list and invoke.
//! `SKILLDECK_STRESS_SECONDS` says how long; without it, it is short.

#![cfg(feature = "watch")]
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]
#![allow(clippy::print_stdout, reason = "it says what it did")]

#[path = "support/mod.rs"]
mod support;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use skilldeck_runtime::{
    Audience, Caller, Entry, ErrorKind, Initiator, Policy, Registry, Request, Shape, Snapshot,
    State, WatchOptions,
};
use support::{Tree, everything, registry, user};

const SKILLS: u64 = 300;
/// Skills that nobody touches: no snapshot is without them, whatever happens around them.
const ANCHORS: u64 = 20;
const WRITERS: u64 = 2;
const READERS: u64 = 2;

/// Writers never leave it quiet: the delay is what says how many snapshots there are to read.
const SOON: WatchOptions = WatchOptions {
    quiet: Duration::from_millis(5),
    delay: Duration::from_millis(20),
    sweep: WatchOptions::SWEEP,
    poll: WatchOptions::POLL,
    force_polling: false,
};

/// How long the last state may take to be seen.
const LIMIT: Duration = Duration::from_secs(60);

/// Numbers that look random, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn name(at: u64) -> String {
    format!("skill-{at:03}")
}

fn anchor(at: u64) -> String {
    format!("anchor-{at:02}")
}

/// The text of a skill that stays as it is.
fn anchored(at: u64) -> String {
    version(at, 0).replace(&name(at), &anchor(at)).replace("depends-on", "tags")
}

/// A version of a skill: its number stands in the description, at the start, in the middle and at
/// the end of the body, so a mixture of two shows. It needs the one before it, so that there is an
/// order; every tenth needs none, or all would hang on the first.
fn version(at: u64, number: u64) -> String {
    let needs = match at % 10 {
        0 => String::new(),
        _ => format!("depends-on: [{}]\n", name(at - 1)),
    };
    let filler = "What a skill says takes more than one page of a file.\n".repeat(120);
    format!(
        "---\nname: {skill}\ndescription: Version {number}.\n{needs}---\nFirst {skill} {number}.\n\
         {filler}Middle {skill} {number}.\n{filler}Last {skill} {number}.\n",
        skill = name(at)
    )
}

/// Texts with an error, of two kinds.
fn broken(at: u64, number: u64) -> String {
    let fault = if number.is_multiple_of(2) { "tags: [a, b" } else { "background: perhaps" };
    version(at, number).replacen("depends-on", &format!("{fault}\ndepends-on"), 1).replacen(
        "---\nFirst",
        &format!("{fault}\n---\nFirst"),
        1,
    )
}

struct Stress {
    root: PathBuf,
    registry: Registry,
    stop: AtomicBool,
    versions: AtomicU64,
    reads: AtomicU64,
    violations: Mutex<Vec<String>>,
}

impl Stress {
    fn violation(&self, what: String) {
        self.violations.lock().unwrap().push(what);
    }

    /// What is wrong with one snapshot, if anything is.
    fn check(&self, snapshot: &Snapshot) {
        for at in 0..ANCHORS {
            let found = snapshot.get(&anchor(at));
            if !found.is_some_and(|it| it.state() == State::Ready && number_of(it) == Some(0)) {
                self.violation(format!("{} is missing: {found:?}", anchor(at)));
            }
        }
        let mut met = HashSet::new();
        for entry in snapshot.iter() {
            if entry.state() != State::Unreadable && !is_whole(entry) {
                self.violation(format!("{} is a mixture: {:?}", entry.word(), entry.skill()));
            }
            // What can be used has all it needs, and that can be used.
            if matches!(entry.state(), State::Ready | State::Stale) {
                met.clear();
                for needed in snapshot.dependencies(entry) {
                    let direct = needed.skill().depends_on().iter();
                    if !direct.clone().all(|it| met.contains(&*it.name)) {
                        self.violation(format!("{} comes too early", needed.word()));
                    }
                    if !matches!(needed.state(), State::Ready | State::Stale) {
                        self.violation(format!("{} needs {needed:?}", entry.word()));
                    }
                    met.insert(needed.word().to_owned());
                }
            }
        }
        let listing = snapshot.listing(Audience::Model, None).text;
        // Half of a file hides what it restricts, so no model is shown such a skill.
        let model = Caller::new(Initiator::Model);
        let may = |entry: &Entry<'_>| !Policy::default().decide(*entry, &model).is_denied();
        let [listed, open] = [listing.lines().count(), snapshot.iter().filter(may).count()];
        if listed != open {
            self.violation(format!("{listed} are listed and {open} open to models"));
        }
    }

    fn read(&self, seed: u64) {
        let mut dice = Dice(seed);
        let mut last = 0;
        while !self.stop.load(Ordering::Relaxed) {
            let snapshot = self.registry.snapshot();
            if snapshot.generation() < last {
                self.violation(format!("{} follows {last}", snapshot.generation()));
            }
            // A snapshot never changes, so it is looked through once.
            if snapshot.generation() != last {
                self.check(&snapshot);
            }
            last = snapshot.generation();
            let wanted = name(dice.below(SKILLS));
            if snapshot.get(&wanted).is_some_and(|it| it.word() != wanted || !is_whole(it)) {
                self.violation(format!("{wanted} is something else"));
            }
            self.invoke(&wanted);
            self.reads.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A prompt is of one version too, and has all that the skill needs before it.
    fn invoke(&self, name: &str) {
        match self.registry.invoke(&Request::command(name, "").shape(Shape::Plain)) {
            Ok(outcome) => {
                // `name version` of each skill in it.
                let all = |mark| -> Vec<&str> {
                    outcome.text().lines().filter_map(|line| line.strip_prefix(mark)).collect()
                };
                let [first, middle, last] = ["First ", "Middle ", "Last "].map(all);
                // Needed ones come first, and they have the smaller names.
                if first != middle || first != last || !first.is_sorted() {
                    self.violation(format!("a prompt of {first:?}, {middle:?} and {last:?}"));
                }
            }
            Err(error) => {
                let expected =
                    matches!(error.kind(), ErrorKind::UnknownSkill { .. } | ErrorKind::Unavailable);
                if !expected {
                    self.violation(error.to_string());
                }
            }
        }
    }

    fn write(&self, seed: u64) {
        let mut dice = Dice(seed);
        while !self.stop.load(Ordering::Relaxed) {
            // Writers have skills of their own, or nobody could say what is there in the end.
            let at = dice.below(SKILLS / WRITERS) * WRITERS + seed % WRITERS;
            let number = self.versions.fetch_add(1, Ordering::Relaxed);
            let directory = self.root.join(name(at));
            let file = directory.join("SKILL.md");
            fs::create_dir_all(&directory).unwrap();
            match dice.below(10) {
                0 => fs::remove_dir_all(&directory).unwrap(),
                1 => drop(fs::remove_file(&file)),
                2 | 3 => fs::write(&file, broken(at, number)).unwrap(),
                4 => in_two_steps(&file, &version(at, number)),
                5 => {
                    let away = self.root.join("..").join(format!("away-{}", name(at)));
                    fs::rename(&directory, &away).unwrap();
                    fs::rename(&away, &directory).unwrap();
                }
                6 | 7 => fs::write(&file, version(at, number)).unwrap(),
                _ => in_one_step(&file, &version(at, number)),
            }
            thread::sleep(Duration::from_micros(dice.below(2000)));
        }
    }
}

fn in_one_step(file: &Path, text: &str) {
    let new = file.with_extension("tmp");
    fs::write(&new, text).unwrap();
    fs::rename(new, file).unwrap();
}

/// Between the two the front matter is open: an error.
fn in_two_steps(file: &Path, text: &str) {
    fs::write(file, &text[..text.len() / 500]).unwrap();
    fs::write(file, text).unwrap();
}

/// Whether an entry is one version from its start to its end: all of its numbers are the same.
/// Before a file is written for the first time, and where it is half written, it has none.
fn is_whole(entry: Entry<'_>) -> bool {
    let body = entry.skill().body();
    // The text is that of this skill and of no other.
    let number = |mark: &str| -> Option<u64> {
        let line = body.lines().find_map(|line| line.strip_prefix(mark))?;
        line.strip_prefix(entry.word())?.strip_prefix(' ')?.strip_suffix('.')?.parse().ok()
    };
    let marks = ["First ", "Middle ", "Last "].map(number);
    let bodies = body.lines().filter(|line| line.starts_with("First ")).count();
    bodies <= 1 && marks.iter().all(|it| *it == number_of(entry))
}

/// The number in the description.
fn number_of(entry: Entry<'_>) -> Option<u64> {
    entry.skill().description().strip_prefix("Version ")?.strip_suffix('.')?.parse().ok()
}

#[test]
fn readers_see_whole_versions_whatever_writers_do() {
    let seconds = std::env::var("SKILLDECK_STRESS_SECONDS").ok().and_then(|it| it.parse().ok());
    let tree = Tree::new();
    let root = tree.path("skills");
    for at in 0..SKILLS {
        tree.write(&format!("skills/{}/SKILL.md", name(at)), version(at, 0));
    }
    for at in 0..ANCHORS {
        tree.write(&format!("skills/{}/SKILL.md", anchor(at)), anchored(at));
    }
    let registry = Registry::builder().source(user(&root)).watch_with(SOON).build().unwrap();
    let reloads = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&reloads);
    registry.on_change(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let stress = Stress {
        root,
        registry,
        stop: AtomicBool::new(false),
        versions: AtomicU64::new(1),
        reads: AtomicU64::new(0),
        violations: Mutex::default(),
    };
    let time = Duration::from_secs(seconds.unwrap_or(3));
    thread::scope(|scope| {
        for seed in 0..WRITERS {
            let stress = &stress;
            scope.spawn(move || stress.write(WRITERS * 7919 + seed));
        }
        for seed in 0..READERS {
            let stress = &stress;
            scope.spawn(move || stress.read(104_729 + seed));
        }
        thread::sleep(time);
        stress.stop.store(true, Ordering::Relaxed);
    });

    // Without broken skills the last snapshot is what a cold load finds.
    let last = stress.versions.load(Ordering::Relaxed);
    for at in 0..SKILLS {
        let file = stress.root.join(name(at)).join("SKILL.md");
        if file.exists() {
            in_one_step(&file, &version(at, last + at));
        }
    }
    let cold = everything(&registry_of(&stress.root).snapshot());
    let begun = Instant::now();
    while everything(&stress.registry.snapshot()) != cold {
        assert!(begun.elapsed() < LIMIT, "it does not end as a cold load begins");
        thread::sleep(Duration::from_millis(20));
    }
    let violations = stress.violations.into_inner().unwrap();
    let reads = stress.reads.load(Ordering::Relaxed);
    let reloads = reloads.load(Ordering::Relaxed);
    println!(
        "{} s: {last} writes, {reads} reads, {reloads} reloads, {} violations",
        time.as_secs(),
        violations.len()
    );
    assert!(violations.is_empty(), "{}", violations[..violations.len().min(10)].join("\n"));
    assert!(reads > 10 && reloads > 3 && last > 100, "too little happened");
}

fn registry_of(root: &Path) -> Registry {
    registry([user(root)])
}
