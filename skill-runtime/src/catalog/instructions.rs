//! Files of always-on instructions to those in force, each with its source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skilldeck_core::diagnostic::Diagnostic;
use skilldeck_core::format;
use skilldeck_core::scan;

use super::item::origin;
use crate::source::{Namespace, Precedence, Source};

/// A text that a host puts before a model at all times. It is not invoked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it is called: the stem of its file, or of a file such as `ATTITUDE.md` its directory,
    /// with the prefix of its source.
    pub name: String,
    /// The text, without front matter.
    pub text: Arc<str>,
    /// The file.
    pub path: PathBuf,
}

/// What one source has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Instructions {
    /// Those in force, sorted by name.
    pub(super) in_force: Vec<Instruction>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads the files of all sources, in their order. Of several of one name the stronger tier's is in
/// force, and within a tier the one that wins a command would too.
pub(super) fn read<'a>(
    sources: impl Iterator<Item = &'a Source>,
    precedence: &Precedence,
) -> Vec<Instructions> {
    let mut all = Vec::new();
    // By name: the strength of the one in force, and where it is.
    let mut winners: BTreeMap<String, ((usize, usize), usize)> = BTreeMap::new();
    for (position, source) in sources.enumerate() {
        let (tier, last_wins) = precedence.place(&source.info.tier);
        let strength = (tier, if last_wins { usize::MAX - position } else { position });
        let mut found = Instructions::default();
        // Untrusted text is kept from models, and this is put before one unasked.
        let files = if source.info.trusted { &*source.instructions } else { &[] };
        for path in files {
            match one(path, source) {
                Ok(Some(instruction)) => {
                    let known = found.in_force.iter().any(|it| it.name == instruction.name);
                    let winner = winners
                        .entry(instruction.name.clone())
                        .and_modify(|winner| *winner = (*winner).min((strength, position)))
                        .or_insert((strength, position));
                    if winner.1 == position && !known {
                        found.in_force.push(instruction);
                    }
                }
                Ok(None) => {}
                Err(diagnostic) => found.diagnostics.push(*diagnostic),
            }
        }
        found.in_force.sort_by(|a, b| a.name.cmp(&b.name));
        all.push(found);
    }
    for (position, found) in all.iter_mut().enumerate() {
        found
            .in_force
            .retain(|it| winners.get(&it.name).is_some_and(|winner| winner.1 == position));
    }
    all
}

/// One file; nothing if it is gone.
fn one(path: &Path, source: &Source) -> Result<Option<Instruction>, Box<Diagnostic>> {
    let Some(content) = scan::read_if_present(path)? else { return Ok(None) };
    let name = name(path);
    let parsed = format::parse(&content.bytes, &origin(&source.info, &name, Some(path)));
    let Some(skill) = parsed.skill else {
        return parsed.diagnostics.into_iter().next().map_or(Ok(None), |why| Err(Box::new(why)));
    };
    let name = match &source.info.namespace {
        Namespace::Apply(prefix) => prefix.word(&name),
        Namespace::Free | Namespace::Expect(_) => name,
    };
    Ok(Some(Instruction { name, text: skill.body().into(), path: path.to_owned() }))
}

/// The stem of a file, or its directory's name if the stem says only what kind of file it is.
fn name(path: &Path) -> String {
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = text(path.file_stem());
    if stem.chars().any(char::is_lowercase) {
        return stem;
    }
    let directory = text(path.parent().and_then(Path::file_name));
    if directory.is_empty() { stem } else { directory }
}
