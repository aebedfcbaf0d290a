//! How roots are watched, to words.

use std::collections::BTreeMap;

use skilldeck::diagnostic::one_line;
use skilldeck::{Attention, Registry, SourceStatus, WatchedRoot, Watching};

use super::output::Output;

/// How changes of a source are noticed: not at all where it is no directory.
pub(crate) fn of<'a>(watching: &'a Watching, status: &SourceStatus) -> Option<&'a Attention> {
    let root = status.root.as_ref()?;
    watching.roots.iter().find(|watched| watched.root == *root).map(|watched| &watched.attention)
}

/// `watched` or `polled`.
pub(crate) fn word(attention: &Attention) -> &'static str {
    match attention {
        Attention::Polled { .. } => "polled",
        _ => "watched",
    }
}

/// Why the system does not report changes.
pub(crate) fn reason(attention: &Attention) -> Option<&str> {
    match attention {
        Attention::Polled { reason } => Some(reason),
        _ => None,
    }
}

/// Each reason why roots are polled, with these roots.
pub(crate) fn reasons<'a>(
    roots: impl IntoIterator<Item = &'a WatchedRoot>,
) -> BTreeMap<&'a str, Vec<&'a WatchedRoot>> {
    let mut reasons: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for watched in roots {
        if let Some(reason) = reason(&watched.attention) {
            reasons.entry(reason).or_default().push(watched);
        }
    }
    reasons
}

/// What a person was told of it.
#[derive(Debug, Default)]
pub(crate) struct Told(Vec<WatchedRoot>);

impl Told {
    /// Tells which roots are polled, and why, and which of them are so no more; each thing once.
    pub(crate) fn tell(&mut self, registry: &Registry, output: &Output) {
        let now = registry.watching().roots;
        for (reason, roots) in reasons(now.iter().filter(|root| !self.0.contains(root))) {
            output.warn(format_args!("{} polled: {}", some(&roots), one_line(reason)));
        }
        let was_polled = |now: &&WatchedRoot| {
            let known = self.0.iter().find(|known| known.root == now.root);
            known.is_some_and(|known| known.attention != now.attention)
        };
        let is_watched = |root: &&WatchedRoot| reason(&root.attention).is_none();
        let again: Vec<_> = now.iter().filter(is_watched).filter(was_polled).collect();
        if !again.is_empty() {
            output.note(format_args!("{} watched again", some(&again)));
        }
        self.0 = now;
    }
}

/// The first of some roots, how many more there are, and the verb for all of them.
fn some(roots: &[&WatchedRoot]) -> String {
    let first = roots.first().map(|watched| watched.root.to_string_lossy()).unwrap_or_default();
    let first = one_line(&first);
    match roots.len() {
        0 | 1 => format!("`{first}` is"),
        2 => format!("`{first}` and 1 more directory are"),
        count => format!("`{first}` and {} more directories are", count - 1),
    }
}
