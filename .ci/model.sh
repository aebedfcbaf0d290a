#!/usr/bin/env bash
# Goes through every order in which threads may take their turns at the store of snapshots, with
# loom. What is compiled for it lies beside what is compiled for the other steps.
set -euo pipefail

export RUSTFLAGS="${RUSTFLAGS:-} --cfg loom"
# Nobody debugs this build, and it is made for this step alone.
export CARGO_PROFILE_DEV_DEBUG=false

out=$(cargo test --quiet -p skilldeck-runtime --lib snapshot::store::tests::model:: 2>&1) || {
  printf '%s\n' "$out" >&2
  exit 1
}
# A filter that finds nothing is a success for cargo.
if ! grep -qE '^test result: ok\. [1-9]' <<<"$out"; then
  printf '%s\n' "$out" "no model was checked" >&2
  exit 1
fi
grep -E '^test result' <<<"$out"
