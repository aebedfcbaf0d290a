//! Every diagnostic code to a case that gives it: a code that nothing says is not in the table.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use skilldeck::diagnostic::{Code, Diagnostic};
use skilldeck::format::{self, Origin};
use skilldeck::model::Prefix;
use skilldeck::{Deck, Namespace, Registry, Source, SourceInfo, Tier};

static DECK: Deck = skilldeck::include_skills!("tests/fixtures/decks/basic");

/// Front matter (behind a name and a description) to the code that it gives.
const FRONT: &[(&str, &str)] = &[
    ("unreadable-key", "tags: [a, b\n"),
    ("stray-line", "just words\n"),
    ("not-a-fence", "----\n"),
    ("repaired-value", "compatibility: a: b\n"),
    ("duplicate-key", "license: a\nlicense: b\n"),
    ("unknown-key", "zzz: 1\n"),
    ("misspelt-key", "user-invokable: true\n"),
    ("key-spelling", "allowed_tools: Read\n"),
    ("not-text", "license: [a, b]\n"),
    ("not-a-boolean", "background: perhaps\n"),
    ("empty-value", "user-invocable:\n"),
    ("not-a-list", "aliases: {a: b}\n"),
    ("not-a-map", "metadata: text\n"),
    ("dropped-item", "aliases: [a, [b]]\n"),
    ("invalid-version", "version: newest\n"),
    ("invalid-requirement", "depends-on: a@newest\n"),
    ("invalid-alias", "aliases: ['--']\n"),
    ("invalid-argument-name", "arguments: ['1']\n"),
    ("restriction-lost", "allowed-tools: {Read: true}\n"),
    ("unsupported-shell", "shell: powershell\n"),
    ("nul-byte", "license: a\0b\n"),
];

/// Whole files to the code that they give.
const FILES: &[(&str, &str)] = &[
    ("blank-before-fence", "\n---\nname: demo\ndescription: d\n---\n"),
    ("no-front-matter", "Text.\n"),
    ("unclosed-front-matter", "---\nname: demo\n"),
    ("wrapped-file", "```skill\n---\nname: demo\ndescription: d\n---\nB\n```\n"),
    ("materialised-symlink", "../shared/demo/SKILL.md"),
    ("not-a-mapping", "---\n- a\n- b\n---\nB\n"),
    ("invalid-yaml", "---\n name: demo\ndescription: d\n---\nB\n"),
    ("missing-name", "---\ndescription: d\n---\nB\n"),
    ("missing-description", "---\nname: demo\n---\nB\n"),
    ("invalid-name", "---\nname: De Mo\ndescription: d\n---\nB\n"),
    ("name-mismatch", "---\nname: other\ndescription: d\n---\nB\n"),
];

/// Bodies of a skill with the arguments `a` and `b` to the code that they give.
const BODIES: &[(&str, &str)] = &[
    ("placeholder-near-number", "It costs $0.10\n"),
    ("placeholder-in-single-quotes", "!`echo '$a'`\n"),
    ("unquoted-placeholder", "!`echo $a`\n"),
    ("placeholder-in-shell-code", "!`sh -c \"echo $a\"`\n"),
    ("unclosed-shell-block", "```!\necho x\n"),
];

/// Codes whose cases need another user, since root reads everything: the tests of discovery and of
/// the command line run as one. Configuration is a feature, and its tests are with it.
const ELSEWHERE: &[&str] = &["unreadable-directory", "widening-setting"];

fn parsed(text: &str) -> Vec<Diagnostic> {
    format::parse(text.as_bytes(), &Origin::new("demo")).diagnostics
}

fn loaded(root: &Path, trusted: bool) -> Vec<Diagnostic> {
    let mut info = SourceInfo::new("mine", Tier::PROJECT);
    info.trusted = trusted;
    let registry =
        Registry::builder().bundled(&DECK).source(Source::directory(root, info)).build().unwrap();
    registry.snapshot().diagnostics().to_vec()
}

fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn skill(root: &Path, name: &str, front: &str) {
    let text = format!("---\nname: {name}\ndescription: d\n{front}---\nB\n");
    write(root, &format!("{name}/SKILL.md"), text);
}

#[test]
fn every_code_has_a_case() {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut expect = |code: &'static str, found: &[Diagnostic]| {
        let ids: Vec<&str> = found.iter().map(|finding| finding.code.id()).collect();
        assert!(ids.contains(&code), "{code} is not among {ids:?}");
        seen.insert(code);
    };
    for (code, front) in FRONT {
        let text = format!("---\nname: demo\ndescription: d\n{front}---\nB\n");
        expect(code, &parsed(&text));
    }
    for (code, text) in FILES {
        expect(code, &parsed(text));
    }
    for (code, body) in BODIES {
        let text = format!("---\nname: demo\ndescription: d\narguments: [a, b]\n---\n{body}");
        expect(code, &parsed(&text));
    }
    let plain = |front: &str| format!("---\nname: demo\ndescription: d\n{front}---\nB $1\n");
    expect("positional-not-live", &parsed(&plain("")));
    let long = format!("---\nname: demo\ndescription: {}\n---\nB\n", "x".repeat(1025));
    expect("long-description", &parsed(&long));
    expect("front-matter-too-large", &parsed(&plain(&format!("a: {}\n", "x".repeat(70_000)))));
    expect("too-many-alternatives", &parsed(&plain(&format!("paths: '{}'\n", "{a,b}".repeat(9)))));
    let bytes = format::parse(b"---\nname: \xff\n---\n", &Origin::new("demo")).diagnostics;
    expect("not-utf8", &bytes);
    let spec = |front: &str| format::spec::check(plain(front).as_bytes(), &Origin::new("demo"));
    expect("spec-key", &spec("version: 1.0.0\n"));
    expect("spec-compatibility", &spec(&format!("compatibility: {}\n", "x".repeat(501))));

    let here = tempfile::tempdir().unwrap();
    let root = &here.path().join("root");
    write(root, "huge/SKILL.md", "x".repeat((1 << 20) + 1));
    write(root, "directory/SKILL.md/x", "x");
    write(root, "odd/skill.md", "x");
    write(root, "1/2/3/4/5/6/7/SKILL.md", "x");
    symlink("nowhere", root.join("dangling")).unwrap();
    write(root, "lost/x", "x");
    symlink("nowhere", root.join("lost/SKILL.md")).unwrap();
    symlink("..", root.join("up")).unwrap();
    write(here.path(), "outside/SKILL.md", "x");
    symlink("../outside", root.join("out")).unwrap();
    let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"od\xffd");
    fs::create_dir(root.join(name)).unwrap();
    fs::write(root.join(name).join("SKILL.md"), "x").unwrap();
    skill(root, "lonely", "depends-on: nowhere\n");
    skill(root, "above", "depends-on: lonely\n");
    skill(root, "old", "version: 1.0.0\n");
    skill(root, "picky", "depends-on: old@^2\n");
    skill(root, "ring", "depends-on: ring\n");
    skill(root, "alias", "aliases: [old]\n");
    skill(root, "commit", "depends-on: nowhere\n");
    write(root, "twice/SKILL.md", "---\nname: old\ndescription: d\n---\n");
    let found = loaded(root, true);
    for code in [
        "too-large",
        "not-regular",
        "odd-case",
        "too-deep",
        "dangling-link",
        "link-cycle",
        "not-utf8-name",
        "missing-dependency",
        "unavailable-dependency",
        "dependency-version",
        "dependency-cycle",
        "alias-clash",
        "override-refused",
        "duplicate-word",
        "unreadable",
    ] {
        expect(code, &found);
    }
    expect("link-outside", &loaded(root, false));
    expect("missing-root", &loaded(&root.join("nowhere"), true));
    expect("root-not-a-directory", &loaded(&root.join("odd/skill.md"), true));

    // A file that breaks while it is in use.
    let live = &here.path().join("live");
    skill(live, "demo", "");
    let source = Source::directory(live, SourceInfo::new("mine", Tier::PROJECT));
    let registry = Registry::builder().source(source).build().unwrap();
    skill(live, "demo", "tags: [a, b\n");
    expect("last-good-kept", &registry.reload().diagnostics);

    // A source whose words have a prefix.
    let mut info = SourceInfo::new("mine", Tier::CORE);
    info.namespace = Namespace::Expect(Prefix::new("augr-").unwrap());
    skill(live, "augr-right", "");
    let registry = Registry::builder().source(Source::directory(live, info)).build().unwrap();
    expect("missing-prefix", registry.snapshot().diagnostics());

    // What was compiled in against a copy that moved on.
    let copy = &here.path().join("copy");
    write(copy, "added/SKILL.md", "x");
    let bundled = DECK.skills().first().unwrap();
    write(copy, &format!("{}/SKILL.md", bundled.skill.directory_word()), "changed");
    let verified = DECK.verify(&[copy]);
    for code in ["changed-since-build", "added-since-build", "removed-since-build"] {
        expect(code, &verified);
    }

    let missing: Vec<&str> = Code::ALL
        .iter()
        .map(|code| code.id())
        .filter(|id| !seen.contains(id) && !ELSEWHERE.contains(id))
        .collect();
    assert!(missing.is_empty(), "no case gives {missing:?}");
}
