//! Locks that are free, taken, given back, left over and forged.

use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{LOCK_FILE, Lock, Told};
use crate::cli::output::Failure;

const SHORT: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(60);

fn take(root: &Path, patience: Duration) -> Result<(Lock, Vec<Told>), Failure> {
    let mut told = Vec::new();
    let lock = Lock::take_within(root, "test", patience, |it| told.push(it))?;
    Ok((lock, told))
}

#[test]
fn a_lock_is_a_file_for_as_long_as_it_is_held() {
    let root = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let (lock, told) = take(root.path(), SHORT).unwrap();
        assert!(lock.is_held() && told.is_empty());
        assert!(root.path().join(LOCK_FILE).exists());
        drop(lock);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}

#[test]
fn who_is_waited_for_is_named() {
    let root = tempfile::tempdir().unwrap();
    let (_lock, _) = take(root.path(), SHORT).unwrap();
    let mut told = Vec::new();
    let second = Lock::take_within(root.path(), "test", SHORT, |it| told.push(it));
    let who = format!("skilldeck test (process {})", std::process::id());
    assert_eq!(told, [Told::Waits(who.clone())]);
    let Err(Failure::No(why)) = second else { panic!("{second:?}") };
    assert!(why.starts_with(&who), "{why}");
}

#[test]
fn a_lock_that_is_given_back_is_had_by_who_waits() {
    let root = tempfile::tempdir().unwrap();
    let (lock, _) = take(root.path(), SHORT).unwrap();
    let (tell, hear) = mpsc::channel();
    let path = root.path().to_path_buf();
    let second = thread::spawn(move || {
        let lock = Lock::take_within(&path, "second", LONG, |it| tell.send(it).unwrap()).unwrap();
        lock.is_held() && path.join(LOCK_FILE).exists()
    });
    assert!(matches!(hear.recv_timeout(LONG).unwrap(), Told::Waits(_)));
    drop(lock);
    assert!(second.join().unwrap());
    assert!(!root.path().join(LOCK_FILE).exists());
}

#[test]
fn many_who_want_it_have_it_one_after_another() {
    let root = tempfile::tempdir().unwrap();
    let count = root.path().join("count");
    fs::write(&count, "0").unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let (_lock, _) = take(root.path(), LONG).unwrap();
                    let before: u32 = fs::read_to_string(&count).unwrap().parse().unwrap();
                    fs::write(&count, (before + 1).to_string()).unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(&count).unwrap(), "160");
}

#[test]
fn a_file_that_was_left_over_locks_nothing() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join(LOCK_FILE), "skilldeck add (process 1)").unwrap();
    let (lock, told) = take(root.path(), SHORT).unwrap();
    assert!(lock.is_held() && told.is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let root = tempfile::tempdir().unwrap();
    let precious = root.path().join("precious");
    fs::write(&precious, "text").unwrap();
    std::os::unix::fs::symlink("precious", root.path().join(LOCK_FILE)).unwrap();
    let Err(Failure::No(why)) = take(root.path(), SHORT) else { panic!("it was followed") };
    assert!(why.contains("no regular file"), "{why}");
    assert_eq!(fs::read_to_string(precious).unwrap(), "text");
}

#[test]
fn what_another_process_says_of_itself_is_one_short_line() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join(LOCK_FILE);
    let held = fs::File::create(&path).unwrap();
    held.lock().unwrap();
    for (text, shown) in [
        ("", "another process".to_owned()),
        ("a\u{1b}[2Jb\nc", "a\u{fffd}[2Jb\u{fffd}c".to_owned()),
        (&"x".repeat(1000), "x".repeat(100)),
    ] {
        fs::write(&path, text).unwrap();
        let mut told = Vec::new();
        let refused = Lock::take_within(root.path(), "test", SHORT, |it| told.push(it));
        assert!(refused.is_err());
        assert_eq!(told, [Told::Waits(shown)]);
    }
}
