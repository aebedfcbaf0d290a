//! The text of a file to the ranges that whoever edits it needs: fences, keys, values, body.

use std::ops::Range;

use super::document;
use super::keys::{self, Extent};
use super::yaml;

/// Where the parts of a SKILL.md stand, in bytes of the text as given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// What stands between the fences, without them; `None` if there is no front matter.
    pub front_matter: Option<Range<usize>>,
    /// Whether a line closes the front matter; `true` if there is none.
    pub closed: bool,
    /// The body.
    pub body: Range<usize>,
    /// The top-level keys in source order, each as often as it stands.
    pub keys: Vec<OutlineKey>,
    /// Lines of the front matter that belong to no key.
    pub strays: Vec<Range<usize>>,
}

/// A top-level key of a front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutlineKey {
    /// The key, without quotes.
    pub key: String,
    /// The key as written.
    pub key_span: Range<usize>,
    /// The source of the value with its continuation lines, without blanks around it; a comment
    /// behind it is part of it. Empty behind the colon if there is no value.
    pub value_span: Range<usize>,
    /// The lines from the key to the next one.
    pub lines: Range<usize>,
}

/// Finds the parts of a file without reading its values, so that one can be replaced and the rest
/// stays as it is, comments and line ends included.
///
/// ```
/// use skilldeck_core::format::outline;
///
/// let text = "---\nname: Demo\n# why\ndescription: d\n---\nBody\n";
/// let outline = outline(text);
/// let name = &outline.keys[0];
/// let mut fixed = text.to_owned();
/// fixed.replace_range(name.value_span.clone(), "demo");
/// assert_eq!(fixed, "---\nname: demo\n# why\ndescription: d\n---\nBody\n");
/// assert_eq!(&text[outline.body], "Body\n");
/// ```
#[must_use]
pub fn outline(text: &str) -> Outline {
    let document = document::split(text);
    let keys = document.front.clone().map_or_else(keys::Keys::default, |range| {
        keys::find(text, range.clone(), extent(&text[range]))
    });
    Outline {
        front_matter: document.front,
        closed: !document.unclosed,
        body: document.body,
        keys: keys.entries.into_iter().map(OutlineKey::from).collect(),
        strays: keys.strays,
    }
}

/// What the library reads is taken as it reads it; anything else line by line.
fn extent(front: &str) -> Extent {
    let is_yaml = front.len() <= super::MAX_FRONT_MATTER_BYTES
        && !front.contains('\0')
        && yaml::opens_too_much(front).is_none()
        && yaml::read(front).is_ok();
    if is_yaml { Extent::AsYaml } else { Extent::ToNextKey }
}

impl From<keys::Entry> for OutlineKey {
    fn from(entry: keys::Entry) -> Self {
        let keys::Entry { key, key_span, value_span, span, indent: _ } = entry;
        Self { key, key_span, value_span, lines: span }
    }
}
