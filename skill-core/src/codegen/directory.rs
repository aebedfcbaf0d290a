//! The text of the macro to a directory inside the package.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use super::Tier;

/// A directory of skills, inside the package that compiles it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    package: PathBuf,
    /// Below the package, `/` between the parts; empty for the package itself.
    relative: String,
    tier: Tier,
}

impl Directory {
    /// The directory that `path`, relative to the package and with `/` between its parts, names.
    ///
    /// # Errors
    /// When the path is empty, absolute or leads out of the package, or when no directory is there.
    pub fn new(package: &Path, path: &str) -> Result<Self, DirectoryError> {
        let fault = |kind| Err(DirectoryError { path: path.to_owned(), kind });
        if path.is_empty() {
            return fault(Kind::Empty);
        }
        // Refused everywhere, so that what compiles on one system compiles on the others.
        if path.contains('\\') {
            return fault(Kind::Backslash);
        }
        let mut parts = Vec::new();
        for component in Path::new(path).components() {
            match component {
                Component::Normal(part) => parts.push(part.to_string_lossy()),
                Component::CurDir => {}
                Component::ParentDir => return fault(Kind::Outside),
                Component::RootDir | Component::Prefix(_) => return fault(Kind::Absolute),
            }
        }
        let (package, relative) = (package.to_path_buf(), parts.join("/"));
        let directory = Self { package, relative, tier: Tier::default() };
        match directory.root() {
            root if root.is_dir() => Ok(directory),
            root if root.exists() => fault(Kind::NoDirectory),
            _ => fault(Kind::Missing),
        }
    }

    /// The same, if it is apart from all of these.
    ///
    /// # Errors
    /// When it is one of them, lies in one, or holds one.
    pub fn beside(self, others: &[Self]) -> Result<Self, DirectoryError> {
        let within = |a: &Self, b: &Self| a.root().starts_with(b.root());
        if others.iter().any(|other| within(&self, other) || within(other, &self)) {
            return Err(DirectoryError { path: self.relative, kind: Kind::Overlap });
        }
        Ok(self)
    }

    /// The same in this tier. Without it the tier is [`Tier::Bundled`].
    #[must_use]
    pub fn in_tier(self, tier: Tier) -> Self {
        Self { tier, ..self }
    }

    /// The package it lies in.
    pub(super) fn package(&self) -> &Path {
        &self.package
    }

    /// The tier that decides whether it wins a word from another directory.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        // Not joined to an empty path, which would end in a separator.
        if self.relative.is_empty() {
            self.package.clone()
        } else {
            self.package.join(&self.relative)
        }
    }

    /// Where it is in the package, with `/` between the parts; empty for the package itself.
    #[must_use]
    pub fn relative(&self) -> &str {
        &self.relative
    }

    /// Whether this path, as it is seen from the package, is that of something in it.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        self.package.join(path).starts_with(self.root())
    }

    /// A path below it, as it is seen from the package, with `/` between the parts; `None` if the
    /// path is not below the package or not UTF-8.
    pub(super) fn in_package(&self, path: &Path) -> Option<String> {
        let parts = path.strip_prefix(&self.package).ok()?.components();
        let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/"))
    }
}

/// Why a path names no directory of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryError {
    path: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    Backslash,
    Absolute,
    Outside,
    Missing,
    NoDirectory,
    Overlap,
}

impl fmt::Display for DirectoryError {
    /// What is wrong, and what to do on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match self.kind {
            Kind::Empty => f.write_str("the path of the directory is empty")?,
            Kind::Backslash => write!(f, "the path `{path}` has backslashes")?,
            Kind::Absolute => write!(f, "the path `{path}` is absolute")?,
            Kind::Outside => write!(f, "the path `{path}` leads out of the package")?,
            Kind::Missing => write!(f, "the directory `{path}` does not exist")?,
            Kind::Overlap => {
                write!(f, "the directory `{path}` lies in another one of the call, or holds it")?;
            }
            Kind::NoDirectory => write!(f, "`{path}` is no directory")?,
        }
        f.write_str(match self.kind {
            Kind::Missing => {
                "\n  = help: create it, or correct the path: it is relative to the directory of \
                 Cargo.toml"
            }
            Kind::Backslash => "\n  = help: write `/` between the parts, on every system",
            Kind::Outside => {
                "\n  = help: write a path below the directory of Cargo.toml, without `..`; a \
                 published package has no other files"
            }
            Kind::Overlap => "\n  = help: name each directory once, and none inside another",
            Kind::Empty | Kind::Absolute | Kind::NoDirectory => {
                "\n  = help: write a directory relative to the directory of Cargo.toml, such as \
                 `skills`"
            }
        })
    }
}

impl std::error::Error for DirectoryError {}
