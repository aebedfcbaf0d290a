//! A file that was found to what it holds.

use std::path::Path;

use skilldeck_core::diagnostic::Diagnostic;
use skilldeck_core::scan::{self, Found};

use super::item::{Loaded, origin};
use crate::source::SourceInfo;

/// The path to open: discovery has seen that what an untrusted source has lies within it, and the
/// canonical path cannot be led elsewhere by a link since.
pub(super) fn way_to<'a>(found: &'a Found, info: &SourceInfo) -> &'a Path {
    if info.trusted { &found.path } else { &found.real_path }
}

/// What a file holds; nothing if it was removed since it was found.
pub(super) fn read_file(found: Found, info: &SourceInfo) -> Option<Loaded> {
    let way = way_to(&found, info);
    let mut content = scan::read_if_present(way);
    if let Ok(None) = content {
        if scan::is_gone(&found.path) {
            return None;
        }
        // It was replaced at that moment, or it is a link that leads nowhere by now.
        content = scan::read(way).map(Some);
    }
    match content {
        Ok(content) => {
            let content = content.unwrap_or_default();
            let mut loaded = Loaded::parse(&content, &origin(info, &found.name, Some(&found.path)));
            loaded.real_path = Some(found.real_path).filter(|real| *real != found.path);
            Some(loaded)
        }
        Err(why) => Some(unreadable_file(found, vec![*why], info)),
    }
}

pub(super) fn unreadable_file(found: Found, why: Vec<Diagnostic>, info: &SourceInfo) -> Loaded {
    let mut loaded = Loaded::unreadable(why, &origin(info, &found.name, Some(&found.path)));
    loaded.real_path = Some(found.real_path).filter(|real| *real != found.path);
    loaded
}

#[cfg(test)]
mod tests;
