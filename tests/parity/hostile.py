#!/usr/bin/env python3
"""Writes skills that have every field of the format, and text that could break out of generated
code, into a directory: `hostile.py DIRECTORY COUNT`. The same on every run."""

import random
import sys
from pathlib import Path

# What ends, escapes or hides something in Rust, YAML or Markdown; no NUL, which no file may have.
PIECES = [
    '"', "'", "\\", '"#', '"##', 'r#"', "\\n", "\\u{41}", "\\x00", "{}", "{0}", "{{", "}}", "{:?}",
    "//", "/*", "*/", "#[a]", "#![a]", "$crate", "s::Row{", "]", ");", "&[", "b'", "'a", "\t", "%s",
    "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b[31m", "\x1f", "\x7f", "\x85", "\xa0", "\xad",
    "\u200b", "\u200d", "\u2028", "\u2029", "\u202e", "\u2066", "\ufeff", "\ufffd", "\uffff", "\ue000",
    "é", "e\u0301", "ß", "İ", "技能", "مهارة", "😀", "👩‍👩‍👧", "\U000e0041", "\U0010ffff",
    "word", "of", "some", "length", "1.10", "~", "null", "true", "- ", ": ", " #", "...", "---x",
]  # fmt: skip
BODY = PIECES + [
    "\n", "\r\n", "\n\n", "\r", "\n```\ncode $ARGUMENTS\n```\n", "`$1`", "\\$ARGUMENTS", "$ARGUMENTS",
    "$ARGUMENTS[1]", "${SKILL_DIR}", "${CLAUDE_SESSION_ID}", "${PROJECT_DIR}", "$$", "$", "$9",
    '\n!`git log --oneline -- "$ARGUMENTS"`\n', "\n!`echo 'a' \"b\" \\\\ {}`\n",
    "\n```!\nprintf '%s' \"$ARGUMENTS\"\necho done\n```\n", "\n# Heading\n", "\n---\n", "\n> quote\n",
]  # fmt: skip
DIRECTORIES = ["plain", "two words", "größe", "it's", "{braces}", "技能", "a#b", "100%", "$HOME"]
FILES = ["note.md", "a file.txt", "größe.md", "it's {}.txt", "deep/er/list.txt", "技能.md"]


def text(random_, pieces, most):
    return "".join(random_.choice(pieces) for _ in range(random_.randint(1, most)))


def quoted(value):
    """A double-quoted scalar of YAML; what can be printed stays as it is."""
    out = []
    for sign in value:
        code = ord(sign)
        if sign in '"\\':
            out.append("\\" + sign)
        elif sign.isprintable():
            out.append(sign)
        elif code < 0x10000:
            out.append(f"\\u{code:04x}")
        else:
            out.append(f"\\U{code:08x}")
    return '"' + "".join(out) + '"'


def value(random_, depth):
    """Any YAML value, in flow style."""
    kind = random_.randint(0, 7 if depth else 5)
    if kind < 2:
        return quoted(text(random_, PIECES, 6))
    if kind < 6:
        return random_.choice(["1.10", "0", "-3", "1e9", "true", "False", "~", "null", '""'])
    items = [value(random_, depth - 1) for _ in range(random_.randint(0, 4))]
    if kind == 6:
        return "[" + ", ".join(items) + "]"
    pairs = (f"{quoted(f'k{at}' + text(random_, PIECES, 2))}: {it}" for at, it in enumerate(items))
    return "{" + ", ".join(pairs) + "}"


def mapping(random_):
    return "{" + f"{quoted(text(random_, PIECES, 3))}: {value(random_, 4)}" + "}"


def front(random_, number):
    """The lines of a front matter: each field by chance, so that all mixtures come up."""
    name = f"skill-{number}"
    lines = [f"name: {name}"]
    if random_.random() < 0.2:
        # For display: another text with the same command word.
        lines = [f"name: Skill {number}"]
    if number % 17 != 1:
        lines.append(f"description: {quoted('Does ' + text(random_, PIECES, 30))}")
    words = ", ".join(f"{random_.choice(['alias', 'Other', 'nächste'])}-{number}-{at}" for at in range(3))
    needed = random_.sample(range(number), min(number, 2))
    requirement = random_.choice(["", "@^1", "@>=1.0, <2.0", "@1.0.0"])
    needs = ", ".join(quoted(f"skill-{other}{requirement}") for other in needed)
    name_of = lambda: quoted(text(random_, PIECES, 5))  # noqa: E731
    fields = [
        f"when_to_use: {quoted(text(random_, PIECES, 20))}",
        f"license: {name_of()}",
        f"compatibility: {name_of()}",
        f"metadata: {mapping(random_)}",
        f"depends-on: [{needs}]",
        f"allowed-tools: Read, Bash(git log:*), {random_.choice(['Write', 'mcp__a__b', 'Bash(x {}:*)'])}",
        "disallowed-tools: [Write, WebFetch]",
        f"argument-hint: {quoted('[a] ' + text(random_, PIECES, 4))}",
        f"arguments: {random_.choice(['[path, depth]', 'path depth', '[one]'])}",
        "input-schema: {type: object, properties: {path: {type: string, pattern: "
        + quoted(text(random_, PIECES, 5))
        + "}}}",
        f"aliases: [{words}]",
        "slash-command: {"
        + random_.choice(['prefix: "/do:"', "enabled: false", "auto-inject: false", 'prefix: ""'])
        + "}",
        "user-invocable: false",
        "disable-model-invocation: true",
        f"allowed-agents: {random_.choice(['[builder, reviewer]', '[]', 'builder'])}",
        "require-confirmation: true",
        f"context: {random_.choice(['fork', name_of()])}",
        f"agent: {name_of()}",
        f"model: {name_of()}",
        f"effort: {name_of()}",
        "background: true",
        "shell: bash",
        f"hooks: {mapping(random_)}",
        f"paths: [src/**/*.rs, {name_of()}]",
        f"x-{number}: {value(random_, 3)}",
        f"x-block: |\n  {quoted(text(random_, PIECES, 9))}\n  more",
    ]
    likely = random_.choice([0.1, 0.3, 0.9])
    lines += [field for field in fields if random_.random() < likely]
    # Every one has a version that all requirements above accept.
    lines.append("version: 1.0.0")
    random_.shuffle(lines)
    return lines


def main():
    root, count = Path(sys.argv[1]), int(sys.argv[2])
    random_ = random.Random(20260101)
    for number in range(count):
        end = random_.choice(["\n", "\n", "\r\n"])
        directory = root / f"{random_.choice(DIRECTORIES)} {number}"
        directory.mkdir(parents=True)
        if number == 0:
            content = "---\nname: skill-0\ndescription: A plain one.\nversion: 1.0.0\n---\nText.\n"
        else:
            most = random_.choice([1, 20, 60, 2500 if number % 40 == 0 else 90])
            lines = "\n".join(["---", *front(random_, number), "---", ""]).replace("\n", end)
            content = lines + "Does it.\n" + text(random_, BODY, most)
        (directory / "SKILL.md").write_bytes(content.encode())
        for name in FILES:
            if random_.random() < 0.1:
                file = directory / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(bytes(range(256)) * random_.randint(0, 3))
                file.chmod(random_.choice([0o644, 0o755]))


main()
