//! Rows of bodies to the shell spans that are cut out of them, and to what is said about them.

use crate::diagnostic::Code;
use crate::template::{Cut, Dialect, Positional, Template};

fn commands(body: &str) -> Vec<(String, String)> {
    let (template, _) = Template::cut(body.to_owned().into(), &Cut::default());
    let shells = template.shells().iter();
    shells.map(|it| (it.command.to_string(), template.source(it.source).to_owned())).collect()
}

#[test]
fn shell_spans_are_found_where_they_are_no_code() {
    let rows: &[(&str, &[&str])] = &[
        ("!`pwd`", &["pwd"]),
        ("a !`pwd` b !`ls`", &["pwd", "ls"]),
        ("- x: !`pwd`\n\t!`ls`\n> !`id`", &["pwd", "ls", "id"]),
        ("a\r\n!`pwd`\r\n", &["pwd"]),
        // Not at a line start nor behind a blank.
        ("x!`pwd` (!`ls`) \\!`id`", &[]),
        // Not on one line, empty, or never closed.
        ("!`pwd\nls`", &[]),
        ("!`` !` `", &[]),
        ("!`pwd", &[]),
        ("!`a``b`", &[]),
        // Inline code around it.
        ("`` !`pwd` ``", &[]),
        ("`` a\n!`pwd` ``", &[]),
        ("`` ` !`pwd` ``", &[]),
        // What only looks like inline code around it.
        ("`` a\n\n!`pwd` ``", &["pwd"]),
        ("- it` is\n- !`pwd`", &["pwd"]),
        ("1. it` is\n2. !`pwd`", &["pwd"]),
        ("| a` |\n| !`pwd` |", &["pwd"]),
        ("# a`\n!`pwd` b", &["pwd"]),
        ("\\` !`pwd`", &["pwd"]),
        ("\\``x` !`pwd`", &["pwd"]),
        ("`x` !`pwd` `y`", &["pwd"]),
        ("``` !`pwd`", &["pwd"]),
        // Fences around it.
        ("```\n!`pwd`\n```\n!`ls`", &["ls"]),
        ("~~~ sh\n!`pwd`\n```\n~~~\n!`ls`", &["ls"]),
        ("````\n```\n!`pwd`\n````\n!`ls`", &["ls"]),
        ("```\n!`pwd`\n``` x\n!`ls`", &[]),
        ("```\n    ```\n!`pwd`", &[]),
        ("- a\n    ```\n    !`pwd`\n    ```\n- !`ls`", &["ls"]),
        ("- ```\n  !`pwd`\n  ```\n!`ls`", &["ls"]),
        ("10. ```\n    !`pwd`\n    ```\n!`ls`", &["ls"]),
        ("> ```\n> !`pwd`\n> ```\n!`ls`", &["ls"]),
        ("> ```\n> !`pwd`\n\n!`ls`", &["ls"]),
        ("```\n> ```\n!`pwd`", &[]),
        ("text\n```\n!`pwd`", &[]),
    ];
    for (body, expected) in rows {
        let found = commands(body);
        assert_eq!(found.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), *expected, "{body}");
        for (command, source) in found {
            assert_eq!(source, format!("!`{command}`"), "{body}");
        }
    }
}

#[test]
fn shell_blocks_are_fences_with_a_mark() {
    let rows: &[(&str, &[(&str, &str)])] = &[
        ("a\n```!\nls\npwd\n```\nb", &[("ls\npwd", "```!\nls\npwd\n```")]),
        ("```! \nls\n````\n", &[("ls", "```! \nls\n````")]),
        ("````!\n```\nls\n````", &[("```\nls", "````!\n```\nls\n````")]),
        (
            "  ```!\n  if x\n    y\n z\n  ```",
            &[("if x\n  y\nz", "  ```!\n  if x\n    y\n z\n  ```")],
        ),
        ("```!\r\nls\r\npwd\r\n```\r\n", &[("ls\npwd", "```!\r\nls\r\npwd\r\n```")]),
        ("```!\n```", &[("", "```!\n```")]),
        ("```!\nls\n\n```\n```!\nid\n```", &[("ls\n", "```!\nls\n\n```"), ("id", "```!\nid\n```")]),
        ("``!\nls\n``", &[]),
        ("~~~!\nls\n~~~", &[]),
        ("```!sh\nls\n```", &[]),
        ("```sh !\nls\n```", &[]),
        ("    ```!\n    ls\n    ```", &[]),
        ("> ```!\n> ls\n> ```", &[]),
        ("```!\nls", &[]),
        ("~~~\n```!\nls\n```\n~~~", &[]),
    ];
    for (body, expected) in rows {
        let expected: Vec<_> =
            expected.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect();
        assert_eq!(commands(body), expected, "{body}");
    }
}

#[test]
fn an_unclosed_block_is_text_and_said() {
    let body = "x\n  ```!\nls $ARGUMENTS\n!`pwd`\n";
    let (template, lints) = Template::cut(body.into(), &Cut::default());
    assert!(template.shells().is_empty());
    assert_eq!(template.placeholders(), ["$ARGUMENTS"]);
    assert_eq!(lints.len(), 1);
    assert_eq!(lints[0].code, Code::UnclosedShellBlock);
    assert_eq!(&body[lints[0].span.clone()], "  ```!");
}

#[test]
fn lints_say_what_and_where() {
    use Code::{PlaceholderNearNumber as Near, PositionalNotLive as NotLive};

    type Row<'a> = (Dialect, Positional, &'a str, &'a [(Code, &'a str)]);
    let rows: &[Row<'_>] = &[
        (Dialect::Claude, Positional::Declared, "costs $5, $6", &[(NotLive, "$5")]),
        (Dialect::Claude, Positional::Declared, r"costs \$5", &[(NotLive, "$5")]),
        (Dialect::Claude, Positional::Declared, "!`echo $5`", &[(NotLive, "$5")]),
        (Dialect::Claude, Positional::Declared, "!`awk '{print $5}'`", &[]),
        (Dialect::Claude, Positional::Declared, "costs $0.10", &[(NotLive, "$0")]),
        (Dialect::Claude, Positional::Declared, "$0.10 $ARGUMENTS", &[(Near, "$0")]),
        (Dialect::Claude, Positional::Always, r"$0.10 \$0.20 $0. $1.x", &[(Near, "$0")]),
        (Dialect::Claude, Positional::Always, "$5 $6", &[]),
        (Dialect::OpenCode, Positional::Always, "$1.10 $0.10", &[(Near, "$1")]),
        (Dialect::OpenCode, Positional::Declared, "$0 $1", &[(NotLive, "$1")]),
        (Dialect::Claude, Positional::Always, "!`echo \"$0.5\"`", &[(Near, "$0")]),
    ];
    for (dialect, positional, body, expected) in rows {
        let cut = Cut { dialect: *dialect, positional: *positional, ..Cut::default() };
        let (_, lints) = Template::cut((*body).into(), &cut);
        let found: Vec<_> = lints.iter().map(|it| (it.code, &body[it.span.clone()])).collect();
        assert_eq!(found, *expected, "{body}");
        assert!(lints.iter().all(|lint| lint.help.is_some()));
    }
}

#[test]
fn what_is_said_a_hundred_times_is_counted_from_then_on() {
    let cut = Cut { positional: Positional::Always, ..Cut::default() };
    for (count, told, beyond) in [(100, 100, None), (101, 101, Some(1)), (5000, 101, Some(4900))] {
        let body = format!("!`f{}; sh -c \"$1\"`\n", " $0".repeat(count));
        let (_, lints) = Template::cut(body.clone().into(), &cut);
        let unquoted: Vec<_> =
            lints.iter().filter(|lint| lint.code == Code::UnquotedPlaceholder).collect();
        assert_eq!(unquoted.len(), told);
        let last = &unquoted[told - 1];
        assert_eq!(&body[last.span.clone()], "$0");
        assert_eq!(last.span.start, "!`f ".len() + 3 * (told - 1));
        match beyond {
            Some(more) => assert_eq!(last.message, format!("{more} more of this kind")),
            None => assert!(last.message.contains("not quoted"), "{}", last.message),
        }
        // Each kind is counted for itself.
        assert_eq!(lints.last().map(|lint| lint.code), Some(Code::PlaceholderInShellCode));
    }
}
