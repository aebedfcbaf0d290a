#!/usr/bin/env python3
"""Measures what a compiled deck costs in a build: decks of 0, 10, 100 and 1,000 skills, or of the
sizes given. Prints a Markdown table: the crate with the deck compiled from nothing (what it depends
on is built before), a build without a change, a build after one edit, and per skill over the empty
deck. Each is the best of several; run it on a machine that does nothing else."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
SENTENCE = "Read the change before you judge it, and say with file and line what you see.\n"
MANIFEST = """[workspace]

[package]
name = "compile-time"
version = "0.0.0"
edition = "2024"

[dependencies]
skilldeck = {{ path = {root!r} }}
"""
BUILD = """fn main() {
    println!("cargo::rerun-if-changed=skills");
}
"""
MAIN = """static DECK: skilldeck::Deck = skilldeck::include_skills!("skills");

fn main() {
    println!("{}", DECK.skills().len());
}
"""


def skill(number: int) -> str:
    """2 to 5 KB, some with arguments and tools, as in benches/deck.rs."""
    lines = ["---", f"name: skill-{number}", f"description: Does task number {number}. Use it when asked."]
    if number % 4 == 0:
        lines += ['argument-hint: "[path] [depth]"', "arguments: [path, depth]"]
    if number % 5 == 0:
        lines += ["allowed-tools: Read, Grep, Bash(git diff:*)", "license: MIT"]
    if number % 10 == 1 and number > 1:
        lines += [f"depends-on: [skill-{number - 1}]"]
    body = SENTENCE * (25 + number * 7 % 40)
    if number % 4 == 0:
        body += "Look at $path, $depth deep: $ARGUMENTS\n"
    return "\n".join(lines) + "\n---\n\n" + body


def write(package: Path, count: int) -> None:
    (package / "src").mkdir(parents=True)
    (package / "skills").mkdir()
    (package / "Cargo.toml").write_text(MANIFEST.format(root=str(ROOT)))
    (package / "Cargo.lock").write_bytes((ROOT / "Cargo.lock").read_bytes())
    (package / "build.rs").write_text(BUILD)
    (package / "src" / "main.rs").write_text(MAIN)
    for number in range(count):
        directory = package / "skills" / f"skill-{number}"
        directory.mkdir()
        (directory / "SKILL.md").write_text(skill(number))


def build(package: Path) -> tuple[float, float]:
    """Seconds by the clock, and of the processors."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(["cargo", "build", "--quiet", "--offline"], cwd=package, check=True)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def best(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """The smallest of each column."""
    return min(clock for clock, _ in pairs), min(processor for _, processor in pairs)


def measure(package: Path, count: int) -> list[tuple[float, float]]:
    build(package)
    cold, same, edited = [], [], []
    for run in range(RUNS):
        subprocess.run(
            ["cargo", "clean", "--quiet", "--offline", "-p", "compile-time"], cwd=package, check=True
        )
        cold.append(build(package))
        same.append(build(package))
        path, mark = ("skills/skill-0/SKILL.md", "") if count else ("src/main.rs", "// ")
        with (package / path).open("a") as file:
            file.write(f"{mark}Edit {run}.\n")
        edited.append(build(package))
    return [best(cold), best(same), best(edited)]


def main() -> None:
    counts = [int(argument) for argument in sys.argv[1:]] or [10, 100, 1000]
    os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))
    print("Seconds by the clock (of the processors), milliseconds per skill the same way.\n")
    print("| skills | from nothing | no change | one edit | per skill, from nothing | per skill, one edit |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    base = None
    for count in [0, *(count for count in counts if count)]:
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "package"
            write(package, count)
            rows = measure(package, count)
        base = base or rows
        cells = [f"{clock:.3f} ({processor:.3f})" for clock, processor in rows]
        for now, empty in ((rows[0], base[0]), (rows[2], base[2])):
            each = [(a - b) * 1000 / count for a, b in zip(now, empty)] if count else None
            cells.append(f"{each[0]:.2f} ({each[1]:.2f})" if each else "–")
        print(f"| {count:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
