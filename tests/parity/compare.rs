//! Compiled decks held against what the run time reads from the directories they were compiled
//! from: every field of every skill, the index, the order, the files beside the skills, and what a
//! registry shows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skilldeck::format::{self, Layout, Origin};
use skilldeck::model::{Details, Fields, Index};
use skilldeck::scan::{self, ScanOptions};
use skilldeck::template::{Dialect, Positional};
use skilldeck::{Deck, Registry, Skill, Source, SourceInfo, Tier};

// `DECKS`: directory, least count of skills, deck.
include!("decks.rs");

macro_rules! fields {
    (all: $($field:ident)*; some: $($detail:ident)*;) => {
        /// The names of the fields that differ. A field that is not here does not compile.
        fn differing(a: &Fields, b: &Fields) -> Vec<&'static str> {
            let Fields { $($field,)* details } = a;
            let Details { $($detail),* } = &**details;
            let mut names = Vec::new();
            $(if *$field != b.$field {
                names.push(stringify!($field));
            })*
            $(if *$detail != b.details.$detail {
                names.push(stringify!($detail));
            })*
            names
        }

        const FIELDS: &[&str] = &[$(stringify!($field),)* $(stringify!($detail)),*];
    };
}

fields! {
    all: name word directory_word description template;
    some: aliases when_to_use license compatibility metadata version depends_on allowed_tools
        disallowed_tools argument_hint arguments input_schema slash_command user_invocable
        disable_model_invocation allowed_agents require_confirmation context agent model effort
        background shell hooks paths extra restriction;
}

/// What no generated skill differs in: a version that all requirements accept, and restrictions,
/// which only damaged files have, and these are not compiled in.
const SAME: &[&str] = &["version", "restriction"];

fn main() {
    let mut total = 0;
    for (directory, least, deck) in DECKS {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
        let loaded = load(&root);
        assert!(loaded.len() >= *least, "{directory}: {} skills, at least {least}", loaded.len());
        skills(directory, deck, &loaded);
        let sorted: Vec<&Skill> = deck.skills().iter().map(|it| &loaded[it.path]).collect();
        assert_eq!(deck.index(), &Index::of_skills(sorted).0, "{directory}: the index");
        order(deck);
        side_files(&root, deck);
        assert_eq!(deck.verify(&[&root]), [], "{directory}: digests");
        registries(&root, deck);
        total += loaded.len();
        println!("{directory}: {} skills are the same both ways", loaded.len());
    }
    println!("{total} skills, {} fields each", FIELDS.len());
    let (_, _, generated) = &DECKS[0];
    varied(generated);
}

/// Every skill that the run time reads, by its path as seen from the package.
fn load(root: &Path) -> BTreeMap<String, Skill> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scan = scan::scan(root, &ScanOptions { layout: Layout::Skills, trusted: true });
    let skill = |found: scan::Found| {
        let origin = Origin {
            name: &found.name,
            path: Some(&found.path),
            layout: Layout::Skills,
            dialect: Dialect::default(),
            positional: Positional::default(),
        };
        let bytes = scan::read(&found.path).unwrap_or_else(|error| panic!("{error:?}"));
        let skill = format::parse(&bytes, &origin).skill.expect("it was compiled in");
        let path = found.path.strip_prefix(package).expect("it lies in the package");
        (path.to_str().expect("a name in UTF-8").to_owned(), skill)
    };
    scan.files.into_iter().map(skill).collect()
}

fn skills(directory: &str, deck: &Deck, loaded: &BTreeMap<String, Skill>) {
    let compiled: BTreeMap<&str, &Skill> =
        deck.skills().iter().map(|it| (it.path, &it.skill)).collect();
    assert!(compiled.keys().eq(loaded.keys()), "{directory}: other files");
    for (path, skill) in loaded {
        let names = differing(skill.fields(), compiled[&**path].fields());
        assert!(names.is_empty(), "{path}: {names:?} differ: {skill:#?} {:#?}", compiled[&**path]);
        assert_eq!(skill, compiled[&**path], "{path}");
    }
}

/// Dependencies stand before what depends on them, and every skill stands once.
fn order(deck: &Deck) {
    let mut done = vec![false; deck.skills().len()];
    for position in deck.order() {
        let skill = &deck.skills()[*position as usize].skill;
        for dependency in skill.depends_on() {
            let at = deck.index().find(&dependency.name).position().expect("it is in the deck");
            assert!(done[at as usize], "{} before {}", skill.word(), dependency.name);
        }
        assert!(!std::mem::replace(&mut done[*position as usize], true), "{} twice", skill.word());
    }
    assert!(done.iter().all(|done| *done));
}

fn side_files(root: &Path, deck: &Deck) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for bundled in deck.skills() {
        let home = package.join(bundled.path).with_file_name("");
        assert!(home.starts_with(root));
        let found = scan::side_files(&home).unwrap_or_else(|error| panic!("{error}"));
        let compiled: Vec<PathBuf> = bundled.files.iter().map(|file| file.path.into()).collect();
        assert_eq!(compiled, found, "{}", bundled.path);
        for file in bundled.files {
            let (bytes, executable) =
                scan::read_side_file(&home.join(file.path)).unwrap_or_else(|e| panic!("{e}"));
            assert!(file.bytes == bytes && file.executable == executable, "{}", file.path);
        }
    }
}

/// A registry over the deck and one over the directory show the same.
fn registries(root: &Path, deck: &'static Deck) {
    let mut info = SourceInfo::new("directory", Tier::BUNDLED);
    info.trusted = true;
    let build = |builder: skilldeck::Builder| builder.build().expect("a registry");
    let compiled = build(Registry::builder().bundled(deck)).snapshot();
    let live = build(Registry::builder().source(Source::directory(root, info))).snapshot();
    assert_eq!(compiled.len(), live.len());
    for (compiled, live) in compiled.iter().zip(live.iter()) {
        let word = compiled.word();
        assert_eq!(word, live.word());
        assert!(differing(compiled.skill().fields(), live.skill().fields()).is_empty(), "{word}");
        assert_eq!((compiled.state(), compiled.reason()), (live.state(), live.reason()), "{word}");
        assert!(compiled.aliases().eq(live.aliases()), "{word}");
    }
}

/// The comparison is worth what the skills use: every field differs from that of a plain skill in
/// some of them.
fn varied(deck: &Deck) {
    let plain = deck.get("skill-0").expect("the plain one").skill.fields();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for bundled in deck.skills() {
        for name in differing(bundled.skill.fields(), plain) {
            *counts.entry(name).or_default() += 1;
        }
    }
    for name in FIELDS.iter().filter(|name| !SAME.contains(name)) {
        assert!(counts.get(name).is_some_and(|count| *count > 5), "`{name}`: {counts:?}");
    }
    let shells: usize = deck.skills().iter().map(|it| it.skill.template().shells().len()).sum();
    let files: usize = deck.skills().iter().map(|it| it.files.len()).sum();
    assert!(shells > 50 && files > 50, "{shells} shell spans, {files} files");
    println!("generated: every field in use, {shells} shell spans, {files} files");
}
