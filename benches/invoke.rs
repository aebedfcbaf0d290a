//! A typed line to a rendered prompt, beside the copy of the body that any rendering has to make.

mod deck;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use skilldeck::{Registry, Request, Source, SourceInfo, Tier};

fn invoke(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory for the deck");
    deck::write(directory.path(), 100);
    let mut info = SourceInfo::new("bench", Tier::PROJECT);
    info.trusted = true;
    let registry = Registry::builder()
        .source(Source::directory(directory.path(), info))
        .build()
        .expect("the settings agree");
    let snapshot = registry.snapshot();
    let longest = snapshot
        .iter()
        .filter(|entry| entry.skill().template().has_placeholder())
        .max_by_key(|entry| entry.skill().body().len())
        .expect("some take arguments");
    let request = Request::line(format!("/skill:{} src/parser 2", longest.word()));
    let body = longest.skill().body().to_owned();
    let mut group = criterion.benchmark_group("invoke");
    group.bench_function("skill_of_5_kb_with_arguments", |bencher| {
        bencher.iter(|| registry.invoke(black_box(&request)).expect("it renders"));
    });
    group.bench_function("copy_of_its_body", |bencher| {
        bencher.iter(|| black_box(&body).clone());
    });
    group.finish();
}

criterion_group!(benches, invoke);
criterion_main!(benches);
