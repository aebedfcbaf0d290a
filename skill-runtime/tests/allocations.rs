//! A compiled deck costs nothing per skill: no parsing, no copying, no allocation.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod support;

use skilldeck_core::model::Deck;
use skilldeck_runtime::{Lookup, Registry, Snapshot};

/// How often building a registry of a deck allocates, and how many bytes.
fn cost(deck: &'static Deck) -> (u64, u64) {
    let build = || Registry::builder().bundled(deck).build().unwrap();
    // What a thread sets up once is not the deck's.
    drop(build());
    let mut registry = None;
    let info = allocation_counter::measure(|| registry = Some(build()));
    let snapshot = registry.unwrap().snapshot();
    assert_eq!(snapshot.len(), deck.skills().len());
    (info.count_total, info.bytes_total)
}

#[test]
fn a_thousand_bundled_skills_cost_what_ten_do() {
    let (ten, thousand) = (cost(support::deck_of(10)), cost(support::deck_of(1000)));
    assert_eq!(ten, thousand);
    assert!(ten.0 <= 20, "{ten:?}");
}

#[test]
fn bundled_skills_are_borrowed() {
    let deck = support::deck_of(10);
    let registry = Registry::builder().bundled(deck).build().unwrap();
    let snapshot = registry.snapshot();
    for (entry, bundled) in snapshot.iter().zip(deck.skills()) {
        assert!(std::ptr::eq(entry.skill(), &bundled.skill));
        assert!(std::ptr::eq(entry.bundled().unwrap(), bundled));
    }
    // With a directory over it they still are.
    let tree = support::Tree::new();
    tree.skill("skill-00003", "");
    let source = support::user(tree.root());
    let registry = Registry::builder().bundled(deck).source(source).build().unwrap();
    let snapshot = registry.snapshot();
    for (position, (entry, bundled)) in snapshot.iter().zip(deck.skills()).enumerate() {
        assert_eq!(std::ptr::eq(entry.skill(), &bundled.skill), position != 3);
    }
}

#[test]
fn a_lookup_allocates_nothing() {
    let deck = support::deck_of(100);
    let tree = support::Tree::new();
    tree.skill("skill-00003", "");
    let over = Registry::builder().bundled(deck).source(support::user(tree.root()));
    let registries = [Registry::builder().bundled(deck).build().unwrap(), over.build().unwrap()];
    for registry in &registries {
        let snapshot = registry.snapshot();
        let look = |snapshot: &Snapshot| {
            assert!(snapshot.get("skill-00003").is_some());
            assert!(matches!(snapshot.find("skill-00042"), Lookup::Found(_)));
            assert!(snapshot.get("nothing").is_none());
        };
        let info = allocation_counter::measure(|| look(&snapshot));
        assert_eq!(info.count_total, 0);
    }
}

/// How often a look at a path beside a skill allocates, in a directory of this many.
fn look_beside(count: usize) -> u64 {
    let tree = support::Tree::new();
    for at in 0..count {
        tree.skill(&format!("skill-{at}"), "");
    }
    let registry = support::registry([support::user(tree.root())]);
    let path = tree.write("skill-7/notes.txt", "x");
    let look = || assert!(registry.reload_paths([&path]).is_empty());
    look();
    allocation_counter::measure(look).count_total
}

#[test]
fn a_look_that_finds_nothing_costs_the_same_among_a_thousand_skills_as_among_ten() {
    let (ten, thousand) = (look_beside(10), look_beside(1000));
    assert_eq!(ten, thousand);
    assert!(ten <= 10, "{ten}");
}
