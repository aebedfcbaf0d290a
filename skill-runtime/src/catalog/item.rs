//! One skill as a source gave it: a compiled one, or a file that was read.

use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use skilldeck_core::diagnostic::{Code, Diagnostic, Severity};
use skilldeck_core::format::{self, Origin, Parsed};
use skilldeck_core::model::{BundledSkill, Skill};

use crate::source::{Namespace, SourceInfo};

/// A skill of a source; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// Out of the static table.
    Bundled(&'static BundledSkill),
    /// Read at run time; shared by every snapshot in which its file is the same.
    Loaded(Arc<Loaded>),
}

/// A skill that was read at run time.
#[derive(Debug, PartialEq)]
pub(crate) struct Loaded {
    pub(crate) skill: Skill,
    pub(crate) path: Option<PathBuf>,
    /// The canonical file, where it is not `path` itself.
    pub(crate) real_path: Option<PathBuf>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Why there is nothing but a name.
    pub(crate) unreadable: Option<String>,
    /// Tells apart texts with errors; nothing if the text has none, or could not be had.
    pub(crate) digest: Option<u32>,
    /// What is said of the file is about a text that is not this skill, if it is stale.
    pub(crate) stale: Option<Stale>,
}

/// Why a skill stands on an earlier version than its file has.
#[derive(Debug, PartialEq)]
pub(crate) struct Stale {
    /// That version as it was written, not narrowed.
    pub(crate) last: Arc<Loaded>,
    pub(crate) reason: String,
}

impl Loaded {
    /// The skill in these bytes.
    pub(crate) fn parse(bytes: &[u8], origin: &Origin<'_>) -> Self {
        let Parsed { skill, diagnostics } = format::parse(bytes, origin);
        match skill {
            Some(skill) => Self {
                skill,
                path: origin.path.map(Path::to_path_buf),
                real_path: None,
                digest: diagnostics.iter().any(is_error).then(|| digest(bytes)),
                diagnostics,
                unreadable: None,
                stale: None,
            },
            None => Self { digest: Some(digest(bytes)), ..Self::unreadable(diagnostics, origin) },
        }
    }

    /// What stands in for a file that these diagnostics keep from being read.
    pub(crate) fn unreadable(diagnostics: Vec<Diagnostic>, origin: &Origin<'_>) -> Self {
        let error = diagnostics.iter().find(|found| is_error(found));
        let reason = error.or(diagnostics.first()).map(|diagnostic| diagnostic.message.clone());
        Self {
            skill: format::unreadable(origin),
            path: origin.path.map(Path::to_path_buf),
            real_path: None,
            unreadable: Some(reason.unwrap_or_else(|| "the file cannot be read".to_owned())),
            diagnostics,
            digest: None,
            stale: None,
        }
    }

    /// The same among the words of its source: with the prefix that is put before them, or with a
    /// word about the one that is expected.
    pub(crate) fn among(mut self, namespace: &Namespace) -> Self {
        match namespace {
            Namespace::Free => {}
            Namespace::Apply(prefix) => self.skill = prefix.on_words(self.skill),
            Namespace::Expect(prefix) => {
                let word = self.skill.word();
                if self.unreadable.is_none() && !word.starts_with(prefix.as_str()) {
                    let message = format!(
                        "the command word `{word}` does not start with `{}`, as those of its \
                         source do",
                        prefix.as_str()
                    );
                    let help = format!("name the skill `{}`", prefix.word(word));
                    let diagnostic = Diagnostic::new(Code::MissingPrefix, message).help(help);
                    self.diagnostics.push(match &self.path {
                        Some(path) => diagnostic.in_file(path),
                        None => diagnostic,
                    });
                }
            }
        }
        self
    }

    /// Whether its file could be read and has no error.
    pub(crate) fn is_good(&self) -> bool {
        self.unreadable.is_none() && self.error().is_none()
    }

    /// The first error of its file.
    pub(crate) fn error(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|found| is_error(found))
    }
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

fn digest(bytes: &[u8]) -> u32 {
    let sum = Sha256::digest(bytes);
    u32::from_be_bytes([sum[0], sum[1], sum[2], sum[3]])
}

impl Item {
    pub(crate) fn skill(&self) -> &Skill {
        match self {
            Self::Bundled(bundled) => &bundled.skill,
            Self::Loaded(loaded) => &loaded.skill,
        }
    }

    /// The compiled skill, if it is one.
    pub(crate) fn bundled(&self) -> Option<&'static BundledSkill> {
        match self {
            Self::Bundled(bundled) => Some(bundled),
            Self::Loaded(_) => None,
        }
    }

    /// The file; `None` for what is compiled in or held in memory.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Bundled(_) => None,
            Self::Loaded(loaded) => loaded.path.as_deref(),
        }
    }

    /// What two ways to one file have in common.
    pub(crate) fn real_path(&self) -> Option<&Path> {
        match self {
            Self::Bundled(_) => None,
            Self::Loaded(loaded) => loaded.real_path.as_deref().or(loaded.path.as_deref()),
        }
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Bundled(_) => &[],
            Self::Loaded(loaded) => &loaded.diagnostics,
        }
    }

    pub(crate) fn unreadable(&self) -> Option<&str> {
        match self {
            Self::Bundled(_) => None,
            Self::Loaded(loaded) => loaded.unreadable.as_deref(),
        }
    }

    pub(crate) fn stale(&self) -> Option<&Stale> {
        match self {
            Self::Bundled(_) => None,
            Self::Loaded(loaded) => loaded.stale.as_ref(),
        }
    }

    /// The skill as it was written: for a stale one its last good version, not narrowed.
    pub(crate) fn written(&self) -> &Skill {
        self.stale().map_or_else(|| self.skill(), |stale| &stale.last.skill)
    }

    /// Whether the two are one skill in one version. Shelves share what did not change, so the
    /// address tells.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bundled(a), Self::Bundled(b)) => ptr::eq(*a, *b),
            (Self::Loaded(a), Self::Loaded(b)) => Arc::ptr_eq(a, b),
            (Self::Bundled(_), Self::Loaded(_)) | (Self::Loaded(_), Self::Bundled(_)) => false,
        }
    }
}

/// Where a file of this source comes from, as the parser needs it.
pub(crate) fn origin<'a>(info: &SourceInfo, name: &'a str, path: Option<&'a Path>) -> Origin<'a> {
    Origin { name, path, layout: info.layout, dialect: info.dialect, positional: info.positional }
}
