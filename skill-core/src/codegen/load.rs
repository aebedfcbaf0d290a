//! A directory to skills that can be compiled in, by the parser of the run time.

use std::collections::HashMap;
use std::path::Path;

use super::Directory;
use super::faults::{Collector, Fault};
use super::side_files::{LoadedFile, load_side_files};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::digest::sha256;
use crate::format::{self, Layout, Origin};
use crate::graph::{self, Node};
use crate::model::{Clash, Dependency, Index, KeyKind, Lookup, Skill, fold};
use crate::scan::{self, Found, ScanOptions};
use crate::template::{Dialect, Positional};

/// What to compile in, and how much to refuse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether a warning is an error too.
    pub strict: bool,
    /// Which side files are embedded.
    pub files: Files,
}

/// Which of the files beside a SKILL.md are embedded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// Globs over the path that a file has in its skill's directory; one that matches is enough.
    globs: Vec<String>,
}

impl Files {
    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        Self { globs: vec!["**".to_owned()] }
    }

    /// None.
    #[must_use]
    pub const fn none() -> Self {
        Self { globs: Vec::new() }
    }

    pub(super) fn globs(&self) -> &[String] {
        &self.globs
    }
}

impl Default for Files {
    fn default() -> Self {
        Self::all()
    }
}

/// Skills that can be compiled in: sorted, indexed and ordered.
#[derive(Debug)]
pub struct Loaded {
    pub(super) skills: Vec<LoadedSkill>,
    pub(super) index: Index,
    pub(super) order: Vec<u32>,
    /// As seen from the package.
    pub(super) directories: Vec<String>,
    pub(super) files: Files,
}

/// One skill and what is embedded with it.
#[derive(Debug)]
pub(super) struct LoadedSkill {
    pub(super) skill: Skill,
    /// As seen from the package.
    pub(super) path: String,
    pub(super) sha256: String,
    pub(super) files: Vec<LoadedFile>,
}

impl Loaded {
    /// The skills, sorted by word.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Skill> {
        self.skills.iter().map(|loaded| &loaded.skill)
    }

    /// Positions of [`Loaded::skills`], dependencies before what depends on them.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }
}

/// Reads every skill of a directory.
///
/// # Errors
/// Every fault of every file, sorted by file: what the parser finds, words that clash, and
/// dependencies that cannot be resolved.
pub fn load(directory: &Directory, options: &Options) -> Result<Loaded, Vec<Fault>> {
    let mut faults = Collector::new(directory, options.strict);
    let mut files = read(directory, options, &mut faults);
    files.skills.sort_by(|a, b| (a.skill.word(), &a.path).cmp(&(b.skill.word(), &b.path)));
    let (index, clashes) = Index::of_skills(files.skills.iter().map(|loaded| &loaded.skill));
    for clash in clashes {
        let loser = &files.skills[clash.loser as usize];
        faults.add(Path::new(&loser.path), describe(&clash, &files));
    }
    let order = resolve(&files, &index, &mut faults);
    let faults = faults.finish(|path| files.texts.get(path).cloned());
    if !faults.is_empty() {
        return Err(faults);
    }
    let directories = vec![directory.relative().to_owned()];
    Ok(Loaded { skills: files.skills, index, order, directories, files: options.files.clone() })
}

/// What was read, whatever is wrong with it.
#[derive(Default)]
struct Contents {
    skills: Vec<LoadedSkill>,
    /// The text of each file, by its path.
    texts: HashMap<String, String>,
    /// The folded default names of files that gave no skill, so that who depends on one of them is
    /// not told that it does not exist.
    lost: Vec<String>,
}

fn read(directory: &Directory, options: &Options, faults: &mut Collector<'_>) -> Contents {
    let root = directory.root();
    let scan = scan::scan(&root, &ScanOptions { layout: Layout::Skills, trusted: true });
    for diagnostic in scan.diagnostics {
        faults.add(&root, diagnostic);
    }
    let mut contents = Contents::default();
    for (found, diagnostic) in scan.unreadable {
        contents.lost.push(fold(&found.name));
        faults.add(&found.path, diagnostic);
    }
    for found in scan.files {
        if let Some(skill) = read_skill(directory, options, &found, &mut contents, faults) {
            contents.skills.push(skill);
        } else {
            contents.lost.push(fold(&found.name));
        }
    }
    contents
}

fn read_skill(
    directory: &Directory,
    options: &Options,
    found: &Found,
    contents: &mut Contents,
    faults: &mut Collector<'_>,
) -> Option<LoadedSkill> {
    let bytes = match scan::read(&found.path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            faults.add(&found.path, *diagnostic);
            return None;
        }
    };
    let Some(path) = directory.in_package(&found.path) else {
        faults.add(&found.path, not_utf8(&found.path));
        return None;
    };
    let origin = Origin {
        name: &found.name,
        path: Some(Path::new(&path)),
        layout: Layout::Skills,
        dialect: Dialect::default(),
        positional: Positional::default(),
    };
    let parsed = format::parse(&bytes, &origin);
    for diagnostic in parsed.diagnostics {
        faults.add(Path::new(&path), diagnostic);
    }
    let sha256 = sha256(&bytes);
    contents.texts.insert(path.clone(), String::from_utf8_lossy(&bytes).into_owned());
    let skill = parsed.skill?;
    let files = load_side_files(directory, &found.path, &options.files, faults);
    Some(LoadedSkill { skill, path, sha256, files })
}

/// A word or alias that is taken, as a finding about the skill that loses it.
fn describe(clash: &Clash, contents: &Contents) -> Diagnostic {
    let Clash { text, kind, rival, winner, loser } = clash;
    let (winner, loser) = (&contents.skills[*winner as usize], &contents.skills[*loser as usize]);
    let (code, noun) = match kind {
        KeyKind::Word | KeyKind::Directory => (Code::DuplicateWord, "command word"),
        KeyKind::Alias => (Code::AliasClash, "alias"),
    };
    let other = winner.skill.name();
    let message = if text == rival {
        format!("the {noun} `{text}` belongs to the skill `{other}` already")
    } else {
        format!("the {noun} `{text}` is too close to `{rival}` of the skill `{other}`")
    };
    let (key, help) = match kind {
        KeyKind::Alias => ("aliases", "remove the alias, or choose another"),
        KeyKind::Word | KeyKind::Directory => ("name", "give one of the two another `name`"),
    };
    let line = |skill: &LoadedSkill, key: &str| {
        contents.texts.get(&skill.path).and_then(|text| line_of(text, key)).unwrap_or(1)
    };
    Diagnostic::new(code, message).at_line(line(loser, key)).help(help).related(
        Some(Path::new(&winner.path)),
        line(winner, "name"),
        format!("`{other}` is here"),
    )
}

/// The 1-based line of the first key of this name at the start of a line.
fn line_of(text: &str, key: &str) -> Option<u32> {
    let at = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
    text.lines().position(at).and_then(|line| u32::try_from(line + 1).ok())
}

/// A skill as the graph sees it.
struct Vertex<'a> {
    loaded: &'a LoadedSkill,
    /// Its dependencies, less those on files that gave no skill: these have a fault of their own.
    depends_on: Vec<Dependency>,
}

impl Node for Vertex<'_> {
    fn name(&self) -> &str {
        self.loaded.skill.name()
    }

    fn version(&self) -> Option<&str> {
        self.loaded.skill.version()
    }

    fn depends_on(&self) -> &[Dependency] {
        &self.depends_on
    }

    fn path(&self) -> Option<&Path> {
        Some(Path::new(&self.loaded.path))
    }
}

fn resolve(contents: &Contents, index: &Index, faults: &mut Collector<'_>) -> Vec<u32> {
    let is_lost = |dependency: &&Dependency| {
        index.find(&dependency.name) == Lookup::None
            && contents.lost.contains(&fold(&dependency.name))
    };
    let vertices: Vec<Vertex<'_>> = (contents.skills.iter())
        .map(|loaded| {
            let depends_on = loaded.skill.depends_on().iter();
            Vertex { loaded, depends_on: depends_on.filter(|d| !is_lost(d)).cloned().collect() }
        })
        .collect();
    let resolution = graph::resolve(&vertices, |name| index.find(name).position());
    for unavailable in resolution.unavailable {
        let path = Path::new(&contents.skills[unavailable.skill as usize].path);
        for diagnostic in unavailable.diagnostics {
            if is_cause(path, &diagnostic) {
                faults.add(path, diagnostic);
            }
        }
    }
    resolution.order
}

/// Whether this is the first report of a mistake, not what follows from it: who depends on an
/// unavailable skill is only a victim, and a circle is reported at the skill where its path starts.
fn is_cause(path: &Path, diagnostic: &Diagnostic) -> bool {
    match diagnostic.code {
        Code::UnavailableDependency => false,
        Code::DependencyCycle => {
            diagnostic.related.first().is_none_or(|edge| edge.path.as_deref() == Some(path))
        }
        _ => true,
    }
}

/// A file that cannot be named in generated code. An error, as it would be missing from the binary.
pub(super) fn not_utf8(path: &Path) -> Diagnostic {
    let message = format!("the file name `{}` is not UTF-8", path.display());
    let diagnostic = Diagnostic::new(Code::NotUtf8Name, message)
        .help("rename the file: a name in a compiled deck is UTF-8");
    Diagnostic { severity: Severity::Error, ..diagnostic }
}
