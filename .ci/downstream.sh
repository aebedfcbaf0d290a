#!/usr/bin/env bash
# Runs the example of a program that bundles skills, then adds and removes a skill in a copy of it
# and sees that it is built anew both times.
set -euo pipefail
root=$PWD
example=examples/downstream

cargo run --quiet --manifest-path "$example/Cargo.toml"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$example/." "$copy/"
rm -rf "$copy/target"
# The copy lies elsewhere: `path = "../.."` becomes absolute.
ROOT=$root python3 - "$copy/Cargo.toml" <<'PYTHON'
import os, re, sys

manifest = sys.argv[1]
base = os.path.join(os.environ["ROOT"], "examples", "downstream")
text = open(manifest, encoding="utf-8").read()
absolute = lambda m: 'path = "%s"' % os.path.normpath(os.path.join(base, m[1])).replace("\\", "/")
text, count = re.subn(r'path = "(\.\.[^"]*)"', absolute, text)
if count == 0:
    sys.exit("the example depends on no path above it")
open(manifest, "w", encoding="utf-8").write(text)
PYTHON

show() { cargo run --quiet --manifest-path "$copy/Cargo.toml"; }
expect() {
  local found=no
  if grep -qF added-by-ci <<<"$2"; then found=yes; fi
  if [[ $found != "$1" ]]; then
    printf '%s\n' "$2"
    echo "$3" >&2
    exit 1
  fi
}

expect no "$(show)" "the example has the skill before it was added"
mkdir -p "$copy/skills/added-by-ci"
printf -- '---\nname: added-by-ci\ndescription: Shows that an added skill rebuilds. Use it never.\n---\nHello.\n' \
  >"$copy/skills/added-by-ci/SKILL.md"
expect yes "$(show)" "an added skill did not rebuild the example"
rm -r "$copy/skills/added-by-ci"
expect no "$(show)" "a removed skill did not rebuild the example"
echo "added and removed skills rebuild"
