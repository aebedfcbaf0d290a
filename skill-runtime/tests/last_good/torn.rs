//! A file that somebody writes to while it is read, again and again.

use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::{Tree, registry, skill_text, user};
use crate::{now, ready};

#[test]
fn what_a_writer_leaves_behind_is_what_is_read_in_the_end() {
    let tree = Tree::new();
    let path = &tree.skill("demo", "");
    let registry = registry([user(tree.root())]);
    for round in 0..5 {
        let (is_seen, is_done) = (&AtomicBool::new(false), &AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(move || {
                // In place and in small pieces, as a careless editor saves.
                let mut file = File::create(path).unwrap();
                file.write_all(skill_text("demo", "").as_bytes()).unwrap();
                for line in 0..4_000 {
                    writeln!(file, "{round} {line}").unwrap();
                    if line > 200 && is_seen.load(Ordering::Acquire) {
                        break;
                    }
                }
                writeln!(file, "the end").unwrap();
                is_done.store(true, Ordering::Release);
            });
            while !is_done.load(Ordering::Acquire) {
                registry.reload();
                is_seen.store(true, Ordering::Release);
            }
        });
        registry.reload();
        let text = std::fs::read_to_string(path).unwrap();
        let body = text.split_once("\n---\n").unwrap().1;
        assert!(body.ends_with("the end\n"));
        assert_eq!(now(&registry, "demo"), ready(body), "round {round}");
    }
}
