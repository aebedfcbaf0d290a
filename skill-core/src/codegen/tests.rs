//! What is emitted, and how faults look.

use std::fs;
use std::path::Path;

use super::faults::Collector;
use super::{Directory, Files, Loaded, Options, emit, load};
use crate::diagnostic::{Code, Diagnostic};

fn write(package: &Path, path: &str, text: &str) {
    let path = package.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A package with two skills, a side file and a nested directory.
fn package() -> tempfile::TempDir {
    let package = tempfile::tempdir().unwrap();
    let root = package.path();
    write(
        root,
        "skills/b/SKILL.md",
        "---\nname: b\ndescription: Is b.\naliases: [bee]\n---\n\"Body\" \\ $ARGUMENTS\u{7}é\r\n",
    );
    write(root, "skills/b/data/list.txt", "one\n");
    write(
        root,
        "skills/team/a/SKILL.md",
        "---\nname: a\ndescription: Is a.\ndepends-on: [b]\n---\nText.\n",
    );
    package
}

fn loaded(package: &Path, options: &Options) -> Loaded {
    let directory = Directory::new(package, "skills").unwrap();
    load(&directory, options).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

fn emitted(package: &Path) -> String {
    emit(&loaded(package, &Options::default()))
}

#[test]
fn the_same_files_give_the_same_text_wherever_they_are() {
    let (here, there) = (package(), package());
    let text = emitted(here.path());
    assert_eq!(text, emitted(here.path()), "a second time");
    assert_eq!(text, emitted(there.path()), "somewhere else");
    for root in [here.path(), there.path(), &here.path().canonicalize().unwrap()] {
        assert!(!text.contains(root.to_str().unwrap()), "{} is in the text", root.display());
    }
    write(there.path(), "skills/b/data/list.txt", "two\n");
    assert_ne!(text, emitted(there.path()), "another digest");
}

#[test]
fn everything_that_was_read_is_tracked() {
    let package = package();
    let text = emitted(package.path());
    for path in ["skills/b/SKILL.md", "skills/team/a/SKILL.md", "skills/b/data/list.txt"] {
        let tracked =
            format!("s::include_bytes!(s::concat!(s::env!(\"CARGO_MANIFEST_DIR\"),\"/{path}\"))");
        assert_eq!(text.matches(&tracked).count(), 1, "{path} in {text}");
    }
}

#[test]
fn generated_code_names_everything_through_the_hidden_module() {
    let package = package();
    let text = emitted(package.path());
    assert!(!text.contains("skilldeck") && !text.contains("std::"), "{text}");
}

#[test]
fn skills_are_sorted_and_ordered() {
    let package = package();
    let loaded = loaded(package.path(), &Options::default());
    let words: Vec<&str> = loaded.skills().map(|skill| skill.word()).collect();
    assert_eq!((words, loaded.order()), (vec!["a", "b"], &[1, 0][..]));
}

#[test]
fn side_files_are_embedded_on_request() {
    let package = package();
    let count = |files| {
        let loaded = loaded(package.path(), &Options { files, ..Options::default() });
        loaded.skills.iter().map(|skill| skill.files.len()).sum::<usize>()
    };
    assert_eq!((count(Files::all()), count(Files::none())), (1, 0));
}

#[test]
fn an_empty_directory_is_an_empty_deck() {
    let package = tempfile::tempdir().unwrap();
    fs::create_dir(package.path().join("skills")).unwrap();
    let loaded = loaded(package.path(), &Options::default());
    assert_eq!(loaded.skills().len(), 0);
}

#[test]
fn the_package_itself_can_be_the_directory() {
    let package = package();
    let directory = Directory::new(package.path(), ".").unwrap();
    let loaded = load(&directory, &Options::default()).unwrap();
    assert_eq!(loaded.skills[0].path, "skills/team/a/SKILL.md");
}

#[test]
fn a_path_names_a_directory_of_the_package() {
    let package = package();
    let root = package.path();
    for path in ["skills", "skills/", "./skills", "skills/./team", "."] {
        assert!(Directory::new(root, path).is_ok(), "{path}");
    }
    for (path, message) in [
        ("", "is empty"),
        ("/skills", "is absolute"),
        ("../skills", "leads out of the package"),
        ("skills/../../x", "leads out of the package"),
        ("skills\\team", "has backslashes"),
        ("skils", "the directory `skils` does not exist"),
        ("skills/b/SKILL.md", "is no directory"),
    ] {
        let error = Directory::new(root, path).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("\n  = help: "), "{path}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_side_file_without_a_utf8_name_is_an_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let package = package();
    let odd = package.path().join("skills/b").join(OsStr::from_bytes(b"\xff.txt"));
    if fs::write(&odd, "x").is_err() {
        return; // A file system that knows no such names has no such files.
    }
    let directory = Directory::new(package.path(), "skills").unwrap();
    let faults = load(&directory, &Options::default()).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].path(), "skills/b/SKILL.md");
    assert_eq!(faults[0].diagnostics()[0].code, Code::NotUtf8Name);
}

/// How one finding about this text is shown.
fn shown(text: &str, diagnostic: Diagnostic) -> String {
    let package = package();
    let directory = Directory::new(package.path(), "skills").unwrap();
    let mut faults = Collector::new(&directory, true);
    faults.add(&package.path().join("skills/b/SKILL.md"), diagnostic);
    faults.finish(|_| Some(text.to_owned())).remove(0).to_string()
}

#[test]
fn a_fault_shows_its_line() {
    let text = "---\nname: b\n\ttags:\t[a, b\r\n---\n";
    let fault = |code, message: &str| Diagnostic::new(code, message);
    let at = |span| fault(Code::InvalidYaml, "a list is never closed").at(text, span);
    for (diagnostic, expected) in [
        (
            at(19..24),
            "skills/b/SKILL.md:3:8: a list is never closed [invalid-yaml]\n  |\n\
             3 |  tags: [a, b\n  |        ^^^^^",
        ),
        (
            at(22..29).help("close it"),
            "skills/b/SKILL.md:3:11: a list is never closed [invalid-yaml]\n  |\n\
             3 |  tags: [a, b\n  |           ^^\n  = help: close it",
        ),
        (
            fault(Code::DependencyCycle, "a circle").at_line(2).related(None, 4, "an edge"),
            "skills/b/SKILL.md:2:1: a circle [dependency-cycle]\n  |\n2 | name: b\n  | ^^^^^^^\n  \
             = note: skills/b/SKILL.md:4: an edge",
        ),
        (
            fault(Code::MissingDescription, "no description"),
            "skills/b/SKILL.md:1:1: no description [missing-description]\n  \
             = note: a warning is an error here because of `strict`",
        ),
        (
            fault(Code::StrayLine, "behind the end").at_line(40),
            "skills/b/SKILL.md:40:1: behind the end [stray-line]",
        ),
    ] {
        assert_eq!(shown(text, diagnostic), expected);
    }
}

#[test]
fn a_long_line_is_cut_round_the_fault() {
    let text = format!("{}HERE{}\n", "x".repeat(300), "y".repeat(300));
    let diagnostic = Diagnostic::new(Code::InvalidYaml, "wrong").at(&text, 300..304);
    let shown = shown(&text, diagnostic);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[2].chars().count(), "1 | ".len() + 100);
    assert!(lines[2].starts_with("1 | …x") && lines[2].ends_with("y…"), "{}", lines[2]);
    let caret = lines[3].find('^').unwrap();
    let under: String = lines[2].chars().skip(caret).take(4).collect();
    assert_eq!((under.as_str(), lines[3].trim_end().ends_with("^^^^")), ("HERE", true));
}
