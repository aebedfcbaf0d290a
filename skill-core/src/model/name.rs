//! A name to what is typed for it and what is equal to it: validity, slug and folded key.

#[cfg(test)]
mod tests;

use unicode_normalization::UnicodeNormalization;

/// The most characters (Unicode scalar values) of a valid name.
const MAX_NAME_CHARS: usize = 64;

/// Whether a name is valid after the Agent Skills specification: 1 to 64 characters, lower-case
/// Unicode letters and digits and single hyphens between them.
///
/// As in the reference validator the NFKC form is what is checked and counted, so a decomposed
/// accent is no fault. Letters without case are valid.
///
/// ```
/// # use skilldeck_core::model::is_valid_name;
/// assert!(is_valid_name("git-helper"));
/// assert!(is_valid_name("技能-审查"));
/// assert!(!is_valid_name("Git-Helper"));
/// assert!(!is_valid_name("git--helper"));
/// ```
#[must_use]
pub fn is_valid_name(name: &str) -> bool {
    if name.is_ascii() { is_valid(name.chars()) } else { is_valid(name.nfkc()) }
}

/// The command word of a name: NFKC, lower case, runs of anything but letters and digits become
/// one hyphen, trimmed. Parts between colons (`git:cm`) are kept apart, empty ones vanish. May be
/// empty. A slug is its own slug.
///
/// ```
/// # use skilldeck_core::model::slug;
/// assert_eq!(slug("Git Helper"), "git-helper");
/// assert_eq!(slug("git:cm"), "git:cm");
/// assert_eq!(slug("../../etc/passwd"), "etc-passwd");
/// assert_eq!(slug("!"), "");
/// ```
#[must_use]
pub fn slug(name: &str) -> String {
    if name.is_ascii() {
        separate(name.len(), name.chars().map(|c| c.to_ascii_lowercase()))
    } else {
        let name = normalise(name);
        separate(name.len(), name.chars())
    }
}

/// The command word of a skill of this name: [`slug`] with colons as separators too. Only the name
/// of a command, which is a path, has parts to keep apart.
///
/// ```
/// # use skilldeck_core::model::slug_flat;
/// assert_eq!(slug_flat("git:cm"), "git-cm");
/// ```
#[must_use]
pub fn slug_flat(name: &str) -> String {
    let slug = slug(name);
    if slug.contains(':') { slug.replace(':', "-") } else { slug }
}

/// The key under which words are equal whatever their case and separators: [`slug`] with colons
/// as separators too, and one form of the Greek sigma, whose lower case depends on its place.
/// Collisions are checked on it, and it dispatches when the exact word fails.
///
/// ```
/// # use skilldeck_core::model::fold;
/// assert_eq!(fold("Git_Helper"), "git-helper");
/// assert_eq!(fold("git:cm"), "git-cm");
/// ```
#[must_use]
pub fn fold(word: &str) -> String {
    let slug = slug(word);
    if slug.contains([':', 'ς']) { slug.replace(':', "-").replace('ς', "σ") } else { slug }
}

/// The folded key of a word, or `None` if the word is its own: the common case, without allocation
/// for ASCII.
pub(super) fn fold_if_other(word: &str) -> Option<String> {
    if word.is_ascii() && is_separated(word.chars()).is_some() {
        return None;
    }
    let folded = fold(word);
    (folded != word).then_some(folded)
}

fn is_valid(name: impl Iterator<Item = char>) -> bool {
    is_separated(name.take(MAX_NAME_CHARS + 1)).is_some_and(|count| count <= MAX_NAME_CHARS)
}

/// The number of characters, if they are lower-case letters and digits with single hyphens between
/// them.
fn is_separated(chars: impl Iterator<Item = char>) -> Option<usize> {
    let mut count = 0;
    let mut after_hyphen = true;
    for c in chars {
        match c {
            '-' if after_hyphen => return None,
            '-' => after_hyphen = true,
            _ if is_lower(c) => after_hyphen = false,
            _ => return None,
        }
        count += 1;
    }
    // A cut at the limit may end in a hyphen; such a name is too long all the same.
    (!after_hyphen || count > MAX_NAME_CHARS).then_some(count)
}

/// "Lower case" is what lower-casing leaves alone: a few letters are upper case without having a
/// lower one, and a slug may contain them.
fn is_lower(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_lowercase() || c.is_ascii_digit()
    } else {
        c.is_alphanumeric() && c.to_lowercase().eq([c])
    }
}

/// NFKC and lower case until neither changes anything: each can undo the other.
fn normalise(name: &str) -> String {
    let mut text: String = name.nfkc().collect();
    loop {
        // The lower case of `İ` is an `i` with a combining dot, which is no letter and would split
        // the word.
        let next: String = text.replace('İ', "i").to_lowercase().nfkc().collect();
        if next == text {
            return text;
        }
        text = next;
    }
}

/// Letters and digits with one separator for each run of anything else: a colon if the run has one.
fn separate(capacity: usize, chars: impl Iterator<Item = char>) -> String {
    let mut out = String::with_capacity(capacity);
    let mut separator = None;
    for c in chars {
        if c.is_alphanumeric() {
            if let Some(separator) = separator.take()
                && !out.is_empty()
            {
                out.push(separator);
            }
            out.push(c);
        } else if c == ':' || separator.is_none() {
            separator = Some(if c == ':' { ':' } else { '-' });
        }
    }
    out
}
