//! Findings and the files they are about to findings by the rules of the specification.

use skilldeck::diagnostic::{Code, Diagnostic};
use skilldeck::format::spec;
use skilldeck::scan;

use crate::cli::file::Target;

/// Adds what the specification rejects; of two findings about one thing the stricter stays.
pub(super) fn apply(targets: &[Target], found: &mut Vec<Diagnostic>) {
    for target in targets {
        // What cannot be read is a finding already.
        let Ok(bytes) = scan::read(&target.path) else { continue };
        let stricter = spec::check(&bytes, &target.origin());
        found.retain(|one| {
            one.path.as_deref() != Some(&*target.path)
                || !stricter.iter().any(|other| is_about_the_same(one, other))
        });
        found.extend(stricter);
    }
}

fn is_about_the_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let is_same =
        one.code == other.code || one.code == Code::UnknownKey && other.code == Code::SpecKey;
    is_same && one.line == other.line
}
