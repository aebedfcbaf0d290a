//! Extraction into real directories: whole, private, repaired, and by many at once.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use sha2::{Digest, Sha256};
use skilldeck_core::model::SideFile;

use super::{check_owner, extract, hex, is_intact, our_own};

type Tamper = fn(&Path);

fn file(path: &'static str, content: &'static str, executable: bool) -> SideFile {
    let sha256 = String::leak(hex(&Sha256::digest(content)));
    SideFile { path, bytes: content.as_bytes(), sha256, executable }
}

fn files() -> Vec<SideFile> {
    vec![
        file("references/deep/notes.md", "notes", false),
        file("scripts/run.sh", "#!/bin/sh\necho hi\n", true),
        file("zero", "", false),
    ]
}

/// Every file below a directory, with its content, and whether it is more than a file.
fn everything(directory: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_path_buf()];
    while let Some(next) = directories.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().display().to_string();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn assert_whole(place: &Path) {
    let expected: Vec<(String, String)> = files()
        .iter()
        .map(|file| (file.path.to_owned(), String::from_utf8(file.bytes.to_vec()).unwrap()))
        .collect();
    assert_eq!(everything(place), expected);
}

/// What stands in the cache beside the finished directories.
fn leftovers(cache: &Path) -> Vec<String> {
    let names = fs::read_dir(cache.join("side-files")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with('.')).collect()
}

#[test]
fn files_are_there_with_their_bits() {
    let cache = tempfile::tempdir().unwrap();
    let place = extract(&files(), cache.path()).unwrap();
    assert_whole(&place);
    assert_eq!(place.parent().unwrap(), cache.path().join("side-files"));
    assert_eq!(place.file_name().unwrap().len(), 64);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let modes = [
            mode(place.parent().unwrap()),
            mode(&place),
            mode(&place.join("scripts")),
            mode(&place.join("scripts/run.sh")),
            mode(&place.join("zero")),
        ];
        assert_eq!(modes, [0o700, 0o700, 0o700, 0o700, 0o600]);
    }
    assert_eq!(extract(&files(), cache.path()).unwrap(), place);
    assert_eq!(leftovers(cache.path()), [""; 0]);
}

#[test]
fn another_bit_is_another_place() {
    let cache = tempfile::tempdir().unwrap();
    let plain = extract(&[file("a", "x", false)], cache.path()).unwrap();
    let executable = extract(&[file("a", "x", true)], cache.path()).unwrap();
    assert_ne!(plain, executable);
}

#[test]
fn what_was_tampered_with_is_put_right() {
    let cache = tempfile::tempdir().unwrap();
    let place = extract(&files(), cache.path()).unwrap();
    let tamperings: [(&str, Tamper); 7] = [
        ("changed", |place| {
            fs::write(place.join("scripts/run.sh"), "#!/bin/sh\nrm -r /\n").unwrap()
        }),
        ("same length", |place| {
            fs::write(place.join("references/deep/notes.md"), "nodes").unwrap()
        }),
        ("removed", |place| fs::remove_file(place.join("zero")).unwrap()),
        ("added", |place| fs::write(place.join("scripts/more.sh"), "x").unwrap()),
        ("a directory for a file", |place| {
            fs::remove_file(place.join("zero")).unwrap();
            fs::create_dir(place.join("zero")).unwrap();
        }),
        ("a file for all of it", |place| {
            fs::remove_dir_all(place).unwrap();
            fs::write(place, "x").unwrap();
        }),
        ("gone", |place| fs::remove_dir_all(place).unwrap()),
    ];
    for (what, tamper) in tamperings {
        tamper(&place);
        assert_eq!(extract(&files(), cache.path()).unwrap(), place, "{what}");
        assert_whole(&place);
        assert_eq!(leftovers(cache.path()), [""; 0], "{what}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_modes_that_were_changed_are_put_right() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let cache = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("target"), "").unwrap();
    let place = extract(&files(), cache.path()).unwrap();
    let run = place.join("scripts/run.sh");

    fs::set_permissions(&run, fs::Permissions::from_mode(0o644)).unwrap();
    extract(&files(), cache.path()).unwrap();
    assert_eq!(fs::metadata(&run).unwrap().permissions().mode() & 0o777, 0o700);

    // A link to the very same content is not the file either.
    fs::remove_file(place.join("zero")).unwrap();
    symlink(elsewhere.path().join("target"), place.join("zero")).unwrap();
    extract(&files(), cache.path()).unwrap();
    assert!(fs::symlink_metadata(place.join("zero")).unwrap().is_file());

    fs::remove_dir_all(&place).unwrap();
    symlink(elsewhere.path(), &place).unwrap();
    extract(&files(), cache.path()).unwrap();
    assert!(fs::symlink_metadata(&place).unwrap().is_dir());
    assert_whole(&place);
    assert_eq!(everything(elsewhere.path()), [("target".to_owned(), String::new())]);
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_could_write_to_is_closed() {
    use std::os::unix::fs::PermissionsExt;
    let cache = tempfile::tempdir().unwrap();
    let ours = cache.path().join("side-files");
    fs::create_dir(&ours).unwrap();
    fs::set_permissions(&ours, fs::Permissions::from_mode(0o777)).unwrap();
    extract(&files(), cache.path()).unwrap();
    assert_eq!(fs::metadata(&ours).unwrap().permissions().mode() & 0o777, 0o700);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_cache_is_refused_and_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let cache = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::set_permissions(elsewhere.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let ours = cache.path().join("side-files");
    for target in [elsewhere.path().to_path_buf(), cache.path().join("nowhere")] {
        symlink(target, &ours).unwrap();
        let error = extract(&files(), cache.path()).unwrap_err().to_string();
        assert!(error.contains(&ours.display().to_string()), "{error}");
        assert!(error.contains("is a link; remove it"), "{error}");
        fs::remove_file(&ours).unwrap();
    }
    assert_eq!(fs::metadata(elsewhere.path()).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(everything(elsewhere.path()), []);
    fs::write(&ours, "").unwrap();
    let error = extract(&files(), cache.path()).unwrap_err().to_string();
    assert!(error.contains("is no directory; remove it"), "{error}");
}

#[cfg(unix)]
#[test]
fn what_belongs_to_somebody_else_is_not_trusted() {
    use std::os::unix::fs::{MetadataExt, chown};
    let cache = tempfile::tempdir().unwrap();
    let place = extract(&files(), cache.path()).unwrap();
    let ours = place.parent().unwrap();
    let uid = fs::metadata(ours).unwrap().uid();
    assert_eq!(our_own(ours).unwrap(), uid);
    let error = check_owner(ours, 1234, uid).unwrap_err().to_string();
    assert!(error.contains("of user 1234") && error.contains("remove it"), "{error}");
    assert!(!is_intact(&place, &files(), uid + 1).unwrap());
    // Only the superuser can give files away.
    if chown(place.join("zero"), Some(1234), None).is_ok() {
        extract(&files(), cache.path()).unwrap();
        assert_eq!(fs::metadata(place.join("zero")).unwrap().uid(), uid);
        chown(ours, Some(1234), None).unwrap();
        let error = extract(&files(), cache.path()).unwrap_err().to_string();
        assert!(error.contains("of user 1234"), "{error}");
    }
}

#[test]
fn many_at_once_end_in_one_whole_directory() {
    let cache = tempfile::tempdir().unwrap();
    let ready = Barrier::new(8);
    thread::scope(|scope| {
        let each = |_| {
            scope.spawn(|| {
                ready.wait();
                let place = extract(&files(), cache.path()).unwrap();
                assert_whole(&place);
                place
            })
        };
        let threads: Vec<_> = (0..8).map(each).collect();
        let places: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(places.iter().all(|place| *place == places[0]));
    });
    assert_eq!(leftovers(cache.path()), [""; 0]);
}

#[test]
fn no_path_leads_out() {
    let outer = tempfile::tempdir().unwrap();
    let cache = outer.path().join("cache");
    for path in ["../x", "a/../../x", "/etc/x", "", "a//b", "./x", "a\\..\\x", "a/", "x\0y"] {
        let error = extract(&[file(path, "x", false)], &cache).unwrap_err();
        assert!(error.to_string().contains("no path of a side file"), "{path:?}: {error}");
    }
    assert!(!cache.exists(), "nothing is made for what is refused");
}

#[test]
fn a_cache_that_cannot_be_made_is_an_error() {
    let outer = tempfile::tempdir().unwrap();
    let blocked = outer.path().join("file");
    fs::write(&blocked, "").unwrap();
    let error = extract(&files(), &blocked).unwrap_err().to_string();
    assert!(error.contains(&blocked.display().to_string()), "{error}");
}
