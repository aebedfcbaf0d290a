#!/usr/bin/env bash
# Builds a small program that prints its deck, changes the skills under it in every way that a build
# could overlook, and sees each time that the program has what the directory has, and that a build
# without a change compiles nothing. Prints the seconds of each step.
set -euo pipefail
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Blanks, letters beyond ASCII and a quote: what a path may hold.
package="$folder/a package, größer & 'älter'"
skills="$package/skills"
# The crates below the program are shared with the other steps of CI.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"
binary="$CARGO_TARGET_DIR/debug/rebuilt"

mkdir -p "$package/src" "$skills"
cat >"$package/Cargo.toml" <<TOML
[workspace]

[package]
name = "rebuilt"
version = "0.0.0"
edition = "2024"

[dependencies]
skilldeck = { path = "$root" }
TOML
cp "$root/Cargo.lock" "$package/Cargo.lock"
cat >"$package/build.rs" <<'RUST'
fn main() {
    if std::path::Path::new("skills").is_dir() {
        println!("cargo::rerun-if-changed=skills");
    }
}
RUST
# A line for each skill, and one for each of its files: what the binary holds, not what lies on disk.
cat >"$package/src/main.rs" <<'RUST'
static DECK: skilldeck::Deck = skilldeck::include_skills!("skills");

fn main() {
    for bundled in DECK.skills() {
        println!("{}: {}", bundled.skill.word(), bundled.skill.description());
        for file in bundled.files {
            println!("{}/{}: {}", bundled.skill.word(), file.path, String::from_utf8_lossy(file.bytes).trim());
        }
    }
    // What verify says has to agree with what cargo has done.
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/skills");
    let differences = DECK.verify(&[directory]);
    assert!(differences.is_empty(), "{differences:#?}");
}
RUST

skill() { # NAME DESCRIPTION
  mkdir -p "$skills/$1"
  printf -- '---\nname: %s\ndescription: %s\n---\nText.\n' "$1" "$2" >"$skills/$1/SKILL.md"
}

build() { cargo build --quiet --offline --manifest-path "$package/Cargo.toml"; }

stamp() { python3 -c 'import os, sys; print(os.stat(sys.argv[1]).st_mtime_ns)' "$binary"; }

begun=$(date +%s%N)
done_with() {
  local now
  now=$(date +%s%N)
  printf '%6d ms  %s\n' $(((now - begun) / 1000000)) "$1"
  begun=$(date +%s%N)
}

# Builds and compares what the program prints with the lines given, then builds once more and sees
# that nothing is compiled.
expect() { # STEP LINE…
  local step=$1 printed wanted
  shift
  build
  printed=$("$binary")
  wanted=$(printf '%s\n' "$@")
  if [[ "$printed" != "$wanted" ]]; then
    printf -- '%s: the program prints\n%s\ninstead of\n%s\n' "$step" "$printed" "$wanted" >&2
    exit 1
  fi
  done_with "$step"
}

unchanged() { # STEP
  local before
  before=$(stamp)
  if cargo build --offline --manifest-path "$package/Cargo.toml" 2>&1 | grep -E 'Compiling|error'; then
    echo "$1: compiled without a change" >&2
    exit 1
  fi
  if [[ $(stamp) != "$before" ]]; then
    echo "$1: the program was written without a change" >&2
    exit 1
  fi
  done_with "$1"
}

skill one "First."
skill two "Second."
echo "a file" >"$skills/two/note.txt"
expect "first build" "one: First." "two: Second." "two/note.txt: a file"
unchanged "no change"

skill one "First, edited."
expect "edited" "one: First, edited." "two: Second." "two/note.txt: a file"
unchanged "no change after an edit"

skill three "Third."
expect "added" "one: First, edited." "three: Third." "two: Second." "two/note.txt: a file"

rm -r "$skills/three"
expect "removed" "one: First, edited." "two: Second." "two/note.txt: a file"

mv "$skills/one" "$skills/uno"
printf -- '---\nname: uno\ndescription: Renamed.\n---\nText.\n' >"$skills/uno/SKILL.md"
expect "renamed" "two: Second." "two/note.txt: a file" "uno: Renamed."

# As `cp -p`, `mv` and archives make them: older than the last build.
skill old "Of 2001."
touch -d 2001-01-01T00:00:00 "$skills/old/SKILL.md" "$skills/old"
expect "added with an old time" "old: Of 2001." "two: Second." "two/note.txt: a file" "uno: Renamed."

mkdir -p "$folder/elsewhere/linked"
printf -- '---\nname: linked\ndescription: By a link.\n---\nText.\n' >"$folder/elsewhere/linked/SKILL.md"
ln -s "$folder/elsewhere/linked" "$skills/linked"
expect "added by a link" "linked: By a link." "old: Of 2001." "two: Second." "two/note.txt: a file" "uno: Renamed."

printf -- '---\nname: linked\ndescription: By a link, edited.\n---\nText.\n' >"$folder/elsewhere/linked/SKILL.md"
expect "edited behind a link" "linked: By a link, edited." "old: Of 2001." "two: Second." "two/note.txt: a file" "uno: Renamed."

rm "$skills/linked"
rm -r "$skills/old"
echo "another text" >"$skills/two/note.txt"
expect "side file edited" "two: Second." "two/note.txt: another text" "uno: Renamed."

mkdir "$skills/two/deep"
echo "new" >"$skills/two/deep/new.txt"
expect "side file added" "two: Second." "two/deep/new.txt: new" "two/note.txt: another text" "uno: Renamed."

rm "$skills/two/note.txt"
expect "side file removed" "two: Second." "two/deep/new.txt: new" "uno: Renamed."

mv "$skills" "$folder/gone"
if build 2>"$folder/error"; then
  echo "the directory is gone and the program was built" >&2
  exit 1
fi
if ! grep -qF 'the directory `skills` does not exist' "$folder/error"; then
  cat "$folder/error" >&2
  exit 1
fi
done_with "root removed: an error"

skill again "Created again."
expect "root created again" "again: Created again."
unchanged "no change after all of it"

# A watched path that is missing would make every build a dirty one; the build script names it only
# if it is there. Without any name Cargo watches the package, and notes that in one more build.
mkdir "$package/src/none"
sed -i.bak 's|skills!("skills")|skills!("src/none")|; s|/skills")|/src/none")|' "$package/src/main.rs"
rm -r "$skills" "$package/src/main.rs.bak"
expect "another directory, the watched one missing" ""
build
unchanged "no change while the watched one is missing"

skill back "Back again."
sed -i.bak 's|skills!("src/none")|skills!("skills")|; s|/src/none")|/skills")|' "$package/src/main.rs"
rm "$package/src/main.rs.bak"
expect "the watched one back" "back: Back again."
skill later "Later."
expect "added after that" "back: Back again." "later: Later."
