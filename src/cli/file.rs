//! A path to one skill, read by itself.

use std::path::{Path, PathBuf};

use skilldeck::diagnostic::{Code, Diagnostic};
use skilldeck::format::{self, Layout, Origin};
use skilldeck::model::Skill;
use skilldeck::scan;
use skilldeck::template::{Dialect, Positional};

use super::output::Failure;

/// One file, read.
#[derive(Debug)]
pub(crate) struct ReadFile {
    /// The file.
    pub(crate) path: PathBuf,
    /// The skill, if it could be read at all.
    pub(crate) skill: Option<Skill>,
    /// What there is to say about it.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// One file and how it is to be read.
#[derive(Debug)]
pub(crate) struct Target {
    /// The file.
    pub(crate) path: PathBuf,
    /// The directory of skills that it belongs to: who changes the file locks that.
    pub(crate) root: PathBuf,
    /// The default name.
    pub(crate) name: String,
    /// The layout it stands in.
    pub(crate) layout: Layout,
    /// The dialect of its body.
    pub(crate) dialect: Dialect,
    /// The positional rule of its body.
    pub(crate) positional: Positional,
}

impl Target {
    /// The same for the parser.
    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin {
            name: &self.name,
            path: Some(&self.path),
            layout: self.layout,
            dialect: self.dialect,
            positional: self.positional,
        }
    }
}

/// Reads a SKILL.md, a directory that holds one, or a command file.
pub(crate) fn read(path: &Path, layout: Option<Layout>) -> Result<ReadFile, Failure> {
    let target = target(path, layout)?;
    match scan::read(&target.path) {
        Ok(bytes) => {
            let parsed = format::parse(&bytes, &target.origin());
            let (skill, mut diagnostics) = (parsed.skill, parsed.diagnostics);
            diagnostics.extend(odd_case(&target));
            Ok(ReadFile { path: target.path, skill, diagnostics })
        }
        Err(found) => Ok(ReadFile { path: target.path, skill: None, diagnostics: vec![*found] }),
    }
}

/// What discovery says of a SKILL.md in another case; here nothing was discovered.
fn odd_case(target: &Target) -> Option<Diagnostic> {
    let is_odd = target.layout == Layout::Skills
        && target.path.file_name().is_some_and(|name| name != "SKILL.md" && is_skill(&target.path));
    is_odd.then(|| {
        Diagnostic::new(Code::OddCase, "is read as SKILL.md, which other programs may not do")
            .help("rename it to SKILL.md")
            .in_file(&target.path)
    })
}

/// A SKILL.md, the one of a directory, or a command file.
pub(crate) fn target(path: &Path, layout: Option<Layout>) -> Result<Target, Failure> {
    let path = if path.is_dir() {
        skill_file(path)?
            .ok_or_else(|| Failure::No(format!("{} holds no SKILL.md", path.display())))?
    } else {
        path.to_path_buf()
    };
    let layout = layout.unwrap_or(if is_skill(&path) { Layout::Skills } else { Layout::Commands });
    let name = default_name(&path, layout)?;
    let positional = positional(layout);
    let root = root_of(&path, layout);
    Ok(Target { path, root, name, layout, dialect: Dialect::Claude, positional })
}

/// The directory that holds a skill's directory, or a command.
fn root_of(path: &Path, layout: Layout) -> PathBuf {
    let home = match path.parent() {
        Some(home) if !home.as_os_str().is_empty() => home,
        _ => Path::new("."),
    };
    match layout {
        Layout::Commands => home.to_path_buf(),
        // What is above `.` has no name of its own.
        Layout::Skills => home.join(".."),
    }
}

/// The positional rule that files of a layout are written for.
pub(crate) fn positional(layout: Layout) -> Positional {
    match layout {
        Layout::Skills => Positional::Declared,
        Layout::Commands => Positional::Always,
    }
}

/// The layout that a directory's name promises.
pub(crate) fn layout_of(root: &Path) -> Layout {
    match root.file_name().and_then(|name| name.to_str()) {
        Some("commands" | "command") => Layout::Commands,
        _ => Layout::Skills,
    }
}

/// The SKILL.md of a directory, in another case if need be.
pub(crate) fn skill_file(directory: &Path) -> Result<Option<PathBuf>, Failure> {
    let exact = directory.join("SKILL.md");
    if exact.symlink_metadata().is_ok() {
        return Ok(Some(exact));
    }
    let entries = directory
        .read_dir()
        .map_err(|error| Failure::No(format!("{}: {error}", directory.display())))?;
    Ok(entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| is_skill(path)).min())
}

fn is_skill(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().eq_ignore_ascii_case("SKILL.md"))
}

/// The directory of a skill, also where the path does not spell it; the stem of a command.
fn default_name(path: &Path, layout: Layout) -> Result<String, Failure> {
    let lossy = |name: Option<&std::ffi::OsStr>| {
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    if layout == Layout::Commands {
        return Ok(lossy(path.file_stem()));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent.and_then(Path::file_name) {
        Some(name) => Ok(lossy(Some(name))),
        None => Ok(lossy(parent.unwrap_or(Path::new(".")).canonicalize()?.file_name())),
    }
}
