//! A compiled deck and the directories it came from to what differs between them.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::digest::sha256;
use crate::format::Layout;
use crate::glob::is_selected;
use crate::model::{BundledSkill, Deck, SideFile};
use crate::scan::{self, Found, ScanOptions};

const HELP: &str = "build again; a build script that prints `cargo::rerun-if-changed` with the \
                    directory sees to it the next time";

impl Deck {
    /// What differs between the deck and the directories it was compiled from: every SKILL.md and
    /// every side file that was changed, added or removed since then, sorted by path. Empty if the
    /// deck is what a build would make of them now.
    ///
    /// This is for a test, or a command, of a program that has no build script to watch its skills.
    /// `directories` stand for [`Deck::directories`], in the same order: where the skills of each
    /// lie now. A directory that cannot be read is one finding, and so is a file.
    ///
    /// ```
    /// # use skilldeck_core::model::Deck;
    /// # static DECK: Deck = Deck::EMPTY;
    /// # fn check() {
    /// // From the package's directory, where tests run.
    /// let differences = DECK.verify(DECK.directories());
    /// assert!(differences.is_empty(), "{differences:#?}");
    /// # }
    /// ```
    #[must_use]
    pub fn verify<P: AsRef<Path>>(&self, directories: &[P]) -> Vec<Diagnostic> {
        let mut comparison =
            Comparison { deck: self, seen: vec![false; self.skills().len()], differences: vec![] };
        for (position, directory) in directories.iter().enumerate() {
            comparison.directory(position, named(directory.as_ref()));
        }
        comparison.removed(directories);
        let mut differences = comparison.differences;
        differences.sort_by(|a, b| (&a.path, a.code).cmp(&(&b.path, b.code)));
        differences
    }
}

struct Comparison<'a> {
    deck: &'a Deck,
    /// Which skills were found, or cannot be looked for.
    seen: Vec<bool>,
    differences: Vec<Diagnostic>,
}

impl Comparison<'_> {
    fn directory(&mut self, position: usize, directory: &Path) {
        let scan = scan::scan(directory, &ScanOptions { layout: Layout::Skills, trusted: true });
        for diagnostic in scan.diagnostics {
            let is_root = diagnostic.path.as_deref() == Some(directory);
            match diagnostic.code {
                Code::MissingRoot | Code::RootNotADirectory | Code::UnreadableDirectory => {
                    let lost = diagnostic.path.clone().unwrap_or_default();
                    self.pass_over(position, directory, &lost);
                    let severity = if is_root { Severity::Error } else { diagnostic.severity };
                    self.differences.push(Diagnostic { severity, ..diagnostic });
                }
                // About how skills are written, which a build has accepted.
                _ => {}
            }
        }
        for (found, diagnostic) in scan.unreadable {
            self.skill_at(position, directory, &found.path);
            self.differences.push(diagnostic);
        }
        for found in scan.files {
            match self.skill_at(position, directory, &found.path) {
                Some(bundled) => self.skill(bundled, &found),
                None => self.other_skill(position, directory, &found.path),
            }
        }
    }

    /// Counts what lies below a place that cannot be read as found: nothing is known of it.
    fn pass_over(&mut self, position: usize, directory: &Path, lost: &Path) {
        for (bundled, seen) in self.deck.skills().iter().zip(&mut self.seen) {
            if let Some(relative) = below(self.deck, position, bundled.path)
                && directory.join(relative).starts_with(lost)
            {
                *seen = true;
            }
        }
    }

    /// The skill that was compiled from this file.
    fn skill_at(
        &mut self,
        position: usize,
        directory: &Path,
        file: &Path,
    ) -> Option<&'static BundledSkill> {
        let relative = slashed(file.strip_prefix(directory).ok()?);
        let at = (self.deck.skills().iter())
            .position(|bundled| below(self.deck, position, bundled.path) == Some(&*relative))?;
        self.seen[at] = true;
        self.deck.skills().get(at)
    }

    /// A skill that is not in the deck: a new one, or one that lost its word to another.
    fn other_skill(&mut self, position: usize, directory: &Path, file: &Path) {
        let passed_over = self.deck.selection().passed_over.iter().find(|(path, _)| {
            below(self.deck, position, path).map(|relative| directory.join(relative)).as_deref()
                == Some(file)
        });
        match passed_over {
            None => self.add(Code::AddedSinceBuild, file, "the skill is not compiled in"),
            Some((_, digest)) => self.compare(digest, file),
        }
    }

    fn compare(&mut self, digest: &str, file: &Path) {
        match scan::read(file) {
            Ok(bytes) if sha256(&bytes) == digest => {}
            Ok(_) => {
                let message = "the skill has changed since it was compiled in";
                self.add(Code::ChangedSinceBuild, file, message);
            }
            Err(diagnostic) => self.differences.push(*diagnostic),
        }
    }

    fn skill(&mut self, bundled: &BundledSkill, found: &Found) {
        self.compare(bundled.sha256, &found.path);
        let globs = self.deck.selection().files;
        if globs.is_empty() {
            return;
        }
        let home = found.path.parent().unwrap_or(Path::new(""));
        let paths = match scan::side_files(home) {
            Ok(paths) => paths,
            Err(error) => {
                let diagnostic = Diagnostic::new(Code::UnreadableDirectory, error.to_string());
                self.differences.push(diagnostic.in_file(home));
                return;
            }
        };
        let mut names: Vec<String> = paths.iter().map(|path| slashed(path)).collect();
        names.retain(|name| is_selected(globs, name));
        for name in &names {
            let path = home.join(name);
            match bundled.files.iter().find(|file| file.path == name) {
                Some(file) => self.side_file(file, &path),
                None => self.add(Code::AddedSinceBuild, &path, "the file is not compiled in"),
            }
        }
        for file in bundled.files.iter().filter(|file| !names.iter().any(|name| name == file.path))
        {
            let path = home.join(file.path);
            self.add(Code::RemovedSinceBuild, &path, "the file is compiled in and no longer there");
        }
    }

    fn side_file(&mut self, file: &SideFile, path: &Path) {
        match scan::read_side_file(path) {
            Ok((bytes, _)) if sha256(&bytes) != file.sha256 => self.add(
                Code::ChangedSinceBuild,
                path,
                "the file has changed since it was compiled in",
            ),
            // A system without the bit has none to compare.
            Ok((_, executable)) if cfg!(unix) && executable != file.executable => {
                let now = if executable { "is executable now" } else { "is no longer executable" };
                let message = format!("the file {now}, unlike when it was compiled in");
                self.add(Code::ChangedSinceBuild, path, &message);
            }
            Ok(_) => {}
            Err(error) => {
                let message = format!("the file cannot be read: {error}");
                self.differences.push(Diagnostic::new(Code::Unreadable, message).in_file(path));
            }
        }
    }

    /// Reports what was not found in any directory.
    fn removed<P: AsRef<Path>>(&mut self, directories: &[P]) {
        for at in 0..self.seen.len() {
            if self.seen[at] {
                continue;
            }
            let bundled = &self.deck.skills()[at];
            let place = directories.iter().enumerate().find_map(|(position, directory)| {
                Some(named(directory.as_ref()).join(below(self.deck, position, bundled.path)?))
            });
            // Of a directory that nobody named there is only the path in the package.
            let path = place.unwrap_or_else(|| PathBuf::from(bundled.path));
            let message = "the skill is compiled in and no longer there";
            self.add(Code::RemovedSinceBuild, &path, message);
        }
    }

    fn add(&mut self, code: Code, path: &Path, message: &str) {
        self.differences.push(Diagnostic::new(code, message).in_file(path).help(HELP));
    }
}

/// The directory itself, where it has no name: what a deck of a whole package is compiled from.
fn named(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

/// A path of the package below the compiled directory at this position, if it is from there.
fn below(deck: &Deck, position: usize, path: &'static str) -> Option<&'static str> {
    let directory = *deck.directories().get(position)?;
    if directory.is_empty() {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix('/')
}

/// A relative path with `/` between the parts.
fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}
