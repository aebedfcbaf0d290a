//! A skill somewhere to a checked copy of it in a root.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use skilldeck::diagnostic::{Diagnostic, Severity};
use skilldeck::format::{self, Layout, Origin, Parsed};
use skilldeck::model::slug_flat;
use skilldeck::scan::{self, MAX_SIDE_BYTES, SKILL_FILE};
use skilldeck::template::Dialect;
use skilldeck::{Environment, Registry, Source, SourceInfo, Tier};

use super::args::{AddArgs, Global};
use super::file;
use super::json;
use super::output::{DIM, Exit, Failure, Output};
use super::publish::{Root, at, exists, is_seen};

/// A skill as it lies at its source.
struct Original {
    /// Its file.
    path: PathBuf,
    /// What the file is called, without a front matter.
    name: String,
    bytes: Vec<u8>,
    /// The directory with the files beside it, canonical, and these files relative to it.
    beside: Option<(PathBuf, Vec<PathBuf>)>,
}

/// Copies the skill and prints where it lies.
pub(crate) fn add(global: &Global, args: &AddArgs, output: &Output) -> Result<Exit, Failure> {
    let root = root(global, args)?;
    let layout = file::layout_of(&root);
    let original = Original::read(&args.path, output)?;
    let word = original.check(layout, output)?;
    let files = original.beside.as_ref().map_or(&[][..], |(_, files)| files);
    let entry = match layout {
        Layout::Skills => {
            is_seen(&root, &word)?;
            word.clone()
        }
        Layout::Commands if files.is_empty() => format!("{word}.md"),
        Layout::Commands => {
            return Err(Failure::No(format!(
                "{} holds command files, and this skill has {} more beside its SKILL.md",
                root.display(),
                files.len()
            )));
        }
    };
    let place = root.join(&entry);
    original.keeps_apart_from(&root, &place)?;
    let replaces;
    if args.dry_run {
        replaces = replaced(&place, layout, args.force)?;
        is_free(&root, layout, &word, &place)?;
    } else {
        let root = Root::open(&root, "add", output)?;
        replaces = replaced(&place, layout, args.force)?;
        is_free(root.path(), layout, &word, &place)?;
        let staging = root.stage(entry);
        original.copy(&staging.path(), layout, output)?;
        staging.publish(replaces)?;
    }
    let path = match layout {
        Layout::Skills => place.join(SKILL_FILE),
        Layout::Commands => place,
    };
    if global.json {
        output.json(&json!({
            "name": word,
            "command": json::command("/skill:", &word),
            "path": path.display().to_string(),
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "replaced": replaces,
            "dry_run": args.dry_run,
        }))?;
        return Ok(Exit::Done);
    }
    output.result(&path.display().to_string())?;
    let verb = match (args.dry_run, replaces) {
        (false, false) => "added",
        (false, true) => "replaced",
        (true, false) => "would add",
        (true, true) => "would replace",
    };
    let beside = match files.len() {
        0 => String::new(),
        1 => " with 1 file beside it".to_owned(),
        count => format!(" with {count} files beside it"),
    };
    output.note(format_args!("{DIM}{verb} {}{beside}{DIM:#}", json::command("/skill:", &word)));
    Ok(Exit::Done)
}

/// The root to write to. One that is given to every command is a root to write to as well.
fn root(global: &Global, args: &AddArgs) -> Result<PathBuf, Failure> {
    const DEFAULT: &str = ".agents/skills";
    if args.user {
        let home = Environment::of_process().home;
        let home = home.ok_or_else(|| Failure::Usage("there is no home directory".to_owned()))?;
        return Ok(home.join(DEFAULT));
    }
    let given = args.to.clone().or_else(|| global.root.first().cloned());
    Ok(given.unwrap_or_else(|| PathBuf::from(DEFAULT)))
}

impl Original {
    fn read(path: &Path, output: &Output) -> Result<Self, Failure> {
        let meta = path.metadata().map_err(|error| at(path, &error))?;
        let is_markdown = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
        if !meta.is_dir() && !is_markdown {
            return Err(Failure::No(format!(
                "{} is neither the directory of a skill nor a Markdown file",
                path.display()
            )));
        }
        let target = file::target(path, None)?;
        let beside = if meta.is_dir() {
            let real = path.canonicalize().map_err(|error| at(path, &error))?;
            let file = target.path.canonicalize().map_err(|error| at(&target.path, &error))?;
            if !file.starts_with(&real) {
                return Err(Failure::No(format!(
                    "{} is a link out of {}; add {} itself",
                    target.path.display(),
                    path.display(),
                    file.display()
                )));
            }
            let found = scan::side_listing(path).map_err(|error| Failure::No(error.to_string()))?;
            for link in found.links_out {
                output.warn(format_args!(
                    "{} is left out: it is a link that leads out of the skill, or nowhere",
                    path.join(link).display()
                ));
            }
            Some((real, found.files))
        } else {
            None
        };
        match scan::read(&target.path) {
            Ok(bytes) => Ok(Self { path: target.path, name: target.name, bytes, beside }),
            Err(found) => {
                output.diagnostic(&found);
                Err(Failure::No(format!("{} cannot be read; nothing was added", path.display())))
            }
        }
    }

    /// Checks the skill as it would be in a root of this layout, and gives its command word.
    fn check(&self, layout: Layout, output: &Output) -> Result<String, Failure> {
        let word = self.parse(layout, &self.name).skill.map(|skill| slug_flat(skill.word()));
        let word = word.unwrap_or_else(|| slug_flat(&self.name));
        // In its place the directory has the name of the skill.
        let found = self.parse(layout, &word).diagnostics;
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let errors: Vec<_> = found.iter().filter(is_error).collect();
        for error in &errors {
            output.diagnostic(error);
        }
        match errors.len() {
            0 => {
                output.diagnostics(&found);
                Ok(word)
            }
            count => Err(Failure::No(format!(
                "{} has {count} error{}; nothing was added",
                self.path.display(),
                if count == 1 { "" } else { "s" }
            ))),
        }
    }

    fn parse(&self, layout: Layout, name: &str) -> Parsed {
        let origin = Origin {
            name,
            path: Some(&self.path),
            layout,
            dialect: Dialect::Claude,
            positional: file::positional(layout),
        };
        format::parse(&self.bytes, &origin)
    }

    /// Refuses a copy onto itself, or to where one of the two is a part of the other.
    fn keeps_apart_from(&self, root: &Path, place: &Path) -> Result<(), Failure> {
        let own = match &self.beside {
            Some((directory, _)) => directory.clone(),
            None => self.path.canonicalize().map_err(|error| at(&self.path, &error))?,
        };
        if place.canonicalize().is_ok_and(|place| own.starts_with(place)) {
            return Err(Failure::No(format!("{} is there already", place.display())));
        }
        if root.canonicalize().is_ok_and(|root| root.starts_with(&own)) {
            return Err(Failure::No(format!(
                "{} lies in the skill that is to be copied there",
                root.display()
            )));
        }
        Ok(())
    }

    /// Writes the copy to a path at which there is nothing.
    fn copy(&self, draft: &Path, layout: Layout, output: &Output) -> Result<(), Failure> {
        let file = match layout {
            Layout::Skills => {
                fs::create_dir(draft).map_err(|error| at(draft, &error))?;
                draft.join(SKILL_FILE)
            }
            Layout::Commands => draft.to_path_buf(),
        };
        // The very bytes that were checked.
        let mode = self.path.metadata().map_err(|error| at(&self.path, &error))?.permissions();
        write(&mut &*self.bytes, &file, mode).map_err(|error| at(&file, &error))?;
        let Some((from, files)) = &self.beside else { return Ok(()) };
        let mut left = MAX_SIDE_BYTES;
        for relative in files {
            let copied = copy_file(from, relative, &draft.join(relative), left);
            let copied = copied.map_err(|error| at(&from.join(relative), &error))?;
            left = left.checked_sub(copied).ok_or_else(|| {
                let (path, most) = (from.join(relative), MAX_SIDE_BYTES >> 20);
                Failure::No(format!(
                    "{}: the files beside SKILL.md have more than {most} MiB together, which is \
                     the most that a skill may have; nothing was written",
                    path.display()
                ))
            })?;
            output.step(format_args!("copied {}", relative.display()));
        }
        Ok(())
    }
}

/// Copies one file out of the canonical directory `from`, but of one that is too long only one byte
/// more than there may be. Gives how many there were.
fn copy_file(from: &Path, relative: &Path, to: &Path, most: u64) -> io::Result<u64> {
    // A link may have been put in its place since it was listed.
    let real = from.join(relative).canonicalize()?;
    if !real.starts_with(from) || !real.metadata()?.is_file() {
        return Err(io::Error::other("it changed while it was copied"));
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let file = File::open(&real)?;
    let mode = file.metadata()?.permissions();
    write(&mut file.take(most + 1), to, mode)
}

/// Writes a new file with the mode of another.
fn write(from: &mut impl Read, to: &Path, mode: Permissions) -> io::Result<u64> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(to)?;
    let copied = io::copy(from, &mut file)?;
    file.flush()?;
    file.set_permissions(plain(mode))?;
    file.sync_all()?;
    Ok(copied)
}

/// A mode without the bits that let a program run as somebody else.
#[cfg(unix)]
fn plain(mode: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(mode.mode() & 0o777)
}

#[cfg(not(unix))]
fn plain(mode: Permissions) -> Permissions {
    mode
}

/// Whether the copy replaces something.
fn replaced(place: &Path, layout: Layout, force: bool) -> Result<bool, Failure> {
    if place.symlink_metadata().is_err() {
        return Ok(false);
    }
    if !force {
        let Failure::No(why) = exists(place) else { return Ok(true) };
        return Err(Failure::No(format!("{why}; --force replaces it")));
    }
    let is_skill = match layout {
        Layout::Skills => place.is_dir() && file::skill_file(place)?.is_some(),
        Layout::Commands => place.is_file(),
    };
    if is_skill {
        return Ok(true);
    }
    Err(Failure::No(format!("{} is no skill, and only a skill is replaced", place.display())))
}

/// Refuses a word that another skill of the root has: of the two only one would be reached.
fn is_free(root: &Path, layout: Layout, word: &str, place: &Path) -> Result<(), Failure> {
    let mut info = SourceInfo::new("root", Tier::PROJECT);
    info.layout = layout;
    info.positional = file::positional(layout);
    let source = Source::directory(root, info).optional();
    let registry = Registry::builder().source(source).build()?;
    let snapshot = registry.snapshot();
    let other = snapshot.iter().find(|entry| entry.word() == word).and_then(|entry| entry.path());
    match other.filter(|path| !path.starts_with(place)) {
        Some(path) => Err(Failure::No(format!(
            "{} has the command word `{word}` already; nothing was written",
            path.display()
        ))),
        None => Ok(()),
    }
}
