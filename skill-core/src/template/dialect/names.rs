//! The declared arguments as names that can stand behind a `$`.

use crate::model::Text;

/// Whether `$name` can be a placeholder: a letter or `_`, then letters, digits, `_`, `-` or `.`.
/// Another name can be declared and takes its position, but nothing in a body refers to it.
///
/// ```
/// use skilldeck_core::template::is_placeholder_name;
///
/// assert!(is_placeholder_name("issue-number"));
/// assert!(!is_placeholder_name("2nd"));
/// assert!(!is_placeholder_name("two words"));
/// ```
#[must_use]
pub fn is_placeholder_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The names a body can refer to, each with its position, longest first.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    longest_first: Vec<(u32, &'a str)>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(declared: &'a [Text]) -> Self {
        let mut longest_first: Vec<(u32, &str)> = (0..)
            .zip(declared.iter().map(AsRef::as_ref))
            .filter(|(_, name)| is_placeholder_name(name))
            .collect();
        // Stable: of a name that is declared twice, the first position counts.
        longest_first.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
        Self { longest_first }
    }

    /// The longest name that `after` starts with and that is not part of a longer word.
    pub(super) fn longest(&self, after: &str) -> Option<(u32, usize)> {
        self.longest_first.iter().find_map(|(index, name)| {
            let behind = after.strip_prefix(name)?;
            let inside_word = behind.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            (!inside_word).then_some((*index, name.len()))
        })
    }
}
