//! Invocations as spans and events of `tracing`.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::io::{self, Write};
use std::sync::{Arc, Barrier, Mutex};

use skilldeck_runtime::{
    Host, HostError, Initiator, Memory, Policy, Registry, Request, ShellOutput, ShellRequest,
    Source, SourceInfo, Tier,
};
use tracing_subscriber::fmt::format::FmtSpan;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// What is logged while this runs.
    fn of(run: impl FnOnce()) -> Vec<String> {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_span_events(FmtSpan::CLOSE)
            .with_ansi(false)
            .without_time()
            .finish();
        tracing::subscriber::with_default(subscriber, run);
        let bytes = log.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }
}

fn deck() -> (Arc<Memory>, Source) {
    let memory = Arc::new(Memory::default());
    memory.insert("lint", "---\ndescription: Lints.\n---\nLint.\n");
    memory.insert(
        "commit",
        "---\ndescription: Commits.\nversion: 1.2.0\ndepends-on: [lint]\n---\nCommit $ARGUMENTS.\n",
    );
    memory.insert("mine", "---\ndescription: Mine.\ndisable-model-invocation: true\n---\nMine.\n");
    let mut info = SourceInfo::new("team", Tier::USER);
    info.trusted = true;
    (Arc::clone(&memory), Source::memory(memory, info))
}

#[test]
fn an_invocation_is_a_span_with_those_of_its_dependencies_inside() {
    let (_, source) = deck();
    let registry = Registry::builder().source(source).build().unwrap();
    let log = Log::of(|| {
        let request = Request::line("/commit secret words").protocol("acp").session("s-1");
        registry.invoke(&request).unwrap();
    });
    let [inner, outer] = &log[..] else { panic!("{log:#?}") };
    let depth = |line: &str| line.matches("skill_activation{").count();
    assert_eq!((depth(inner), depth(outer)), (2, 1), "{log:#?}");
    for field in [
        r#"skill="commit""#,
        r#"version="1.2.0""#,
        r#"source="team""#,
        r#"protocol="acp""#,
        r#"initiator="user""#,
        r#"session="s-1""#,
        "generation=1",
        "success=true",
        "duration_ms=",
        "arguments_hash=",
    ] {
        assert!(outer.contains(field), "{field}: {outer}");
    }
    assert!(inner.contains(r#"skill="lint""#) && inner.contains("parent_id="), "{inner}");
    assert!(!log.concat().contains("secret"), "{log:#?}");
}

#[test]
fn refusals_old_texts_and_registries_without_sources_are_events() {
    let (memory, source) = deck();
    let log = Log::of(|| {
        let registry = Registry::builder().source(source).build().unwrap();
        registry.invoke(&Request::command("mine", "").initiator(Initiator::Model)).unwrap_err();
        for session in ["a", "b"] {
            registry.invoke(&Request::command("lint", "").session(session)).unwrap();
        }
        memory.insert("lint", "---\ndescription: Lints.\n---\nLint it all.\n");
        registry.reload();
        Registry::builder().build().unwrap();
    });
    let said: Vec<&String> =
        log.iter().filter(|line| !line.contains("skill_activation{")).collect();
    let [refused, old, none] = &said[..] else { panic!("{log:#?}") };
    assert!(refused.contains("WARN") && refused.contains("skill refused"), "{refused}");
    assert!(refused.contains(r#"skill="mine""#) && refused.contains(r#"error_type="refused""#));
    assert!(old.contains("WARN") && old.contains("sessions=2 generation=2"), "{old}");
    assert!(none.contains("INFO") && none.contains("no source of skills"), "{none}");
}

#[test]
fn commands_that_run_side_by_side_log_inside_of_their_skill() {
    /// All three commands are there at once, so each is on a thread of its own.
    struct Logs(Barrier);
    impl Host for Logs {
        fn shell(&self, request: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
            self.0.wait();
            tracing::info!(command = request.command, "ran");
            Ok(ShellOutput::default())
        }
    }
    let (memory, source) = deck();
    memory.insert("look", "---\ndescription: Looks.\n---\n!`one` !`two` !`three`\n");
    let host = Logs(Barrier::new(3));
    let registry = Registry::builder().source(source).host(host).build().unwrap();
    let log = Log::of(|| {
        let policy = Policy::new().allow_shell(true);
        registry.invoke_with(&policy, &Request::line("/look")).unwrap();
    });
    let ran: Vec<&String> = log.iter().filter(|line| line.contains("ran command=")).collect();
    assert_eq!(ran.len(), 3, "{log:#?}");
    for line in ran {
        assert!(line.contains("skill_activation{") && line.contains("skill=\"look\""), "{line}");
    }
}
