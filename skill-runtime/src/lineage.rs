//! The forks that an invocation is inside of, so that depth and circles can be bounded.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::{Error, ErrorKind};
use crate::telemetry::ActivationId;

/// More forks than any host allows, so that what a text can ask for is bounded.
const MAX_PARSED: usize = 64;

/// The forks that an invocation is inside of. A host gives it to every request that a sub-session
/// makes; it is cheap to clone.
///
/// A sub-session in another process gets it as text, in the environment variable
/// [`VARIABLE`](Self::VARIABLE) or any other way. It is written as the word and the activation of
/// each fork, outermost first.
///
/// ```
/// use skilldeck_runtime::{Lineage, Request};
///
/// let text = "research@0000000000000000000000000000002a,verify@0000000000000000000000000000002b";
/// let lineage: Lineage = text.parse()?;
/// assert_eq!(lineage.words().collect::<Vec<_>>(), ["verify", "research"]);
/// assert_eq!((lineage.depth(), lineage.to_string().as_str()), (2, text));
///
/// let request = Request::line("/skill:summarise").within(lineage);
/// # let _ = request;
/// # Ok::<(), skilldeck_runtime::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Lineage {
    innermost: Option<Arc<Link>>,
}

struct Link {
    word: Box<str>,
    activation: ActivationId,
    depth: u32,
    outer: Option<Arc<Link>>,
}

impl Lineage {
    /// The environment variable that carries it to another process. The command line reads it.
    pub const VARIABLE: &'static str = "SKILLDECK_LINEAGE";

    /// How many forks it is inside of.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.innermost.as_ref().map_or(0, |link| link.depth)
    }

    /// The words of the skills that forked, innermost first.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(self.innermost.as_deref(), |link| link.outer.as_deref())
            .map(|link| &*link.word)
    }

    /// The activation of the innermost fork.
    pub(crate) fn activation(&self) -> Option<ActivationId> {
        self.innermost.as_ref().map(|link| link.activation)
    }

    /// The same with one more fork inside.
    pub(crate) fn with(&self, word: &str, activation: ActivationId) -> Self {
        let outer = self.innermost.clone();
        let link = Link { word: word.into(), activation, depth: self.depth() + 1, outer };
        Self { innermost: Some(Arc::new(link)) }
    }
}

impl fmt::Display for Lineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = std::iter::successors(self.innermost.as_deref(), |link| link.outer.as_deref());
        let links: Vec<&Link> = links.collect();
        for (at, link) in links.iter().rev().enumerate() {
            let separator = if at == 0 { "" } else { "," };
            write!(f, "{separator}{}@{}", link.word, link.activation)?;
        }
        Ok(())
    }
}

impl FromStr for Lineage {
    type Err = Error;

    /// Reads what `Display` writes; an empty text is no fork at all.
    ///
    /// # Errors
    /// [`ErrorKind::Configuration`] for any other text: with a fork lost, depth would not be bounded.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = |what: &str| {
            let message = format!("the lineage of forks cannot be read: {what}");
            Error::new(ErrorKind::Configuration, message)
        };
        let mut lineage = Self::default();
        if text.is_empty() {
            return Ok(lineage);
        }
        for (at, link) in text.split(',').enumerate() {
            if at == MAX_PARSED {
                return Err(wrong(&format!("it has more than {MAX_PARSED} forks")));
            }
            let (word, activation) = link
                .split_once('@')
                .ok_or_else(|| wrong(&format!("`{link}` is not a word, `@` and an activation")))?;
            if word.is_empty() || word.contains(|c: char| c.is_whitespace() || c.is_control()) {
                return Err(wrong(&format!("`{word}` is no word of a skill")));
            }
            let activation = ActivationId::parse(activation)
                .ok_or_else(|| wrong(&format!("`{activation}` is not 32 hex digits")))?;
            lineage = lineage.with(word, activation);
        }
        Ok(lineage)
    }
}

impl fmt::Debug for Lineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.words()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Lineage, MAX_PARSED};

    #[test]
    fn text_is_read_as_it_was_written_or_not_at_all() {
        let id = "0123456789abcdef0123456789abcdef";
        for words in [&[][..], &["a"], &["git:cm", "größe", "a"]] {
            let text: Vec<String> = words.iter().map(|word| format!("{word}@{id}")).collect();
            let text = text.join(",");
            let lineage: Lineage = text.parse().unwrap();
            assert_eq!((lineage.depth() as usize, lineage.to_string()), (words.len(), text));
            assert!(lineage.words().eq(words.iter().rev().copied()));
        }
        let long = vec![format!("a@{id}"); MAX_PARSED + 1].join(",");
        let bad = ["a", "a@", "@", " ", "a@1", &format!("@{id}"), &format!("a b@{id}"), &long];
        let signed = format!("a@+{}", &id[1..]);
        for text in bad.into_iter().chain([&*format!("a@{id},"), &format!(",a@{id}"), &signed]) {
            let error = text.parse::<Lineage>().unwrap_err().to_string();
            assert!(error.starts_with("the lineage of forks"), "{text}: {error}");
        }
    }
}
