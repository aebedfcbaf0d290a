//! Rows of commands to the rewritten command, and to what is said about its placeholders.

use crate::diagnostic::Code;
use crate::model::Text;
use crate::template::{Cut, Dialect, Lint, Positional, Template};

use Code::{
    PlaceholderInShellCode as InCode, PlaceholderInSingleQuotes as Single,
    UnquotedPlaceholder as Unquoted,
};

/// A command, the same rewritten, and what is said about it.
type Rewriting<'a> = (&'a str, &'a str, &'a [(Code, &'a str)]);

fn cut(dialect: Dialect, command: &str) -> (Template, Vec<Lint>, String) {
    let declared = ["base", "repo"].map(Text::from);
    let cut = Cut { dialect, positional: Positional::Always, declared: &declared, has_hint: false };
    let body = if command.contains(['\n', '`']) {
        format!("text\n\n```!\n{command}\n```\n")
    } else {
        format!("text !`{command}` more\n")
    };
    let (template, lints) = Template::cut(body.clone().into(), &cut);
    (template, lints, body)
}

fn check(dialect: Dialect, command: &str, rewritten: &str, said: &[(Code, &str)]) {
    let (template, lints, body) = cut(dialect, command);
    let [shell] = template.shells() else { panic!("one shell span: {command}") };
    assert_eq!(shell.command, rewritten, "{command}");
    assert_eq!(shell.takes_arguments, !shell.references.is_empty());
    let found: Vec<_> = lints.iter().map(|lint| (lint.code, &body[lint.span.clone()])).collect();
    assert_eq!(found, said, "{command}");
}

#[test]
fn claude_placeholders_become_references() {
    let rows: &[Rewriting<'_>] = &[
        ("git log", "git log", &[]),
        ("f \"$0\"", "f \"${SKILL_ARG_0}\"", &[]),
        ("f \"$10\"", "f \"${SKILL_ARG_10}\"", &[]),
        ("f \"$1abc\"", "f \"${SKILL_ARG_1}abc\"", &[]),
        ("f \"$ARGUMENTS\"", "f \"${ARGUMENTS}\"", &[]),
        ("f \"$ARGUMENTS[2]\"", "f \"${SKILL_ARG_2}\"", &[]),
        ("f \"$repo..$base\"", "f \"${SKILL_ARG_1}..${SKILL_ARG_0}\"", &[]),
        ("f \"$repository\"", "f \"$repository\"", &[]),
        ("f $0 $base", "f ${SKILL_ARG_0} ${SKILL_ARG_0}", &[(Unquoted, "$0"), (Unquoted, "$base")]),
        ("f ${SKILL_DIR} ${1} $# $? $HOME \"$@\"", "f ${SKILL_DIR} ${1} $# $? $HOME \"$@\"", &[]),
        // Left to the shell.
        ("f \\$0 \"\\$0\"", "f \\$0 \"\\$0\"", &[]),
        ("f '$0'", "f '$0'", &[(Single, "$0")]),
        ("awk '{print $1, $2}' x", "awk '{print $1, $2}' x", &[(Single, "$1")]),
        ("f $'it\\'s $0' \"$1\"", "f $'it\\'s $0' \"${SKILL_ARG_1}\"", &[(Single, "$0")]),
        ("f $$1", "f $$1", &[]),
        ("f # it's $0", "f # it's $0", &[]),
        // Quoting.
        ("f \\\\\"$0\"", "f \\\\\"${SKILL_ARG_0}\"", &[]),
        ("f \"it's $0\"", "f \"it's ${SKILL_ARG_0}\"", &[]),
        ("f \\' \"$0\"", "f \\' \"${SKILL_ARG_0}\"", &[]),
        ("f 'a'\"$0\"'b'", "f 'a'\"${SKILL_ARG_0}\"'b'", &[]),
        ("f \"a\\\"'$0'\"", "f \"a\\\"'${SKILL_ARG_0}'\"", &[]),
        ("f a#'$0'", "f a#'$0'", &[(Single, "$0")]),
        ("f $\"$0\"", "f $\"${SKILL_ARG_0}\"", &[]),
        // Assignments, tests and `case` split nothing.
        ("x=$0 f", "x=${SKILL_ARG_0} f", &[]),
        ("export x=$0", "export x=${SKILL_ARG_0}", &[(Unquoted, "$0")]),
        (
            "[[ -n $0 && $1 ]] && f $2",
            "[[ -n ${SKILL_ARG_0} && ${SKILL_ARG_1} ]] && f ${SKILL_ARG_2}",
            &[(Unquoted, "$2")],
        ),
        (
            "case $0 in x) f $1;; esac",
            "case ${SKILL_ARG_0} in x) f ${SKILL_ARG_1};; esac",
            &[(Unquoted, "$1")],
        ),
        // Substitutions.
        ("f \"$(g $0)\"", "f \"$(g ${SKILL_ARG_0})\"", &[(Unquoted, "$0")]),
        ("f \"$(g '$0')\" \"$1\"", "f \"$(g '$0')\" \"${SKILL_ARG_1}\"", &[(Single, "$0")]),
        ("f \"$(g \"$0\")'$1'\"", "f \"$(g \"${SKILL_ARG_0}\")'${SKILL_ARG_1}'\"", &[]),
        (
            "f \"`g '$0' \"$1\"`$2\"",
            "f \"`g '$0' \"${SKILL_ARG_1}\"`${SKILL_ARG_2}\"",
            &[(Single, "$0")],
        ),
        (
            "f \"${x:-$0}\" ${x:-$1}",
            "f \"${x:-${SKILL_ARG_0}}\" ${x:-${SKILL_ARG_1}}",
            &[(Unquoted, "$1")],
        ),
        (
            "f \"${x:-'$0'}\" ${x:-'$1'} \"${x#'$2'}\"",
            "f \"${x:-'${SKILL_ARG_0}'}\" ${x:-'$1'} \"${x#'$2'}\"",
            &[(Single, "$1"), (Single, "$2")],
        ),
        (
            "f \"$(( $0 + 1 ))\" '$1'",
            "f \"$(( ${SKILL_ARG_0} + 1 ))\" '$1'",
            &[(InCode, "$0"), (Single, "$1")],
        ),
        ("f $((a); g '$0') '$1'", "f $((a); g '$0') '$1'", &[(Single, "$0"), (Single, "$1")]),
        (
            "f \"$(case x in x) g;; esac)'$0'\"",
            "f \"$(case x in x) g;; esac)'${SKILL_ARG_0}'\"",
            &[],
        ),
        ("f <(g '$0') > \"$1\" 2>&1", "f <(g '$0') > \"${SKILL_ARG_1}\" 2>&1", &[(Single, "$0")]),
        // Several lines.
        ("f # it's\ng \"$0\"", "f # it's\ng \"${SKILL_ARG_0}\"", &[]),
        ("f 'a\n$0\nb' \"$1\"", "f 'a\n$0\nb' \"${SKILL_ARG_1}\"", &[(Single, "$0")]),
        ("f \\\n  $0", "f \\\n  ${SKILL_ARG_0}", &[(Unquoted, "$0")]),
    ];
    for (command, rewritten, said) in rows {
        check(Dialect::Claude, command, rewritten, said);
    }
}

#[test]
fn opencode_placeholders_become_references() {
    let rows: &[Rewriting<'_>] = &[
        ("f \"$1\"", "f \"${SKILL_ARG_REST}\"", &[]),
        (
            "f \"$1\" \"$3\" \"$2\"",
            "f \"${SKILL_ARG_0}\" \"${SKILL_ARG_REST}\" \"${SKILL_ARG_1}\"",
            &[],
        ),
        ("f \"$1\" '$2'", "f \"${SKILL_ARG_REST}\" '$2'", &[(Single, "$2")]),
        ("f \"$0\" \"$base\"", "f \"$0\" \"$base\"", &[]),
        ("f \"$@\" \"$ARGUMENTS[0]\"", "f \"${ARGUMENTS}\" \"${ARGUMENTS}[0]\"", &[]),
        ("f $@", "f ${ARGUMENTS}", &[(Unquoted, "$@")]),
        ("f \\$1 ${1}", "f \\$1 ${1}", &[]),
        ("f \"$1x\"", "f \"${SKILL_ARG_REST}x\"", &[]),
    ];
    for (command, rewritten, said) in rows {
        check(Dialect::OpenCode, command, rewritten, said);
    }
}

#[test]
fn the_highest_of_the_body_takes_the_rest() {
    let cut = Cut { dialect: Dialect::OpenCode, positional: Positional::Always, ..Cut::default() };
    let (template, _) = Template::cut("$2 !`f \"$1\" \"$2\"`".into(), &cut);
    assert_eq!(template.shells()[0].command, "f \"${SKILL_ARG_0}\" \"${SKILL_ARG_REST}\"");
    let (template, _) = Template::cut("$1 !`f \"$2\"` $2".into(), &cut);
    assert_eq!(template.shells()[0].command, "f \"${SKILL_ARG_REST}\"");
}

#[test]
fn positionals_that_are_not_live_are_left_to_the_shell() {
    let (template, lints) =
        Template::cut("!`f \"$1\" '$1' | sh -c \"$1\"`".into(), &Cut::default());
    assert_eq!(template.shells()[0].command, "f \"$1\" '$1' | sh -c \"$1\"");
    assert!(!template.has_placeholder());
    assert_eq!(lints.iter().map(|it| it.code).collect::<Vec<_>>(), [Code::PositionalNotLive]);
}

#[test]
fn heredocs_are_read_as_the_shell_reads_them() {
    let rows: &[Rewriting<'_>] = &[
        (
            "cat <<END\nit's $0 \\$1\nEND\nf '$2'",
            "cat <<END\nit's ${SKILL_ARG_0} \\$1\nEND\nf '$2'",
            &[(Single, "$2")],
        ),
        (
            "cat <<'END'\nit's $0\nEND\nf \"$1\"",
            "cat <<'END'\nit's $0\nEND\nf \"${SKILL_ARG_1}\"",
            &[(Single, "$0")],
        ),
        (
            "cat <<\\END\n$0\nEND\nf \"$1\"",
            "cat <<\\END\n$0\nEND\nf \"${SKILL_ARG_1}\"",
            &[(Single, "$0")],
        ),
        (
            "cat <<-\"E D\" | g\n$0\n\tE D\nf \"$1\"",
            "cat <<-\"E D\" | g\n$0\n\tE D\nf \"${SKILL_ARG_1}\"",
            &[(Single, "$0")],
        ),
        (
            "cat <<A <<'B'\n\"$0\nA\n$1\nB\nf '$2'",
            "cat <<A <<'B'\n\"${SKILL_ARG_0}\nA\n$1\nB\nf '$2'",
            &[(Single, "$1"), (Single, "$2")],
        ),
        (
            "x=$(cat <<A\n'$0' $(g '$1'\nA\n) '$2'",
            "x=$(cat <<A\n'${SKILL_ARG_0}' $(g '$1'\nA\n) '$2'",
            &[(Single, "$1"), (Single, "$2")],
        ),
        (
            "x=$(cat <<A)\n'$0'\nA\nf '$1'",
            "x=$(cat <<A)\n'${SKILL_ARG_0}'\nA\nf '$1'",
            &[(Single, "$1")],
        ),
        ("f <<< \"$0\"\ng '$1'", "f <<< \"${SKILL_ARG_0}\"\ng '$1'", &[(Single, "$1")]),
        ("((1<<2))\nf '$0'", "((1<<2))\nf '$0'", &[(Single, "$0")]),
        ("bash <<END\nf $0\nEND", "bash <<END\nf ${SKILL_ARG_0}\nEND", &[(InCode, "$0")]),
        ("bash <<'END'\nf $0\nEND", "bash <<'END'\nf $0\nEND", &[(Single, "$0")]),
        ("bash <<< \"$0\"", "bash <<< \"${SKILL_ARG_0}\"", &[(InCode, "$0")]),
    ];
    for (command, rewritten, said) in rows {
        check(Dialect::Claude, command, rewritten, said);
    }
}

#[test]
fn code_for_a_further_shell_is_an_error() {
    let rows: &[(&str, &[(Code, &str)])] = &[
        ("sh -c \"f $0\"", &[(InCode, "$0")]),
        ("sh -c 'f $0 $1'", &[(InCode, "$0")]),
        ("sh -c $ARGUMENTS", &[(InCode, "$ARGUMENTS")]),
        ("sh -c f\\ \"$base\"", &[(InCode, "$base")]),
        ("/bin/sh -c \"$0\"", &[(InCode, "$0")]),
        ("env A=b bash -c \"$0\"", &[(InCode, "$0")]),
        ("sudo -u me dash -ec \"$0\"", &[(InCode, "$0")]),
        ("zsh -lc \"$0\"", &[(InCode, "$0")]),
        ("bash -e -o pipefail -c \"$0\"", &[(InCode, "$0")]),
        ("bash -euo pipefail -c \"$0\"", &[(InCode, "$0")]),
        ("bash --norc --rcfile x -c -e -- \"$0\"", &[(InCode, "$0")]),
        ("'bash' \"-c\" \"$0\"", &[(InCode, "$0")]),
        ("sh 2>x -c >y \"$0\"", &[(InCode, "$0")]),
        ("sh -c \"$(g \"$0\")\"", &[(InCode, "$0")]),
        ("sh -c \"${x:-$0}\"", &[(InCode, "$0")]),
        ("f | xargs sh -c \"$0\"", &[(InCode, "$0")]),
        ("f \"$(sh -c \"$0\")\"", &[(InCode, "$0")]),
        ("eval \"$0\" $1", &[(InCode, "$0"), (InCode, "$1")]),
        ("x=1 command eval f '$0'", &[(InCode, "$0")]),
        ("if eval \"$0\"; then f \"$1\"; fi", &[(InCode, "$0")]),
        ("case x in y) eval \"$0\";; esac", &[(InCode, "$0")]),
        // Bash evaluates commands in the subscripts of an expression.
        ("f \"$(( $0 + 1 ))\"", &[(InCode, "$0")]),
        ("f $(( (1) + \"$0\" ))", &[(InCode, "$0")]),
        ("(( $0 > 1 )) && f \"$1\"", &[(InCode, "$0")]),
        ("for ((i = 0; i < $0; i++)); do f \"$1\"; done", &[(InCode, "$0")]),
        ("let \"x=$0\"", &[(InCode, "$0")]),
        ("[[ $0 -eq 1 ]] && f \"$1\"", &[(InCode, "$0")]),
        ("[[ -n $1 && 1 -lt \"$0\" ]]", &[(InCode, "$0")]),
        ("[[ $0 == 1 && $1 -ge 2 ]]", &[(InCode, "$1")]),
        ("f \"${x[$0]}\" \"${x[1]}$1\"", &[(InCode, "$0")]),
        ("f \"${x:$0}\" \"${x:-$1}\"", &[(InCode, "$0")]),
        ("x[$0]=1", &[(InCode, "$0")]),
        ("printf -v \"$0\" %s x", &[(InCode, "$0")]),
        ("test -v \"$0\"", &[(InCode, "$0")]),
        ("[ -v \"$0\" ]", &[(InCode, "$0")]),
        ("[[ -v $0 ]]", &[(InCode, "$0")]),
        ("declare \"$0=1\"", &[(InCode, "$0")]),
        ("export \"x$0\"", &[(InCode, "$0")]),
        ("local a=1 \"$0\"", &[(InCode, "$0")]),
        ("readonly -- \"$0\"; typeset \"$1\"", &[(InCode, "$0"), (InCode, "$1")]),
        ("declare -i \"x=$0\"", &[(InCode, "$0")]),
        // Code by other ways.
        ("trap \"$0\" EXIT", &[(InCode, "$0")]),
        (". \"$0\"", &[(InCode, "$0")]),
        ("source \"$0\"", &[(InCode, "$0")]),
        ("echo \"$0\" | sh", &[(InCode, "$0")]),
        ("echo \"$0\" | tr a b | sudo bash -s -- \"$1\"", &[(InCode, "$0")]),
        ("echo $0 |\n  zsh -", &[(InCode, "$0")]),
        ("f \"$(echo \"$0\" | sh)\" \"$1\"", &[(InCode, "$0")]),
        ("f \"$1\"; echo \"$0\" | sh && f \"$2\"", &[(InCode, "$0")]),
        ("bash <(echo \"$0\")", &[(InCode, "$0")]),
        ("source <(echo \"$0\")", &[(InCode, "$0")]),
        ("ssh -p 22 host \"$0\"", &[(InCode, "$0")]),
        ("ssh host ls \"$0\"", &[(InCode, "$0")]),
        ("su -c \"$0\" me", &[(InCode, "$0")]),
        ("su - me -c \"$0\"", &[(InCode, "$0")]),
        ("python3 -c \"print($0)\"", &[(InCode, "$0")]),
        ("/usr/bin/python3.12 -c \"$0\"", &[(InCode, "$0")]),
        ("perl -ne \"$0\" x", &[(InCode, "$0")]),
        ("node --eval \"$0\"", &[(InCode, "$0")]),
        ("node -e \"$0\"", &[(InCode, "$0")]),
        ("ruby -e \"$0\"", &[(InCode, "$0")]),
        ("sh -c\"$0\"", &[(InCode, "$0")]),
        ("f | xargs -n 1 sh -c \"$0\"", &[(InCode, "$0")]),
        // What only looks like it.
        ("[ \"$0\" -eq 1 ]", &[]),
        ("[[ -n $0 ]]", &[]),
        ("printf %s \"$0\"", &[]),
        ("declare \"x=$0\"", &[]),
        ("export x=\"$0\"", &[]),
        ("trap 'f' \"$0\"", &[]),
        ("source x.sh \"$0\"", &[]),
        ("echo \"$0\" | grep bash", &[]),
        ("echo \"$0\" || sh", &[]),
        ("echo \"$0\" | sh x.sh", &[]),
        ("echo \"$0\"; f | sh", &[]),
        ("f <(g \"$0\")", &[]),
        ("ssh -i \"$0\" host ls", &[]),
        ("python3 x.py -c \"$0\"", &[]),
        ("python3 -c 'f' \"$0\"", &[]),
        ("f \"${x}[$0]\"", &[]),
        ("((a); f \"$0\")", &[]),
        // A reference that the author wrote.
        ("sh -c \"f ${SKILL_ARG_0}\"", &[(InCode, "${SKILL_ARG_0}")]),
        (
            "eval f $SKILL_ARG_REST ${ARGUMENTS:-x}",
            &[(InCode, "$SKILL_ARG_REST"), (InCode, "${ARGUMENTS")],
        ),
        ("sh -c 'f \"$SKILL_ARG_0\"'", &[]),
        // What stands beside the code.
        ("sh -c 'f' _ \"$0\"", &[]),
        ("sh -c 'f' _ $0", &[(Unquoted, "$0")]),
        ("sh -c 'f'; g \"$0\"", &[]),
        ("sh -c 'f' > \"$0\"", &[]),
        ("sh x.sh \"$0\"", &[]),
        ("sh x.sh -c \"$0\"", &[]),
        ("bash -e \"$0\"", &[]),
        ("pnpm eval \"$0\"", &[]),
        ("eval f; g \"$0\"", &[]),
        ("git -c \"$0\" show", &[]),
    ];
    for (command, said) in rows {
        let (_, lints, body) = cut(Dialect::Claude, command);
        let found: Vec<_> =
            lints.iter().map(|lint| (lint.code, &body[lint.span.clone()])).collect();
        assert_eq!(found, *said, "{command}");
    }
}

#[test]
fn places_in_an_indented_block_are_the_bodys() {
    let body = "é\r\n  ```!\r\n  f \\\r\n    $0\r\n  ```\r\n";
    let cut = Cut { positional: Positional::Always, ..Cut::default() };
    let (template, lints) = Template::cut(body.into(), &cut);
    assert_eq!(template.shells()[0].command, "f \\\n  ${SKILL_ARG_0}");
    assert_eq!(&body[lints[0].span.clone()], "$0");
    assert_eq!(template.placeholders(), ["$0"]);
}

#[test]
fn hostile_nesting_is_read_in_time() {
    let rows = [
        "$(".repeat(100_000),
        "\"${x:-$0".repeat(50_000),
        "$(cat <<A\n".repeat(30_000),
        "`\"$((".repeat(50_000),
        format!("cat <<A\n{}\nA", "$((\"$0".repeat(50_000)),
        format!("f {}{}", "$0 ".repeat(50_000), "| sh ".repeat(50_000)),
        format!("[[ {}", "$0 -eq ".repeat(50_000)),
        "${x[$0".repeat(50_000),
        "(( ".repeat(50_000),
    ];
    for command in rows {
        let (template, ..) = cut(Dialect::Claude, &format!("{command}\n"));
        assert_eq!(template.shells().len(), 1);
    }
}
