//! Decks whose commands run, and a look at the processes of this system.

use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use skilldeck_core::template::{Dialect, Positional};
use skilldeck_runtime::{
    CancelToken, Error, Memory, Policy, ProcessHost, Registry, Request, Shape, Source, SourceInfo,
    Tier,
};

/// Longer than anything takes on a busy machine, shorter than what would hang.
pub(crate) const BOUND: Duration = Duration::from_secs(30);

/// A deck of one trusted skill `x`.
pub(crate) fn deck(dialect: Dialect, keys: &str, body: &str) -> Registry {
    let memory = Memory::default();
    memory.insert("x", format!("---\ndescription: For a test.\n{keys}---\n{body}"));
    let mut info = SourceInfo::new("mine", Tier::USER);
    info.trusted = true;
    info.positional = Positional::Always;
    info.dialect = dialect;
    let source = Source::memory(Arc::new(memory), info);
    Registry::builder().source(source).host(ProcessHost::new()).build().unwrap()
}

pub(crate) fn allowed() -> Policy {
    Policy::new().allow_shell(true)
}

/// Runs one command of a skill.
pub(crate) fn shell(command: &str) -> Result<String, Error> {
    shell_with(&allowed(), "", command, None, &CancelToken::new())
}

pub(crate) fn shell_with(
    policy: &Policy,
    keys: &str,
    command: &str,
    directory: Option<&Path>,
    cancel: &CancelToken,
) -> Result<String, Error> {
    let registry = deck(Dialect::Claude, keys, &format!("```!\n{command}\n```\n"));
    let mut request = Request::line("/x").shape(Shape::Plain).cancel(cancel.clone());
    if let Some(directory) = directory {
        request = request.directory(directory);
    }
    registry.invoke_with(policy, &request).map(|outcome| outcome.into_text())
}

/// A word that nobody else has, to find processes by.
pub(crate) fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("skilldeck-mark-{}-{count}-", process::id())
}

/// The processes that have this mark in their environment or arguments, but for this one.
pub(crate) fn marked(mark: &str) -> Vec<u32> {
    let has_mark = |bytes: Vec<u8>| bytes.windows(mark.len()).any(|part| part == mark.as_bytes());
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
        if id != process::id() && (has_mark(read("environ")) || has_mark(read("cmdline"))) {
            found.push(id);
        }
    }
    found
}

pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + BOUND;
    while !holds() {
        assert!(Instant::now() < end, "{what}: not within {BOUND:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until no process has this mark.
pub(crate) fn wait_for_none(mark: &str) {
    wait_until("the processes of the command are gone", || marked(mark).is_empty());
}
