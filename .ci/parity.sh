#!/usr/bin/env bash
# Compiles decks for real and holds every field against what the run time reads from the same
# directories: generated skills with hostile text in every field, the skills of this repository, and
# the corpus where SKILLDECK_CORPUS names one, without the files that no deck can be made of.
set -euo pipefail
root=$PWD
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
# The crates below are shared with the other steps of CI.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"
count=400

mkdir "$package/src"
cat >"$package/Cargo.toml" <<TOML
[workspace]

[package]
name = "parity"
version = "0.0.0"
edition = "2024"

[dependencies]
skilldeck = { path = "$root" }
skilldeck-core = { path = "$root/skill-core", features = ["codegen"] }

[[bin]]
name = "sift"
path = "src/sift.rs"

[[bin]]
name = "compare"
path = "src/compare.rs"
TOML
cp "$root/Cargo.lock" "$package/Cargo.lock"
cp "$root"/tests/parity/*.rs "$package/src"

mkdir "$package/decks"
python3 "$root/tests/parity/hostile.py" "$package/decks/generated" $count
cp -R "$root/skills" "$package/decks/own"
cp -R "$root/tests/fixtures/decks/basic" "$package/decks/basic"
least="generated $count own 8 basic 4"
sifted=()
if [[ -n "${SKILLDECK_CORPUS:-}" ]]; then
  # A deck for each repository: two of them may have a skill of the same name. A command file is
  # a skill in a directory of its own here, as a deck has no other layout.
  for repository in "$SKILLDECK_CORPUS"/skills/*/; do
    name=$(basename "$repository")
    cp -RL "$repository" "$package/decks/$name"
    sifted+=("decks/$name")
  done
  while read -r file; do
    name=commands-${file#"$SKILLDECK_CORPUS/commands/"}
    directory="$package/decks/${name%%/*}/$(tr / - <<<"${name#*/}")"
    mkdir -p "$directory"
    cp "$file" "$directory/SKILL.md"
  done < <(find "$SKILLDECK_CORPUS/commands" -name '*.md')
  for directory in "$package"/decks/commands-*/; do sifted+=("decks/$(basename "$directory")"); done
  cargo build --quiet --offline --manifest-path "$package/Cargo.toml" --bin sift
  "$CARGO_TARGET_DIR/debug/sift" "${sifted[@]}"
fi

{
  echo '// The decks that are compared.'
  echo 'static DECKS: &[(&str, usize, Deck)] = &['
  # The generated deck first, and none of its skills may be lost.
  set -- $least
  while [[ $# -gt 0 ]]; do
    echo "    (\"decks/$1\", $2, skilldeck::include_skills!(\"decks/$1\")),"
    shift 2
  done
  for directory in ${sifted[@]+"${sifted[@]}"}; do
    echo "    (\"$directory\", 1, skilldeck::include_skills!(\"$directory\")),"
  done
  echo '];'
} >"$package/src/decks.rs"
cargo run --quiet --offline --manifest-path "$package/Cargo.toml" --bin compare
