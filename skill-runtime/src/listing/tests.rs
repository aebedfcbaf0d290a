//! Listings and what is visible in them.

use std::sync::Arc;

use super::{Audience, Listing, Snapshot};
use crate::registry::Registry;
use crate::source::{Memory, Source, SourceInfo, Tier};

/// A deck of one trusted source with these skills: directory and further lines of front matter.
fn snapshot(trusted: bool, skills: &[(&str, &str)]) -> Arc<Snapshot> {
    let memory = Memory::default();
    for (name, lines) in skills {
        memory.insert(*name, format!("---\nname: {name}\n{lines}\n---\nBody.\n"));
    }
    let mut info = SourceInfo::new("mine", Tier::USER);
    info.trusted = trusted;
    let registry = Registry::builder().source(Source::memory(Arc::new(memory), info));
    registry.build().unwrap().snapshot()
}

fn listing(skills: &[(&str, &str)], budget: Option<usize>) -> Listing {
    snapshot(true, skills).listing(Audience::Model, budget)
}

#[test]
fn a_listing_has_one_line_per_skill() {
    let skills = [
        ("b", "description: |\n  Two\n    lines.\nwhen_to_use: Always."),
        ("a", "description: First."),
    ];
    let found = listing(&skills, None);
    assert_eq!(found.text, "- a: First.\n- b: Two lines. Always.");
    assert_eq!(found.shortened, Vec::<String>::new());
}

#[test]
fn an_audience_sees_what_it_may_start() {
    let skills = [
        ("both", "description: x"),
        ("broken", "description: x\ndepends-on: nowhere"),
        ("model", "description: x\nuser-invocable: false"),
        ("neither", "description: x\nslash-command: {enabled: false}"),
        ("user", "description: x\ndisable-model-invocation: true"),
    ];
    let trusted = snapshot(true, &skills);
    assert_eq!(trusted.listing(Audience::Model, None).text, "- both: x\n- model: x");
    assert_eq!(trusted.listing(Audience::User, None).text, "- both: x\n- user: x");
    let untrusted = snapshot(false, &skills);
    assert_eq!(untrusted.listing(Audience::Model, None).text, "");
    let text = untrusted.listing(Audience::User, None).text;
    assert_eq!(text, "- both: (untrusted) x\n- user: (untrusted) x");
}

#[test]
fn a_budget_cuts_the_longest_descriptions_first() {
    let skills = [
        ("a", "description: äöü"),
        ("b", "description: äöüäöüäöü"),
        ("c", "description: äöüäöüäöüäöü"),
    ];
    // Heads and separators take 17, so 24 are wanted.
    let whole = listing(&skills, None).text;
    assert_eq!(whole.chars().count(), 41);
    assert_eq!(listing(&skills, Some(41)).shortened, Vec::<String>::new());
    let cases = [
        (40, "- a: äöü\n- b: äöüäöüäöü\n- c: äöüäöüäöüä…", &["c"][..]),
        (37, "- a: äöü\n- b: äöüäöüäöü\n- c: äöüäöüä…", &["c"]),
        (36, "- a: äöü\n- b: äöüäöüä…\n- c: äöüäöüä…", &["b", "c"]),
        (23, "- a: ä…\n- b: ä…\n- c: ä…", &["a", "b", "c"]),
        (22, "- a\n- b\n- c", &["a", "b", "c"]),
        (0, "- a\n- b\n- c", &["a", "b", "c"]),
    ];
    for (budget, text, shortened) in cases {
        let found = listing(&skills, Some(budget));
        assert_eq!(found.text, text, "{budget}");
        assert_eq!(found.shortened, shortened, "{budget}");
    }
}

#[test]
fn a_budget_is_kept_whenever_the_names_fit() {
    let skills: Vec<(String, String)> = (0..9)
        .map(|n| (format!("skill-{n}"), format!("description: {}", "wörter und ".repeat(n * n))))
        .collect();
    let skills: Vec<_> = skills.iter().map(|(a, b)| (&**a, &**b)).collect();
    let whole = listing(&skills, None).text.chars().count();
    let names = skills.iter().map(|(name, _)| name.len() + 3).sum::<usize>() - 1;
    for budget in names..=whole {
        let found = listing(&skills, Some(budget));
        let length = found.text.chars().count();
        assert!(length <= budget, "{length} > {budget}");
        assert_eq!(found.shortened.is_empty(), budget == whole, "{budget}");
        assert_eq!(found.text.lines().count(), 9, "{budget}");
    }
}

#[test]
fn debug_output_has_no_bodies() {
    let found = snapshot(true, &[("a", "description: Says a lot.")]);
    assert_eq!(format!("{found:?}"), "Snapshot { generation: 1, entries: 1, sources: 1, .. }");
    let entry = format!("{:?}", found.get("a").unwrap());
    assert!(!entry.contains("Body") && entry.contains("\"a\""), "{entry}");
}

#[test]
fn readers_on_other_threads_may_hold_it() {
    fn holds<T: Send + Sync>() {}
    holds::<Snapshot>();
    holds::<Registry>();
}
