//! A paragraph to the inline shell spans in it, code spans left alone.

use std::collections::BTreeMap;
use std::ops::Range;

use super::markdown::Region;

/// Adds the inline shell spans of a paragraph.
pub(super) fn shells(body: &str, paragraph: Option<Range<usize>>, found: &mut Vec<Region>) {
    let Some(paragraph) = paragraph else { return };
    let runs = Runs::of(body, paragraph.clone());
    let mut at = paragraph.start;
    let mut next = 0;
    while let Some(&run) = runs.all.get(next) {
        if run.start < at {
            next += 1;
            continue;
        }
        if let Some(command) = command(body, &paragraph, run, runs.all.get(next + 1)) {
            let source = run.start - 1..command.end + 1;
            at = source.end;
            found.push(Region::Inline { source, command });
            continue;
        }
        // A backslash before the run takes its first backtick away, unless it is escaped itself.
        let backslashes = body[at..run.start].bytes().rev().take_while(|b| *b == b'\\').count();
        let length = run.length - backslashes % 2;
        at = match runs.behind(run.start, length) {
            Some(closing) => closing.start + closing.length,
            None => run.start + run.length,
        };
    }
}

/// The command of the shell span whose opening backtick is `run`.
fn command(
    body: &str,
    paragraph: &Range<usize>,
    run: Run,
    closing: Option<&Run>,
) -> Option<Range<usize>> {
    let closing = closing.filter(|closing| closing.length == 1 && run.length == 1)?;
    let before = body[paragraph.start..run.start].strip_suffix('!')?;
    let command = run.start + 1..closing.start;
    let text = &body[command.clone()];
    let open = before.is_empty() || before.ends_with([' ', '\t', '\n']);
    (open && !text.contains(['\n', '\r']) && !text.trim().is_empty()).then_some(command)
}

/// A run of backticks.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    length: usize,
}

/// The runs of a paragraph; by length too, so that a run without a partner costs no search.
struct Runs {
    all: Vec<Run>,
    by_length: BTreeMap<usize, Vec<Run>>,
}

impl Runs {
    fn of(body: &str, paragraph: Range<usize>) -> Self {
        let mut runs = Self { all: Vec::new(), by_length: BTreeMap::new() };
        let mut start = paragraph.start;
        while let Some(at) = body[start..paragraph.end].find('`') {
            start += at;
            let length = body[start..paragraph.end].bytes().take_while(|b| *b == b'`').count();
            let run = Run { start, length };
            runs.all.push(run);
            runs.by_length.entry(length).or_default().push(run);
            start += length;
        }
        runs
    }

    /// The first run of this length behind the one that starts at `start`.
    fn behind(&self, start: usize, length: usize) -> Option<Run> {
        let same = self.by_length.get(&length)?;
        same.get(same.partition_point(|run| run.start <= start)).copied()
    }
}
