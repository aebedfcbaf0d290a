//! Rewritten commands, run by a real `sh`: values arrive whole, and none is run.
#![cfg(unix)]

use std::process::Command;

use skilldeck_core::model::Text;
use skilldeck_core::template::{
    Cut, Dialect, Positional, Template, Variables, is_argument_variable,
};

/// What a shell prints for the only shell span of a body.
fn run(dialect: Dialect, body: &str, raw: &str) -> String {
    let declared = if dialect == Dialect::Claude { vec![Text::from("name")] } else { Vec::new() };
    let cut = Cut { dialect, positional: Positional::Always, declared: &declared, has_hint: false };
    let (template, _) = Template::cut(body.to_owned().into(), &cut);
    let [shell] = template.shells() else { panic!("one shell span: {body}") };
    let variables = Variables { skill_dir: Some("/a b"), ..Variables::default() };
    let mut command = Command::new("sh");
    command.arg("-c").arg(shell.command.as_ref());
    for (name, _) in std::env::vars().filter(|(name, _)| is_argument_variable(name)) {
        command.env_remove(name);
    }
    command.envs(template.environment(&template.bind(raw), &variables));
    let output = command.output().expect("sh runs");
    assert!(output.status.success(), "{body}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the rows print text")
}

#[test]
fn values_reach_the_command_whole() {
    let evil = "'a b' \"$(echo ran)\" `echo ran`;echo ran";
    let rows = [
        (Dialect::Claude, "!`printf '<%s>' \"$0\" \"$1\"`", evil, "<a b><$(echo ran)>"),
        (Dialect::Claude, "!`printf '<%s>' \"$ARGUMENTS\"`", evil, &*format!("<{evil}>")),
        (Dialect::Claude, "!`printf '<%s>' \"$name\" \"$0abc\" \"$7\"`", "x", "<x><xabc><>"),
        (Dialect::Claude, "!`printf '<%s>' $0`", "'a b'", "<a><b>"),
        (Dialect::Claude, "!`printf '%s' \"it's $0\" ' $0' \\$0`", "x", "it's x $0$0"),
        (Dialect::Claude, "!`x=$0; printf '<%s>' \"$x\"`", "'a  b'", "<a  b>"),
        (Dialect::Claude, "!`printf '1 2' | awk '{print $2}'`", "x y z", "2\n"),
        (Dialect::Claude, "!`printf '<%s>' \"${SKILL_DIR}\"`", "", "</a b>"),
        (Dialect::Claude, "!`sh -c 'printf \"<%s>\" \"$SKILL_ARG_0\"'`", evil, "<a b>"),
        (Dialect::OpenCode, "!`printf '<%s>' \"$1\" \"$2\"`", "a 'b  c' d", "<a><b  c d>"),
        (Dialect::OpenCode, "!`printf '<%s>' \"$@\"`", "a  b", "<a  b>"),
        (
            Dialect::Claude,
            "```!\n# it's\ncat <<A <<'B' && printf '<%s>' \"$1\"\nignored $0\nA\n$0\nB\n```",
            "x y",
            "$0\n<y>",
        ),
        (
            Dialect::Claude,
            "```!\ncat <<-END\n\tit's \"$0\" \\$0\n\tEND\n```",
            "'x y'",
            "it's \"x y\" $0\n",
        ),
        (Dialect::Claude, "```!\nprintf '<%s>' \"$(printf '%s|' \"$0\")\"\n```", "'x y'", "<x y|>"),
        (Dialect::Claude, "```!\r\nprintf '<%s>' \\\r\n  \"$0\"\r\n```\r\n", "x", "<x>"),
        (Dialect::Claude, "  ```!\n  cat <<END\n  $0\n  END\n  ```", "x", "x\n"),
    ];
    for (dialect, body, raw, out) in rows {
        assert_eq!(run(dialect, body, raw), out, "{body}");
    }
}
