//! RFC-0016 asks for 100 skills registered in under 50 ms: from the directory, and compiled in.

mod deck;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use skilldeck::{Deck, Registry, Source, SourceInfo, Tier};

static BUNDLED: Deck = skilldeck::include_skills!("skills");

fn registration(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory for the deck");
    deck::write(directory.path(), 100);
    let mut group = criterion.benchmark_group("registration");
    group.bench_function("100_skills_from_a_directory", |bencher| {
        bencher.iter(|| {
            let info = SourceInfo::new("bench", Tier::PROJECT);
            let registry = Registry::builder()
                .source(Source::directory(directory.path(), info))
                .build()
                .expect("the settings agree");
            assert_eq!(registry.snapshot().iter().count(), 100);
            registry
        });
    });
    // The floor: every file read into one buffer, nothing understood.
    group.bench_function("100_files_read_and_dropped", |bencher| {
        bencher.iter(|| {
            let mut bytes = 0;
            for entry in std::fs::read_dir(directory.path()).expect("the deck is there") {
                let path = entry.expect("an entry").path().join("SKILL.md");
                bytes += std::fs::read(path).expect("a skill").len();
            }
            black_box(bytes)
        });
    });
    group.bench_function("bundled_deck", |bencher| {
        bencher.iter(|| Registry::builder().bundled(&BUNDLED).build().expect("the settings agree"));
    });
    group.finish();
}

criterion_group!(benches, registration);
criterion_main!(benches);
