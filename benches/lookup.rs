//! A word to its skill: in the compiled table, through a snapshot, and by the map of the standard
//! library as the peer.

mod deck;

use std::collections::HashMap;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use skilldeck::{Deck, Registry, Source, SourceInfo, Tier};

static BUNDLED: Deck = skilldeck::include_skills!("skills");

fn lookup(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory for the deck");
    deck::write(directory.path(), 1000);
    let info = SourceInfo::new("bench", Tier::PROJECT);
    let registry = Registry::builder()
        .bundled(&BUNDLED)
        .source(Source::directory(directory.path(), info))
        .build()
        .expect("the settings agree");
    let snapshot = registry.snapshot();
    let words: Vec<String> = (0..1000).map(|number| format!("skill-{number}")).collect();
    let peer: HashMap<&str, usize> =
        words.iter().enumerate().map(|(at, word)| (word.as_str(), at)).collect();
    let mut group = criterion.benchmark_group("lookup");
    let mut at = 0;
    let mut next = || {
        at = (at + 617) % words.len();
        words[at].as_str()
    };
    group.bench_function("compiled_table", |bencher| {
        bencher.iter(|| black_box(BUNDLED.get(black_box("commit"))).is_some());
    });
    group.bench_function("held_snapshot_of_1000", |bencher| {
        bencher.iter(|| black_box(snapshot.get(black_box(next()))).is_some());
    });
    group.bench_function("loaded_snapshot_of_1000", |bencher| {
        bencher.iter(|| black_box(registry.snapshot().get(black_box(next()))).is_some());
    });
    group.bench_function("std_hash_map_of_1000", |bencher| {
        bencher.iter(|| black_box(peer.get(black_box(next()))).is_some());
    });
    group.finish();
}

criterion_group!(benches, lookup);
criterion_main!(benches);
