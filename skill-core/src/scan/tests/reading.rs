//! Reading one file: bounded, and never waiting.

use std::fs::{self, File};
use std::path::Path;

use super::tree;
use crate::diagnostic::Code;
use crate::format::MAX_FILE_BYTES;
use crate::scan::links::{Target, follow};
use crate::scan::open::read_bounded;
use crate::scan::{read, read_if_present};

#[test]
fn bytes_come_as_they_are() {
    let root = tree(&["empty = ", "text = \u{feff}---\r\nname: x\r\n"]);
    assert_eq!(read(&root.path().join("empty")).unwrap(), b"");
    assert_eq!(read(&root.path().join("text")).unwrap(), b"\xef\xbb\xbf---\r\nname: x\r\n");
}

#[test]
fn only_not_found_is_absent() {
    let root = tree(&["file = x", "link -> nowhere", "directory/"]);
    let at = |name: &str| root.path().join(name);
    let content = read_if_present(&at("file")).unwrap().unwrap();
    assert_eq!((&*content.bytes, content.is_torn), (&b"x"[..], false));
    assert_eq!(read_if_present(&at("gone")).unwrap(), None);
    assert_eq!(read_if_present(&at("gone/SKILL.md")).unwrap(), None);
    assert_eq!(read_if_present(&at("link")).unwrap(), None);
    assert_eq!(read_if_present(&at("directory")).unwrap_err().code, Code::NotRegular);
    assert_eq!(read_if_present(&at("file/SKILL.md")).unwrap_err().code, Code::Unreadable);
    assert_eq!(read(&at("gone")).unwrap_err().code, Code::Unreadable);
}

#[test]
fn a_link_that_was_removed_is_no_dangling_one() {
    let root = tree(&["link -> nowhere"]);
    assert!(matches!(follow(&root.path().join("link")), Target::Nowhere(_)));
    assert!(matches!(follow(&root.path().join("gone")), Target::Gone));
}

#[test]
fn the_limit() {
    let root = tree(&[]);
    let path = root.path().join("SKILL.md");
    fs::write(&path, vec![b'x'; MAX_FILE_BYTES]).unwrap();
    assert_eq!(read(&path).unwrap().len(), MAX_FILE_BYTES);
    fs::write(&path, vec![b'x'; MAX_FILE_BYTES + 1]).unwrap();
    let fault = read(&path).unwrap_err();
    assert_eq!((fault.code, fault.path.as_deref()), (Code::TooLarge, Some(path.as_path())));
    assert!(fault.message.contains("1048577 bytes"), "{}", fault.message);
}

#[test]
fn a_sparse_file_is_refused_by_its_length() {
    let root = tree(&[]);
    let path = root.path().join("SKILL.md");
    File::create(&path).unwrap().set_len(100 << 20).unwrap();
    let fault = read(&path).unwrap_err();
    assert_eq!(fault.code, Code::TooLarge);
    // The length and not "more than": nothing was read.
    assert!(fault.message.contains("104857600 bytes"), "{}", fault.message);
}

#[test]
fn a_file_that_grows_is_read_to_the_limit_only() {
    /// A file that said it had ten bytes and never ends.
    struct Growing(usize);
    impl std::io::Read for &mut Growing {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.0 += into.len();
            into.fill(b'x');
            Ok(into.len())
        }
    }
    let mut file = Growing(0);
    let fault = read_bounded(&mut file, 10, Path::new("SKILL.md")).unwrap_err();
    assert_eq!(fault.code, Code::TooLarge);
    assert_eq!(file.0, MAX_FILE_BYTES + 1);
}

#[test]
fn a_file_that_shrinks_is_read_to_its_end() {
    let bytes = read_bounded(&b"short"[..], 4096, Path::new("SKILL.md")).unwrap();
    assert_eq!(bytes, b"short");
}

#[test]
fn directories_and_nothing() {
    let root = tree(&["a/"]);
    let fault = read(&root.path().join("a")).unwrap_err();
    assert_eq!(fault.code, Code::NotRegular);
    assert!(fault.message.contains("a directory"), "{}", fault.message);
    assert_eq!(read(&root.path().join("b")).unwrap_err().code, Code::Unreadable);
}

#[cfg(unix)]
#[test]
fn special_files_do_not_block() {
    let root = tree(&["link -> fifo"]);
    super::faults::mkfifo(&root.path().join("fifo"));
    let socket = root.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for (path, kind) in [
        (root.path().join("fifo"), "a FIFO"),
        (root.path().join("link"), "a FIFO"),
        (socket, "a socket"),
        ("/dev/zero".into(), "a device"),
    ] {
        // A bound in case it does block.
        let (send, receive) = std::sync::mpsc::channel();
        let here = path.clone();
        std::thread::spawn(move || send.send(read(&here)));
        let result = receive.recv_timeout(std::time::Duration::from_secs(20));
        let fault = result.expect("reading blocks").unwrap_err();
        assert_eq!(fault.code, Code::NotRegular, "{}", path.display());
        assert!(fault.message.contains(kind), "{}", fault.message);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_without_a_length() {
    assert!(!read(Path::new("/proc/self/status")).unwrap().is_empty());
}
