//! A typed line to a rendered prompt, beside the copy of the body that any rendering has to make.

mod deck;

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use criterion::{Criterion, criterion_group, criterion_main};
use skilldeck::{Activation, Observer, Registry, Request, Source, SourceInfo, Tier};

/// The least that an observer can do.
#[derive(Default)]
struct Count(AtomicU64);

impl Observer for Count {
    fn observe(&self, _: &Activation) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn source(root: &Path) -> Source {
    let mut info = SourceInfo::new("bench", Tier::PROJECT);
    info.trusted = true;
    Source::directory(root, info)
}

fn invoke(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory for the deck");
    deck::write(directory.path(), 100);
    let registry =
        Registry::builder().source(source(directory.path())).build().expect("the settings agree");
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
    let observed = Registry::builder()
        .source(source(directory.path()))
        .observer(Arc::new(Count::default()))
        .build()
        .expect("the settings agree");
    group.bench_function("the_same_with_an_observer", |bencher| {
        bencher.iter(|| observed.invoke(black_box(&request)).expect("it renders"));
    });
    group.bench_function("copy_of_its_body", |bencher| {
        bencher.iter(|| black_box(&body).clone());
    });
    group.finish();
}

criterion_group!(benches, invoke);
criterion_main!(benches);
