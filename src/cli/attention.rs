//! How roots are watched, to words.

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

/// What a person was told of it.
#[derive(Debug, Default)]
pub(crate) struct Told(Vec<WatchedRoot>);

impl Told {
    /// Tells which roots are polled, and why, and which of them are so no more; each thing once.
    pub(crate) fn tell(&mut self, registry: &Registry, output: &Output) {
        let now = registry.watching().roots;
        for watched in &now {
            let before = self.0.iter().find(|known| known.root == watched.root);
            if before.is_some_and(|known| known.attention == watched.attention) {
                continue;
            }
            let shown = watched.root.to_string_lossy();
            let root = one_line(&shown);
            match reason(&watched.attention) {
                Some(why) => output.warn(format_args!("`{root}` is polled: {}", one_line(why))),
                None if before.is_some() => output.note(format_args!("`{root}` is watched again")),
                None => {}
            }
        }
        self.0 = now;
    }
}
