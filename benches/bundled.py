#!/usr/bin/env python3
"""What a compiled deck costs a program: its start, the registry over it, and a lookup.

Builds a release program for each size of deck and one that is empty, runs them in turn, and prints a
table. Sizes are arguments; without any they are 10, 100, 1,000 and 5,000. Needs a quiet machine.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compile_time import ROOT, write

STARTS = 400
PROGRAM = r"""use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use skilldeck::{Deck, Memory, Registry, Source, SourceInfo, Tier};

static DECK: Deck = skilldeck::include_skills!("skills");

/// The least nanoseconds of many runs, each of `count` calls.
fn least(count: usize, mut calls: impl FnMut()) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..300 {
        let begun = Instant::now();
        calls();
        least = least.min(begun.elapsed().as_secs_f64() * 1e9 / count.max(1) as f64);
    }
    least
}

fn main() {
    if std::env::args().count() == 1 {
        return;
    }
    let registry = least(1, || {
        black_box(Registry::builder().bundled(&DECK).build().expect("a registry"));
    });
    let words: Vec<&str> = DECK.skills().iter().map(|it| it.skill.word()).collect();
    let compiled = least(words.len(), || words.iter().for_each(|word| { black_box(DECK.get(word)); }));
    let over = Memory::default();
    for word in words.iter().step_by(words.len() / 8 + 1) {
        over.insert(*word, "---\ndescription: Lies over it.\n---\nOver.\n");
    }
    let source = Source::memory(Arc::new(over), SourceInfo::new("over", Tier::USER));
    let merged = Registry::builder().bundled(&DECK).source(source).build().expect("a registry");
    let snapshot = merged.snapshot();
    let overlaid =
        least(words.len(), || words.iter().for_each(|word| { black_box(snapshot.get(word)); }));
    println!("{registry} {compiled} {overlaid}");
}
"""


def build(package: Path) -> Path:
    subprocess.run(["cargo", "build", "--release", "--quiet", "--offline"], cwd=package, check=True)
    built = Path(os.environ["CARGO_TARGET_DIR"]) / "release" / "compile-time"
    kept = package / "program"
    kept.write_bytes(built.read_bytes())
    kept.chmod(0o755)
    return kept


def start(program: Path) -> float:
    begun = time.perf_counter()
    pid = os.posix_spawn(program, [str(program)], {})
    os.waitpid(pid, 0)
    return time.perf_counter() - begun


def relocations(program: Path) -> int:
    listing = subprocess.run(["readelf", "-rW", program], capture_output=True, text=True, check=True)
    return sum("R_X86_64_RELATIVE" in line for line in listing.stdout.splitlines())


def main() -> None:
    counts = [0, *([int(argument) for argument in sys.argv[1:]] or [10, 100, 1000, 5000])]
    os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for count in ["empty", *counts]:
            package = Path(folder) / str(count)
            write(package, count if count != "empty" else 0)
            text = "fn main() {}\n" if count == "empty" else PROGRAM
            (package / "src" / "main.rs").write_text(text)
            programs[count] = build(package)
        starts = {count: [] for count in programs}
        for _ in range(STARTS):
            # In turn, so that what disturbs one disturbs all.
            for count, program in programs.items():
                starts[count].append(start(program))
        least = {count: min(times) for count, times in starts.items()}
        middle = {count: sorted(times)[STARTS // 2] for count, times in starts.items()}
        print("| skills | start over an empty program, ms: least (median) | relocations | registry, µs "
              "| lookup compiled, ns | with an overlay, ns | bytes of the program |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for count in counts:
            program = programs[count]
            printed = subprocess.run([program, "measure"], capture_output=True, text=True, check=True)
            registry, compiled, overlaid = map(float, printed.stdout.split())
            over = [(kind[count] - kind["empty"]) * 1000 for kind in (least, middle)]
            lookups = [f"{it:.1f}" if count else "–" for it in (compiled, overlaid)]
            print(f"| {count:,} | {over[0]:.3f} ({over[1]:.3f}) | {relocations(program):,} "
                  f"| {registry / 1000:.2f} | {lookups[0]} | {lookups[1]} "
                  f"| {program.stat().st_size:,} |", flush=True)


if __name__ == "__main__":
    main()
