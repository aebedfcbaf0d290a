//! The index: resolution order, clashes, suggestions, and the table against a `BTreeMap`.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::KeyKind::{Alias, Directory, Word};
use super::*;

fn key(text: &str, skill: u32, kind: KeyKind) -> Key {
    Key { text: text.to_owned().into(), skill, kind }
}

/// The parts of a clash: text, kind, rival, winner, loser.
type Parts = (String, KeyKind, String, u32, u32);

fn index(keys: &[(&str, u32, KeyKind)]) -> (Index, Vec<Parts>) {
    let (index, clashes) =
        Index::build(keys.iter().map(|(text, skill, kind)| key(text, *skill, *kind)));
    let clashes = clashes
        .into_iter()
        .map(|c| (c.text.into_owned(), c.kind, c.rival.into_owned(), c.winner, c.loser))
        .collect();
    (index, clashes)
}

fn found(index: &Index, word: &str) -> Option<(u32, KeyKind)> {
    match index.find(word) {
        Lookup::Found(key) => Some((key.skill, key.kind)),
        _ => None,
    }
}

#[test]
fn an_empty_index_finds_nothing() {
    for index in [Index::EMPTY, Index::build([]).0, index(&[("", 0, Word)]).0] {
        assert_eq!(index.exact("a"), None);
        assert_eq!(index.exact(""), None);
        assert_eq!(index.find("a"), Lookup::None);
        assert_eq!(index.find(""), Lookup::None);
        assert_eq!(index.keys().len(), 0);
        assert!(index.suggest("a", 9).is_empty());
    }
}

#[test]
fn word_then_alias_then_directory_whoever_comes_first() {
    let (index, clashes) = index(&[
        ("x", 0, Directory),
        ("x", 1, Alias),
        ("x", 2, Word),
        ("y", 0, Directory),
        ("y", 1, Alias),
        ("z", 0, Directory),
        ("z", 1, Directory),
    ]);
    assert_eq!(found(&index, "x"), Some((2, Word)));
    assert_eq!(found(&index, "y"), Some((1, Alias)));
    assert_eq!(found(&index, "z"), Some((0, Directory)));
    assert_eq!(clashes, [("x".into(), Alias, "x".into(), 2, 1)]);
    // A key that lost its text does not make other spellings ambiguous.
    assert_eq!(found(&index, "X"), Some((2, Word)));
}

#[test]
fn the_first_of_a_kind_wins_and_the_others_are_reported() {
    let (index, clashes) =
        index(&[("a", 3, Word), ("a", 1, Word), ("a", 2, Word), ("b", 2, Alias), ("b", 1, Alias)]);
    assert_eq!(found(&index, "a"), Some((3, Word)));
    assert_eq!(found(&index, "b"), Some((2, Alias)));
    assert_eq!(
        clashes,
        [
            ("a".into(), Word, "a".into(), 3, 1),
            ("b".into(), Alias, "b".into(), 2, 1),
            ("a".into(), Word, "a".into(), 3, 2),
        ]
    );
}

#[test]
fn the_keys_of_one_skill_do_not_clash() {
    let (index, clashes) = index(&[
        ("git:cm", 0, Word),
        ("git-cm", 0, Directory),
        ("git-cm", 0, Alias),
        ("git:cm", 0, Alias),
    ]);
    assert!(clashes.is_empty());
    assert_eq!(found(&index, "GIT CM"), Some((0, Word)));
    assert_eq!(index.keys().map(|key| &*key.text).collect::<Vec<_>>(), ["git:cm", "git-cm"]);
}

#[test]
fn other_spellings_reach_one_skill_or_are_ambiguous() {
    let (index, clashes) = index(&[
        ("git:cm", 0, Word),
        ("git-cm", 1, Word),
        ("git-helper", 2, Word),
        ("a:b", 2, Alias),
    ]);
    assert_eq!(found(&index, "git:cm"), Some((0, Word)));
    assert_eq!(found(&index, "git-cm"), Some((1, Word)));
    assert_eq!(index.find("Git_CM"), Lookup::Ambiguous(vec![0, 1]));
    assert_eq!(found(&index, "Git_Helper"), Some((2, Word)));
    assert_eq!(found(&index, "A B"), Some((2, Alias)));
    assert_eq!(clashes, [("git-cm".into(), Word, "git:cm".into(), 0, 1)]);
}

#[test]
fn a_directory_word_that_is_equal_when_folded_is_silent_and_ambiguous() {
    let (index, clashes) = index(&[("git:cm", 1, Word), ("git-cm", 0, Directory)]);
    assert!(clashes.is_empty());
    assert_eq!(index.find("git cm"), Lookup::Ambiguous(vec![0, 1]));
}

#[test]
fn an_alias_that_is_equal_when_folded_loses_to_the_word() {
    for keys in
        [[("git-cm", 0, Alias), ("git:cm", 1, Word)], [("git:cm", 1, Word), ("git-cm", 0, Alias)]]
    {
        let (index, clashes) = index(&keys);
        assert_eq!(clashes, [("git-cm".into(), Alias, "git:cm".into(), 1, 0)]);
        assert_eq!(found(&index, "git-cm"), Some((0, Alias)));
    }
}

#[test]
fn suggestions() {
    let words = [
        "commit",
        "commit-all",
        "compose",
        "deploy",
        "git-helper",
        "review-code",
        "技能-审查",
        "git:cm",
        "go",
    ];
    let (index, _) = Index::build((0..).zip(words).map(|(at, text)| key(text, at, Word)));
    let none: &[&str] = &[];
    for (word, expected) in [
        ("comit", &["commit"][..]),
        ("Commti", &["commit"]),
        ("com", &["commit", "compose", "commit-all"]),
        ("helper", &["git-helper"]),
        ("githelper", &["git-helper"]),
        ("git", &["git:cm", "git-helper"]),
        ("deploy-now", &["deploy"]),
        ("code", &["review-code"]),
        ("技能审查", &["技能-审查"]),
        ("Git_CM", &["git:cm"]),
        ("g", &["go", "git:cm", "git-helper"]),
        ("kubernetes", none),
        ("x", none),
        ("!", none),
    ] {
        assert_eq!(index.suggest(word, 5), expected, "{word}");
    }
    assert_eq!(index.suggest("com", 1), ["commit"]);
    assert_eq!(index.suggest("com", 0), none);
    let endless = "commit".repeat(20_000);
    assert_eq!(index.suggest(&endless, 5), ["commit"]);
}

#[test]
fn a_skill_is_suggested_once_by_its_nearest_key() {
    let (index, _) = index(&[("commit", 0, Word), ("comit", 0, Alias), ("commits", 0, Directory)]);
    assert_eq!(index.suggest("comitt", 5), ["comit"]);
}

#[test]
fn the_parts_of_an_index_make_the_same_index() {
    const KEYS: &[Key] = &[Key { text: Text::Borrowed("git:cm"), skill: 0, kind: Word }];
    const SLOTS: &[u64] = &[0x5d3c9e6d00000000, u64::MAX];
    static INDEX: Index = Index::from_parts(Table::from_parts(KEYS, SLOTS), Table::EMPTY);
    assert_eq!(INDEX.exact("git:cm"), KEYS.first());
    assert_eq!(INDEX.exact("git-cm"), None);

    let (built, _) = index(&[("git:cm", 0, Word), ("b", 1, Word)]);
    let leak = |table: &Table| {
        Table::from_parts(table.keys().to_vec().leak(), table.slots().to_vec().leak())
    };
    let read = Index::from_parts(leak(built.exact_table()), leak(built.folded_table()));
    assert_eq!(read, built);
    assert_eq!(read.find("GIT CM").position(), Some(0));
}

/// The slots were computed by another program from the definition of the hash: tables are read on
/// other machines than they were built on.
#[test]
fn the_hash_is_the_same_on_every_machine() {
    let (index, _) = index(&[("git-helper", 0, Word), ("a", 1, Word), ("commit", 2, Word)]);
    let e = u64::MAX;
    let expected = [e, 0x6da0c79300000000, 0x7942d69100000002, e, e, 0x55d954f400000001, e, e];
    assert_eq!(index.exact_table().slots(), expected);
}

#[test]
fn hostile_slots_end() {
    // Tables come from generated code, but a search over full or wrong slots ends all the same.
    for slots in [&[0_u64][..], &[0, 0], &[7, 7, 7, 7]] {
        let table = Table::from_parts(&[], slots.to_vec().leak());
        assert_eq!(table.get("a"), None);
        assert!(table.run("a").is_empty());
    }
}

fn keys() -> impl Strategy<Value = Vec<Key>> {
    let kind = prop_oneof![Just(Word), Just(Alias), Just(Directory)];
    let one = ("[a-c:_A-]{0,4}|[a-z-]{1,20}|[技é😀]{1,3}", 0_u32..6, kind);
    proptest::collection::vec(one.prop_map(|(text, skill, kind)| key(&text, skill, kind)), 0..60)
}

proptest! {
    #[test]
    fn finds_every_key_and_nothing_else(keys in keys(), others in proptest::collection::vec("[a-c:_A-]{0,5}", 20)) {
        let mut model: BTreeMap<String, (KeyKind, u32)> = BTreeMap::new();
        for kind in [Word, Alias, Directory] {
            for key in keys.iter().filter(|key| key.kind == kind && !key.text.is_empty()) {
                model.entry(key.text.to_string()).or_insert((kind, key.skill));
            }
        }
        let (index, clashes) = Index::build(keys.clone());
        prop_assert_eq!(index.keys().len(), model.len());
        for key in index.keys() {
            prop_assert_eq!(model.get(&*key.text), Some(&(key.kind, key.skill)));
        }
        for text in keys.iter().map(|key| &*key.text).chain(others.iter().map(String::as_str)) {
            prop_assert_eq!(index.exact(text).map(|key| (key.kind, key.skill)), model.get(text).copied());
            if model.contains_key(text) {
                prop_assert_eq!(index.find(text), Lookup::Found(index.exact(text).unwrap()));
                continue;
            }
            let folded = fold(text);
            let same = model.iter().filter(|(key, _)| !folded.is_empty() && fold(key) == folded);
            let mut skills: Vec<u32> = same.map(|(_, (_, skill))| *skill).collect();
            skills.sort_unstable();
            skills.dedup();
            match index.find(text) {
                Lookup::None => prop_assert!(skills.is_empty()),
                Lookup::Found(key) => prop_assert_eq!(skills, [key.skill]),
                Lookup::Ambiguous(positions) => {
                    prop_assert!(positions.len() > 1);
                    prop_assert_eq!(positions, skills);
                }
            }
        }
        for clash in &clashes {
            prop_assert_ne!(clash.winner, clash.loser);
            prop_assert_ne!(clash.kind, Directory);
            prop_assert_eq!(fold(&clash.text), fold(&clash.rival));
            prop_assert_eq!(index.exact(&clash.rival).map(|key| key.skill), Some(clash.winner));
        }
        // Whoever cannot be reached by a word or alias of its own was told so.
        for key in keys.iter().filter(|key| key.kind != Directory && !key.text.is_empty()) {
            let reached = index.exact(&key.text).map(|key| key.skill) == Some(key.skill);
            let told = clashes.iter().any(|clash| clash.text == key.text && clash.loser == key.skill);
            prop_assert!(reached || told, "{key:?}");
        }
    }

    #[test]
    fn suggestions_are_stable_and_reach_their_skill(keys in keys(), word in "[a-c:_-]{0,5}") {
        let (index, _) = Index::build(keys);
        let suggested = index.suggest(&word, 4);
        prop_assert!(suggested.len() <= 4);
        let mut skills: Vec<u32> = suggested.iter().map(|text| index.exact(text).unwrap().skill).collect();
        skills.sort_unstable();
        skills.dedup();
        prop_assert_eq!(skills.len(), suggested.len());
        prop_assert_eq!(index.suggest(&word, 2), &suggested[..suggested.len().min(2)]);
    }
}
