//! A file that was found to what it holds.

use std::path::Path;
use std::thread;

use skilldeck_core::diagnostic::Diagnostic;
use skilldeck_core::scan::{self, Content, Found};

use super::item::{Loaded, origin};
use crate::source::SourceInfo;

/// The path to open: discovery has seen that what an untrusted source has lies within it, and the
/// canonical path cannot be led elsewhere by a link since.
pub(super) fn way_to<'a>(found: &'a Found, info: &SourceInfo) -> &'a Path {
    if info.trusted { &found.path } else { &found.real_path }
}

/// A file that was read.
pub(super) struct Read {
    pub(super) loaded: Loaded,
    /// Whether it need not be read again while its numbers are the same. What cannot be read may
    /// become readable without a trace in them, and what moved while it was read may be torn.
    pub(super) is_settled: bool,
}

/// What a file holds; nothing if it was removed since it was found.
pub(super) fn read_file(found: Found, info: &SourceInfo) -> Option<Read> {
    let way = way_to(&found, info);
    let content = match scan::read_when_calm(way, &thread::sleep) {
        Ok(Some(content)) => content,
        Ok(None) if scan::is_gone(&found.path) => return None,
        // It was replaced at that moment, or it is a link that leads nowhere by now.
        Ok(None) => match scan::read(way) {
            Ok(bytes) => Content { bytes, is_torn: true },
            Err(why) => return Some(unsettled(unreadable_file(found, vec![*why], info))),
        },
        Err(why) => return Some(unsettled(unreadable_file(found, vec![*why], info))),
    };
    let origin = origin(info, &found.name, Some(&found.path));
    let mut loaded = Loaded::parse(&content.bytes, &origin).among(&info.namespace);
    loaded.real_path = Some(found.real_path).filter(|real| *real != found.path);
    let is_settled = !content.is_torn && loaded.unreadable.is_none();
    Some(Read { loaded, is_settled })
}

fn unsettled(loaded: Loaded) -> Read {
    Read { loaded, is_settled: false }
}

pub(super) fn unreadable_file(found: Found, why: Vec<Diagnostic>, info: &SourceInfo) -> Loaded {
    let mut loaded = Loaded::unreadable(why, &origin(info, &found.name, Some(&found.path)))
        .among(&info.namespace);
    loaded.real_path = Some(found.real_path).filter(|real| *real != found.path);
    loaded
}

#[cfg(test)]
mod tests;
