//! What a reload takes: after one edit, after an event that means nothing, and with nothing changed,
//! beside a look at the same tree that understands nothing.

mod deck;

use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime};

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use skilldeck::{Builder, Registry, Source, SourceInfo, Tier, WatchOptions};
use tempfile::TempDir;

/// How old a file must be before the loader trusts its times, with some room.
const SETTLED: Duration = Duration::from_millis(100);

/// How long to wait for what must come.
const LIMIT: Duration = Duration::from_secs(20);

/// The floor: is anything added, removed or changed? One listing, and a stat per skill.
fn stat_sweep(root: &Path) -> u64 {
    let mut sum = 0;
    for entry in fs::read_dir(root).expect("the deck is there") {
        let path = entry.expect("an entry").path().join("SKILL.md");
        sum += fs::metadata(path).expect("a skill").len();
    }
    sum
}

/// Writes what was saved long enough ago to be taken for whole, as it is for a watcher that waited
/// until it was quiet.
fn write_earlier(path: &Path, text: &str) {
    let mut file = File::create(path).expect("the skill takes an edit");
    file.write_all(text.as_bytes()).expect("the skill takes an edit");
    file.set_modified(SystemTime::now() - SETTLED).expect("the system sets times");
}

/// A deck of this many skills whose files are old enough, and a registry over it that is to be built.
fn settled(count: usize) -> (TempDir, Builder) {
    let directory = tempfile::tempdir().expect("a directory for the deck");
    deck::write(directory.path(), count);
    std::thread::sleep(SETTLED);
    let mut info = SourceInfo::new("bench", Tier::PROJECT);
    info.trusted = true;
    let builder = Registry::builder().source(Source::directory(directory.path(), info));
    (directory, builder)
}

fn reload(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reload");
    group.sampling_mode(SamplingMode::Flat);
    for count in [100, 1000, 10_000] {
        let (directory, builder) = settled(count);
        let root = directory.path();
        let registry = builder.build().expect("the settings agree");
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
                    write_earlier(&path, &text);
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

/// From the end of a save to the moment at which handlers hear of it and readers see it, less the
/// quiet that a watcher waits for: what the system takes to report it, and the reload.
fn visible(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("watched");
    group.sampling_mode(SamplingMode::Flat).sample_size(20);
    for count in [100, 1000, 10_000] {
        let (directory, builder) = settled(count);
        let root = directory.path();
        let registry = builder.watch().build().expect("the settings agree");
        let (sender, heard) = channel();
        registry.on_change(move |change| {
            sender.send((Instant::now(), change.body_changed.len())).unwrap_or_default();
        });
        heard.recv().expect("what exists");
        let mut turn = 0;
        group.bench_function(
            BenchmarkId::new("edit_to_handler_less_the_quiet", count),
            |bencher| {
                bencher.iter_custom(|times| {
                    let mut taken = Duration::ZERO;
                    for _ in 0..times {
                        turn += 1;
                        let number = (turn * 617) % count;
                        let text = format!("{}\nTurn {turn}.\n", deck::skill(number));
                        let path = root.join(format!("skill-{number}/SKILL.md"));
                        fs::write(path, text).expect("the skill takes an edit");
                        let start = Instant::now();
                        let (told, edited) =
                            heard.recv_timeout(LIMIT).expect("the edit is noticed");
                        assert_eq!(edited, 1);
                        taken += (told - start).saturating_sub(WatchOptions::QUIET);
                    }
                    taken
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, reload, visible);
criterion_main!(benches);
