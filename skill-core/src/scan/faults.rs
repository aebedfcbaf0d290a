//! What is wrong with a path to the diagnostic that says so.

use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

use super::MAX_DEPTH;
use crate::diagnostic::{Code, Diagnostic};

/// How many further directories a warning about depth names.
const MAX_RELATED: usize = 8;

/// A root that cannot be walked.
pub(super) fn root(root: &Path, error: &io::Error) -> Diagnostic {
    let shown = root.display();
    let (code, message, help) = match error.kind() {
        io::ErrorKind::NotFound => (
            Code::MissingRoot,
            match root.read_link() {
                Ok(target) => {
                    format!("`{shown}` is a link to `{}`, which is not there", target.display())
                }
                Err(_) => format!("`{shown}` does not exist"),
            },
            "create the directory or take it out of the sources",
        ),
        io::ErrorKind::NotADirectory => (
            Code::RootNotADirectory,
            format!("`{shown}` is no directory"),
            "name the directory that holds the skills",
        ),
        _ => (
            Code::UnreadableDirectory,
            format!("cannot read `{shown}`: {error}"),
            "check the permissions of the directory and of those above it",
        ),
    };
    Diagnostic::new(code, message).help(help).in_file(root)
}

/// A directory below the root that cannot be listed.
pub(super) fn unreadable_directory(path: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("cannot read `{}`: {error}", path.display());
    let help = "check the permissions of the directory";
    Diagnostic::new(Code::UnreadableDirectory, message).help(help).in_file(path)
}

/// A file that is there and does not open.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("cannot read `{}`: {error}", path.display());
    let help = match error.kind() {
        io::ErrorKind::NotFound => "it was removed while it was read, or a link leads nowhere",
        io::ErrorKind::PermissionDenied => {
            "check the permissions of the file and of the directories above it"
        }
        _ => "check the file and the file system it lies on",
    };
    Diagnostic::new(Code::Unreadable, message).help(help).in_file(path)
}

/// An entry that has a skill file's name and is neither a file nor a link to one.
pub(super) fn not_regular(path: &Path, kind: FileType) -> Diagnostic {
    let message = format!("`{}` is {}, no regular file", path.display(), describe(kind));
    let help = "put a file in its place or take it away";
    Diagnostic::new(Code::NotRegular, message).help(help).in_file(path)
}

/// A file beyond the limit.
pub(super) fn too_large(path: &Path, size: &str) -> Diagnostic {
    let message = format!("`{}` has {size}, at most 1 MiB is read", path.display());
    let help = "move material into files beside SKILL.md, which are read only when they are needed";
    Diagnostic::new(Code::TooLarge, message).help(help).in_file(path)
}

/// A link whose target is gone.
pub(super) fn dangling(link: &Path, target: &Path) -> Diagnostic {
    let message =
        format!("`{}` is a link to `{}`, which is not there", link.display(), target.display());
    let help = "remove the link or restore its target";
    Diagnostic::new(Code::DanglingLink, message).help(help).in_file(link)
}

/// The same where a file is wanted: an error of the entry.
pub(super) fn dangling_file(link: &Path, target: &Path) -> Diagnostic {
    Diagnostic {
        code: Code::Unreadable,
        severity: Code::Unreadable.severity(),
        ..dangling(link, target)
    }
}

/// A link that leads back to a directory on the way to it, or to itself.
pub(super) fn cycle(link: &Path, target: Option<&Path>) -> Diagnostic {
    let shown = link.display();
    let message = match target {
        Some(target) => format!("`{shown}` is a link that leads back to `{}`", target.display()),
        None => format!("`{shown}` is a link that leads back to itself"),
    };
    Diagnostic::new(Code::LinkCycle, message).help("remove the link").in_file(link)
}

/// The same where a file is wanted: an error of the entry.
pub(super) fn cycle_file(link: &Path) -> Diagnostic {
    Diagnostic {
        code: Code::Unreadable,
        severity: Code::Unreadable.severity(),
        ..cycle(link, None)
    }
}

/// A link out of an untrusted root.
pub(super) fn outside(link: &Path, target: &Path, root: &Path) -> Diagnostic {
    let message = format!(
        "`{}` is a link to `{}`, out of the untrusted directory `{}`",
        link.display(),
        target.display(),
        root.display()
    );
    let help = "trust the source or put a copy in the place of the link";
    Diagnostic::new(Code::LinkOutside, message).help(help).in_file(link)
}

/// The only file there is, in another case.
pub(super) fn odd_case(path: &Path) -> Diagnostic {
    let message = format!("`{}` is not spelt `SKILL.md`", path.display());
    let help = "rename it to `SKILL.md`, other programs do not find it";
    Diagnostic::new(Code::OddCase, message).help(help).in_file(path)
}

/// A second file in another case.
pub(super) fn ignored_case(path: &Path, taken: &Path) -> Diagnostic {
    let message = format!("`{}` is ignored, `{}` is read", path.display(), taken.display());
    let help = "keep one of them, spelt `SKILL.md`";
    Diagnostic::new(Code::OddCase, message).help(help).in_file(path)
}

/// A name that had to be changed to be text.
pub(super) fn not_utf8_name(path: &Path) -> Diagnostic {
    let message = format!("the name of `{}` is not UTF-8", path.display());
    let help = "rename it; until then U+FFFD stands for what cannot be read";
    Diagnostic::new(Code::NotUtf8Name, message).help(help).in_file(path)
}

/// All places at which the descent stopped, in one warning.
pub(super) fn too_deep(places: &[PathBuf]) -> Option<Diagnostic> {
    let (first, others) = places.split_first()?;
    let message = format!(
        "`{}` is {MAX_DEPTH} directories deep, nothing is looked for in the directories below",
        first.display()
    );
    let help = "move the skills up, or name the directory as a source of its own";
    let fault = Diagnostic::new(Code::TooDeep, message).help(help).in_file(first);
    Some(others.iter().take(MAX_RELATED).fold(fault, |fault, other| {
        fault.related(Some(other), 1, "nothing is looked for below this one either")
    }))
}

fn describe(kind: FileType) -> &'static str {
    if kind.is_dir() {
        return "a directory";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a FIFO";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    "a special file"
}
