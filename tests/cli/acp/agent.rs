//! What an editor gets from the agent.

use std::fs;

use serde_json::{Value, json};

use super::{Peer, eventually, names, runs, update};
use crate::support::Workspace;

#[test]
fn commands_follow_the_files_and_bodies_tell_nobody() {
    let workspace = Workspace::new();
    workspace.save_skill(
        ".agents/skills",
        "one",
        "description: First.\naliases: [uno]\n",
        "One.\n",
    );
    let mut peer = Peer::serve(&workspace, &["--no-bundled"], &[]);
    let hello = peer.initialize();
    let list = &hello["result"]["agentCapabilities"]["_meta"]["skilldeck.dev/skills"];
    assert_eq!(list[0]["name"], "skill:one");
    assert_eq!(list[0]["description"], "(untrusted) First.");
    assert_eq!(peer.open("s", &workspace.project()), ["skill:one", "skill:uno"]);

    workspace.save_skill(
        ".agents/skills",
        "one",
        "description: First.\naliases: [uno]\n",
        "Two.\n",
    );
    // The next that is announced is the next change that an editor shows.
    eventually("the new body is in force", || {
        peer_says(&mut Peer::serve(&workspace, &["--no-bundled"], &[]), &workspace, "Two.")
    });
    workspace.save_skill(
        ".agents/skills",
        "two",
        "description: Second.\narguments: [a, b]\n",
        "$a\n",
    );
    let list = peer.until(|it| update(it) == "available_commands_update").pop().unwrap();
    assert_eq!(names(&list), ["skill:one", "skill:two", "skill:uno"]);
    let commands = &list["params"]["update"]["availableCommands"];
    assert!(commands[0].get("input").is_none(), "{commands}");
    assert_eq!(commands[1]["input"], json!({ "hint": "[a] [b]" }));
    let (text, answer) = {
        peer.prompt(1, "s", "/uno");
        peer.said(1)
    };
    assert!(text.contains("Two.") && answer["result"]["stopReason"] == "end_turn", "{text}");

    fs::remove_dir_all(workspace.project().join(".agents")).unwrap();
    loop {
        // Deleting is several steps, of which an editor may see more than one.
        if peer.announced().is_empty() {
            break;
        }
    }
    let (status, ..) = peer.finish();
    assert_eq!(status.code(), Some(0));
}

fn peer_says(peer: &mut Peer, workspace: &Workspace, text: &str) -> bool {
    peer.initialize();
    peer.open("s", &workspace.project());
    peer.prompt(1, "s", "/skill:one");
    peer.said(1).0.contains(text)
}

#[test]
fn without_skills_nothing_is_announced() {
    let workspace = Workspace::new();
    let mut peer = Peer::serve(&workspace, &["--no-bundled", "--no-default-roots"], &[]);
    peer.initialize();
    peer.request(1, "session/new", &json!({ "cwd": workspace.project(), "mcpServers": [] }));
    let session = peer.next()["result"]["sessionId"].as_str().unwrap().to_owned();
    peer.prompt(2, &session, "/skill:x");
    let (text, _) = peer.said(2);
    assert!(text.contains("skills are unavailable"), "{text}");
}

#[test]
fn sessions_of_one_process_have_their_own_projects() {
    let (first, second) = (Workspace::new(), Workspace::new());
    first.skill(".agents/skills", "here", "description: A.\n", "First project.\n");
    second.skill(".agents/skills", "here", "description: B.\n", "Second project.\n");
    let mut peer = Peer::serve(&first, &["--no-bundled"], &[]);
    peer.initialize();
    for (session, workspace, wanted) in
        [("a", &first, "First"), ("b", &second, "Second"), ("c", &first, "First")]
    {
        peer.open(session, &workspace.project());
        peer.prompt(session, session, "/here");
        let (text, _) = peer.said(session);
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn a_cancelled_shell_command_is_gone() {
    let workspace = Workspace::new();
    let body = "!`touch started; exec sleep 4711.25`\n";
    workspace.skill(".agents/skills", "slow", "description: Waits.\n", body);
    workspace.skill(".agents/skills", "quick", "description: Quick.\n", "Done.\n");
    let flags = ["--no-bundled", "--trust"];
    let mut peer = Peer::serve(&workspace, &flags, &["--allow-shell"]);
    peer.initialize();
    peer.open("s", &workspace.project());
    peer.open("t", &workspace.project());
    peer.prompt(1, "s", "/slow");
    let started = workspace.project().join("started");
    eventually("the command starts", || started.exists());

    // Others are served meanwhile, and this one has one prompt at a time.
    peer.prompt(2, "t", "/quick");
    assert!(peer.said(2).0.contains("Done."));
    peer.prompt(3, "s", "/quick");
    let refused = peer.answer(3);
    assert!(refused["error"]["data"].as_str().unwrap().contains("still being answered"));

    peer.send(
        &json!({ "method": "session/cancel", "params": { "sessionId": "s" }, "jsonrpc": "2.0" }),
    );
    assert_eq!(peer.answer(1)["result"]["stopReason"], "cancelled");
    eventually("its process is gone", || !runs("sleep 4711.25"));
    peer.prompt(4, "s", "/quick");
    assert!(peer.said(4).0.contains("Done."));

    // The protocol's other way to cancel.
    fs::remove_file(&started).unwrap();
    peer.prompt(5, "s", "/slow");
    eventually("the command starts again", || started.exists());
    let params = json!({ "requestId": 5 });
    peer.send(&json!({ "method": "$/cancel_request", "params": params, "jsonrpc": "2.0" }));
    assert_eq!(peer.answer(5)["result"]["stopReason"], "cancelled");
    eventually("its process is gone too", || !runs("sleep 4711.25"));
}

#[test]
fn who_is_asked_may_refuse_or_not_be_able_to_ask() {
    let workspace = Workspace::new();
    let front = "description: Asks.\nrequire-confirmation: true\n";
    workspace.skill(".agents/skills", "careful", front, "Careful work.\n");
    let mut peer = Peer::serve(&workspace, &["--no-bundled"], &[]);
    peer.initialize();
    peer.open("s", &workspace.project());
    let chosen = |option: &str| json!({ "outcome": { "outcome": "selected", "optionId": option } });
    let failed = json!({ "code": -32601, "message": "Method not found" });
    let cases: [(Value, &str, &str); 5] = [
        (json!({ "result": chosen("allow") }), "Careful work.", "end_turn"),
        (json!({ "result": chosen("reject") }), "The answer was no.", "end_turn"),
        (json!({ "result": chosen("else") }), "The answer was no.", "end_turn"),
        (json!({ "error": failed }), "The editor cannot ask: Method not found", "end_turn"),
        (json!({ "result": { "outcome": { "outcome": "cancelled" } } }), "", "cancelled"),
    ];
    for (id, (mut reply, wanted, reason)) in cases.into_iter().enumerate() {
        peer.prompt(id, "s", "/careful");
        let asked = peer.until(|it| it["method"] == "session/request_permission").pop().unwrap();
        let title = asked["params"]["toolCall"]["title"].as_str().unwrap();
        assert!(title.contains("run skill `careful`?"), "{title}");
        reply["id"] = asked["id"].clone();
        reply["jsonrpc"] = "2.0".into();
        peer.send(&reply);
        let (text, answer) = peer.said(id);
        assert!(text.contains(wanted), "{reply}: {text}");
        assert_eq!(answer["result"]["stopReason"], reason, "{reply}");
    }
    // Cancelled while the question is open.
    peer.prompt(9, "s", "/careful");
    peer.until(|it| it["method"] == "session/request_permission");
    peer.send(
        &json!({ "method": "session/cancel", "params": { "sessionId": "s" }, "jsonrpc": "2.0" }),
    );
    assert_eq!(peer.answer(9)["result"]["stopReason"], "cancelled");
}
