#!/usr/bin/env bash
# Holds `check --format sarif` against the schema of SARIF 2.1.0 that a package on npm ships, with
# the validator that the package uses itself.
set -euo pipefail

package=@microsoft/jest-sarif@1.0.0-beta.0
cache=.cache/sarif

if ! command -v npm >/dev/null; then
  echo "skipped: npm is not installed"
  # Where everything must hold, a missing tool is a failure.
  [[ "${CI:-}" != true ]]
  exit
fi
[[ -d $cache/node_modules/@microsoft/jest-sarif ]] ||
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$cache" "$package"

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
cargo build --quiet --features cli
check() {
  # Findings are what is wanted: only a wrong use is a failure.
  "$CARGO_TARGET_DIR/debug/skilldeck" check --format sarif -q "$2" >"$logs/$1.sarif" || [[ $? -eq 1 ]]
}
for case in skill-macros/tests/cases/*/; do check "$(basename "$case")" "$case/skills"; done
if [[ -n "${SKILLDECK_CORPUS:-}" ]]; then
  check corpus-skills "$SKILLDECK_CORPUS/skills"
  check corpus-commands "$SKILLDECK_CORPUS/commands"
fi

NODE_PATH=$cache/node_modules node - "$logs"/*.sarif <<'JS'
const { readFileSync } = require("fs");
const { basename } = require("path");
const Ajv = require("ajv");
const ajv = new Ajv({ schemaId: "auto", allErrors: true, logger: false });
ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
const valid = ajv.compile(require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));
if (valid({})) throw new Error("the schema takes anything");
let [failed, results] = [0, 0];
for (const file of process.argv.slice(2)) {
  const log = JSON.parse(readFileSync(file, "utf8"));
  results += log.runs[0].results.length;
  if (!valid(log)) {
    failed += 1;
    console.error(`${basename(file)}: ${ajv.errorsText(valid.errors)}`);
  }
}
if (results === 0) throw new Error("no log has a result");
console.log(`${process.argv.length - 2} logs with ${results} results, ${failed} not valid`);
process.exitCode = failed ? 1 : 0;
JS
