//! What is emitted, and how faults look.

use std::fs;
use std::path::Path;

use super::faults::Collector;
use super::{Directory, Files, Loaded, Options, Prefix, Tier, emit, instructions, load};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::Lookup;

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
    load(&[directory], options).unwrap_or_else(|faults| panic!("{}", faults[0]))
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
    let loaded = load(&[directory], &Options::default()).unwrap();
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
    let faults = load(&[directory], &Options::default()).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].path(), "skills/b/SKILL.md");
    assert_eq!(faults[0].diagnostics()[0].code, Code::NotUtf8Name);
}

fn loaded_all(package: &Path, paths: &[&str], options: &Options) -> Loaded {
    let directories: Vec<Directory> =
        paths.iter().map(|path| Directory::new(package, path).unwrap()).collect();
    load(&directories, options).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// Path and word of each skill.
fn paths(loaded: &Loaded) -> Vec<(&str, &str)> {
    loaded.skills.iter().map(|it| (&*it.path, it.skill.word())).collect()
}

#[test]
fn the_earlier_directory_wins_a_word() {
    let package = package();
    let root = package.path();
    write(root, "more/bee/SKILL.md", "---\nname: B\ndescription: Other b.\naliases: [z]\n---\nB\n");
    write(root, "more/bee/side.txt", "x");
    write(root, "more/c/SKILL.md", "---\nname: c\ndescription: d\ndepends-on: [a]\n---\nC\n");
    let both = loaded_all(root, &["skills", "more"], &Options::default());
    let expected =
        [("skills/team/a/SKILL.md", "a"), ("skills/b/SKILL.md", "b"), ("more/c/SKILL.md", "c")];
    assert_eq!(paths(&both), expected);
    assert_eq!(both.order(), [1, 0, 2], "over the border of directories");
    assert_eq!(both.index.find("z"), Lookup::None, "the alias of the loser");
    let text = emit(&both);
    assert!(text.contains("more/bee/SKILL.md") && !text.contains("side.txt"), "{text}");
    let other = loaded_all(root, &["more", "skills"], &Options::default());
    let expected =
        [("skills/team/a/SKILL.md", "a"), ("more/bee/SKILL.md", "b"), ("more/c/SKILL.md", "c")];
    assert_eq!(paths(&other), expected);
}

#[test]
fn the_stronger_tier_wins_a_word_whatever_the_position() {
    let package = package();
    let root = package.path();
    for home in ["more", "most"] {
        write(root, &format!("{home}/b/SKILL.md"), "---\nname: b\ndescription: d\n---\nB\n");
    }
    let words = Tier::ALL.map(Tier::word);
    assert_eq!(words.map(Tier::from_word), Tier::ALL.map(Some));
    assert!(Tier::ALL.is_sorted() && Tier::default() == Tier::Bundled);
    for (first, second, third, winner) in [
        (Tier::Core, Tier::Core, Tier::Core, "skills"),
        (Tier::Bundled, Tier::Core, Tier::Core, "more"),
        (Tier::Core, Tier::ThirdParty, Tier::User, "most"),
        (Tier::ThirdParty, Tier::Project, Tier::User, "more"),
        (Tier::User, Tier::ThirdParty, Tier::Bundled, "skills"),
    ] {
        let tiers = [first, second, third];
        let directories =
            ["skills", "more", "most"].map(|path| Directory::new(root, path).unwrap());
        let directories: Vec<Directory> = (directories.into_iter().zip(tiers))
            .map(|(directory, tier)| directory.in_tier(tier))
            .collect();
        let loaded = load(&directories, &Options::default()).unwrap();
        assert_eq!(paths(&loaded)[1], (&*format!("{winner}/b/SKILL.md"), "b"), "{tiers:?}");
        let text = emit(&loaded);
        let listed = format!("{{directories:&[\"skills\", \"more\", \"most\"],tiers:&{:?},", {
            tiers.map(Tier::name)
        });
        assert!(text.contains(&listed), "as in the call: {listed} in {text}");
    }
}

#[test]
fn a_build_script_watches_what_exists_and_shows_warnings() {
    let package = package();
    let root = package.path();
    write(root, "more/Odd Name/SKILL.md", "---\nname: ODD\nversion: \"1\\n2\"\n---\nText.\n");
    write(root, "more/b/SKILL.md", "---\nname: b\nuser-invocable: maybe\ntags:\n---\nB\n");
    let lines = instructions(root, &["skills", "nowhere", "./more", "/", "../x", "more/b", "a\\b"]);
    let (watched, warnings) = lines.split_at(2);
    assert_eq!(watched, ["cargo::rerun-if-changed=skills", "cargo::rerun-if-changed=more"]);
    let starts = [
        "more/Odd Name/SKILL.md:1:1: the description is missing",
        "more/Odd Name/SKILL.md:2:7: `ODD` is not a valid name; its command word is `odd` \
         [invalid-name] (help: write `name: odd`",
        "more/Odd Name/SKILL.md:2:7: the name `ODD` is not that of the directory",
        "more/Odd Name/SKILL.md:3:10: `1 2` is not a semantic version [invalid-version]",
        // Its error is the macro's to report.
        "more/b/SKILL.md:1:1: the description is missing",
    ];
    let right = warnings.len() == starts.len()
        && warnings.iter().zip(starts).all(|(line, start)| {
            line.strip_prefix("cargo::warning=").is_some_and(|text| text.starts_with(start))
        });
    assert!(right, "{warnings:#?}");
    assert!(lines.iter().all(|line| !line.contains('\n')));
    assert_eq!(instructions(root, &["skills"]), ["cargo::rerun-if-changed=skills"]);
    assert_eq!(instructions(root, &["nowhere"]), [""; 0]);
    assert_eq!(instructions(&root.join("skills"), &["."]), ["cargo::rerun-if-changed=."]);
}

#[test]
fn who_loses_its_word_is_still_checked() {
    let package = package();
    let root = package.path();
    write(root, "more/b/SKILL.md", "---\nname: b\nuser-invocable: maybe\n---\nB\n");
    write(root, "more/x/SKILL.md", "---\nname: x\ndescription: d\n---\nX\n");
    write(root, "more/y/SKILL.md", "---\nname: x\ndescription: d\n---\nY\n");
    let directories = ["skills", "more"].map(|path| Directory::new(root, path).unwrap());
    let faults = load(&directories, &Options::default()).unwrap_err();
    let codes: Vec<_> = faults.iter().map(|it| (it.path(), it.diagnostics()[0].code)).collect();
    let expected =
        [("more/b/SKILL.md", Code::NotABoolean), ("more/y/SKILL.md", Code::DuplicateWord)];
    assert_eq!(codes, expected);
}

#[test]
fn a_prefix_is_put_before_every_word_once() {
    let package = package();
    let root = package.path();
    write(
        root,
        "skills/t-c/SKILL.md",
        "---\nname: t-c\ndescription: d\ndepends-on: [a, t-b]\n---\n",
    );
    write(root, "skills/shown/SKILL.md", "---\nname: As Shown\ndescription: d\n---\n");
    let options = Options { prefix: Prefix::new("t-").unwrap(), ..Options::default() };
    let loaded = loaded(root, &options);
    let words: Vec<_> = loaded.skills().map(|skill| (skill.name(), skill.word())).collect();
    let expected = [("t-a", "t-a"), ("As Shown", "t-as-shown"), ("t-b", "t-b"), ("t-c", "t-c")];
    assert_eq!(words, expected);
    assert_ne!(loaded.index.find("t-bee"), Lookup::None, "an alias");
    assert_ne!(loaded.index.find("t-shown"), Lookup::None, "a directory");
    for word in ["a", "b", "bee", "shown", "t-t-c"] {
        assert_eq!(loaded.index.find(word), Lookup::None, "{word}");
    }
    let needs: Vec<Vec<&str>> = loaded
        .skills()
        .map(|skill| skill.depends_on().iter().map(|it| &*it.name).collect())
        .collect();
    assert_eq!(needs, [vec!["t-b"], vec![], vec![], vec!["t-a", "t-b"]]);
}

#[test]
fn a_lost_dependency_is_one_fault_with_a_prefix_too() {
    let package = package();
    write(package.path(), "skills/b/SKILL.md", "---\nname: [\n---\n");
    let directory = Directory::new(package.path(), "skills").unwrap();
    let options = Options { prefix: Prefix::new("t-").unwrap(), ..Options::default() };
    let faults = load(&[directory], &options).unwrap_err();
    assert_eq!(faults.iter().map(|it| it.path()).collect::<Vec<_>>(), ["skills/b/SKILL.md"]);
}

#[test]
fn side_files_are_selected_by_globs() {
    let package = package();
    write(package.path(), "skills/b/note.md", "x");
    for (globs, expected) in [
        (&["*"][..], &["note.md"][..]),
        (&["data/**"], &["data/list.txt"]),
        (&["*.md", "**/*.txt"], &["data/list.txt", "note.md"]),
        (&["*.rs"], &[]),
    ] {
        let files = globs.iter().try_fold(Files::none(), |files, glob| files.matching(glob));
        let options = Options { files: files.unwrap(), ..Options::default() };
        let loaded = loaded(package.path(), &options);
        let found: Vec<&str> =
            loaded.skills.iter().flat_map(|it| &it.files).map(|file| &*file.path).collect();
        assert_eq!(found, expected, "{globs:?}");
    }
}

/// How one finding about this text is shown.
fn shown(text: &str, diagnostic: Diagnostic) -> String {
    let package = package();
    let directories = [Directory::new(package.path(), "skills").unwrap()];
    let mut faults = Collector::new(&directories, true);
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

/// What cannot be read has no line, and no text has the place of the package on this machine.
#[cfg(unix)]
#[test]
fn faults_of_files_that_cannot_be_read_are_the_same_everywhere() {
    let package = package();
    let root = package.path();
    write(root, "skills/large/SKILL.md", &"x".repeat((1 << 20) + 1));
    write(root, "skills/linked/notes.md", "");
    std::os::unix::fs::symlink("nowhere", root.join("skills/linked/SKILL.md")).unwrap();
    for at in 0..=512 {
        write(root, &format!("skills/many/{at}.txt"), "");
    }
    write(root, "skills/many/SKILL.md", "---\nname: many\ndescription: d\n---\nText.\n");
    let directory = Directory::new(root, "skills").unwrap();
    let options = Options { files: Files::all(), ..Options::default() };
    let faults: Vec<String> =
        load(&[directory], &options).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 3, "{faults:#?}");
    for (fault, start) in faults.iter().zip([
        "skills/large/SKILL.md: `skills/large/SKILL.md` has ",
        "skills/linked/SKILL.md: `skills/linked/SKILL.md` is a link to `nowhere`",
        "skills/many: ",
    ]) {
        assert!(fault.starts_with(start), "{fault}");
        assert!(!fault.contains(root.to_str().unwrap()), "{fault}");
    }
}
