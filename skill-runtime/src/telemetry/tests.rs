//! Events, their texts and their hashes.

use std::time::{Duration, SystemTime};

use super::packed::Packed;
use super::{ActivationState, ArgumentsHash, Draft, Ending, Observer, Use, keyed, notify};
use crate::caller::Initiator;

fn draft() -> Draft<'static> {
    Draft {
        parent: None,
        name: "Commit It",
        word: "commit-it",
        version: None,
        source: "user",
        protocol: "cli",
        agent: Some(""),
        session: Some("s-1"),
        generation: 7,
        initiator: Initiator::Model,
        arguments: ArgumentsHash::of("secret"),
    }
}

#[test]
fn an_end_keeps_what_the_start_said() {
    let now = SystemTime::UNIX_EPOCH;
    let started = draft().started(now);
    let failed = started.ended(now + Duration::from_millis(1500), Ending::Failed("io"));
    assert_eq!((started.state(), started.success()), (ActivationState::Started, None));
    assert_eq!((failed.state(), failed.success()), (ActivationState::Failed, Some(false)));
    assert_eq!((failed.error_type(), failed.duration_ms()), (Some("io"), Some(1500.0)));
    for event in [&started, &failed] {
        let texts = (event.name(), event.skill(), event.source(), event.protocol());
        assert_eq!(texts, ("Commit It", "commit-it", "user", "cli"));
        let optional = (event.version(), event.agent(), event.session());
        assert_eq!(optional, (None, Some(""), Some("s-1")));
        assert_eq!((event.id(), event.generation()), (started.id(), 7));
    }
    assert_ne!(draft().started(now).id(), started.id());
}

#[test]
fn a_clock_that_was_put_back_is_no_time() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(9);
    let ended = draft().started(now).ended(SystemTime::UNIX_EPOCH, Ending::Completed);
    assert_eq!((ended.duration(), ended.success()), (Some(Duration::ZERO), Some(true)));
}

#[test]
fn hashes_tell_parts_and_uses_apart() {
    let parts = |parts: &[&str]| {
        let bytes: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
        keyed(Use::Arguments, &bytes)
    };
    assert_eq!(parts(&["ab", "c"]), parts(&["ab", "c"]));
    assert_ne!(parts(&["ab", "c"]), parts(&["a", "bc"]));
    assert_ne!(parts(&["a"]), parts(&["a", ""]));
    assert_ne!(keyed(Use::Arguments, &[b"a"]), keyed(Use::Confirmation, &[b"a"]));
    assert_eq!(ArgumentsHash::of("a").to_string().len(), 32);
    assert!(parts(&["a"]) as u64 != (parts(&["a"]) >> 64) as u64, "the keys are two");
}

#[test]
fn texts_of_any_length_are_kept() {
    let long = "ü".repeat(400);
    for middle in [None, Some(""), Some("x"), Some(long.as_str())] {
        let packed = Packed::new([Some("a"), middle, Some("z")]);
        assert_eq!([packed.get(0), packed.get(1), packed.get(2)], [Some("a"), middle, Some("z")]);
    }
}

#[test]
fn a_panicking_observer_is_its_own_problem() {
    struct Panics;
    impl Observer for Panics {
        fn observe(&self, _: &super::Activation) {
            panic!("on purpose");
        }
    }
    notify(&Panics, &draft().started(SystemTime::UNIX_EPOCH));
}
