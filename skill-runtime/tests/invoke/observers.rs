//! Observers of a registry: they hear of everything, and nobody waits for them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};

use skilldeck_runtime::{
    Activation, Host, HostError, Initiator, Memory, Observer, Registry, Request, ShellOutput,
    ShellRequest, Source, StaleContext,
};

use crate::support::{Events, info, skill, source};

const PATIENCE: Duration = Duration::from_secs(20);

/// Blocks at each event until it is let go.
struct Blocking(Mutex<Receiver<()>>);

impl Observer for Blocking {
    fn observe(&self, _: &Activation) {
        let _ = self.0.lock().unwrap().recv_timeout(PATIENCE);
    }
}

fn blocking() -> (Arc<Blocking>, Sender<()>) {
    let (sender, receiver) = channel();
    (Arc::new(Blocking(Mutex::new(receiver))), sender)
}

/// Passes on that it heard something.
struct Quick(Mutex<Sender<()>>);

impl Observer for Quick {
    fn observe(&self, _: &Activation) {
        let _ = self.0.lock().unwrap().send(());
    }
}

struct Panicking;

impl Observer for Panicking {
    fn observe(&self, activation: &Activation) {
        panic!("{}", activation.skill());
    }
}

/// Keeps what it hears of old text, as `session skill given>generation`.
#[derive(Default)]
struct Old(Mutex<Vec<String>>);

impl Observer for Old {
    fn observe(&self, _: &Activation) {}

    fn stale(&self, it: &StaleContext) {
        let line = format!("{} {} {}>{}", it.session, it.skill, it.given, it.generation);
        self.0.lock().unwrap().push(line);
    }
}

impl Old {
    fn take(&self, registry: &Registry) -> Vec<String> {
        assert!(registry.flush(PATIENCE));
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

#[test]
fn all_hear_of_everything_in_order() {
    let (one, two) = (Arc::new(Events::default()), Arc::new(Events::default()));
    let skills = [
        ("lint", "Lint.\n"),
        ("commit", "depends-on: [lint]\n---\nCommit.\n"),
        ("mine", "disable-model-invocation: true\n---\nMine.\n"),
    ];
    let registry = Registry::builder()
        .source(source("mine", true, &skills))
        .observer(Arc::clone(&one) as _)
        .observer(Arc::new(Panicking))
        .observer(Arc::clone(&two) as _)
        .build()
        .unwrap();
    registry.invoke(&Request::line("/commit")).unwrap();
    registry.invoke(&Request::command("mine", "").initiator(Initiator::Model)).unwrap_err();
    assert!(registry.flush(PATIENCE));
    let heard: Vec<String> = [
        "commit started",
        "lint started",
        "lint completed",
        "commit completed",
        "mine refused refused",
    ]
    .map(str::to_owned)
    .into();
    assert_eq!((one.lines(), two.lines()), (heard.clone(), heard));
    assert_eq!(registry.lost_events(), 0);
}

#[test]
fn one_that_blocks_delays_nothing_and_loses_only_its_own() {
    let (blocked, let_go) = blocking();
    let (sender, heard) = channel();
    let registry = Registry::builder()
        .source(source("mine", true, &[("hello", "Hello.\n")]))
        .observer(blocked)
        .observer(Arc::new(Quick(Mutex::new(sender))))
        .build()
        .unwrap();
    for _ in 0..20 {
        for _ in 0..100 {
            registry.invoke(&Request::line("/hello")).unwrap();
        }
        for _ in 0..200 {
            heard.recv_timeout(PATIENCE).expect("the quick one hears of all");
        }
    }
    // One event is with the observer, 1,024 wait.
    assert_eq!(registry.lost_events(), 4000 - 1025);
    assert!(!registry.flush(Duration::from_millis(1)));
    drop(let_go);
    assert!(registry.flush(PATIENCE), "what waited was told");
}

#[test]
fn a_registry_goes_without_waiting_for_one_that_blocks() {
    let (blocked, _kept) = blocking();
    let registry = Registry::builder()
        .source(source("mine", true, &[("hello", "Hello.\n")]))
        .observer(blocked)
        .build()
        .unwrap();
    registry.invoke(&Request::line("/hello")).unwrap();
    let begun = Instant::now();
    drop(registry);
    assert!(begun.elapsed() < PATIENCE / 2);
}

/// A deck in memory, to be changed.
fn changeable(
    texts: &[(&str, &str)],
    host: impl Host + 'static,
) -> (Arc<Memory>, Registry, Arc<Old>) {
    let memory = Arc::new(Memory::default());
    for (name, text) in texts {
        memory.insert(*name, skill(text));
    }
    let old = Arc::new(Old::default());
    let source = Source::memory(Arc::clone(&memory), info("mine", true));
    let observer = Arc::clone(&old) as _;
    let registry =
        Registry::builder().source(source).host(host).observer(observer).build().unwrap();
    (memory, registry, old)
}

#[test]
fn a_session_with_old_text_is_told_of_once() {
    let texts = [("lint", "Lint.\n"), ("commit", "depends-on: [lint]\n---\nCommit.\n")];
    let (memory, registry, old) = changeable(&texts, skilldeck_runtime::NoHost);
    for session in ["b", "a"] {
        registry.invoke(&Request::line("/commit").session(session)).unwrap();
    }
    registry.invoke(&Request::line("/commit")).unwrap();
    assert_eq!(old.take(&registry), [""; 0]);

    memory.insert("lint", skill("Lint it all.\n"));
    registry.reload();
    assert_eq!(old.take(&registry), ["a lint 1>2", "b lint 1>2"], "a dependency is text too");

    memory.insert("lint", skill("Lint it all again.\n"));
    memory.insert("commit", skill("argument-hint: what\n---\nCommit.\n"));
    registry.reload();
    assert_eq!(old.take(&registry), [""; 0], "told already, and metadata is no text");

    registry.invoke(&Request::line("/lint").session("a")).unwrap();
    registry.invoke(&Request::line("/lint").session("b")).unwrap();
    registry.end_session("b");
    memory.insert("lint", skill("Lint.\n"));
    registry.reload();
    assert_eq!(old.take(&registry), ["a lint 3>4"]);
}

/// Changes the skill while its shell span runs.
#[derive(Default)]
struct Meanwhile {
    registry: Arc<OnceLock<(Arc<Memory>, Weak<Registry>)>>,
}

impl Host for Meanwhile {
    fn shell(&self, _: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
        let (memory, registry) = self.registry.get().unwrap();
        memory.insert("status", skill("Another text.\n"));
        registry.upgrade().unwrap().reload();
        Ok(ShellOutput { stdout: "output".to_owned() })
    }
}

#[test]
fn a_text_that_is_old_when_it_is_given_counts() {
    let host = Meanwhile::default();
    let link = Arc::clone(&host.registry);
    let (memory, registry, old) = changeable(&[("status", "!`git status`\n")], host);
    let registry = Arc::new(registry);
    link.set((memory, Arc::downgrade(&registry))).ok().unwrap();
    let policy = skilldeck_runtime::Policy::new().allow_shell(true);
    let request = Request::line("/status").session("a");
    let outcome = registry.invoke_with(&policy, &request).unwrap();
    assert!(outcome.text().contains("output") && outcome.generation() == 1, "{outcome:?}");
    assert_eq!(old.take(&registry), ["a status 1>2"]);
}
