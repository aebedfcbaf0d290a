//! A directory, compiled in, is what the run time reads from it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use skilldeck::format::{self, Layout, Origin};
use skilldeck::model::Lookup;
use skilldeck::scan::{self, ScanOptions};
use skilldeck::template::{Dialect, Positional};
use skilldeck::{Deck, Precedence, Skill, Tier};
use skilldeck_core::codegen;

static DECK: Deck = skilldeck::include_skills!("tests/fixtures/decks/basic");
/// In a constant as well, with an option and a comma at the end.
const BARE: Deck = skilldeck::include_skills!("tests/fixtures/decks/basic/", files = none,);
/// Of two directories, with every other option.
static TEAM: Deck = skilldeck::include_skills!(
    "tests/fixtures/decks/basic",
    "skills",
    files = ["*.md", "scripts/?*.sh"],
    prefix = "team-",
);
/// The same two the other way round, with tiers that turn them back.
static TIERS: Deck = skilldeck::include_skills!(
    [bundled: "skills", core: "tests/fixtures/decks/basic"],
    files = ["*.md", "scripts/?*.sh"],
    prefix = "team-",
    crate = skilldeck,
);

/// Where nothing has the name that it usually has.
mod shadowed {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types, reason = "names that somebody may have")]

    pub(crate) struct str;
    pub(crate) struct u8;
    pub(crate) struct u32;
    pub(crate) struct Option;
    pub(crate) struct Vec;
    pub(crate) mod core {}
    pub(crate) mod std {}

    pub(crate) static DECK: ::skilldeck::Deck =
        ::skilldeck::include_skills!("tests/fixtures/decks/basic");
}

#[test]
fn names_of_the_caller_mean_nothing_to_the_table() {
    assert!(
        shadowed::DECK.skills().iter().map(|it| it.path).eq(DECK.skills().iter().map(|it| it.path))
    );
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decks/basic")
}

#[test]
fn skills_are_sorted_by_word_and_ordered_by_dependency() {
    let words: Vec<&str> = DECK.skills().iter().map(|bundled| bundled.skill.word()).collect();
    assert_eq!(words, ["commit", "everything", "release", "review"]);
    let order: Vec<&str> = DECK.order().iter().map(|at| words[*at as usize]).collect();
    assert_eq!(order, ["commit", "everything", "review", "release"]);
}

#[test]
fn the_index_finds_words_aliases_and_other_spellings() {
    for (typed, word) in [
        ("commit", "commit"),
        ("ci", "commit"),
        ("all-keys", "everything"),
        ("release", "release"),
        ("All_Keys", "everything"),
    ] {
        let Lookup::Found(key) = DECK.index().find(typed) else { panic!("{typed} is not found") };
        assert_eq!(DECK.skills()[key.skill as usize].skill.word(), word, "{typed}");
    }
    assert_eq!(DECK.index().find("deploy"), Lookup::None);
    assert_eq!(DECK.get("ci").map(|bundled| bundled.skill.name()), Some("commit"));
    assert!(DECK.get("deploy").is_none());
}

#[test]
fn side_files_are_embedded_byte_for_byte() {
    let files = DECK.get("review").unwrap().files;
    let paths: Vec<&str> = files.iter().map(|file| file.path).collect();
    assert_eq!(paths, ["checklist.md", "references/pixel.png", "scripts/summary.sh"]);
    for file in files {
        let on_disk = std::fs::read(root().join("review").join(file.path)).unwrap();
        assert_eq!(file.bytes, on_disk, "{}", file.path);
        assert_eq!(file.executable, cfg!(unix) && file.path.ends_with(".sh"), "{}", file.path);
    }
    assert_eq!(
        files[1].sha256, "d44c4eee8f72efac76c1f294e7260408825c8dad42adaaf6e9bee7e7ef4c7de3",
        "as `sha256sum` gives it"
    );
    assert!(DECK.get("commit").unwrap().files.is_empty());
}

#[test]
fn paths_are_relative_to_the_package() {
    let release = DECK.get("release").unwrap();
    assert_eq!(release.path, "tests/fixtures/decks/basic/team/release/SKILL.md");
    assert_eq!(release.sha256.len(), 64);
}

#[test]
fn side_files_can_be_left_out() {
    assert_eq!(BARE.skills().len(), DECK.skills().len());
    assert!(BARE.skills().iter().all(|bundled| bundled.files.is_empty()));
    assert_eq!(BARE.index(), DECK.index());
}

#[test]
fn directories_prefix_and_globs_work_together() {
    let path = |word| TEAM.get(word).map(|bundled| bundled.path);
    assert_eq!(path("team-commit"), Some("tests/fixtures/decks/basic/commit/SKILL.md"));
    assert_eq!(path("team-ci"), path("team-commit"), "an alias");
    assert_eq!(path("team-explain"), Some("skills/explain/SKILL.md"));
    assert_eq!((path("commit"), path("explain")), (None, None));
    let release = TEAM.get("team-release").unwrap();
    assert_eq!(&*release.skill.depends_on()[0].name, "team-review");
    let files: Vec<&str> =
        TEAM.get("team-review").unwrap().files.iter().map(|file| file.path).collect();
    assert_eq!(files, ["checklist.md", "scripts/summary.sh"]);
    assert!(TEAM.get("team-write-skill").unwrap().files.is_empty(), "they lie deeper");
}

#[test]
fn tiers_decide_which_directory_wins() {
    let skills = |deck: &Deck| -> Vec<Skill> {
        deck.skills().iter().map(|bundled| bundled.skill.clone()).collect()
    };
    assert_eq!(skills(&TIERS), skills(&TEAM));
    assert_eq!(TIERS.directories(), ["skills", "tests/fixtures/decks/basic"], "as in the call");
    assert_eq!(TIERS.tiers(), ["bundled", "core"]);
    assert_eq!(TEAM.tiers(), ["bundled", "bundled"]);
}

#[test]
fn tiers_of_a_call_are_those_of_the_run_time_in_its_order() {
    let precedence = Precedence::default();
    let names = precedence.ranks().iter().map(|rank| rank.tier.as_str());
    // An administrator compiles nothing in.
    let names = names.filter(|name| *name != Tier::MANAGED.as_str());
    assert!(names.eq(codegen::Tier::ALL.map(codegen::Tier::name)));
}

#[test]
fn a_deck_is_that_of_its_directories() {
    let here = |path: &&str| Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    for deck in [&DECK, &BARE, &TEAM, &TIERS] {
        let directories: Vec<PathBuf> = deck.directories().iter().map(here).collect();
        assert_eq!(deck.verify(&directories), []);
        assert_eq!(deck.verify(deck.directories()), [], "tests run in the package");
    }
}

#[test]
fn run_time_and_compile_time_read_the_same_skills() {
    let options = ScanOptions { layout: Layout::Skills, trusted: true };
    let scan = scan::scan(&root(), &options);
    assert_eq!((scan.diagnostics, scan.unreadable), (Vec::new(), Vec::new()));
    let mut skills: Vec<Skill> = (scan.files.iter())
        .map(|found| {
            let origin = Origin {
                name: &found.name,
                path: Some(&found.path),
                layout: Layout::Skills,
                dialect: Dialect::default(),
                positional: Positional::default(),
            };
            format::parse(&scan::read(&found.path).unwrap(), &origin).skill.unwrap()
        })
        .collect();
    skills.sort_by(|a, b| a.word().cmp(b.word()));
    assert_eq!(skills.len(), DECK.skills().len());
    for (loaded, bundled) in skills.iter().zip(DECK.skills()) {
        assert_eq!(loaded, &bundled.skill);
    }
}

/// The parity above is worth what the fixture uses.
#[test]
fn the_fixture_uses_every_field() {
    let fields = DECK.get("everything").unwrap().skill.fields();
    let text = format!("{fields:?}");
    for absent in [": None", ": []", ": Null", ": All,"] {
        // `depends_on` is in another skill, `restriction: None` is a fact.
        let text = text.replace("restriction: None", "").replace("depends_on: []", "");
        assert!(!text.contains(absent), "{absent} in {text}");
    }
    assert!(!DECK.get("release").unwrap().skill.depends_on().is_empty());
    assert_eq!(fields.template.shells().len(), 2);
}
