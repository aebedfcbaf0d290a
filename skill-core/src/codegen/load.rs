//! A directory to skills that can be compiled in, by the parser of the run time.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::faults::{Collector, Fault};
use super::parallel::in_parallel;
use super::side_files::{LoadedFile, load_side_files};
use super::{Directory, Files, Options, Prefix};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::digest::sha256;
use crate::format::{self, Layout, Origin};
use crate::graph::{self, Node};
use crate::model::{Clash, Dependency, Index, KeyKind, Lookup, Skill, fold, slug};
use crate::scan::{self, Found, ScanOptions};
use crate::template::{Dialect, Positional};

/// Skills that can be compiled in: sorted, indexed and ordered.
#[derive(Debug)]
pub struct Loaded {
    pub(super) skills: Vec<LoadedSkill>,
    pub(super) index: Index,
    pub(super) order: Vec<u32>,
    /// Skills that lost their word to one of another directory.
    pub(super) passed_over: Vec<LoadedSkill>,
    /// As seen from the package.
    pub(super) directories: Vec<String>,
    /// The tier of each, as the run time names it.
    pub(super) tiers: Vec<&'static str>,
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

/// Reads every skill of these directories of one package, as one deck. Where two directories have
/// a skill with the same word, that of the stronger tier is taken, and within a tier that of the
/// earlier directory.
///
/// # Errors
/// Every fault of every file, sorted by file: what the parser finds, words that clash within a
/// directory, and dependencies that cannot be resolved.
pub fn load(directories: &[Directory], options: &Options) -> Result<Loaded, Vec<Fault>> {
    let mut faults = Collector::new(directories, options.strict);
    let mut contents = Contents::default();
    let mut strongest_first: Vec<&Directory> = directories.iter().collect();
    strongest_first.sort_by_key(|directory| directory.tier());
    for directory in strongest_first {
        let earlier = contents.skills.len();
        read(directory, options, &mut contents, &mut faults);
        contents.pass_over(earlier);
    }
    let skills = &mut contents.skills;
    skills.sort_by(|a, b| (a.skill.word(), &a.path).cmp(&(b.skill.word(), &b.path)));
    let (index, clashes) = Index::of_skills(skills.iter().map(|loaded| &loaded.skill));
    prefix_dependencies(skills, &index, &options.prefix);
    for clash in clashes {
        let loser = &contents.skills[clash.loser as usize];
        faults.add(Path::new(&loser.path), describe(&clash, &contents));
    }
    let order = resolve(&contents, &index, &mut faults);
    let faults = faults.finish(|path| contents.texts.get(path).cloned());
    if !faults.is_empty() {
        return Err(faults);
    }
    let Contents { skills, passed_over, .. } = contents;
    let tiers = directories.iter().map(|it| it.tier().name()).collect();
    let directories = directories.iter().map(|it| it.relative().to_owned()).collect();
    let files = options.files.clone();
    Ok(Loaded { skills, index, order, passed_over, directories, tiers, files })
}

/// What was read, whatever is wrong with it.
#[derive(Default)]
struct Contents {
    skills: Vec<LoadedSkill>,
    passed_over: Vec<LoadedSkill>,
    /// The text of each file, by its path.
    texts: HashMap<String, String>,
    /// The folded default names of files that gave no skill, so that who depends on one of them is
    /// not told that it does not exist.
    lost: Vec<String>,
}

impl Contents {
    /// Takes the skills from this position on out again whose word one before it has.
    fn pass_over(&mut self, earlier: usize) {
        let taken: HashSet<String> =
            self.skills[..earlier].iter().map(|loaded| fold(loaded.skill.word())).collect();
        let (losers, others) = (self.skills.drain(earlier..))
            .partition::<Vec<_>, _>(|loaded| taken.contains(&fold(loaded.skill.word())));
        self.skills.extend(others);
        self.passed_over.extend(losers);
    }

    fn lose(&mut self, found: &Found, prefix: &Prefix) {
        self.lost.push(fold(&found.name));
        self.lost.push(fold(&prefix.word(&slug(&found.name))));
    }
}

fn read(
    directory: &Directory,
    options: &Options,
    contents: &mut Contents,
    faults: &mut Collector<'_>,
) {
    let root = directory.root();
    let scan = scan::scan(&root, &ScanOptions { layout: Layout::Skills, trusted: true });
    for diagnostic in scan.diagnostics {
        faults.add(&root, diagnostic);
    }
    for (found, diagnostic) in scan.unreadable {
        contents.lose(&found, &options.prefix);
        faults.add(&found.path, diagnostic);
    }
    let read = in_parallel(&scan.files, |found| read_skill(directory, options, found));
    for (found, read) in scan.files.iter().zip(read) {
        let ReadSkill { skill, text, findings } = read;
        for (path, diagnostic) in findings {
            faults.add(&path, diagnostic);
        }
        contents.texts.extend(text);
        match skill {
            Some(skill) => contents.skills.push(skill),
            None => contents.lose(found, &options.prefix),
        }
    }
}

/// Puts the prefix before each dependency that only then is one of these skills.
fn prefix_dependencies(skills: &mut [LoadedSkill], index: &Index, prefix: &Prefix) {
    for loaded in skills {
        if let Some(skill) = prefix.on_dependencies(&loaded.skill, index) {
            loaded.skill = skill;
        }
    }
}

/// What was found out about one file.
#[derive(Default)]
struct ReadSkill {
    skill: Option<LoadedSkill>,
    /// The path as seen from the package, and the text.
    text: Option<(String, String)>,
    /// What there is to say, and about which file if it does not say so itself.
    findings: Vec<(PathBuf, Diagnostic)>,
}

fn read_skill(directory: &Directory, options: &Options, found: &Found) -> ReadSkill {
    let mut read = ReadSkill::default();
    let bytes = match scan::read(&found.path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            read.findings.push((found.path.clone(), *diagnostic));
            return read;
        }
    };
    let Some(path) = directory.in_package(&found.path) else {
        read.findings.push((found.path.clone(), not_utf8(&found.path)));
        return read;
    };
    let origin = Origin {
        name: &found.name,
        path: Some(Path::new(&path)),
        layout: Layout::Skills,
        dialect: Dialect::default(),
        positional: Positional::default(),
    };
    let parsed = format::parse(&bytes, &origin);
    let of_file = |diagnostic| (PathBuf::from(&path), diagnostic);
    read.findings.extend(parsed.diagnostics.into_iter().map(of_file));
    read.text = Some((path.clone(), String::from_utf8_lossy(&bytes).into_owned()));
    if let Some(skill) = parsed.skill {
        let skill = options.prefix.on_words(skill);
        let files = load_side_files(directory, &found.path, &options.files, &mut read.findings);
        read.skill = Some(LoadedSkill { skill, path, sha256: sha256(&bytes), files });
    }
    read
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
