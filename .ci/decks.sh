#!/usr/bin/env bash
# Builds a workspace of libraries and a program that share decks: members with skills of their own, a
# library that exports its deck, one that wraps the macro for those who do not depend on skilldeck,
# and a program that lays all of them together. Sees what Cargo shows of warnings, that a member is
# built anew for a new skill, and what would be published.
set -euo pipefail
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
workspace="$folder/decks & größe"
# The crates below are shared with the other steps of CI.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"

write() { # FILE, the text from standard input
  mkdir -p "$(dirname "$workspace/$1")"
  cat >"$workspace/$1"
}

skill() { # DIRECTORY DESCRIPTION
  write "$1/SKILL.md" <<<"---
name: $(basename "$1")
description: $2
---
Text."
}

fail() {
  echo "$1" >&2
  exit 1
}

has() { # TEXT WANTED
  grep -qF -- "$2" <<<"$1" || fail "there is no \`$2\` in
$1"
}

write Cargo.toml <<'TOML'
[workspace]
members = ["git-skills", "house", "app"]
resolver = "3"
TOML
cp "$root/Cargo.lock" "$workspace/Cargo.lock"

# A library that exports its deck, under another name for skilldeck, and what it needs to read it.
write git-skills/Cargo.toml <<TOML
[package]
name = "git-skills"
version = "0.1.0"
edition = "2024"
description = "Skills for git"
license = "MIT"
include = ["src/**", "skills/**", "build.rs"]

[dependencies]
deck = { package = "skilldeck", version = "0.1.0", path = "$root" }

[build-dependencies]
skilldeck-core = { version = "0.1.0", path = "$root/skill-core", features = ["codegen"] }
TOML
write git-skills/build.rs <<'RUST'
fn main() {
    skilldeck_core::codegen::watch(&["skills"]);
}
RUST
write git-skills/src/lib.rs <<'RUST'
#![forbid(unsafe_code)]
#![deny(warnings, clippy::all)]
pub use deck::Deck;

pub static DECK: Deck = deck::include_skills!("skills", strict);
RUST
skill git-skills/skills/commit "Of the library."
skill git-skills/skills/rebase "Of the library too."
write git-skills/skills/commit/templates/short.txt <<<"a template"

# A library with a macro of its own for those who use it and do not know skilldeck.
write house/Cargo.toml <<TOML
[package]
name = "house"
version = "0.1.0"
edition = "2024"

[dependencies]
skilldeck = { path = "$root" }
TOML
write house/src/lib.rs <<'RUST'
#![forbid(unsafe_code)]
pub use skilldeck as deck;

/// Skills by the rules of the house.
#[macro_export]
macro_rules! house_skills {
    ($($directory:tt)*) => {
        $crate::deck::include_skills!([$($directory)*], prefix = "house-", crate = $crate::deck)
    };
}
RUST

# A program that does not depend on skilldeck, and lays its own skills over those of the library.
write app/Cargo.toml <<TOML
[package]
name = "app-of-decks"
version = "0.0.0"
edition = "2024"

[dependencies]
git-skills = { path = "../git-skills" }
house = { path = "../house" }

[build-dependencies]
skilldeck-core = { path = "$root/skill-core", features = ["codegen"] }
TOML
write app/build.rs <<'RUST'
fn main() {
    skilldeck_core::codegen::watch(&["skills", "vendor", "not there"]);
}
RUST
write app/src/main.rs <<'RUST'
#![forbid(unsafe_code)]
use house::deck::{Deck, Registry};

static OWN: Deck = house::house_skills!(core: "skills", third_party: "vendor");
/// By a path, from anywhere.
static AGAIN: Deck = house::deck::include_skills!("skills", crate = house::deck);

fn main() -> Result<(), house::deck::Error> {
    println!("tiers: {:?} of {:?}", OWN.tiers(), OWN.directories());
    println!("again: {}", AGAIN.skills().len());
    for bundled in git_skills::DECK.skills() {
        println!("library: {} ({} files)", bundled.path, bundled.files.len());
    }
    let registry = (Registry::builder().bundled(&OWN).bundled(&git_skills::DECK).bundled(&AGAIN)).build()?;
    for entry in registry.snapshot().iter() {
        let over = entry.shadows().len();
        println!("{}: {} over {over}", entry.word(), entry.skill().description());
    }
    Ok(())
}
RUST
skill app/skills/house-greet "Of the program, tier core."
skill app/skills/tidy "Of the program."
skill app/vendor/greet "From elsewhere, a stronger tier."
write app/vendor/commit/SKILL.md <<'SKILL'
---
name: Commit Please
description: From elsewhere.
tags: [a]
version: "1
  2"
---
Text.
SKILL

run() { cargo run --offline --quiet --manifest-path "$workspace/Cargo.toml" -p app-of-decks; }

shown=$(cargo build --offline --manifest-path "$workspace/Cargo.toml" 2>&1) || fail "$shown"
for wanted in \
  'warning: app-of-decks@0.0.0: vendor/commit/SKILL.md:2:7: the name `Commit Please` is not' \
  '[name-mismatch] (help: ' \
  'warning: app-of-decks@0.0.0: vendor/commit/SKILL.md:5:10: `1 2` is not a semantic version [invalid-version]'; do
  has "$shown" "$wanted"
done
if grep -q 'warning: git-skills' <<<"$shown"; then fail "$shown"; fi
echo "warnings of skills are shown by cargo:"
grep -F 'SKILL.md' <<<"$shown"

printed=$(run)
echo "$printed"
for wanted in 'tiers: ["core", "third-party"] of ["skills", "vendor"]' 'again: 2' \
  'library: skills/commit/SKILL.md (1 files)' 'library: skills/rebase/SKILL.md (0 files)' \
  'house-greet: From elsewhere, a stronger tier. over 1' 'house-tidy: Of the program. over 0' \
  'house-commit-please: From elsewhere. over 0' 'commit: Of the library. over 0' \
  'rebase: Of the library too. over 0' 'tidy: Of the program. over 0'; do
  has "$printed" "$wanted"
done

skill git-skills/skills/added "Added to a member."
has "$(run)" 'added: Added to a member. over 0'
skill app/vendor/house-tidy "Won by a file that was added."
has "$(run)" 'house-tidy: Won by a file that was added. over 0'
again=$(cargo build --offline --manifest-path "$workspace/Cargo.toml" 2>&1)
if grep -q Compiling <<<"$again"; then fail "compiled without a change: $again"; fi
# What is not compiled again is still shown.
has "$again" 'vendor/commit/SKILL.md:5:10'
echo "members follow their skills, relative to the member"

files=$(cargo package --quiet --list --offline --allow-dirty --manifest-path "$workspace/git-skills/Cargo.toml" | tr '\\' /)
for wanted in skills/commit/SKILL.md skills/commit/templates/short.txt skills/rebase/SKILL.md \
  skills/added/SKILL.md build.rs src/lib.rs; do
  grep -qxF -- "$wanted" <<<"$files" || fail "would be published without $wanted: $files"
done
echo "a package of the library has its skills"
