//! A word that reaches nothing to the message that says what was probably meant.

/// How many words a message lists when it has no better idea.
const MOST_LISTED: usize = 12;

/// The message for a word that reaches no skill. `nearest` is what was probably meant, best first;
/// `all` is what there is.
pub(crate) fn unknown<'a>(
    word: &str,
    nearest: &[&str],
    all: impl Iterator<Item = &'a str>,
) -> String {
    let mut message = format!("no skill is called `{}`", word.escape_debug());
    if nearest.is_empty() {
        message.push_str("; ");
        list(all, &mut message);
        return message;
    }
    message.push_str("; did you mean ");
    for (at, near) in nearest.iter().enumerate() {
        if at > 0 {
            message.push_str(if at + 1 == nearest.len() { " or " } else { ", " });
        }
        message.push('`');
        message.push_str(near);
        message.push('`');
    }
    message.push('?');
    message
}

/// The message for a line that names no skill.
pub(crate) fn unnamed<'a>(why: &str, all: impl Iterator<Item = &'a str>) -> String {
    let mut message = format!("{why}; ");
    list(all, &mut message);
    message
}

/// `there are a, b, c and 4 more`.
fn list<'a>(mut all: impl Iterator<Item = &'a str>, message: &mut String) {
    let Some(first) = all.next() else {
        message.push_str("there are no skills");
        return;
    };
    message.push_str("there are ");
    message.push_str(first);
    for word in all.by_ref().take(MOST_LISTED - 1) {
        message.push_str(", ");
        message.push_str(word);
    }
    match all.count() {
        0 => {}
        more => message.push_str(&format!(" and {more} more")),
    }
}
