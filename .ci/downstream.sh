#!/usr/bin/env bash
# Runs the example of a program that bundles skills, then sees in others that a program is built anew
# whenever it has to be, and only then, that decks of several packages go together, and that what is
# compiled in is what the run time reads.
set -euo pipefail

cargo run --quiet --manifest-path examples/downstream/Cargo.toml
bash .ci/rebuild.sh
bash .ci/decks.sh
bash .ci/parity.sh
