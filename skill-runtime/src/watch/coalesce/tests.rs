//! When what is looked at.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{Coalescer, MAX_PATHS};
use crate::catalog::Look;

enum Step {
    Add(&'static str),
    Everything,
    Lost,
    /// The look that is due by now.
    Take(&'static [&'static str]),
    /// Nothing is due, until this many milliseconds after the start.
    Wait(Option<u64>),
}
use Step::{Add, Everything, Lost, Take, Wait};

const ALL: &[&str] = &["*"];

#[test]
fn steps() {
    // Quiet is 50 ms, the longest delay 500 ms. Each step has its time.
    let cases: &[(&str, &[(u64, Step)])] = &[
        ("nothing", &[(0, Wait(None)), (9999, Wait(None))]),
        (
            "one path waits for quiet",
            &[(0, Add("a")), (49, Wait(Some(50))), (50, Take(&["a"])), (51, Wait(None))],
        ),
        (
            "each path begins the quiet anew",
            &[(0, Add("b")), (40, Add("a")), (80, Add("b")), (129, Wait(Some(130)))],
        ),
        (
            "but the first waits no longer than the delay",
            &[
                (0, Add("a")),
                (45, Add("a")),
                (90, Add("b")),
                (480, Add("c")),
                (499, Wait(Some(500))),
                (500, Take(&["a", "b", "c"])),
                (501, Add("d")),
                (501, Wait(Some(551))),
            ],
        ),
        (
            "everything is due at once and has all paths in it",
            &[(0, Add("a")), (10, Everything), (10, Take(ALL)), (60, Wait(None))],
        ),
        (
            "what comes between is in it too",
            &[(0, Everything), (0, Add("a")), (0, Take(ALL)), (50, Wait(None))],
        ),
        (
            "after a look, time begins anew",
            &[(0, Add("a")), (50, Take(&["a"])), (70, Add("b")), (119, Wait(Some(120)))],
        ),
        (
            "lost reports are made good at once, but not for ever",
            &[
                (0, Lost),
                (0, Take(ALL)),
                (1, Lost),
                (2, Wait(Some(500))),
                (500, Take(ALL)),
                (3000, Lost),
                (3000, Take(ALL)),
            ],
        ),
        (
            "a sweep need not wait for lost reports",
            &[(0, Lost), (0, Take(ALL)), (1, Lost), (2, Everything), (2, Take(ALL))],
        ),
    ];
    let start = Instant::now();
    for (name, steps) in cases {
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut coalescer = Coalescer::new(Duration::from_millis(50), Duration::from_millis(500));
        for (ms, step) in *steps {
            match step {
                Add(path) => coalescer.add(PathBuf::from(path), at(*ms)),
                Everything => coalescer.everything(at(*ms)),
                Lost => coalescer.lost(at(*ms)),
                Take(paths) => {
                    let expected = if *paths == ALL {
                        Look::Everything
                    } else {
                        Look::Paths(paths.iter().map(PathBuf::from).collect())
                    };
                    assert_eq!(coalescer.take(at(*ms)), Some(expected), "{name}, {ms} ms");
                }
                Wait(due) => {
                    assert_eq!(coalescer.due(), due.map(at), "{name}, {ms} ms");
                    assert_eq!(coalescer.take(at(*ms)), None, "{name}, {ms} ms");
                }
            }
        }
    }
}

#[test]
fn many_paths_are_everything() {
    let now = Instant::now();
    for (count, everything) in [(MAX_PATHS, false), (MAX_PATHS + 1, true), (3 * MAX_PATHS, true)] {
        let mut coalescer = Coalescer::new(Duration::ZERO, Duration::ZERO);
        for at in 0..count {
            coalescer.add(PathBuf::from(format!("/{at}")), now);
        }
        assert_eq!(coalescer.take(now) == Some(Look::Everything), everything, "{count}");
        coalescer.add(PathBuf::from("/a"), now);
        let one = Look::Paths([PathBuf::from("/a")].into());
        assert_eq!(coalescer.take(now), Some(one), "it begins anew");
    }
}
