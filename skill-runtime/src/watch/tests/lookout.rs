//! Turn by turn, without a thread and with a system that does what it is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::backend::Refusal;
use super::super::inbox::{Inbox, Mail};
use super::super::lookout::Lookout;
use super::super::mount::Mounts;
use super::super::notice::Notice;
use super::super::status::Attention;
use super::super::{WatchOptions, Watched};
use super::{AT_ONCE, Found, System, paths, place, territory};
use crate::catalog::{Look, Territory};

struct Case {
    found: Arc<Found>,
    system: System,
    lookout: Lookout,
}

impl Case {
    fn new(options: WatchOptions, system: System, territory: Territory) -> Self {
        let found = Found::new([territory]);
        let watched: Arc<dyn Watched> = Arc::clone(&found) as _;
        let lookout = Lookout::begin(&watched, Arc::new(Inbox::default()), options, system.start());
        Self { found, system, lookout }
    }

    /// The looks of one turn.
    fn turn(&mut self, mail: Mail) -> Vec<Look> {
        self.lookout.turn(&*self.found, mail);
        self.found.looks()
    }

    fn notice(&mut self, notice: Notice) -> Vec<Look> {
        self.turn(Mail { notices: vec![notice], ..Mail::default() })
    }

    /// Why the one root is polled.
    fn reason(&self) -> Option<String> {
        let status = self.lookout.status().lock().unwrap();
        match &status.roots[0].attention {
            Attention::Watched => None,
            Attention::Polled { reason } => Some(reason.clone()),
        }
    }
}

#[test]
fn it_begins_with_everything_and_then_looks_where_something_happened() {
    let (_directory, root) = place();
    let mut case = Case::new(AT_ONCE, System::default(), territory(&root, &["one"]));
    assert_eq!(case.reason(), None);
    let armed = case.system.armed();
    assert_eq!(armed, root.ancestors().count() + 1, "each once, with all above");
    assert_eq!(case.turn(Mail::default()), [Look::Everything]);
    assert_eq!(case.turn(Mail::default()), []);

    let file = root.join("one/SKILL.md");
    assert_eq!(case.notice(Notice::Changed(file.clone())), [paths([&*file])]);
    assert_eq!(case.notice(Notice::Changed(root.with_file_name("other"))), []);
    assert_eq!(case.notice(Notice::Replaced(PathBuf::from("/no/such/place"))), []);
    assert_eq!(case.system.armed(), 0);

    // The root itself, as seen from above it.
    assert_eq!(case.notice(Notice::Changed(root.clone())), [paths([&*root])]);
}

#[test]
fn lost_reports_are_made_good() {
    let (_directory, root) = place();
    let mut case = Case::new(AT_ONCE, System::default(), territory(&root, &["one", "two"]));
    case.turn(Mail::default());
    let all = case.system.armed();
    let looks = case.turn(Mail { lost: true, ..Mail::default() });
    assert_eq!(looks[0], Look::Everything);
    assert_eq!(case.system.armed(), all, "every watch is made anew");
    assert_eq!(case.turn(Mail::default()), []);
}

#[test]
fn what_is_watched_only_now_is_looked_at_again() {
    let (_directory, root) = place();
    let mut case = Case::new(AT_ONCE, System::default(), territory(&root, &[]));
    case.turn(Mail::default());
    let new = root.join("new");
    // The first look finds a directory; the look at that finds another one in it.
    *case.found.later.lock().unwrap() =
        vec![territory(&root, &["new"]), territory(&root, &["new", "new/deep"])];
    let looks = case.notice(Notice::Replaced(new.clone()));
    assert_eq!(looks, [paths([&*new]), paths([&*new]), paths([&*new.join("deep")])]);
    assert!(case.system.watches(&new.join("deep")));
    assert_eq!(case.turn(Mail::default()), []);
}

#[test]
fn what_never_ends_is_given_time() {
    let (_directory, root) = place();
    let quiet = Duration::from_secs(3600);
    let options = WatchOptions { quiet, delay: quiet, ..AT_ONCE };
    let mut case = Case::new(options, System::default(), territory(&root, &[]));
    case.turn(Mail::default());
    let names: Vec<String> = (0..100).map(|at| format!("d{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    *case.found.later.lock().unwrap() =
        (2..100).map(|count| territory(&root, &names[..count])).collect();
    case.found.set(territory(&root, &["d0"]));
    let looks = case.turn(Mail { nudged: true, ..Mail::default() }).len();
    assert!((5..50).contains(&looks), "{looks}");
    assert!(case.lookout.next() > Instant::now(), "the rest waits for quiet");
}

#[test]
fn what_somebody_else_found_is_watched() {
    let (_directory, root) = place();
    let mut case = Case::new(AT_ONCE, System::default(), territory(&root, &[]));
    case.turn(Mail::default());
    case.found.set(territory(&root, &["new"]));
    let looks = case.turn(Mail { nudged: true, ..Mail::default() });
    assert_eq!(looks, [paths([&*root.join("new")])]);
    assert!(case.system.watches(&root.join("new")));
}

#[test]
fn what_is_replaced_is_armed_anew_with_all_below() {
    let (_directory, root) = place();
    let mut case = Case::new(AT_ONCE, System::default(), territory(&root, &["g", "g/a", "h"]));
    case.turn(Mail::default());
    case.system.armed();
    let looks = case.notice(Notice::Replaced(root.join("g")));
    assert_eq!(looks[0], paths([&*root.join("g")]));
    assert_eq!(case.system.armed(), 2, "g and g/a");
    // Content is no reason to arm anew.
    case.notice(Notice::Changed(root.join("h")));
    assert_eq!(case.system.armed(), 0);
}

#[test]
fn too_little_room_is_polled_until_there_is_more() {
    let (_directory, root) = place();
    let system = System::default();
    system.set(|state| state.room = Some(3));
    let options = WatchOptions { poll: Duration::ZERO, ..AT_ONCE };
    let mut case = Case::new(options, system, territory(&root, &["one", "two"]));
    assert!(case.reason().unwrap().contains("raise its limit `room`"), "{:?}", case.reason());
    assert!(case.lookout.next() <= Instant::now() + WatchOptions::SHORTEST);
    case.turn(Mail::default());
    case.system.armed();
    for _ in 0..3 {
        poll_is_due(&case.lookout);
        assert_eq!(case.turn(Mail::default()), [Look::Everything]);
        assert_eq!(case.system.armed(), 0, "what works is kept");
    }
    case.system.set(|state| state.room = None);
    poll_is_due(&case.lookout);
    assert_eq!(case.turn(Mail::default())[0], Look::Everything);
    assert_eq!(case.reason(), None);
    assert!(case.system.watches(&root.join("two")));
    assert_eq!(case.turn(Mail::default()), []);
    assert!(case.lookout.next() > Instant::now() + Duration::from_secs(60), "no more polls");
}

/// Waits for the time of the next turn.
fn poll_is_due(lookout: &Lookout) {
    let inbox = Inbox::default();
    inbox.take(lookout.next());
}

#[test]
fn a_system_that_reports_nothing_is_polled_until_it_does() {
    let (_directory, root) = place();
    let system = System::default();
    system.set(|state| state.unable = Some(Refusal::Limit("instances")));
    let options = WatchOptions { poll: Duration::ZERO, ..AT_ONCE };
    let mut case = Case::new(options, system, territory(&root, &[]));
    assert!(case.reason().unwrap().contains("`instances`"));
    case.turn(Mail::default());
    poll_is_due(&case.lookout);
    assert_eq!(case.turn(Mail::default()), [Look::Everything]);
    case.system.set(|state| state.unable = None);
    poll_is_due(&case.lookout);
    case.turn(Mail::default());
    assert_eq!(case.reason(), None);
    assert!(case.system.watches(&root));
}

#[test]
fn who_is_asked_to_poll_asks_the_system_for_nothing() {
    let (_directory, root) = place();
    let options = WatchOptions { poll: Duration::ZERO, force_polling: true, ..AT_ONCE };
    let mut case = Case::new(options, System::default(), territory(&root, &[]));
    for _ in 0..3 {
        poll_is_due(&case.lookout);
        assert_eq!(case.turn(Mail::default()), [Look::Everything]);
    }
    assert_eq!(case.reason().unwrap(), "polling was asked for");
    assert_eq!(case.system.armed(), 0);
}

#[test]
fn what_may_not_be_read_matters_only_where_something_is_missing_in_it() {
    let (_directory, base) = place();
    fs::create_dir(base.join("there")).unwrap();
    for (root, polled) in [("there", false), ("missing", true)] {
        let system = System::default();
        system.set(|state| drop(state.refused.insert(base.clone(), Refusal::Denied)));
        let root = base.join(root);
        let mut territory = territory(&root, &[]);
        if polled {
            territory.directories.clear();
        }
        let case = Case::new(AT_ONCE, system, territory);
        assert_eq!(case.reason().is_some(), polled, "{:?}", case.reason());
    }
}

#[test]
fn a_sweep_finds_what_stands_in_the_place_of_another() {
    let (_directory, root) = place();
    fs::create_dir(root.join("one")).unwrap();
    fs::create_dir(root.join("two")).unwrap();
    let options = WatchOptions { sweep: Duration::ZERO, ..AT_ONCE };
    let mut case = Case::new(options, System::default(), territory(&root, &["one", "two"]));
    case.turn(Mail::default());
    case.system.armed();
    poll_is_due(&case.lookout);
    assert_eq!(case.turn(Mail::default()), [Look::Everything]);
    assert_eq!(case.system.armed(), 0);
    fs::rename(root.join("one"), root.join("three")).unwrap();
    fs::create_dir(root.join("one")).unwrap();
    poll_is_due(&case.lookout);
    let one = root.join("one");
    assert_eq!(case.turn(Mail::default()), [Look::Everything, paths([&*one])]);
    assert_eq!(case.system.armed(), 1);
}

#[test]
fn a_system_that_is_deaf_while_it_changes() {
    let (_directory, root) = place();
    let system = System::default();
    system.set(|state| state.is_deaf_while_changing = true);
    let mut case = Case::new(AT_ONCE, system, territory(&root, &[]));
    assert_eq!(case.turn(Mail::default()), [Look::Everything]);
    case.found.set(territory(&root, &["new"]));
    assert_eq!(case.turn(Mail { nudged: true, ..Mail::default() }), [Look::Everything]);
    assert_eq!(case.turn(Mail::default()), []);
}

#[test]
fn a_shared_file_system_is_polled_beside() {
    let (_directory, root) = place();
    let case = Case::new(AT_ONCE, System::default(), territory(&root, &[]));
    let mounts = |kind: &str| {
        Mounts::parse(&format!(
            "1 0 8:1 / / rw - ext4 x rw\n2 1 0:1 / {} rw - {kind} x rw\n",
            root.display()
        ))
    };
    let found = &case.found.territories()[0];
    let reason = case.lookout.obstacle(0, found, &mounts("nfs4")).unwrap();
    assert!(reason.ends_with("it lies on `nfs4`"), "{reason}");
    assert_eq!(case.lookout.obstacle(0, found, &mounts("xfs")), None);
    let relative = territory(Path::new("skills"), &[]);
    assert!(case.lookout.obstacle(0, &relative, &Mounts::default()).is_some());
}
