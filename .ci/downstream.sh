#!/usr/bin/env bash
# Runs the example of a program that bundles skills, then sees in another one that a program is
# built anew whenever it has to be, and only then.
set -euo pipefail

cargo run --quiet --manifest-path examples/downstream/Cargo.toml
bash .ci/rebuild.sh
