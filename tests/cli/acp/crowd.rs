//! Many sessions at once, while skills are edited.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::time::{Duration, Instant};

use super::{Peer, update};
use crate::support::Workspace;

const SESSIONS: usize = 32;
const PROMPTS: usize = 1_000;

/// So many versions of the deck are seen at least.
const VERSIONS: usize = 10;

/// Between two edits: longer than the quiet that a watcher waits for.
const PAUSE: Duration = Duration::from_millis(120);

/// What the memory of a process takes now.
fn resident(peer: &Peer) -> u64 {
    let status =
        fs::read_to_string(format!("/proc/{}/status", peer.child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or_default()
}

/// A version of the deck: each of its skills says which one it is.
fn publish(workspace: &Workspace, version: usize) {
    let front = "description: Counts.\ndepends-on: base\n";
    workspace.save_skill(
        ".agents/skills",
        "base",
        "description: Base.\n",
        &format!("base {version};\n"),
    );
    workspace.save_skill(".agents/skills", "top", front, &format!("top {version};\n"));
}

#[test]
fn no_answer_of_a_crowd_is_lost_or_mixed() {
    let workspace = Workspace::new();
    publish(&workspace, 0);
    let mut peer = Peer::serve(&workspace, &["--no-bundled"], &[]);
    peer.initialize();
    let name = |session: usize| format!("s{session}");
    for session in 0..SESSIONS {
        peer.open(&name(session), &workspace.project());
    }
    let mut open: HashMap<usize, (String, Instant)> = HashMap::new();
    let mut texts: HashMap<String, String> = HashMap::new();
    let mut taken: Vec<Duration> = Vec::with_capacity(PROMPTS);
    let mut versions = BTreeSet::new();
    let (mut edits, mut warm) = (0, 0);
    let mut ready: Vec<String> = (0..SESSIONS).map(name).collect();
    let mut sent = 0;
    let mut edited = Instant::now();
    loop {
        let is_enough = taken.len() >= PROMPTS && versions.len() >= VERSIONS;
        if is_enough && open.is_empty() {
            break;
        }
        assert!(sent < 100 * PROMPTS, "edits are not seen: {versions:?}");
        for session in ready.drain(..).filter(|_| !is_enough) {
            // The name of the session is in what is typed, and comes back.
            peer.prompt(sent, &session, &format!("/top {session}."));
            open.insert(sent, (session, Instant::now()));
            sent += 1;
        }
        let message = peer.next();
        let session = message["params"]["sessionId"].as_str().unwrap_or_default();
        if update(&message) == "agent_message_chunk" {
            let text = message["params"]["update"]["content"]["text"].as_str().unwrap();
            texts.entry(session.to_owned()).or_default().push_str(text);
            continue;
        }
        let Some(id) = message["id"].as_u64() else { continue };
        assert_eq!(message["result"]["stopReason"], "end_turn", "{message}");
        let (session, begun) = open.remove(&(id as usize)).expect("an answer comes once");
        taken.push(begun.elapsed());
        let text = texts.remove(&session).expect("a text comes before its answer");
        assert!(text.contains(&format!("{session}.")), "{session}: {text}");
        let number = |word: &str| -> usize {
            let (_, rest) = text.split_once(word).unwrap_or_else(|| panic!("{word}: {text}"));
            rest.split(';').next().unwrap().parse().unwrap()
        };
        let (base, top) = (number("base "), number("top "));
        // Two files are two writes, and a reload may be between them.
        assert!(base == top || base == top + 1, "base {base}, top {top}");
        versions.insert((base, top));
        ready.push(session);
        if edited.elapsed() > PAUSE {
            edits += 1;
            publish(&workspace, edits);
            edited = Instant::now();
        }
        if taken.len() == PROMPTS / 4 {
            warm = resident(&peer);
        }
    }
    let grown = resident(&peer).saturating_sub(warm);
    taken.sort();
    let at = |share: usize| taken[taken.len() * share / 100 - 1];
    println!(
        "{SESSIONS} sessions, {sent} prompts, {edits} edits, {} versions seen: \
         p50 {:?}, p90 {:?}, p99 {:?}, max {:?}; {warm} kB, and {grown} kB more at the end",
        versions.len(),
        at(50),
        at(90),
        at(99),
        at(100),
    );
    assert!(grown < 32 << 10, "{warm} kB, and {grown} kB more at the end");
}
