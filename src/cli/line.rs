//! Shell words back to the line they were meant as.

use std::borrow::Cow;

/// One argument is the line verbatim; of several, the first is the name and each of the others is
/// quoted where it needs it, so that the words of the shell stay the words of the skill.
pub(crate) fn join(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [line] => (*line).to_owned(),
        [name, arguments @ ..] => {
            let mut line = (*name).to_owned();
            for argument in arguments {
                line.push(' ');
                line.push_str(&quote(argument));
            }
            line
        }
    }
}

/// A word that splitting gives back as it is. Single quotes hold everything but themselves in both
/// dialects; a word with a single quote goes into double quotes, with the two escapes that the
/// `claude` dialect knows there.
fn quote(word: &str) -> Cow<'_, str> {
    let plain =
        !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || matches!(c, '\'' | '"'));
    if plain {
        Cow::Borrowed(word)
    } else if !word.contains('\'') {
        Cow::Owned(format!("'{word}'"))
    } else {
        Cow::Owned(format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")))
    }
}

#[cfg(test)]
mod tests {
    use super::join;
    use skilldeck::template::{Dialect, split};

    #[test]
    fn one_argument_is_the_line() {
        assert_eq!(join(&["/skill:x a  \"b\""]), "/skill:x a  \"b\"");
    }

    #[test]
    fn words_survive_the_way_through_a_line() {
        let words = [
            "a",
            "",
            "b c",
            "it's",
            "say \"hi\"",
            "both ' and \"",
            r"C:\tmp\x",
            r"C:\my dir\",
            "it's C:\\ \\\" x",
            "tab\there",
            "new\nline",
            "$1",
            "--flag",
            "'",
            "\"",
            "\\",
        ];
        let mut line = vec!["name"];
        line.extend(words);
        let joined = join(&line);
        let arguments = joined.strip_prefix("name ").expect("the name comes first");
        assert_eq!(split(Dialect::Claude, arguments), words);
    }
}
