//! Rows of bodies, arguments and words to what they give.

use std::borrow::Cow;

use super::*;
use crate::model::Text;

const DECLARED: [Text; 2] = [Cow::Borrowed("base"), Cow::Borrowed("base-repo")];

fn always(dialect: Dialect) -> Cut<'static> {
    Cut { dialect, positional: Positional::Always, ..Cut::default() }
}

fn filled(cut: &Cut<'_>, body: &str, raw: &str) -> (String, bool) {
    let (template, _) = Template::cut(body.to_owned().into(), cut);
    let variables = Variables { skill_dir: Some("/skills/a b"), ..Variables::default() };
    let mut out = String::new();
    let append = template.fill(&template.bind(raw), &variables, &[], &mut out);
    (out, append)
}

#[test]
fn a_const_holds_a_template() {
    const SEGMENTS: &[Segment] = &[
        Segment::Text(Span { start: 0, end: 3 }),
        Segment::Argument(Argument::All, Span { start: 3, end: 13 }),
    ];
    static TEMPLATE: Template = Template::from_parts(Parts {
        text: Cow::Borrowed("do $ARGUMENTS\n"),
        segments: Cow::Borrowed(SEGMENTS),
        shells: Cow::Borrowed(&[]),
        dialect: Dialect::Claude,
    });
    let (cut, lints) = Template::cut(Cow::Borrowed("do $ARGUMENTS\n"), &Cut::default());
    assert_eq!(cut, TEMPLATE);
    assert!(lints.is_empty());
    assert_eq!(TEMPLATE.text(), "do $ARGUMENTS\n");
}

#[test]
fn claude_fills() {
    let rows = [
        // Escapes.
        (r"\$0 $0", "x", "$0 x", false),
        (r"\\$0", "x", r"\x", false),
        (r"\\\$0", "x", r"\\x", false),
        (r"\$ARGUMENTS[0] \$ARGUMENTS", "x", "$ARGUMENTS[0] $ARGUMENTS", true),
        (r"\$base \$basement", "x", r"$base \$basement", true),
        (r"C:\new \n \` \$HOME \${SKILL_DIR}", "", r"C:\new \n \` \$HOME \/skills/a b", false),
        // Names: the longest, and no part of a longer word.
        ("$base-repo $base-rep $based $base_ $baseé", "a b", "b a-rep $based $base_ $baseé", false),
        ("$base[0] $base.", "a", "a[0] a.", false),
        ("[$base-repo]", "a", "[]", true),
        // Positions.
        ("$0abc $00 $1x", "a", "aabc a $1x", false),
        ("$ARGUMENTS[1] $ARGUMENTS[x] $ARGUMENTS[", "a b", "b a b[x] a b[", false),
        ("$ARGUMENTS[7]", "a", "$ARGUMENTS[7]", true),
        ("$ARGUMENTSX", "a", "aX", false),
        ("$99999999999999999999", "a", "$99999999999999999999", true),
        // A word that is empty was received all the same.
        ("[$0]", "''", "[]", false),
        // Variables, and what is none.
        ("${SKILL_DIR} ${CLAUDE_SKILL_DIR}", "", "/skills/a b /skills/a b", false),
        ("${SESSION_ID} ${HOME} ${SKILL_DIR", "", "${SESSION_ID} ${HOME} ${SKILL_DIR", false),
        // Trailing newlines go, other white space stays.
        ("a \r\n\n\r\n", "", "a ", false),
        ("\n\n", "x", "", true),
        ("$", "x", "$", true),
        // Placeholders of other dialects.
        ("$@ ${1} $$0", "x", "$@ ${1} $x", false),
    ];
    let cut = Cut { declared: &DECLARED, ..always(Dialect::Claude) };
    for (body, raw, out, append) in rows {
        assert_eq!(filled(&cut, body, raw), (out.to_owned(), append), "{body}");
    }
}

#[test]
fn opencode_fills() {
    let rows = [
        ("$1 $0 $00", "a b", "a b $0 $00", false),
        ("$01 $2", "a b c", "a b c", false),
        ("$@|$ARGUMENTS", "a  b", "a  b|a  b", false),
        ("[$3]", "a b", "[]", false),
        (r"\\$1", "a", r"\\a", false),
        ("$0 ${1} $base", "x", "$0 ${1} $base", true),
        ("${PROJECT_DIR} ${SKILL_DIR}", "x", "${PROJECT_DIR} /skills/a b", true),
    ];
    for (body, raw, out, append) in rows {
        let cut = Cut { declared: &DECLARED, ..always(Dialect::OpenCode) };
        assert_eq!(filled(&cut, body, raw), (out.to_owned(), append), "{body}");
    }
}

#[test]
fn positionals_are_live_where_arguments_are_declared() {
    let none = Cut::default();
    let hint = Cut { has_hint: true, ..none };
    let named = Cut { declared: &DECLARED, ..none };
    let opencode = Cut { dialect: Dialect::OpenCode, ..none };
    let rows = [
        (&none, r"$0 \$0 \\$0", r"$0 \$0 \\$0"),
        (&hint, r"$0 \$0 \\$0", r"x $0 \x"),
        (&named, r"$0 \$0", r"x $0"),
        (&none, r"$0 $ARGUMENTS", "x x"),
        (&none, r"$0 $ARGUMENTS[0]", "x x"),
        (&none, r"$0 \$ARGUMENTS", "$0 $ARGUMENTS"),
        (&none, r"$0 \\$ARGUMENTS", r"x \x"),
        (&none, "$0\n!`echo \"$ARGUMENTS\"`", "x\n!`echo \"$ARGUMENTS\"`"),
        (&none, "$0\n!`echo '$ARGUMENTS'`", "$0\n!`echo '$ARGUMENTS'`"),
        (&none, "$0\n!`echo \\$ARGUMENTS`", "$0\n!`echo \\$ARGUMENTS`"),
        (&opencode, "$1", "$1"),
        (&opencode, "$1 $@", "x x"),
    ];
    for (cut, body, out) in rows {
        assert_eq!(filled(cut, body, "x").0, out, "{body}");
    }
}

#[test]
fn odd_names_take_their_position() {
    let declared = ["a.b", "2nd", "two words", "", "last"].map(Text::from);
    let cut = Cut { declared: &declared, ..Cut::default() };
    assert_eq!(
        filled(&cut, "$last $2nd $two words $a.b", "1 2 3 4 5").0,
        "5 3nd $two words 1",
        "a declared name makes `$2` live"
    );
}

#[test]
fn shell_replacements_are_not_looked_at_again() {
    let (template, _) = Template::cut("a !`one` $0\n!`two`\n".into(), &always(Dialect::Claude));
    let mut out = String::from("> ");
    let shells = ["$0 ${SKILL_DIR}".into(), "!`three`".into()];
    let append = template.fill(&template.bind("x"), &Variables::default(), &shells, &mut out);
    assert_eq!(out, "> a $0 ${SKILL_DIR} x\n!`three`");
    assert!(!append);
}

#[test]
fn a_shell_reference_receives_only_what_is_there() {
    let rows = [
        (Dialect::Claude, "!`echo \"$1\"`", "x", true),
        (Dialect::Claude, "!`echo \"$1\"`", "x y", false),
        (Dialect::Claude, "!`echo '$1'`", "x y", true),
        (Dialect::Claude, "!`echo \"$1\"` $0", "x", false),
        (Dialect::OpenCode, "!`echo \"$3\"`", "x", false),
        (Dialect::OpenCode, "!`echo '$1'`", "x", true),
    ];
    for (dialect, body, raw, append) in rows {
        assert_eq!(filled(&always(dialect), body, raw).1, append, "{body}");
    }
}

#[test]
fn placeholders_are_listed_once_as_written() {
    let rows = [
        (Dialect::Claude, r"$1 $base $1 \$2 $ARGUMENTS[0]", vec!["$1", "$base", "$ARGUMENTS[0]"]),
        (Dialect::Claude, "!`a \"$2\" '$3' # $4` $2 $ARGUMENTS", vec!["$2", "$ARGUMENTS"]),
        (Dialect::OpenCode, "$2 $@ $0 $1 $2", vec!["$2", "$@", "$1"]),
        (Dialect::OpenCode, "none ${SKILL_DIR}", vec![]),
    ];
    for (dialect, body, expected) in rows {
        let cut = Cut { declared: &DECLARED, ..always(dialect) };
        let (template, _) = Template::cut(body.into(), &cut);
        assert_eq!(template.placeholders(), expected, "{body}");
        assert_eq!(template.has_placeholder(), !expected.is_empty(), "{body}");
    }
}

#[test]
fn the_environment_has_what_has_a_value() {
    let pairs = |dialect, body: &'static str, raw| {
        let (template, _) = Template::cut(body.into(), &always(dialect));
        let variables =
            Variables { skill_dir: Some("/s"), effort: Some("high"), ..Variables::default() };
        let environment = template.environment(&template.bind(raw), &variables);
        environment.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
    };
    let variables = ["SKILL_DIR=/s", "EFFORT=high"];
    let with_variables = |own: &[&str]| {
        let mut all: Vec<String> = own.iter().map(|&pair| pair.to_owned()).collect();
        for pair in variables {
            all.extend([format!("CLAUDE_{pair}"), pair.to_owned()]);
        }
        all
    };
    assert_eq!(
        pairs(Dialect::Claude, "", "x 'y z'"),
        with_variables(&["SKILL_ARG_0=x", "SKILL_ARG_1=y z", "ARGUMENTS=x 'y z'"])
    );
    assert_eq!(
        pairs(Dialect::OpenCode, "$2", "x 'y z' w"),
        with_variables(&[
            "SKILL_ARG_0=x",
            "SKILL_ARG_1=y z",
            "SKILL_ARG_2=w",
            "SKILL_ARG_REST=y z w",
            "ARGUMENTS=x 'y z' w"
        ])
    );
    assert_eq!(
        pairs(Dialect::OpenCode, "!`echo \"$2\"`", "x"),
        with_variables(&["SKILL_ARG_0=x", "ARGUMENTS=x"])
    );
    assert_eq!(pairs(Dialect::Claude, "", ""), with_variables(&["ARGUMENTS="]));
}

#[test]
fn arguments_split() {
    let claude: &[(&str, &[&str])] = &[
        ("", &[]),
        (" \t\r\n", &[]),
        ("a  b\tc\nd", &["a", "b", "c", "d"]),
        (r#"'a b' "c d" '' """#, &["a b", "c d", "", ""]),
        (r#"a'b c'd"e f""#, &["ab cde f"]),
        ("it's", &["it's"]),
        (r#"say "hi"#, &["say", "\"hi"]),
        (r#""a'b" 'c"d'"#, &["a'b", "c\"d"]),
        (r#""a\"b" "a\\b" "a\'b" "a\nb""#, &["a\"b", r"a\b", r"a\'b", r"a\nb"]),
        (r"C:\dir\new \ \\srv\x", &[r"C:\dir\new", r"\", r"\\srv\x"]),
        (r#"\"a b\""#, &[r#"\"a"#, r#"b\""#]),
        (r#"'a\' b"#, &[r"a\", "b"]),
        ("é 'ü ñ'", &["é", "ü ñ"]),
        ("a''b", &["ab"]),
    ];
    for (raw, words) in claude {
        assert_eq!(split(Dialect::Claude, raw), *words, "{raw}");
    }
    let opencode: &[(&str, &[&str])] = &[
        ("", &[]),
        ("a\tb", &["a", "b"]),
        (r#""x y" z 'p q'"#, &["x y", "z", "p q"]),
        (r#"a"b c"d"#, &["a", "b c", "d"]),
        ("it's", &["it", "s"]),
        (r#""a"#, &["a"]),
        (r#""""#, &[""]),
        (r#""'x'" '"y"'"#, &["'x'", "\"y\""]),
        (r#"a\"b" c"#, &[r"a\", "b", "c"]),
    ];
    for (raw, words) in opencode {
        assert_eq!(split(Dialect::OpenCode, raw), *words, "{raw}");
    }
}

#[test]
fn words_are_borrowed_where_they_are_whole() {
    let rows = [
        (Dialect::Claude, r#"plain "in quotes" it's """#),
        (Dialect::OpenCode, r#"plain "in quotes" it's a"b""#),
    ];
    for (dialect, raw) in rows {
        for word in split(dialect, raw) {
            assert!(matches!(word, Cow::Borrowed(_)), "{word}");
        }
    }
}

#[test]
fn filling_reserves_once() {
    let (template, _) = Template::cut("$1 $@ ${SKILL_DIR} é $2".into(), &always(Dialect::OpenCode));
    let variables = Variables { skill_dir: Some("/some/where"), ..Variables::default() };
    let mut out = String::new();
    template.fill(&template.bind("one two three"), &variables, &[], &mut out);
    assert_eq!(out, "one one two three /some/where é two three");
    assert_eq!(out.capacity(), out.len());
}
