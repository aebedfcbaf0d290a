//! Files with faults to the same files without them.

use super::*;
use crate::format::Layout;

fn mend(text: &str) -> String {
    let origin = Origin::new("demo");
    let Some(fixed) = fix(text.as_bytes(), &origin) else { return text.to_owned() };
    assert!(fix(&fixed.bytes, &origin).is_none(), "a second run changes {text:?}");
    String::from_utf8(fixed.bytes).unwrap()
}

/// Front matter lines that are mended, with what they become.
const LINES: &[(&str, &str)] = &[
    // Values that YAML cannot read.
    ("license: a: b", "license: \"a: b\""),
    ("license: a: b   # why", "license: \"a: b\"   # why"),
    ("license: say \"hi\": b", "license: 'say \"hi\": b'"),
    ("license: \"MIT\" or so", "license: '\"MIT\" or so'"),
    ("license: @me", "license: \"@me\""),
    ("license: [a] [b] # c", "license: \"[a] [b]\" # c"),
    (
        "license: a: b\n  and more\n  # last\nmodel: x",
        "license: \"a: b and more\"\n  # last\nmodel: x",
    ),
    ("license: a: b # one\n  c # two", "license: \"a: b c\" # one # two"),
    ("license: a: b\n\n  c", "license: \"a: b\\nc\""),
    ("license:\n  @me", "license:\n  \"@me\""),
    ("other: a: b", "other: \"a: b\""),
    ("allowed-tools: Bash(git: *), Read", "allowed-tools: \"Bash(git: *), Read\""),
    // Keys.
    ("userInvocable: false", "user-invocable: false"),
    ("allowed_tools : Read # x", "allowed-tools : Read # x"),
    ("\"user-invokable\": false", "user-invocable: false"),
    ("Agent: a: b", "agent: \"a: b\""),
    // Values of another kind.
    ("license: [a, b] # c", "license: \"[a, b]\" # c"),
    ("license: {a: b}", "license: \"{a: b}\""),
    ("license: [a, 'b # c']", "license: \"[a, 'b # c']\""),
    // Dashes.
    ("license: x\n-----\nmodel: y", "license: x\nmodel: y"),
];

/// Those that are not: what was meant is not plain, or it is no fault.
const KEPT: &[&str] = &[
    "license: a: b\n  model: x",
    "license: a: b\n  user-invocable: false",
    "license: \"never closed",
    "tags: [a, b",
    "description: again",
    "userInvocable: true\nuser-invocable: false",
    "descripton: x",
    "license:\n  - a\n  - b",
    "license: [a,\n  b]",
    "argument-hint: [a] [b]",
    "license: |\n  x\n----",
    "license: x\n----\nSome prose.",
    "license: x\n----\nNote: prose",
    "user-invocable: maybe",
    "license: 'a: b'",
];

#[test]
fn lines_are_mended() {
    for (before, after) in LINES {
        for end in ["\n", "\r\n"] {
            let file = |lines: &str| {
                let text =
                    format!("---\nname: demo # n\ndescription: d\n{lines}\n---\n\nBody\n---\n");
                text.replace('\n', end)
            };
            assert_eq!(mend(&file(before)), file(after));
        }
    }
    for lines in KEPT {
        let file = format!("---\nname: demo\ndescription: d\n{lines}\n---\nBody\n");
        assert_eq!(mend(&file), file);
    }
}

#[test]
fn fences_are_mended() {
    for (before, after) in [
        ("\n \n---\nname: demo\n---\nBody", "---\nname: demo\n---\nBody"),
        ("\u{feff}\r\n---\r\nname: demo\r\n---\r\n", "\u{feff}---\r\nname: demo\r\n---\r\n"),
        ("---\r\nname: demo\r\n\r\n# Body\r\n", "---\r\nname: demo\r\n---\r\n\r\n# Body\r\n"),
        ("---\nname: demo", "---\nname: demo\n---\n"),
        ("---\nname: demo\n----\n\nBody\n", "---\nname: demo\n---\n\nBody\n"),
        ("```skill\n---\nname: demo\n---\nBody\n```\n", "---\nname: demo\n---\nBody\n"),
        ("\u{feff}\n````md\n\n---\nname: demo\n---\n````", "\u{feff}---\nname: demo\n---\n"),
        ("\u{feff}\u{feff}---\nname: demo\n---\nBody", "\u{feff}---\nname: demo\n---\nBody"),
    ] {
        assert_eq!(mend(before), after);
    }
    for kept in [
        "---\nname: demo\nSome prose.\n\n# Body\n",
        "---\nname: demo\n\nuser-invocable: false\n",
        "---\nname: demo\n\ndescription: d\n\n# Body\n",
        "---\n\n# Body\n",
        "\u{feff}\u{feff}# Heading\n",
        "---x\nname: demo\n---\n",
        "# Heading\n",
        "---\nname: demo\n---\n",
    ] {
        assert_eq!(mend(kept), kept);
    }
}

#[test]
fn names_become_the_directorys() {
    for (before, after) in [
        ("name: other # x", "name: demo # x"),
        ("name: 'Other One'", "name: demo"),
        ("name:", "name: demo"),
        ("name:  # none", "name:  demo # none"),
        ("name: ~\nlicense: x", "name: demo\nlicense: x"),
        ("name: a: b", "name: demo"),
        ("license: x", "name: demo\nlicense: x"),
        ("  license: x", "  name: demo\n  license: x"),
        ("# why\nlicense: x", "name: demo\n# why\nlicense: x"),
        ("# why", "name: demo\n# why"),
        ("name: [x]", "name: demo"),
    ] {
        let file = |lines: &str| format!("---\n{lines}\n---\nBody\n");
        assert_eq!(mend(&file(before)), file(after));
    }
    for kept in [
        "{license: x}",
        "- license",
        "  more\nlicense: x",
        "name: &a x",
        "name: |\n  x",
        "name: \"x",
    ] {
        let file = format!("---\n{kept}\n---\nBody\n");
        assert_eq!(mend(&file), file);
    }
    let command = Origin { layout: Layout::Commands, ..Origin::new("git:cm") };
    assert!(fix(b"---\nname: Other\n---\n", &command).is_none());
    assert!(fix(b"---\nname: Other\n---\n", &Origin::new("Not Valid")).is_none());
    assert!(fix(b"\xff", &command).is_none());
}

#[test]
fn what_was_mended_is_told() {
    let text = "---\nName: Other\nlicense: a: b\n---\nBody\n";
    let fixed = fix(text.as_bytes(), &Origin::new("demo")).unwrap();
    let codes: Vec<_> = fixed.mended.iter().map(|mended| mended.code.id()).collect();
    assert_eq!(codes, ["key-spelling", "invalid-name", "repaired-value"]);
    assert_eq!(fixed.bytes, b"---\nname: demo\nlicense: \"a: b\"\n---\nBody\n");
}
