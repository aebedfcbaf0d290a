//! What was changed, added or removed behind a build.

use std::fs;
use std::path::Path;

use crate::diagnostic::{Code, Severity};
use crate::digest::sha256;
use crate::format::{self, Layout, Origin};
use crate::model::{BundledSkill, Deck, Index, Selection, SideFile};
use crate::template::{Dialect, Positional};

const TEXT: &str = "---\nname: a\ndescription: Is a.\n---\nText.\n";

/// A deck as the macro compiles it from [`directory`].
fn deck(globs: &'static [&'static str], side_files: &[(&'static str, &'static [u8])]) -> Deck {
    let origin = Origin {
        name: "a",
        path: None,
        layout: Layout::Skills,
        dialect: Dialect::default(),
        positional: Positional::default(),
    };
    let skill = format::parse(TEXT.as_bytes(), &origin).skill.unwrap();
    let files = side_files.iter().map(|(path, bytes)| SideFile {
        path,
        bytes,
        sha256: sha256(bytes).leak(),
        executable: false,
    });
    let bundled = BundledSkill {
        skill,
        path: "own/skills/a/SKILL.md",
        sha256: sha256(TEXT.as_bytes()).leak(),
        files: files.collect::<Vec<_>>().leak(),
    };
    let skills = vec![bundled].leak();
    let (index, _) = Index::of_skills(skills.iter().map(|bundled| &bundled.skill));
    let selection = Selection {
        directories: &["own/skills"],
        tiers: &["bundled"],
        files: globs,
        passed_over: &[],
    };
    Deck::compiled(skills, index, &[0], selection)
}

fn whole() -> Deck {
    deck(&["**"], &[("d/one.txt", b"1"), ("two.txt", b"2")])
}

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("a/d")).unwrap();
    for (path, text) in [("a/SKILL.md", TEXT), ("a/d/one.txt", "1"), ("a/two.txt", "2")] {
        fs::write(directory.path().join(path), text).unwrap();
    }
    directory
}

/// Code and path of each difference, the path below the directory.
fn differences(deck: &Deck, directory: &Path) -> Vec<(Code, String)> {
    deck.verify(&[directory])
        .into_iter()
        .map(|difference| {
            assert_eq!(difference.severity, Severity::Error, "{difference}");
            let path = difference.path.unwrap();
            let path = path.strip_prefix(directory).unwrap().to_string_lossy().into_owned();
            (difference.code, path.replace('\\', "/"))
        })
        .collect()
}

#[test]
fn what_is_equal_has_no_difference() {
    let directory = directory();
    assert_eq!(differences(&whole(), directory.path()), []);
    fs::write(directory.path().join("a/.hidden"), "not embedded").unwrap();
    assert_eq!(differences(&whole(), directory.path()), []);
}

#[test]
fn every_change_is_seen() {
    type Change = fn(&Path);
    type Case = (&'static str, Change, &'static [(Code, &'static str)]);
    let cases: [Case; 9] = [
        (
            "edited",
            |root| fs::write(root.join("a/SKILL.md"), format!("{TEXT}More.\n")).unwrap(),
            &[(Code::ChangedSinceBuild, "a/SKILL.md")],
        ),
        (
            "added",
            |root| {
                fs::create_dir(root.join("b")).unwrap();
                fs::write(root.join("b/SKILL.md"), "---\ndescription: b\n---\n").unwrap();
            },
            &[(Code::AddedSinceBuild, "b/SKILL.md")],
        ),
        (
            "removed",
            |root| fs::remove_dir_all(root.join("a")).unwrap(),
            &[(Code::RemovedSinceBuild, "a/SKILL.md")],
        ),
        (
            "renamed",
            |root| fs::rename(root.join("a"), root.join("c")).unwrap(),
            &[(Code::RemovedSinceBuild, "a/SKILL.md"), (Code::AddedSinceBuild, "c/SKILL.md")],
        ),
        (
            "side file edited",
            |root| fs::write(root.join("a/d/one.txt"), "one").unwrap(),
            &[(Code::ChangedSinceBuild, "a/d/one.txt")],
        ),
        (
            "side file added",
            |root| fs::write(root.join("a/three.txt"), "3").unwrap(),
            &[(Code::AddedSinceBuild, "a/three.txt")],
        ),
        (
            "side file removed",
            |root| fs::remove_file(root.join("a/two.txt")).unwrap(),
            &[(Code::RemovedSinceBuild, "a/two.txt")],
        ),
        (
            "side file renamed",
            |root| fs::rename(root.join("a/two.txt"), root.join("a/d/two.txt")).unwrap(),
            &[(Code::AddedSinceBuild, "a/d/two.txt"), (Code::RemovedSinceBuild, "a/two.txt")],
        ),
        ("root removed", |root| fs::remove_dir_all(root).unwrap(), &[(Code::MissingRoot, "")]),
    ];
    for (name, change, expected) in cases {
        let directory = directory();
        change(directory.path());
        let expected: Vec<_> =
            expected.iter().map(|(code, path)| (*code, (*path).to_owned())).collect();
        assert_eq!(differences(&whole(), directory.path()), expected, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn the_executable_bit_is_compared() {
    use std::os::unix::fs::PermissionsExt;

    let directory = directory();
    let path = directory.path().join("a/two.txt");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    let expected = [(Code::ChangedSinceBuild, "a/two.txt".to_owned())];
    assert_eq!(differences(&whole(), directory.path()), expected);
}

#[test]
fn files_that_were_not_asked_for_do_not_count() {
    let directory = directory();
    assert_eq!(differences(&deck(&[], &[]), directory.path()), []);
    let selected = deck(&["d/*"], &[("d/one.txt", b"1")]);
    assert_eq!(differences(&selected, directory.path()), []);
    fs::write(directory.path().join("a/d/new.txt"), "").unwrap();
    let expected = [(Code::AddedSinceBuild, "a/d/new.txt".to_owned())];
    assert_eq!(differences(&selected, directory.path()), expected);
}

/// Tests run in the directory of this package, which has no skill and so none that could be equal.
#[test]
fn the_package_itself_is_a_directory_without_a_name() {
    let selection =
        Selection { directories: &[""], tiers: &["bundled"], files: &["**"], passed_over: &[] };
    let deck = Deck::compiled(whole().skills(), Index::EMPTY, &[0], selection);
    let differences = deck.verify(deck.directories());
    let removed = differences.iter().find(|it| it.code == Code::RemovedSinceBuild).unwrap();
    assert_eq!(removed.path.as_deref(), Some(Path::new("./own/skills/a/SKILL.md")));
    assert!(differences.iter().all(|it| it.code != Code::MissingRoot), "{differences:?}");
}

#[test]
fn a_directory_that_nobody_names_is_gone() {
    let differences = whole().verify::<&Path>(&[]);
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].code, Code::RemovedSinceBuild);
    assert_eq!(differences[0].path.as_deref(), Some(Path::new("own/skills/a/SKILL.md")));
}

#[test]
fn a_skill_that_was_passed_over_is_no_new_one() {
    let (first, second) = (directory(), tempfile::tempdir().unwrap());
    let loser = second.path().join("x/SKILL.md");
    fs::create_dir(second.path().join("x")).unwrap();
    fs::write(&loser, TEXT).unwrap();
    let digest: &'static str = sha256(TEXT.as_bytes()).leak();
    let selection = Selection {
        directories: &["own/skills", "more"],
        tiers: &["bundled", "bundled"],
        files: &["**"],
        passed_over: vec![("more/x/SKILL.md", digest)].leak(),
    };
    let whole = whole();
    let deck = Deck::compiled(whole.skills(), Index::EMPTY, &[0], selection);
    let codes = || -> Vec<Code> {
        let both = [first.path(), second.path()];
        deck.verify(&both).iter().map(|difference| difference.code).collect()
    };
    assert_eq!(codes(), []);
    fs::write(&loser, format!("{TEXT}More.\n")).unwrap();
    assert_eq!(codes(), [Code::ChangedSinceBuild]);
    fs::rename(second.path().join("x"), second.path().join("y")).unwrap();
    assert_eq!(codes(), [Code::AddedSinceBuild]);
    fs::remove_dir_all(second.path().join("y")).unwrap();
    assert_eq!(codes(), [], "nothing of it was in the deck");
}
