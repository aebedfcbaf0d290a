//! Files that move while they are read.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use super::tree;
use crate::scan::open::{Content, read_bounded, read_steadily};
use crate::scan::{CALM, read, read_if_present, read_when_calm};

/// What is read of a file of the text `old` to which `meddle` does something in the middle of the
/// first `times` reads, and how often it was read.
fn meddled(times: usize, meddle: impl Fn(&Path)) -> (Option<Content>, usize) {
    let root = tree(&["file = old text"]);
    let path = root.path().join("file");
    let mut reads = 0;
    let content = read_steadily(&path, None, |mut file: &File, length| {
        reads += 1;
        let mut start = [0; 3];
        file.read_exact(&mut start).unwrap();
        if reads <= times {
            meddle(&path);
        }
        let rest = read_bounded(file, length, &path)?;
        Ok([&start[..], &rest].concat())
    });
    (content.unwrap(), reads)
}

fn append(path: &Path) {
    File::options().append(true).open(path).unwrap().write_all(b" and more").unwrap();
}

#[test]
fn a_file_that_moved_is_read_again() {
    let whole = |bytes: &[u8]| Some(Content { bytes: bytes.to_vec(), is_torn: false });
    assert_eq!(meddled(0, |_| {}), (whole(b"old text"), 1));
    let rewrite = |path: &Path| fs::write(path, "another one").unwrap();
    assert_eq!(meddled(1, rewrite), (whole(b"another one"), 2));
    assert_eq!(meddled(1, append), (whole(b"old text and more"), 2));
    assert_eq!(meddled(2, append), (whole(b"old text and more and more"), 3));
    let shrink = |path: &Path| File::options().write(true).open(path).unwrap().set_len(5).unwrap();
    assert_eq!(meddled(1, shrink), (whole(b"old t"), 2));
}

#[test]
fn a_file_that_was_replaced_is_read_from_its_successor() {
    let replace = |path: &Path| {
        let next = path.with_file_name("next");
        fs::write(&next, "new text").unwrap();
        fs::rename(&next, path).unwrap();
    };
    let (content, reads) = meddled(1, replace);
    if cfg!(unix) {
        assert_eq!(reads, 2);
        assert_eq!(content.unwrap().bytes, b"new text");
    }
}

#[test]
fn a_file_that_was_removed_is_absent() {
    let (content, _) = meddled(1, |path| fs::remove_file(path).unwrap());
    if cfg!(unix) {
        assert_eq!(content, None);
    }
}

#[test]
fn a_file_that_never_stands_still_is_said_to_be_torn() {
    let (content, reads) = meddled(usize::MAX, append);
    let content = content.unwrap();
    assert!(content.is_torn);
    assert_eq!(reads, 3);
    // The last read, which saw all that was appended.
    assert_eq!(content.bytes, b"old text and more and more and more");
}

#[test]
fn what_was_just_written_is_read_when_it_has_rested() {
    let root = tree(&["file = half"]);
    let path = root.path().join("file");
    let waits = Cell::new(0);
    // The writer goes on while it is waited for: twice, then it is done.
    let wait = |left: Duration| {
        assert!(left <= CALM, "{left:?}");
        waits.set(waits.get() + 1);
        if waits.get() <= 2 {
            append(&path);
        }
    };
    let content = read_when_calm(&path, &wait).unwrap().unwrap();
    assert_eq!((content.is_torn, &*content.bytes), (false, &b"half and more and more"[..]));
    assert_eq!(waits.get(), 3);
    // What is older, or says that it is younger than now, is read at once.
    for age in [1, -1] {
        let now = SystemTime::now();
        let time = if age > 0 { now - Duration::from_secs(1) } else { now + CALM + CALM };
        File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        read_when_calm(&path, &|_| panic!("nobody waits")).unwrap().unwrap();
    }
}

#[test]
fn a_writer_that_goes_on_keeps_nobody_waiting() {
    let root = tree(&["file = x"]);
    let path = &root.path().join("file");
    let (is_read, is_written) = (&AtomicBool::new(false), &AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut file = File::create(path).unwrap();
            // What grows line by line is at any time a start of the whole.
            for line in 0..100_000 {
                writeln!(file, "{line:07}").unwrap();
                is_written.store(true, Ordering::Release);
                if is_read.load(Ordering::Acquire) {
                    return;
                }
            }
        });
        while !is_written.load(Ordering::Acquire) {
            thread::yield_now();
        }
        for _ in 0..20 {
            let content = read_if_present(path).unwrap().unwrap();
            let text = String::from_utf8(content.bytes).unwrap();
            for (number, line) in text.lines().enumerate() {
                assert!(format!("{number:07}").starts_with(line), "{line} is not {number}");
            }
        }
        is_read.store(true, Ordering::Release);
    });
    let length = fs::metadata(path).unwrap().len();
    assert_eq!(read(path).unwrap().len() as u64, length);
}
