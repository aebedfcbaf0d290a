#!/usr/bin/env bash
# Looks at what each package would publish: the licences in all, the skills and pages in the one
# that includes them.
set -euo pipefail
status=0

wants() {
  if ! grep -qxF -- "$2" <<<"$3"; then
    echo "$1 would be published without $2" >&2
    status=1
  fi
}

packages=$(cargo metadata --no-deps --format-version 1 |
  python3 -c 'import json, sys; print("\n".join(p["name"] for p in json.load(sys.stdin)["packages"] if p["publish"] != []))')

while read -r package; do
  # Windows writes backslashes.
  files=$(cargo package --list --allow-dirty -p "$package" | tr '\\' /)
  for name in LICENSE-MIT LICENSE-APACHE Cargo.toml; do
    wants "$package" "$name" "$files"
  done
  if [[ $package == skilldeck ]]; then
    while read -r file; do
      wants "$package" "$file" "$files"
    done < <(find skills -type f && printf '%s\n' README.md docs/format.md)
  fi
  if grep -qE '(^|/)target/|\.swp$' <<<"$files"; then
    echo "$package would publish what was built or is temporary" >&2
    status=1
  fi
  echo "- $package: $(wc -l <<<"$files" | tr -d ' ') files"
done <<<"$packages"
exit "$status"
