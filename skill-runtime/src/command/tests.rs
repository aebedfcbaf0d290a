//! Lines as a table, and messages.

use super::{Line, Syntax, Typed, parse_line, unknown, unnamed};

const LIST: Typed<'_> = Typed::List;
const TEXT: Typed<'_> = Typed::Text;

const fn skill<'a>(word: &'a str, raw: &'a str) -> Typed<'a> {
    Typed::Skill(Line { word, raw })
}

const fn native<'a>(word: &'a str, raw: &'a str) -> Typed<'a> {
    Typed::Native(Line { word, raw })
}

fn check(syntax: &Syntax<'_>, table: &[(&str, Typed<'_>)]) {
    for (line, expected) in table {
        assert_eq!(parse_line(line, syntax), *expected, "{line:?} with {syntax:?}");
    }
}

#[test]
fn the_usual_forms() {
    let table = [
        ("/skill:n a b", skill("n", "a b")),
        ("/skill n a b", skill("n", "a b")),
        ("/skills n a b", skill("n", "a b")),
        ("/n a b", skill("n", "a b")),
        ("/skill:n", skill("n", "")),
        ("/skill:n ", skill("n", "")),
        ("/skill:n  a", skill("n", " a")),
        ("/skill:n\ta", skill("n", "a")),
        ("/skill:n\na\n\nb\n", skill("n", "a\n\nb\n")),
        ("/skill:n\r\na", skill("n", "\na")),
        ("/skill:n\u{a0}a", skill("n", "a")),
        ("/skill:n\u{3000}\u{3000}a", skill("n", "\u{3000}a")),
        ("/skill\u{2003}n\u{2003}a", skill("n", "a")),
        ("/skill   n a", skill("n", "a")),
        ("/skill: n a", skill("n", "a")),
        ("/skill:git:cm x", skill("git:cm", "x")),
        ("/git:cm x", skill("git:cm", "x")),
        ("/skill:skill x", skill("skill", "x")),
        ("/skill:Größe x", skill("Größe", "x")),
        ("/skill:a/b x", skill("a/b", "x")),
        ("/skillful x", skill("skillful", "x")),
        ("/skill", LIST),
        ("/skills", LIST),
        ("/skill ", LIST),
        ("/skills\n", LIST),
        ("/skill:", LIST),
        ("/skill:  ", LIST),
        ("", TEXT),
        ("/", TEXT),
        ("/ n", TEXT),
        ("// a comment", TEXT),
        ("/etc/hosts is odd", TEXT),
        ("n a b", TEXT),
        (" /skill:n", TEXT),
        ("skill:n", TEXT),
    ];
    check(&Syntax::default(), &table);
}

#[test]
fn native_commands_win_over_bare_words() {
    let words = ["help".into(), "/quit".into()];
    let syntax = Syntax { native: &words, ..Syntax::default() };
    let table = [
        ("/help me", native("help", "me")),
        ("/quit", native("quit", "")),
        ("/helper me", skill("helper", "me")),
        ("/skill:help me", skill("help", "me")),
        ("/skill help me", skill("help", "me")),
    ];
    check(&syntax, &table);
    let words = ["skills".into()];
    let syntax = Syntax { native: &words, ..Syntax::default() };
    let table = [
        ("/skills n", native("skills", "n")),
        ("/skills", native("skills", "")),
        ("/skill n", skill("n", "")),
    ];
    check(&syntax, &table);
}

#[test]
fn a_prefix_of_the_hosts_own() {
    let short = [
        ("/s:n a", skill("n", "a")),
        ("/s:", LIST),
        ("/skill:n a", skill("n", "a")),
        ("/n a", skill("n", "a")),
        ("/x:n a", skill("x:n", "a")),
    ];
    check(&Syntax { prefix: "/s:", ..Syntax::default() }, &short);
    check(&Syntax { prefix: "s:", ..Syntax::default() }, &short);
    for prefix in ["", "/"] {
        let table = [("/n a", skill("n", "a")), ("/skill:n a", skill("n", "a")), ("/", TEXT)];
        check(&Syntax { prefix, ..Syntax::default() }, &table);
    }
}

#[test]
fn without_a_slash_where_the_caller_says_so() {
    let words = ["help".into()];
    let syntax = Syntax { bare: true, native: &words, ..Syntax::default() };
    let table = [
        ("commit fix it", skill("commit", "fix it")),
        ("help x", skill("help", "x")),
        ("/help x", native("help", "x")),
        ("/skill:commit x", skill("commit", "x")),
        ("", LIST),
        ("  ", LIST),
    ];
    check(&syntax, &table);
}

#[test]
fn messages() {
    let all = || ["a", "b"].into_iter();
    assert_eq!(unknown("x", &[], all()), "no skill is called `x`; there are a, b");
    assert_eq!(unknown("x", &[], [].into_iter()), "no skill is called `x`; there are no skills");
    assert_eq!(unknown("x", &["y"], all()), "no skill is called `x`; did you mean `y`?");
    let three = unknown("x\u{1b}", &["y", "z", "w"], all());
    assert_eq!(three, "no skill is called `x\\u{1b}`; did you mean `y`, `z` or `w`?");
    let many: Vec<String> = (0..15).map(|at| at.to_string()).collect();
    let message = unnamed("no skill is named", many.iter().map(String::as_str));
    assert!(message.ends_with("10, 11 and 3 more"), "{message}");
}
