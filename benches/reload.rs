//! What a reload takes: after one edit, after an event that means nothing, and with nothing changed,
//! beside a look at the same tree that understands nothing.

mod deck;

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use skilldeck::{Registry, Source, SourceInfo, Tier};

/// How old a file must be before the loader trusts its times, with some room.
const SETTLED: Duration = Duration::from_millis(100);

/// The floor: is anything added, removed or changed? One listing, and a stat per skill.
fn stat_sweep(root: &Path) -> u64 {
    let mut sum = 0;
    for entry in fs::read_dir(root).expect("the deck is there") {
        let path = entry.expect("an entry").path().join("SKILL.md");
        sum += fs::metadata(path).expect("a skill").len();
    }
    sum
}

fn reload(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reload");
    group.sampling_mode(SamplingMode::Flat);
    for count in [100, 1000, 10_000] {
        let directory = tempfile::tempdir().expect("a directory for the deck");
        let root = directory.path();
        deck::write(root, count);
        std::thread::sleep(SETTLED);
        let mut info = SourceInfo::new("bench", Tier::PROJECT);
        info.trusted = true;
        let registry = Registry::builder()
            .source(Source::directory(root, info))
            .build()
            .expect("the settings agree");
        // The first look after a load learns what the later ones rest on.
        registry.reload();

        let id = |what| BenchmarkId::new(what, count);
        group.bench_function(id("stat_sweep"), |bencher| {
            bencher.iter(|| black_box(stat_sweep(root)));
        });
        group.bench_function(id("nothing_changed"), |bencher| {
            bencher.iter(|| assert!(registry.reload().is_empty()));
        });
        let path = |number: usize| root.join(format!("skill-{number}/SKILL.md"));
        group.bench_function(id("path_of_an_unchanged_skill"), |bencher| {
            let path = path(count / 2);
            bencher.iter(|| assert!(registry.reload_paths([&path]).is_empty()));
        });
        group.bench_function(id("path_beside_a_skill"), |bencher| {
            let path = path(count / 2).with_file_name("notes.txt");
            bencher.iter(|| assert!(registry.reload_paths([&path]).is_empty()));
        });
        let mut turn = 0;
        group.bench_function(id("one_edited_skill"), |bencher| {
            bencher.iter_custom(|times| {
                let mut taken = Duration::ZERO;
                for _ in 0..times {
                    turn += 1;
                    let number = (turn * 617) % count;
                    let path: PathBuf = path(number);
                    let text = format!("{}\nTurn {turn}.\n", deck::skill(number));
                    fs::write(&path, text).expect("the skill takes an edit");
                    let start = Instant::now();
                    let change = registry.reload_paths([&path]);
                    taken += start.elapsed();
                    assert_eq!(change.body_changed.len(), 1);
                }
                taken
            });
        });
    }
    group.finish();
}

criterion_group!(benches, reload);
criterion_main!(benches);
