//! What no editor should say, and what it gets for it.

use std::fs;

use serde_json::{Value, json};

use super::{Peer, eventually, runs};
use crate::support::Workspace;

fn ready(workspace: &Workspace) -> Peer {
    workspace.skill(".agents/skills", "echo", "description: Repeats.\n", "It is: $ARGUMENTS\n");
    let mut peer = Peer::serve(workspace, &["--no-bundled"], &[]);
    peer.initialize();
    peer.open("s", &workspace.project());
    peer
}

/// The session works as before.
fn works(peer: &mut Peer) {
    peer.prompt("works", "s", "/echo fine");
    let (text, answer) = peer.said("works");
    assert!(text.contains("It is: fine"), "{text}");
    assert_eq!(answer["result"]["stopReason"], "end_turn");
}

#[test]
fn nonsense_is_a_protocol_error_and_harms_no_session() {
    let workspace = Workspace::new();
    let mut peer = ready(&workspace);
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}]"#;
    let deep = "[".repeat(100_000);
    for (line, code) in [
        (&b"nonsense"[..], -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\xff\"}", -32700),
        (deep.as_bytes(), -32700),
        (batch.as_bytes(), -32600),
        (b"[]", -32600),
        (b"17", -32600),
        (b"\"text\"", -32600),
        (br#"{"jsonrpc":"2.0","id":1}"#, -32600),
    ] {
        peer.write(&[line, b"\n"].concat());
        let answer = peer.next();
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]);
        assert_eq!(answer["error"]["code"], code, "{shown}: {answer}");
        assert!(answer.to_string().len() < 1_000, "{shown}: an error is short");
        works(&mut peer);
    }
    for (method, params, code) in [
        ("no/such", json!({}), -32601),
        ("session/set_mode", json!({ "sessionId": "s", "modeId": "x" }), -32601),
        ("session/new", json!({}), -32602),
        ("session/new", json!({ "cwd": 3, "mcpServers": [] }), -32602),
        ("session/new", json!({ "cwd": "relative", "mcpServers": [] }), -32602),
        (
            "session/load",
            json!({ "cwd": "/", "mcpServers": [], "sessionId": "x".repeat(2000) }),
            -32602,
        ),
        ("session/prompt", json!({ "sessionId": "s", "prompt": "text" }), -32602),
        ("session/prompt", json!({ "sessionId": "s" }), -32602),
        ("session/prompt", json!({ "sessionId": 7, "prompt": [] }), -32602),
        ("session/prompt", json!({ "sessionId": "nobody", "prompt": [] }), -32002),
        ("session/close", json!({ "sessionId": "nobody" }), -32002),
    ] {
        peer.request("bad", method, &params);
        let answer = peer.answer("bad");
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
        works(&mut peer);
    }
    // Nobody is answered who did not ask.
    peer.send(
        &json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": 3 } }),
    );
    peer.send(&json!({ "jsonrpc": "2.0", "method": "no/such", "params": {} }));
    peer.send(&json!({ "jsonrpc": "2.0", "id": 99, "result": {} }));
    works(&mut peer);
}

#[test]
fn a_prompt_before_the_beginning_is_refused() {
    let workspace = Workspace::new();
    let mut peer = Peer::serve(&workspace, &[], &[]);
    peer.prompt(1, "s", "/skill:commit");
    assert_eq!(peer.next()["error"]["code"], -32600);
    peer.request(2, "session/new", &json!({ "cwd": "/", "mcpServers": [] }));
    let refused = peer.next();
    let why = refused["error"]["data"].as_str().unwrap();
    assert!(why.contains("initialization must complete before `session/new`"), "{refused}");
    peer.initialize();
    assert!(peer.open("s", &workspace.project()).contains(&"skill:commit".to_owned()));
}

#[test]
fn what_was_asked_is_answered_though_nothing_more_is_said() {
    let workspace = Workspace::new();
    let last_answer = |mut peer: Peer, method: &str, params: Value| {
        peer.request("last", method, &params);
        let (status, lines, _) = peer.finish();
        assert_eq!(status.code(), Some(0));
        let mut lines = lines.iter().map(|line| serde_json::from_slice::<Value>(line).unwrap());
        lines.find(|it| it["id"] == "last").expect("it is answered")
    };
    let peer = Peer::serve(&workspace, &[], &[]);
    let answer = last_answer(peer, "initialize", json!({ "protocolVersion": 1 }));
    assert_eq!(answer["result"]["protocolVersion"], 1);
    let mut peer = Peer::serve(&workspace, &[], &[]);
    peer.initialize();
    let params = json!({ "cwd": workspace.project(), "mcpServers": [] });
    assert!(last_answer(peer, "session/new", params)["result"]["sessionId"].is_string());
    let prompt = json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": "/echo x" }] });
    let answer = last_answer(ready(&workspace), "session/prompt", prompt);
    assert!(answer["result"]["stopReason"].is_string(), "{answer}");
}

#[test]
fn large_messages_are_taken_and_endless_ones_refused() {
    let workspace = Workspace::new();
    let mut peer = ready(&workspace);
    let million = "ä".repeat(1_000_000);
    peer.prompt(1, "s", &format!("/echo {million}"));
    let (text, _) = peer.said(1);
    assert!(text.contains(&million));

    let image = json!({ "type": "image", "mimeType": "image/png", "data": "A".repeat(50 << 20) });
    let prompt = json!([{ "type": "text", "text": "/echo small" }, image]);
    peer.request(2, "session/prompt", &json!({ "sessionId": "s", "prompt": prompt }));
    let (text, answer) = peer.said(2);
    assert!(text.contains("It is: small"), "{text}");
    assert_eq!(answer["result"]["stopReason"], "end_turn");

    peer.prompt(3, "s", &"x".repeat(65 << 20));
    let answer = peer.next();
    assert_eq!(answer["error"]["code"], -32700);
    assert!(answer["error"]["data"].as_str().unwrap().contains("at most"), "{answer}");
    works(&mut peer);
}

#[test]
fn a_client_that_vanishes_leaves_nothing() {
    let workspace = Workspace::new();
    let body = "!`touch started; exec sleep 4712.25`\n";
    workspace.skill(".agents/skills", "slow", "description: Waits.\n", body);
    let started = workspace.project().join("started");
    for way in ["end", "TERM", "INT", "KILL"] {
        let mut peer = Peer::serve(&workspace, &["--trust"], &["--allow-shell"]);
        peer.initialize();
        peer.open("s", &workspace.project());
        peer.prompt(1, "s", "/slow");
        eventually("the command starts", || started.exists());
        peer.end_by(way);
        eventually(&format!("{way}: its process is gone"), || !runs("sleep 4712.25"));
        fs::remove_file(&started).unwrap();
    }
}

#[test]
fn there_are_so_many_sessions_and_no_more() {
    let workspace = Workspace::new();
    let mut peer = ready(&workspace);
    let params = json!({ "cwd": workspace.project(), "mcpServers": [] });
    for id in 0..1_100 {
        peer.request(id, "session/new", &params);
    }
    let is_answer = |it: &Value| it.get("method").is_none();
    let mut refused = 0;
    for _ in 0..1_100 {
        let answer = peer.until(is_answer).pop().unwrap();
        if let Some(error) = answer.get("error") {
            assert!(error["data"].as_str().unwrap().contains("too many sessions"), "{error}");
            refused += 1;
        }
    }
    // One was there before.
    assert_eq!(refused, 1_100 + 1 - 1_024);
    peer.request("close", "session/close", &json!({ "sessionId": "s" }));
    assert!(peer.answer("close")["result"].is_object());
    peer.open("t", &workspace.project());
}

#[test]
fn a_configuration_that_is_broken_is_an_error_of_its_session_alone() {
    let (good, bad) = (Workspace::new(), Workspace::new());
    bad.write("skilldeck.yml", "skills: [\n");
    let mut peer = ready(&good);
    let params = json!({ "cwd": bad.project(), "mcpServers": [] });
    peer.request(1, "session/new", &params);
    let refused: Value = peer.answer(1);
    assert!(refused["error"]["data"].as_str().unwrap().contains("skilldeck.yml"), "{refused}");
    works(&mut peer);
}
