//! Hostile and odd files to assertions.

use super::*;
use crate::model::Value;

fn origin(layout: Layout) -> Origin<'static> {
    Origin {
        name: "demo",
        path: None,
        layout,
        dialect: Dialect::Claude,
        positional: Positional::Declared,
    }
}

pub(super) fn read(text: &str) -> (Skill, Vec<Diagnostic>) {
    let parsed = parse(text.as_bytes(), &origin(Layout::Skills));
    (parsed.skill.expect("text gives a skill"), parsed.diagnostics)
}

/// Reads front matter that has a name and a description already.
pub(super) fn front(lines: &str) -> (Skill, Vec<Diagnostic>) {
    read(&format!("---\nname: demo\ndescription: d\n{lines}\n---\nBody\n"))
}

/// `line:column code` of each diagnostic.
fn places(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(|d| format!("{}:{} {}", d.line, d.column, d.code.id())).collect()
}

#[test]
fn places_are_those_of_the_file() {
    for (text, expected) in [
        ("---\nname: demo\ndescription: a: b\n---\n", &["3:15 repaired-value"][..]),
        ("\u{feff}---\r\nname: demo\r\ndescription: a: b\r\n---\r\n", &["3:15 repaired-value"]),
        ("---\nname: demo\ndescription: d\ntags: [a, b\n---\n", &["4:1 unreadable-key"]),
        ("---\nname: demo\ndescription: \"d\n---\n", &["3:1 unreadable-key"]),
        ("---\nname: demo\n----\ndescription: d\n---\n", &["3:1 not-a-fence", "3:1 stray-line"]),
        ("\n\n---\nname: demo\ndescription: d\n---\n", &["1:1 blank-before-fence"]),
        ("---\nname: demo\ndescription: d\n", &["1:1 unclosed-front-matter"]),
        ("---\nname: x\ndescription: d\n---\n", &["2:7 name-mismatch"]),
        ("---\nname: demo\ndescription: d\ndescription: e\n---\n", &["4:1 duplicate-key"]),
        ("---\nname: demo\ndescription: d\nmetadata: {a: 1, a: 2}\n---\n", &["4:1 duplicate-key"]),
        ("---\nname: demo\ndescription: a\0b\n---\n", &["3:1 unreadable-key", "3:15 nul-byte"]),
        (
            "---\n- name: demo\n---\n",
            &["1:1 missing-name", "1:1 missing-description", "2:1 not-a-mapping"],
        ),
        (
            "---\nname: demo\n  description: d\n---\n",
            &[
                "1:1 missing-description",
                "2:7 invalid-name",
                "2:7 name-mismatch",
                "3:14 repaired-value",
            ],
        ),
        ("---\n{name: demo, description: d}\n---\n", &[]),
        ("---\n  name: demo\n  description: d\n---\n", &[]),
        ("---\nname: demo\ndescription: d\ndescripton: e\n---\n", &["4:1 unknown-key"]),
        ("---\nname: demo\ndescription: d\n\tx: y\n---\n", &["4:3 repaired-value"]),
    ] {
        assert_eq!(places(&read(text).1), expected, "{text:?}");
    }
}

/// No time is asserted: what was not bounded here took minutes a piece, and this would not end.
/// Half of the limit is enough to tell, and bearable without optimisation.
#[test]
fn hostile_front_matter_is_read_in_bounded_time() {
    let size = MAX_FRONT_MATTER_BYTES / 2;
    let fill = |piece: &str| piece.repeat(size / piece.len());
    let copies = |piece: &str, each: &str, count: usize| {
        format!("a: &a {piece}\nb:\n{}", format!("  - {each}\n").repeat(count))
    };
    for text in [
        fill("["),
        fill("- "),
        fill("? "),
        fill(": "),
        fill("a: "),
        fill("a:\n"),
        fill("x\n"),
        fill("- a\n"),
        fill("a: \"\n"),
        fill("a: [\n"),
        fill("a: 'b\n"),
        fill("&a "),
        fill("!a "),
        fill("a: *a\n"),
        fill("*a :\n"),
        fill("&a *a\n"),
        fill("<<: *a\n"),
        fill("<< a\n"),
        fill("a-longer-key: \"\n"),
        fill("disable-model-invocation: true\n"),
        fill("- disable-model-invocation: true\n"),
        format!("{{{}}}", fill("user-invocable: no,")),
        fill("\"a\": b: c\n"),
        fill("# c\n"),
        fill(" #"),
        fill("\t"),
        format!("a: {}", fill("\"")),
        format!("a: {}", fill("'' ")),
        format!("a: {}", fill("b: ")),
        format!("a: |\n{}", fill(" x\n")),
        fill("a:\n b:\n  c: [\n"),
        copies(&format!("[{}]", "x,".repeat(10_000)), "*a", 5_000),
        copies(&"x".repeat(30_000), "*a", 5_000),
        copies("[*a, *a]", "*a", 5),
        (0..200).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n"),
    ] {
        let (skill, _) = read(&format!("---\nname: demo\n{text}\n---\nBody\n"));
        let piece: String = text.chars().take(20).collect();
        assert_eq!(skill.body(), "Body\n", "{piece:?}");
    }
}

#[test]
fn repair_reads_what_was_meant() {
    for (value, expected) in [
        ("a: b", Some("a: b")),
        ("a: b # c", Some("a: b")),
        ("a: b\n  c: d", Some("a: b c: d")),
        ("\"a\" b: c", Some("\"a\" b: c")),
        ("'it's fine'", Some("'it's fine'")),
        ("@a b", Some("@a b")),
        ("`a` b", Some("`a` b")),
        ("%a", Some("%a")),
        ("*a* b", Some("*a* b")),
        ("[a] [b]", Some("[a] [b]")),
        ("ends with:", Some("ends with:")),
        ("\n  use with x: y,\n  then z", Some("use with x: y, then z")),
        ("\"a", None),
        ("[a, b", None),
        ("> a", None),
        ("&a b: c", None),
        ("- a", None),
    ] {
        let text = format!("---\nname: demo\ndescription: {value}\n---\n");
        let (skill, found) = read(&text);
        assert_eq!(skill.description(), expected.unwrap_or_default(), "{value:?}");
        let code = if expected.is_some() { Code::RepairedValue } else { Code::UnreadableKey };
        assert!(found.iter().any(|found| found.code == code && found.line >= 3), "{value:?}");
    }
}

#[test]
fn anchors_survive_a_repair_elsewhere() {
    let text = "---\nname: demo\nx: &t [Read]\nallowed-tools: *t\ndescription: a: b\n---\n";
    let (skill, _) = read(text);
    assert_eq!((skill.description(), skill.restricted()), ("a: b", false));
    assert_eq!(skill.allowed_tools(), ["Read"]);
}

#[test]
fn hints_are_raw() {
    for (value, expected) in [
        ("[a: b] # c", Some("[a: b]")),
        ("[issue #3]", Some("[issue #3]")),
        ("<a|b> [--x]", Some("<a|b> [--x]")),
        ("file: path", Some("file: path")),
        ("| --x", Some("| --x")),
        ("*", Some("*")),
        ("'it''s'", Some("it's")),
        ("\"<a>\" [b]", Some("\"<a>\" [b]")),
        (">-\n  a\n  b", Some("a b")),
        ("{a} {b}", Some("{a} {b}")),
        ("3", Some("3")),
        ("~", None),
        ("", None),
    ] {
        let (skill, found) = front(&format!("argument-hint: {value}"));
        assert_eq!(skill.argument_hint(), expected, "{value:?}");
        assert!(found.is_empty(), "{value:?}: {found:?}");
    }
}

#[test]
fn fields_are_read_from_their_source() {
    let (skill, found) = front(
        "license: 1.10\nmetadata:\n  version: 1.10\n  a: {b: [yes, ~, 'true', true]}\n\
         version: v1.2\ncontext: fork\nmodel: null\nbackground: \"On\"\n\
         slash_command:\n  prefix: \"\"\n  auto_inject: no\naliases: [Short Cut, x]\n\
         arguments: file target\npaths: 'src/{a,b}/**, *.rs'\nzzz: [a,  b] # c\n\
         when_to_use: at: times\nhooks:\n  Stop: []\ninput_schema: {type: object}",
    );
    assert_eq!(skill.license(), Some("1.10"));
    assert_eq!(skill.metadata().get("version"), Some(&Value::Number("1.10".into())));
    let list = skill.metadata().get("a").and_then(|a| a.get("b"));
    let text = |text: &'static str| Value::String(text.into());
    let expected = vec![text("yes"), Value::Null, text("true"), Value::Bool(true)];
    assert_eq!(list, Some(&Value::List(expected.into())));
    assert_eq!((skill.version(), skill.model(), skill.background()), (Some("v1.2"), None, true));
    assert!(skill.is_fork() && skill.hooks().is_some() && skill.input_schema().is_some());
    let settings = skill.slash_command();
    assert_eq!(
        (settings.prefix.as_deref(), settings.enabled, settings.auto_inject),
        (Some(""), true, false)
    );
    assert_eq!(skill.aliases(), ["short-cut", "x"]);
    assert_eq!(skill.arguments(), ["file", "target"]);
    assert_eq!(skill.paths(), ["src/{a,b}/**", "*.rs"]);
    assert_eq!(
        (skill.extra()[0].key.as_ref(), skill.extra()[0].source.as_ref()),
        ("zzz", "[a,  b] # c")
    );
    assert_eq!(skill.when_to_use(), Some("at: times"));
    let codes: Vec<_> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::UnknownKey, Code::RepairedValue]);
}

#[test]
fn values_that_do_not_fit_are_reported() {
    for (lines, code) in [
        ("license: [MIT]", Code::NotText),
        ("metadata: text", Code::NotAMap),
        ("input-schema: [a]", Code::NotAMap),
        ("slash-command: off", Code::NotAMap),
        ("aliases: {a: b}", Code::NotAList),
        ("aliases: [a, [b]]", Code::DroppedItem),
        ("aliases: ['!']", Code::InvalidAlias),
        ("arguments: 2x", Code::InvalidArgumentName),
        ("arguments: a a", Code::InvalidArgumentName),
        ("depends-on: a@nonsense", Code::InvalidRequirement),
        ("version: latest", Code::InvalidVersion),
        ("background: perhaps", Code::NotABoolean),
        ("shell: powershell", Code::UnsupportedShell),
        ("user-invocable:", Code::EmptyValue),
        ("allowedTools: Read", Code::KeySpelling),
        ("user-invokable: false", Code::MisspeltKey),
        ("paths: '{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b}'", Code::TooManyAlternatives),
        ("slash-command: {enabled: perhaps}", Code::NotABoolean),
        ("slash-command: {prefx: x}", Code::UnknownKey),
    ] {
        let (_, found) = front(lines);
        assert_eq!(places(&found).len(), 1, "{lines:?}: {found:#?}");
        assert_eq!((found[0].code, found[0].line), (code, 4), "{lines:?}");
    }
}

#[test]
fn dependencies_have_their_lines() {
    let (skill, found) = front("depends-on:\n  - a\n  - b@>=1, <3\n  - a@^2");
    let all: Vec<_> = skill
        .depends_on()
        .iter()
        .map(|d| (d.name.as_ref(), d.requirement.as_deref(), d.line))
        .collect();
    assert_eq!(all, [("a", None, 5), ("b", Some(">=1, <3"), 6), ("a", Some("^2"), 7)]);
    assert!(found.is_empty());
    let (skill, _) = front("depends-on: a, b@ >=1, <3 c");
    let all: Vec<_> =
        skill.depends_on().iter().map(|d| (d.name.as_ref(), d.requirement.as_deref())).collect();
    assert_eq!(all, [("a", None), ("b", Some(">=1, <3")), ("c", None)]);
}

#[test]
fn names_become_words() {
    let named = |directory: &'static str, name: &str| {
        let origin = Origin { name: directory, ..origin(Layout::Skills) };
        let text = format!("---\nname: {name}\ndescription: d\n---\n");
        let skill = parse(text.as_bytes(), &origin).skill.expect("text gives a skill");
        [skill.name(), skill.word(), skill.directory_word()].map(str::to_owned)
    };
    assert_eq!(named("demo", "\"a\\e[31m B\""), ["a[31m B", "a-31m-b", "demo"]);
    assert_eq!(named("demo", "!"), ["demo", "demo", "demo"]);
    assert_eq!(named("demo", "'!'"), ["!", "demo", "demo"]);
    assert_eq!(named("!!", "'!'"), ["!", "skill", "skill"]);
    assert_eq!(named("demo", "~"), ["demo", "demo", "demo"]);
    assert_eq!(named("e\u{301}", "\u{e9}"), ["\u{e9}", "\u{e9}", "\u{e9}"]);
}

#[test]
fn commands_need_no_front_matter() {
    let origin = Origin { name: "git:cm", ..origin(Layout::Commands) };
    for text in ["Commit it.\n", "---\n---\nCommit it.\n", "---\nmodel: x\n---\n\nCommit it.\n"] {
        let parsed = parse(text.as_bytes(), &origin);
        let skill = parsed.skill.expect("text gives a skill");
        assert_eq!((skill.name(), skill.word()), ("git:cm", "git:cm"));
        assert_eq!(skill.description(), "Commit it.");
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    }
}

#[test]
fn only_bytes_that_are_no_text_give_no_skill() {
    for (bytes, code, line, span) in [
        (&b"---\nname: \xff\n---\n"[..], Code::NotUtf8, 2, 10..11),
        (b"\xff\xfe-\0-\0-\0", Code::NotUtf8, 1, 0..0),
        (&vec![b'a'; MAX_FILE_BYTES + 1], Code::TooLarge, 1, 0..0),
    ] {
        let parsed = parse(bytes, &origin(Layout::Skills));
        assert!(parsed.skill.is_none());
        let found = &parsed.diagnostics[0];
        assert_eq!((found.code, found.line, found.span.clone()), (code, line, span));
    }
    assert!(parse(&vec![b'a'; MAX_FILE_BYTES], &origin(Layout::Skills)).skill.is_some());
    assert!(parse(b"", &origin(Layout::Skills)).skill.is_some());
    assert_eq!(read("---\nname: demo\ndescription: d\n---\na\0b").0.body(), "a\0b");
}

#[test]
fn a_description_is_taken_from_the_first_prose() {
    for (body, expected) in [
        ("# T\n\nA\nb.\n\nC", "A b."),
        ("T\n===\n\nA.", "A."),
        ("T\n---\n\nA.", "A."),
        ("<!-- a\nb --> \n\nA.", "A."),
        ("~~~\nx\n```\n~~~\nA.", "A."),
        ("- a\n- b\n\nA.", "A."),
        ("- a\n- b\n", "- a"),
        ("# Only a heading #\n", "Only a heading"),
        ("***\n\n#hash is prose", "#hash is prose"),
        ("```\ncode\n```\n", "code"),
        ("", ""),
    ] {
        assert_eq!(prose::first_paragraph(body), expected, "{body:?}");
    }
}

#[test]
fn wrappers_are_taken_away() {
    let (skill, found) =
        read("````markdown\n---\nname: demo\ndescription: d\n---\n```\nx\n```\n````\n\n");
    assert_eq!((skill.description(), skill.body()), ("d", "```\nx\n```\n"));
    assert_eq!(places(&found), ["1:1 wrapped-file"]);
    let (skill, _) = read("```markdown\nexample\n```\n\nText.\n\n```\nx\n```\n");
    assert_eq!(skill.description(), "Text.");
}

#[test]
fn a_link_that_was_checked_out_as_text_is_named() {
    for (text, is_link) in [
        ("../../shared/demo/SKILL.md", true),
        ("other/SKILL.md\n", true),
        ("/etc/SKILL.md", false),
        ("See other/SKILL.md\nfor more", false),
        ("../other/README.md", false),
    ] {
        let (_, found) = read(text);
        let codes: Vec<_> = found.iter().map(|found| found.code).collect();
        let expected = if is_link { Code::MaterialisedSymlink } else { Code::NoFrontMatter };
        assert_eq!(codes, [expected], "{text:?}");
    }
}

#[test]
fn an_unreadable_file_keeps_its_name_and_nothing_else() {
    let skill = unreadable(&origin(Layout::Skills));
    assert_eq!((skill.name(), skill.word(), skill.body()), ("demo", "demo", ""));
    assert_eq!(skill.restriction(), Restriction::Whole);
    assert_eq!(skill.allowed_agents(), &Agents::Nobody);
}
