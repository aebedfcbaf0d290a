//! Events, their texts and their hashes.

use std::fs;
use std::time::{Duration, SystemTime};

use super::packed::Packed;
use super::{ActivationState, ArgumentsHash, Draft, Ending, HashKey, Observer, Use, keyed, notify};
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
        arguments: ArgumentsHash::of("secret", &HashKey::default()),
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
        keyed(Use::Process, &bytes)
    };
    assert_eq!(parts(&["ab", "c"]), parts(&["ab", "c"]));
    assert_ne!(parts(&["ab", "c"]), parts(&["a", "bc"]));
    assert_ne!(parts(&["a"]), parts(&["a", ""]));
    assert_ne!(keyed(Use::Process, &[b"a"]), keyed(Use::Confirmation, &[b"a"]));
    assert!(parts(&["a"]) as u64 != (parts(&["a"]) >> 64) as u64, "the keys are two");
}

#[test]
fn equal_arguments_are_equal_under_one_key_in_every_version() {
    // The vector of the reference implementation of SipHash-2-4-128: key 00 to 0f, no input.
    let key = HashKey::from_bytes(std::array::from_fn(|byte| byte as u8));
    let hash = ArgumentsHash::of("", &key);
    assert_eq!(hash.to_string(), "a3817f04ba25a8e66df67214c7550293");
    assert_ne!(ArgumentsHash::of("a", &key), hash);
    assert_ne!(ArgumentsHash::of("", &HashKey::default()), hash);
    assert_eq!(ArgumentsHash::of("a", &key), ArgumentsHash::of("a", &key.clone()));
    assert_eq!(format!("{key:?}"), "HashKey { .. }");
}

#[test]
fn a_key_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("state/skilldeck/arguments.key");
    let keys: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| HashKey::kept(&path).unwrap().0)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]), "those who make it agree");
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing else is left");
    assert_ne!(keys[0], HashKey::default().0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let mode = fs::metadata(path.parent().unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    for bad in ["", "abc", &"g".repeat(32), &"+0".repeat(16), &"0".repeat(33), &"0".repeat(99)] {
        fs::write(&path, bad).unwrap();
        let error = HashKey::kept(&path).unwrap_err().to_string();
        assert!(error.contains("is no file of 32 hex digits"), "{bad}: {error}");
    }
    let error = HashKey::kept(directory.path()).unwrap_err().to_string();
    assert!(error.contains("is no file of 32 hex digits"), "{error}");
    fs::write(&path, format!("{:032X}\n", 0xab)).unwrap();
    assert_eq!(HashKey::kept(&path).unwrap().0[15], 0xab);
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
