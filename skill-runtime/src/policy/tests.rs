//! Which commands a tool list forbids.

use super::{NoShell, ShellRule};

#[test]
fn a_list_forbids_the_commands_it_names() {
    let table = [
        ("Bash(rm:*)", "rm -r x", false),
        ("Bash(rm:*)", "/bin/rm -r x", false),
        ("Bash(rm:*)", "cd x && rm y", false),
        ("Bash(rm:*)", "echo $(rm y)", false),
        ("Bash(rm:*)", "ls -l", true),
        ("Bash(rm:*)", "echo alarm", true),
        ("Bash(git push:*)", "git push", false),
        // A prefix is easily hidden, so the program alone is enough.
        ("Bash(git push:*)", "git -C x push", false),
        ("Bash(git push:*)", "gitk", true),
        ("Bash(./run.sh)", "sh ./run.sh", false),
        // The last part of a path is the program.
        ("Bash(/bin/rm:*)", "rm x", false),
        ("Bash(/bin/rm:*)", "/usr/bin/rm x", false),
        ("Bash(/bin/rm:*)", "ls /bin", true),
        ("Bash(/usr/local/bin/git push:*)", "git push", false),
        ("bash(rm) ", "rm x", false),
        // What is not understood forbids everything.
        ("Bash(/bin/:*)", "ls", false),
        ("Bash(r?:*)", "ls", false),
        ("Bash({rm,mv}:*)", "ls", false),
        ("Bash(\"rm\" x)", "ls", false),
        ("Bash(rm", "ls", false),
        ("Bash(:*)", "ls", false),
        ("(rm)", "rm x", false),
        ("(rm)", "ls", true),
        ("Bash:rm", "ls", false),
        ("Bash rm", "ls", false),
        ("Bash[rm]", "ls", false),
        ("Ba*", "ls", false),
        ("mcp__*", "ls", true),
        ("", "ls", false),
        ("Bash( )", "ls", false),
        ("BASH", "ls", false),
        ("Bash(**", "ls", false),
        ("*", "ls", false),
        ("Write", "ls", true),
        ("BashOutput", "ls", true),
        ("mcp__bash", "ls", true),
        ("Read(rm)", "rm x", true),
    ];
    for (tool, command, runs) in table {
        let disallowed = [tool.into()];
        let rule = ShellRule::Run { disallowed: &disallowed };
        let expected = if runs { Ok(()) } else { Err(NoShell::Disallowed) };
        assert_eq!(rule.check(command), expected, "{tool} and {command}");
    }
}

#[test]
fn a_rule_against_everything_gives_its_reason() {
    for why in [NoShell::Untrusted, NoShell::Damaged, NoShell::Disallowed, NoShell::NotAllowed] {
        assert_eq!(ShellRule::Not(why).check("ls"), Err(why));
        let text = why.to_string();
        assert!(!text.ends_with('.') && text.starts_with(char::is_lowercase), "{text}");
    }
}
