//! The sources that files of configuration name to sources of a registry.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use skilldeck_core::diagnostic::{Code, Diagnostic};
use skilldeck_core::format::Layout;
use skilldeck_core::model::Prefix;
use skilldeck_core::template::{Dialect, Positional};

use super::file::{
    SourceBlock, SourceDialect, SourceLayout, SourceNamespace, SourcePositional, SourceTrust,
};
use super::parse::{Parsed, item};
use super::place::Step;
use super::trust::Trust;
use crate::error::Error;
use crate::source::{Environment, Memory, Namespace, Source, SourceInfo, Tier};

/// What the directory that the first `*` matched is called in a prefix.
const PACKAGE: &str = "{package}";

/// What is said of a project's source that is elsewhere.
const OUTSIDE: &str = "a source lies outside of the project";

/// Whose file names a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    User,
    Project,
}

/// What is made of one file.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// One entry of `sources`, and where it stands.
struct Entry<'a> {
    parsed: &'a Parsed,
    at: usize,
    block: &'a SourceBlock,
    owner: Owner,
}

/// A directory or file that an entry names.
struct Root {
    path: PathBuf,
    package: Option<String>,
}

/// The sources of a file, in its order.
pub(super) fn sources(
    parsed: &Parsed,
    owner: Owner,
    environment: &Environment,
    trust: &Trust,
) -> Result<Found, Error> {
    let mut found = Found::default();
    for (at, block) in parsed.section.sources.iter().flatten().enumerate() {
        Entry { parsed, at, block, owner }.read(environment, trust, &mut found)?;
    }
    Ok(found)
}

impl Entry<'_> {
    fn read(
        &self,
        environment: &Environment,
        trust: &Trust,
        found: &mut Found,
    ) -> Result<(), Error> {
        let block = self.block;
        if block.name.trim().is_empty() {
            return Err(self.fault("name", "the name of a source cannot be empty"));
        }
        let tier = self.tier(found)?;
        if self.owner == Owner::Project && block.trust == Some(SourceTrust::Said(true)) {
            self.refuse("trust", "a source is trusted", found);
        }
        let roots = self.roots(environment, found)?;
        let mut texts = self.instructions(environment, found)?;
        let is_only = roots.len() == 1;
        for root in roots {
            let shown = match (&root.package, is_only) {
                (Some(package), _) => format!("{} ({package})", block.name),
                (None, true) => block.name.clone(),
                (None, false) => format!("{} ({})", block.name, root.path.display()),
            };
            let is_trusted = self.is_trusted(&tier, &root.path, trust);
            if block.trust == Some(SourceTrust::Required) && !is_trusted {
                continue;
            }
            let info = self.info(shown, &tier, is_trusted, root.package.as_deref())?;
            let source = Source::directory(root.path, info);
            // What a pattern matched was there; what is named may come later.
            found.sources.push(if root.package.is_some() { source.optional() } else { source });
        }
        // They are trusted file by file, and stand beside the directories.
        texts.retain(|text| self.is_trusted(&tier, &text.path, trust));
        for of_package in texts.chunk_by(|a, b| a.package == b.package) {
            let package = of_package[0].package.as_deref();
            let shown = match package {
                Some(package) => format!("{} ({package}, instructions)", block.name),
                None => format!("{} (instructions)", block.name),
            };
            let info = self.info(shown, &tier, true, package)?;
            let files = of_package.iter().map(|text| text.path.clone());
            let source = Source::memory(Arc::new(Memory::default()), info);
            found.sources.push(source.with_instructions(files));
        }
        Ok(())
    }

    /// Whether what lies here is trusted: by the file, if it is the user's, by its tier, its name, or
    /// its place. `trust: false` holds against all of them.
    fn is_trusted(&self, tier: &Tier, path: &Path, trust: &Trust) -> bool {
        let said = match self.block.trust {
            Some(SourceTrust::Said(said)) => Some(said),
            Some(SourceTrust::Required) | None => None,
        };
        let by_user = self.owner == Owner::User
            && (said == Some(true)
                || *tier == Tier::USER
                || *tier == Tier::MANAGED
                || trust.names(&self.block.name));
        said != Some(false) && (by_user || trust.covers(path))
    }

    fn info(
        &self,
        shown: String,
        tier: &Tier,
        is_trusted: bool,
        package: Option<&str>,
    ) -> Result<SourceInfo, Error> {
        let mut info = SourceInfo::new(shown, tier.clone());
        info.trusted = is_trusted;
        self.describe(&mut info);
        info.namespace = self.namespace(package)?;
        Ok(info)
    }

    fn tier(&self, found: &mut Found) -> Result<Tier, Error> {
        let Some(name) = self.block.tier.as_deref() else { return Ok(Tier::PROJECT) };
        if name.trim().is_empty() {
            return Err(self.fault("tier", "the name of a tier cannot be empty"));
        }
        // These are the user's, the administrator's and the program's; whoever claims one stands
        // where nobody expects a stranger.
        if self.owner == Owner::Project && matches!(name, "user" | "managed" | "bundled") {
            self.refuse("tier", &format!("the tier `{name}` is claimed"), found);
            return Ok(Tier::THIRD_PARTY);
        }
        Ok(Tier::new(name.to_owned()))
    }

    fn describe(&self, info: &mut SourceInfo) {
        let block = self.block;
        if let Some(dialect) = block.dialect {
            info.dialect = match dialect {
                SourceDialect::Claude => Dialect::Claude,
                SourceDialect::Opencode => Dialect::OpenCode,
            };
        }
        if let Some(layout) = block.layout {
            info.layout = match layout {
                SourceLayout::Skills => Layout::Skills,
                SourceLayout::Commands => Layout::Commands,
            };
        }
        info.positional = match block.positional {
            Some(SourcePositional::Always) => Positional::Always,
            Some(SourcePositional::Declared) => Positional::Declared,
            // As with the default roots: commands and OpenCode's files are written for arguments.
            None if info.layout == Layout::Commands || info.dialect == Dialect::OpenCode => {
                Positional::Always
            }
            None => Positional::Declared,
        };
    }

    fn namespace(&self, package: Option<&str>) -> Result<Namespace, Error> {
        let rule = self.block.namespace.unwrap_or(SourceNamespace::None);
        let Some(prefix) = self.block.prefix.as_deref() else {
            if rule == SourceNamespace::None {
                return Ok(Namespace::Free);
            }
            return Err(self.fault("namespace", "a namespace needs a `prefix`"));
        };
        let prefix = match package {
            // A directory may be called anything; its slug is what can stand in a word.
            Some(package) => prefix.replace(PACKAGE, &skilldeck_core::model::slug_flat(package)),
            None if prefix.contains(PACKAGE) => {
                return Err(self.fault("prefix", "`{package}` needs a `glob` with a `*`"));
            }
            None => prefix.to_owned(),
        };
        let wrong = |why| self.fault("prefix", &format!("{why}; {}", Help));
        let prefix = Prefix::new(&prefix).map_err(wrong)?;
        Ok(match rule {
            SourceNamespace::None => Namespace::Free,
            SourceNamespace::Expect => Namespace::Expect(prefix),
            SourceNamespace::Apply => Namespace::Apply(prefix),
        })
    }

    fn roots(&self, environment: &Environment, found: &mut Found) -> Result<Vec<Root>, Error> {
        let roots = match (&self.block.roots, &self.block.glob) {
            (Some(roots), None) => {
                let root = |root: &String| {
                    let path = absolute(&self.directory(), root, environment);
                    path.map(|path| Root { path, package: None })
                        .ok_or_else(|| self.fault("roots", "there is no home directory for `~`"))
                };
                (roots.iter().map(root).collect::<Result<Vec<_>, _>>()?, "roots")
            }
            (None, Some(pattern)) => {
                (self.matched("glob", pattern, Path::is_dir, environment, found)?, "glob")
            }
            (Some(_), Some(_)) => {
                return Err(self.fault("glob", "a source has `roots` or a `glob`, not both"));
            }
            (None, None) if self.block.instructions.is_some() => (Vec::new(), "roots"),
            (None, None) => {
                return Err(self.fault("name", "the source has neither `roots` nor a `glob`"));
            }
        };
        let (mut roots, key) = roots;
        if self.owner == Owner::Project {
            let project = self.directory();
            let before = roots.len();
            roots.retain(|root| normal(&root.path).starts_with(&project));
            if roots.len() < before {
                self.refuse(key, OUTSIDE, found);
            }
        }
        Ok(roots)
    }

    /// The files of always-on instructions, those of one package side by side.
    fn instructions(
        &self,
        environment: &Environment,
        found: &mut Found,
    ) -> Result<Vec<Root>, Error> {
        let mut files = Vec::new();
        for pattern in self.block.instructions.iter().flatten() {
            let key = "instructions";
            files.extend(self.matched(key, pattern, Path::is_file, environment, found)?);
        }
        files.sort_by(|a, b| (&a.package, &a.path).cmp(&(&b.package, &b.path)));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(files)
    }

    /// What a pattern matches and is wanted, sorted.
    fn matched(
        &self,
        key: &str,
        pattern: &str,
        is_wanted: fn(&Path) -> bool,
        environment: &Environment,
        found: &mut Found,
    ) -> Result<Vec<Root>, Error> {
        let directory = self.directory();
        let full = absolute(&directory, pattern, environment)
            .ok_or_else(|| self.fault(key, "there is no home directory for `~`"))?;
        if self.owner == Owner::Project && !normal(&full).starts_with(&directory) {
            self.refuse(key, OUTSIDE, found);
            return Ok(Vec::new());
        }
        // The directory of the file is no pattern, whatever it is called.
        let full = match full.strip_prefix(&directory) {
            Ok(rest) => {
                PathBuf::from(glob::Pattern::escape(&directory.to_string_lossy())).join(rest)
            }
            Err(_) => full,
        };
        let wrong = |why: glob::PatternError| self.fault(key, &format!("no pattern: {why}"));
        let options = glob::MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: true,
        };
        let matched = glob::glob_with(&full.to_string_lossy(), options).map_err(wrong)?;
        let star = full
            .components()
            .position(|part| part.as_os_str().to_string_lossy().replace("[*]", "").contains('*'));
        let is_deep =
            |at: usize| full.components().nth(at).is_some_and(|it| it.as_os_str() == "**");
        if star.is_some_and(is_deep)
            && self.block.prefix.as_deref().is_some_and(|it| it.contains(PACKAGE))
        {
            return Err(self.fault("prefix", "`{package}` needs a first `*` that is not `**`"));
        }
        let mut roots: Vec<Root> = matched
            .flatten()
            .filter(|path| is_wanted(path))
            .map(|path| {
                let package = star.and_then(|at| path.components().nth(at));
                let package = package.map(|it| it.as_os_str().to_string_lossy().into_owned());
                Root { path, package }
            })
            .collect();
        roots.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(roots)
    }

    /// What relative paths are taken from.
    fn directory(&self) -> PathBuf {
        normal(self.parsed.directory())
    }

    fn path(&self, key: &str) -> Vec<Step> {
        [item("sources", self.at), vec![Step::Key(key.to_owned())]].concat()
    }

    fn fault(&self, key: &str, why: &str) -> Error {
        self.parsed.error(&self.path(key), why)
    }

    fn refuse(&self, key: &str, what: &str, found: &mut Found) {
        let message = format!("{what}, which only the user's configuration may do");
        let mut diagnostic = Diagnostic::new(Code::WideningSetting, message)
            .in_file(&self.parsed.path)
            .help("put the source into the user's file, or remove the setting");
        (diagnostic.line, diagnostic.column) = self.parsed.place(&self.path(key));
        found.diagnostics.push(diagnostic);
    }
}

/// What to write for a prefix.
struct Help;

impl std::fmt::Display for Help {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(skilldeck_core::model::InvalidPrefix::HELP)
    }
}

/// A path of a file of configuration: below its directory, below the home for `~`, or absolute.
/// Nothing if there is no home.
pub(super) fn absolute(directory: &Path, text: &str, environment: &Environment) -> Option<PathBuf> {
    match text.strip_prefix('~') {
        Some("") => environment.home.clone(),
        Some(rest) if rest.starts_with('/') => Some(environment.home.as_ref()?.join(&rest[1..])),
        Some(_) | None => Some(directory.join(text)),
    }
}

/// A path with its `.` and `..` resolved as text, made absolute.
pub(super) fn normal(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
