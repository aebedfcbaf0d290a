//! The agent as a part of another program: its own host, and the client of the protocol library.

#![cfg(feature = "acp")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, InitializeRequest, NewSessionRequest, PromptRequest,
    SessionNotification, SessionUpdate, StopReason,
};
use agent_client_protocol::{Agent as AgentRole, Channel, Client, on_receive_notification};
use futures_lite::future::{block_on, or, pending};
use skilldeck_bridges::Projects;
use skilldeck_bridges::acp::{Agent, agent_client_protocol};
use skilldeck_runtime::{ForkRequest, Host, HostError, Memory, Registry, Source, SourceInfo, Tier};

/// More than anything here takes.
const BOUND: Duration = Duration::from_secs(30);

/// A host whose sub-sessions answer, or wait until they are cancelled.
#[derive(Default)]
struct Forks {
    begun: AtomicUsize,
    cancelled: AtomicUsize,
}

struct Shared(Arc<Forks>);

impl Host for Shared {
    fn fork(&self, request: &ForkRequest<'_>) -> Result<String, HostError> {
        self.0.begun.fetch_add(1, Ordering::SeqCst);
        if !request.prompt.contains("for ever") {
            return Ok(format!("answer of {:?}", request.session.unwrap_or_default()));
        }
        let end = Instant::now() + BOUND;
        while !request.cancel.is_cancelled() {
            assert!(Instant::now() < end, "nobody cancels");
            thread::sleep(Duration::from_millis(2));
        }
        self.0.cancelled.fetch_add(1, Ordering::SeqCst);
        Err(HostError::Cancelled)
    }
}

fn registry(forks: &Arc<Forks>) -> Registry {
    let mine = Arc::new(Memory::default());
    mine.insert("ask", "---\ndescription: Asks.\ncontext: fork\n---\nAnswer.\n");
    mine.insert("wait", "---\ndescription: Waits.\ncontext: fork\n---\nWork for ever.\n");
    let mut info = SourceInfo::new("mine", Tier::USER);
    info.trusted = true;
    let host = Shared(Arc::clone(forks));
    Registry::builder().source(Source::memory(mine, info)).host(host).build().unwrap()
}

#[test]
fn a_fork_gives_the_answer_and_ends_when_it_is_cancelled() {
    let forks = Arc::new(Forks::default());
    let theirs = Arc::clone(&forks);
    let projects = Projects::new(move |_: &Path| Ok(registry(&theirs)));
    let said = Arc::new(Mutex::new(String::new()));
    let heard = Arc::clone(&said);
    let (ours, agents) = Channel::duplex();
    let serve = Agent::new(projects).serve(agents, pending());
    let client = Client
        .v1()
        .on_receive_notification(
            async move |it: SessionNotification, _: ConnectionTo<AgentRole>| {
                if let SessionUpdate::AgentMessageChunk(chunk) = it.update
                    && let ContentBlock::Text(text) = chunk.content
                {
                    heard.lock().unwrap().push_str(&text.text);
                }
                Ok(())
            },
            on_receive_notification!(),
        )
        .connect_with(ours, async |agent: ConnectionTo<AgentRole>| {
            agent.send_request(InitializeRequest::new(ProtocolVersion::V1)).block_task().await?;
            let opened = agent.send_request(NewSessionRequest::new("/")).block_task().await?;
            let session = opened.session_id;
            let prompt = |text: &str| PromptRequest::new(session.clone(), vec![text.into()]);
            let done = agent.send_request(prompt("/skill:ask")).block_task().await?;
            assert_eq!(done.stop_reason, StopReason::EndTurn);
            assert_eq!(*said.lock().unwrap(), format!("answer of {:?}", &*session.0));

            let waiting = agent.send_request(prompt("/skill:wait"));
            blocking::unblock({
                let forks = Arc::clone(&forks);
                move || eventually("the fork begins", || forks.begun.load(Ordering::SeqCst) == 2)
            })
            .await;
            agent.send_notification(CancelNotification::new(session.clone()))?;
            assert_eq!(waiting.block_task().await?.stop_reason, StopReason::Cancelled);
            Ok(())
        });
    // Whoever ends first ends it all; the client does, unless the agent breaks.
    block_on(or(client, async {
        serve.await?;
        panic!("the agent ends before its client");
    }))
    .unwrap();
    eventually("the fork hears of it", || forks.cancelled.load(Ordering::SeqCst) == 1);
}

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + BOUND;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}
