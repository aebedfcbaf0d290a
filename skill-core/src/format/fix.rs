//! A file to the same file with everything mended that is mechanical.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::front::hidden;
use super::rights::is_as_narrow;
use super::{Origin, Parsed, parse};
use crate::diagnostic::{Code, Diagnostic, Edit, Severity};

/// Mending one fault can bring the next one to light. Files that people wrote need three rounds; a
/// bound keeps two mends that undo each other from going on forever.
const MAX_ROUNDS: usize = 16;
/// The most mends that are tried one by one where all together are refused.
const MAX_TRIES: usize = 64;

/// What mending came to.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The file as it is to be.
    pub bytes: Vec<u8>,
    /// What was mended, in the order in which it was found.
    pub mended: Vec<Diagnostic>,
}

/// Mends what is mechanical: quotes values, moves fences, spells keys, takes the name of the
/// directory. `None` if there is nothing to mend.
///
/// Every byte that no diagnostic wants changed stays, and so does the body; only where a second
/// byte order mark hid the front matter, what stands behind its fence becomes the body. No mend
/// makes an error or widens what the skill may do, except that a front matter that becomes readable
/// is obeyed. Mending what is mended changes nothing.
///
/// # Examples
/// ```
/// use skilldeck_core::format::{Layout, Origin, fix};
///
/// let origin = Origin::new("demo");
/// let fixed = fix(b"---\nname: demo\ndescription: a: b\n---\nBody\n", &origin).unwrap();
/// assert_eq!(fixed.bytes, b"---\nname: demo\ndescription: \"a: b\"\n---\nBody\n");
/// ```
#[must_use]
pub fn fix(bytes: &[u8], origin: &Origin<'_>) -> Option<Fixed> {
    fix_where(bytes, origin, |_| true)
}

/// The same for those diagnostics only that `wanted` picks: who sees a whole deck knows that a name
/// is needed or taken.
#[must_use]
pub fn fix_where(
    bytes: &[u8],
    origin: &Origin<'_>,
    wanted: impl Fn(&Diagnostic) -> bool,
) -> Option<Fixed> {
    let mut text = String::from_utf8(bytes.to_vec()).ok()?;
    let mut parsed = parse(bytes, origin);
    let mut mended = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let Some((next, after, chosen)) = round(&text, &parsed, origin, &wanted) else { break };
        mended.extend(chosen);
        text = next;
        parsed = after;
    }
    (!mended.is_empty()).then(|| Fixed { bytes: text.into_bytes(), mended })
}

/// The text after one round, its reading, and what was mended; `None` if nothing can be.
fn round(
    text: &str,
    parsed: &Parsed,
    origin: &Origin<'_>,
    wanted: &dyn Fn(&Diagnostic) -> bool,
) -> Option<(String, Parsed, Vec<Diagnostic>)> {
    let chosen = choose(parsed.diagnostics.iter().filter(|found| wanted(found)));
    let attempt = |chosen: &[&Diagnostic]| {
        let next = apply(text, chosen);
        let after = parse(next.as_bytes(), origin);
        let is_better = next != text && keeps(parsed, &after, chosen);
        is_better.then(|| (next, after, chosen.iter().copied().cloned().collect()))
    };
    if chosen.is_empty() {
        return None;
    }
    attempt(&chosen).or_else(|| {
        // One of them is refused; the first of the others goes ahead.
        chosen.iter().take(MAX_TRIES).find_map(|one| attempt(&[one]))
    })
}

/// Whether a mend keeps what it has to keep.
fn keeps(before: &Parsed, after: &Parsed, chosen: &[&Diagnostic]) -> bool {
    let (Some(old), Some(new)) = (&before.skill, &after.skill) else { return false };
    let is_narrow = || is_as_narrow(new.fields(), old.fields());
    // A front matter that becomes readable is obeyed, if all that restricts stands in it.
    let is_obeyed = || hidden(new.body(), 0..new.body().len(), true).is_empty() || is_narrow();
    let is_right = match chosen {
        [Diagnostic { code: Code::NoFrontMatter, .. }] => {
            old.body().ends_with(new.body()) && is_obeyed()
        }
        [Diagnostic { code: Code::UnclosedFrontMatter, .. }] => {
            old.body() == new.body() && is_obeyed()
        }
        _ => old.body() == new.body() && is_narrow(),
    };
    is_right && errors(&after.diagnostics) <= errors(&before.diagnostics)
}

/// The diagnostics that can be mended together: of two that want the same bytes the first. A front
/// matter that was not read as one goes first and alone, since it changes what all the others see.
fn choose<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic> + Clone) -> Vec<&'a Diagnostic> {
    let mendable = || diagnostics.clone().filter(|diagnostic| !diagnostic.edits.is_empty());
    let is_whole =
        |found: &&Diagnostic| matches!(found.code, Code::NoFrontMatter | Code::UnclosedFrontMatter);
    if let Some(whole) = mendable().find(is_whole) {
        return vec![whole];
    }
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut chosen = Vec::new();
    for diagnostic in mendable() {
        let free = |edit: &Edit| taken.iter().all(|span| !overlap(span, &edit.span));
        if diagnostic.edits.iter().all(free) {
            taken.extend(diagnostic.edits.iter().map(|edit| edit.span.clone()));
            chosen.push(diagnostic);
        }
    }
    chosen
}

/// Two insertions at one place are in each other's way too: their order would be a guess.
fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start == b.start || (a.start < b.end && b.start < a.end)
}

fn apply(text: &str, chosen: &[&Diagnostic]) -> String {
    let mut edits: Vec<&Edit> = chosen.iter().flat_map(|diagnostic| &diagnostic.edits).collect();
    edits.sort_by_key(|edit| edit.span.start);
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.span.start]);
        out.push_str(&edit.replacement);
        at = edit.span.end;
    }
    out.push_str(&text[at..]);
    out
}

fn errors(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
}
