#!/usr/bin/env bash
# Writes a seed for every row of the case files: one byte that chooses how to read, then the text.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p fuzz/seeds/parse
python3 - <<'PYTHON'
import json, pathlib

rows = json.loads(pathlib.Path("skill-core/tests/cases/frontmatter.json").read_text("utf-8"))
for row in rows["cases"]:
    path = pathlib.Path("fuzz/seeds/parse", row["id"])
    path.write_bytes(b"0" + row["text"].encode("utf-8"))
rows = json.loads(pathlib.Path("skill-core/tests/cases/substitution.json").read_text("utf-8"))
for at, row in enumerate(rows["cases"]):
    choice = b"6" if row["dialect"] == "opencode" else b"4"
    pathlib.Path(f"fuzz/seeds/parse/body-{at}").write_bytes(choice + row["template"].encode("utf-8"))
PYTHON
