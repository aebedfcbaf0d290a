//! An entry to the place of its side files.

use std::borrow::Cow;
use std::path::{Path, absolute};

use skilldeck_core::format::Layout;
use skilldeck_core::scan;
use skilldeck_core::template::{Segment, Template, Variable};

use super::pipeline::Run;
use super::{Shape, extract};
use crate::error::{Error, ErrorKind};
use crate::policy::ShellRule;
use crate::snapshot::Entry;

/// The most side files that a block lists; the rest is counted.
const MOST_LISTED: usize = 512;

/// How much a block needs the place of its side files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing refers to it.
    None,
    /// The block names it, for what it is worth.
    Named,
    /// The text of the skill, or a command in it, is wrong without.
    Used,
}

impl Need {
    pub(super) fn of(shape: Shape, template: &Template, rule: ShellRule<'_>) -> Self {
        let is_place =
            |segment: &Segment| matches!(segment, Segment::Variable(Variable::SkillDir, _));
        let runs = matches!(rule, ShellRule::Run { .. }) && !template.shells().is_empty();
        if runs || template.segments().iter().any(is_place) {
            return Self::Used;
        }
        match shape {
            Shape::User | Shape::Tool | Shape::OpenCode => Self::Named,
            Shape::Plain | Shape::Agui => Self::None,
        }
    }
}

/// The resource base of an entry: the directory of its file, or where the side files of a bundled
/// skill are. A command file has no directory of its own, and a skill in memory has none at all.
pub(super) fn base<'a>(
    run: Run<'_>,
    entry: Entry<'a>,
    need: Need,
    notices: &mut Vec<String>,
) -> Result<Option<Cow<'a, str>>, Error> {
    if need == Need::None {
        return Ok(None);
    }
    let Some(bundled) = entry.bundled() else {
        let is_alone = entry.source().layout == Layout::Commands;
        let directory = if is_alone { None } else { entry.path().and_then(Path::parent) };
        return Ok(directory.map(text));
    };
    if bundled.files.is_empty() {
        return Ok(None);
    }
    if let Some(base) = run.host.resource_base(bundled) {
        return Ok(Some(Cow::Owned(base)));
    }
    match extract::extracted(bundled, run.policy.cache_dir()) {
        Ok(base) => Ok(Some(Cow::Owned(base.to_string_lossy().into_owned()))),
        Err(error) => {
            let message = format!(
                "the side files of bundled skill `{}` cannot be extracted: {error}",
                entry.word()
            );
            if need == Need::Used {
                return Err(Error::new(ErrorKind::Io, message).because(error));
            }
            notices.push(message);
            Ok(None)
        }
    }
}

/// A directory as text that means the same wherever it is read.
fn text(directory: &Path) -> Cow<'_, str> {
    if directory.is_absolute() {
        return directory.to_string_lossy();
    }
    match absolute(directory) {
        Ok(absolute) => Cow::Owned(absolute.to_string_lossy().into_owned()),
        Err(_) => directory.to_string_lossy(),
    }
}

/// The side files of an entry that has a resource base.
pub(super) fn side_files<'a>(entry: Entry<'a>, notices: &mut Vec<String>) -> Vec<Cow<'a, str>> {
    let mut files: Vec<Cow<'a, str>> = match (entry.bundled(), entry.path().and_then(Path::parent))
    {
        (Some(bundled), _) => bundled.files.iter().map(|file| file.path.into()).collect(),
        (None, None) => Vec::new(),
        (None, Some(directory)) => match scan::side_files(directory) {
            Ok(found) => {
                found.iter().map(|path| Cow::Owned(path.to_string_lossy().into_owned())).collect()
            }
            Err(error) => {
                let place = directory.display();
                notices.push(format!("the side files in {place} cannot be listed: {error}"));
                Vec::new()
            }
        },
    };
    if files.len() > MOST_LISTED {
        let more = files.len() - MOST_LISTED;
        files.truncate(MOST_LISTED);
        files.push(Cow::Owned(format!("and {more} more files")));
    }
    files
}
