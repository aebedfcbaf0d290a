//! What is taken of what was put.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::super::notice::Notice;
use super::{Inbox, MAX_NOTICES, Mail};

fn changed(at: usize) -> Notice {
    Notice::Changed(PathBuf::from(format!("/{at}")))
}

#[test]
fn what_is_taken_is_gone_but_for_the_end() {
    let inbox = Inbox::default();
    let now = Instant::now();
    assert_eq!(inbox.take(now), Mail::default());
    inbox.put([changed(1), changed(1), changed(2), changed(1)]);
    inbox.nudge();
    let notices = vec![changed(1), changed(2), changed(1)];
    assert_eq!(inbox.take(now), Mail { notices, nudged: true, ..Mail::default() });
    assert_eq!(inbox.take(now), Mail::default());
    inbox.stop();
    for _ in 0..2 {
        assert_eq!(inbox.take(now), Mail { stopped: true, ..Mail::default() });
    }
    assert!(inbox.is_stopped());
}

#[test]
fn it_does_not_grow_without_end() {
    let inbox = Inbox::default();
    let lost = Mail { lost: true, ..Mail::default() };
    inbox.put((0..MAX_NOTICES).map(changed));
    assert_eq!(inbox.take(Instant::now()).notices.len(), MAX_NOTICES);
    inbox.put((0..=MAX_NOTICES).map(changed));
    inbox.put([changed(0)]);
    assert_eq!(inbox.take(Instant::now()), lost);
    inbox.put([changed(0)]);
    inbox.lose();
    assert_eq!(inbox.take(Instant::now()), lost);
}

#[test]
fn who_waits_is_woken() {
    let inbox = Arc::new(Inbox::default());
    let far = Instant::now() + Duration::from_secs(60);
    let waiting = thread::spawn({
        let inbox = Arc::clone(&inbox);
        move || {
            let mail = inbox.take(far);
            inbox.end();
            mail
        }
    });
    assert!(!inbox.wait_for_end(Duration::from_millis(1)));
    inbox.put([changed(1)]);
    assert!(inbox.wait_for_end(Duration::from_secs(60)));
    assert_eq!(waiting.join().unwrap().notices, [changed(1)]);
}
