#!/usr/bin/env python3
"""Holds the dependencies to their rules: licences, origins, bans, and one version of each."""

import json
import re
import subprocess
import sys

LICENCES = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}

BANNED = {
    "native-tls": "links the system's OpenSSL",
    "openssl": "needs a C library that differs on every system",
    "openssl-sys": "needs a C library that differs on every system",
    "serde_yaml": "archived; yaml_serde is its maintained fork",
    "serde_yml": "RUSTSEC-2025-0068",
}

# What someone gets who asks for little: everything but the protocols. One version of each crate.
LEAN = ["-p", "skilldeck", "--features", "cli"]


def cargo(*arguments):
    done = subprocess.run(["cargo", *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"cargo {' '.join(arguments)} failed")
    return done.stdout


def allowed(expression):
    """Whether an SPDX expression can be met with the licences above."""
    # "MIT/Apache-2.0" is how old crates write OR.
    text = expression.replace("/", " OR ")
    text = re.sub(r"\s+WITH\s+", "_WITH_", text)
    tokens = re.findall(r"[()]|[^\s()]+", text)

    def either():
        value = both()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            right = both()
            value = value or right
        return value

    def both():
        value = single()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            right = single()
            value = value and right
        return value

    def single():
        token = tokens.pop(0) if tokens else ""
        if token != "(":
            return token.replace("_WITH_", " WITH ") in LICENCES
        value = either()
        if not tokens or tokens.pop(0) != ")":
            raise ValueError(f"cannot read the licence {expression!r}")
        return value

    value = either()
    if tokens:
        raise ValueError(f"cannot read the licence {expression!r}")
    return value


def versions(arguments):
    """The versions of each crate in a build. `cargo tree --duplicates` would also name a crate that
    is built twice from one version, for the host and for the target."""
    found = {}
    for line in cargo("tree", "--prefix=none", "--edges=normal,build", *arguments).splitlines():
        name, version = line.split()[:2]
        found.setdefault(name, set()).add(version)
    return found


def self_test():
    right = ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0"]
    wrong = ["GPL-3.0", "MIT AND GPL-3.0", "(MIT AND GPL-3.0) OR AGPL-3.0", ""]
    for expression in right:
        assert allowed(expression), expression
    for expression in wrong:
        assert not allowed(expression), expression


def main():
    self_test()
    findings = []
    packages = json.loads(cargo("metadata", "--format-version", "1", "--all-features"))["packages"]
    for package in packages:
        name = f"{package['name']} {package['version']}"
        licence = package["license"]
        if licence is None:
            findings.append(f"{name} states no licence")
        elif not allowed(licence):
            findings.append(f"{name} has the licence {licence}")
        if package["name"] in BANNED:
            findings.append(f"{name} is banned: {BANNED[package['name']]}")
        source = package["source"]
        if source is not None and not source.startswith("registry+"):
            findings.append(f"{name} does not come from crates.io but from {source}")
    lean = versions(LEAN)
    for name, found in sorted(lean.items()):
        if len(found) > 1:
            findings.append(f"the lean set has {name} as {' and '.join(sorted(found))}")
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"- {len(packages)} packages in all, {len(lean)} in the lean set")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
