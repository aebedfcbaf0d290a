//! What goes through the proxy, and what does not.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::Receiver;

use serde_json::{Value, json};

use super::{Peer, eventually, lines, names, next, runs};
use crate::support::Workspace;

/// An agent that the test plays itself: what it reads and writes goes through two pipes.
struct Agent {
    reads: Receiver<Vec<u8>>,
    writes: Option<File>,
}

impl Agent {
    fn command(directory: &Path) -> [String; 3] {
        for pipe in ["in", "out"] {
            let made = Command::new("mkfifo").arg(directory.join(pipe)).status().unwrap();
            assert!(made.success());
        }
        let script = format!("cd {}; cat out & exec cat >in", directory.display());
        ["sh".to_owned(), "-c".to_owned(), script]
    }

    fn play(directory: &Path) -> Self {
        let writes = File::options().write(true).open(directory.join("out")).unwrap();
        let reads = lines(BufReader::new(File::open(directory.join("in")).unwrap()));
        Self { reads, writes: Some(writes) }
    }

    fn read(&self) -> Vec<u8> {
        next(&self.reads).expect("it is told more")
    }

    fn write(&mut self, bytes: &[u8]) {
        self.writes.as_mut().expect("it is open").write_all(bytes).unwrap();
    }
}

/// A proxy before an agent of the test, with a session that is called `s`.
fn between(workspace: &Workspace, before: &[&str], behind: &[&str]) -> (Peer, Agent) {
    let directory = workspace.project().join("pipes");
    std::fs::create_dir(&directory).unwrap();
    let [sh, c, script] = Agent::command(&directory);
    let behind = [behind, &["--", &sh, &c, &script]].concat();
    let mut peer = Peer::serve(workspace, before, &behind);
    let mut agent = Agent::play(&directory);
    let params = json!({ "cwd": workspace.project(), "mcpServers": [] });
    peer.request("new", "session/new", &params);
    agent.read();
    agent.write(b"{\"jsonrpc\":\"2.0\",\"id\":\"new\",\"result\":{\"sessionId\":\"s\"}}\n");
    assert_eq!(peer.next()["result"]["sessionId"], "s");
    assert_eq!(peer.announced(), ["skill:greet"]);
    (peer, agent)
}

fn greeting() -> Workspace {
    let workspace = Workspace::new();
    workspace.skill(".agents/skills", "greet", "description: Greets.\n", "Greet $ARGUMENTS.\n");
    workspace
}

/// Lines of an exchange that a proxy has no business with, each as strange as the protocol allows.
fn strange() -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"_meta":{"b":1,"a":1.0}}}"#,
        r#"{ "method" : "_vendor/thing", "params":{"x":1e400},"jsonrpc":"2.0","id":-7}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"odd"}"#,
        r#"{"jsonrpc":"2.0","id":"sk\u0069lldeck-1","result":{"outcome":{"outcome":"cancelled"}}}"#,
        r#"{"jsonrpc":"2.0","id":12345678901234567890,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"error":{"code":-1,"message":"no","data":[]}}"#,
        r#"{"id":1,"id":2,"method":"session/prompt","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"hello /greet"}]}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"other","prompt":[{"type":"text","text":"/greet"}]}}"#,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\u00e4\/"}}}}"#,
        r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#,
        r#"[{"jsonrpc":"2.0","id":9,"method":"batch"}]"#,
        "",
        "not JSON at all",
        "\u{feff}{}",
        "{\"a\":\"with a carriage return\"}\r",
    ]
    .map(|line| format!("{line}\n").into_bytes())
    .into();
    lines.push(b"\xff\x00\xfe\n".to_vec());
    let long =
        json!({ "jsonrpc": "2.0", "method": "long", "params": { "x": "y".repeat(12 << 20) } });
    lines.push(format!("{long}\n").into_bytes());
    // Longer than what is looked at.
    lines.push([&vec![b'z'; 70 << 20][..], b"\n"].concat());
    lines
}

#[test]
fn all_but_commands_and_prompts_is_passed_on_byte_for_byte() {
    let workspace = greeting();
    let (mut peer, mut agent) = between(&workspace, &["--no-bundled"], &[]);
    let exchange = strange();
    for line in &exchange {
        let sent = line.clone();
        peer.write(&sent);
        assert!(
            agent.read() == *line,
            "up: {}",
            String::from_utf8_lossy(&line[..line.len().min(99)])
        );
    }
    for line in &exchange {
        agent.write(line);
        assert!(
            peer.raw() == *line,
            "down: {}",
            String::from_utf8_lossy(&line[..line.len().min(99)])
        );
    }

    // A prompt is the same around its text.
    let parts = [
        r#"{"params": {"prompt":[{"type":"resource_link","uri":"a","name":"b"},{"annotations":null,"text":"#,
        r#","type":"text"}],"_meta":{"z":1,"a":2},"sessionId":"s"},"id":1e3,"method":"session/prompt","jsonrpc":"2.0"}"#,
    ];
    let typed = format!("{}{}{}\n", parts[0], r#""\/greet Ada \"x\"""#, parts[1]);
    peer.write(typed.as_bytes());
    let got = String::from_utf8(agent.read()).unwrap();
    let middle =
        got.strip_prefix(parts[0]).and_then(|got| got.strip_suffix(&format!("{}\n", parts[1])));
    let text: String = serde_json::from_str(middle.expect("the rest is as it was")).unwrap();
    assert!(text.contains("Greet Ada \"x\"."), "{text}");
    let answer = b"{\"jsonrpc\":\"2.0\",\"id\":1e3,\"result\":{\"stopReason\":\"end_turn\"}}\n";
    agent.write(answer);
    assert_eq!(peer.raw(), answer);

    // So is an announcement, with the skills behind the agent's own, which win.
    let own = r#"[ {"name":"init" , "description":"Own.","x":1.0} ,{"name":"skill:greet","description":"Mine."}]"#;
    let announce = |list: &str| {
        format!(
            "{{\"params\":{{\"update\":{{\"availableCommands\":{list},\"sessionUpdate\":\"available_commands_update\"}},\"sessionId\":\"s\"}},\"method\":\"session/update\",\"jsonrpc\":\"2.0\"}}\n"
        )
    };
    agent.write(announce(own).as_bytes());
    assert_eq!(String::from_utf8(peer.raw()).unwrap(), announce(own));
    workspace.save_skill(".agents/skills", "more", "description: More.\n", "More.\n");
    let merged = peer.next();
    assert_eq!(names(&merged), ["init", "skill:greet", "skill:more"]);
    let list = &merged["params"]["update"]["availableCommands"];
    assert_eq!((&list[0]["x"], &list[1]["description"]), (&json!(1.0), &json!("Mine.")));
    agent.write(announce("[]").as_bytes());
    assert_eq!(names(&peer.next()), ["skill:greet", "skill:more"]);
}

#[test]
fn what_is_the_agents_reaches_the_agent() {
    let workspace = greeting();
    let (mut peer, mut agent) = between(&workspace, &["--no-bundled"], &[]);
    let own = json!([
        { "name": "greet", "description": "The agent's." },
        { "name": "skill:odd", "description": "The agent's." }
    ]);
    let update = json!({ "sessionUpdate": "available_commands_update", "availableCommands": own });
    let params = json!({ "sessionId": "s", "update": update });
    agent
        .write(format!("{}\n", json!({ "method": "session/update", "params": params })).as_bytes());
    assert_eq!(peer.announced(), ["greet", "skill:odd", "skill:greet"]);
    for line in ["/greet Ada", "/skill:odd", "/compact", "/etc/hosts is a file", "text", "/"] {
        peer.prompt(1, "s", line);
        let got: Value = serde_json::from_slice(&agent.read()).unwrap();
        assert_eq!(got["params"]["prompt"][0]["text"], line);
    }
    // By its prefix a skill is the deck's, also one that is not there.
    peer.prompt(2, "s", "/skill:greet Ada");
    let got: Value = serde_json::from_slice(&agent.read()).unwrap();
    assert!(got["params"]["prompt"][0]["text"].as_str().unwrap().contains("Greet Ada."));
    peer.prompt(3, "s", "/skill:gret Ada");
    let (text, answer) = peer.said(3);
    assert!(text.contains("`greet`") && text.contains("/skill:gret Ada"), "{text}");
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    peer.prompt(4, "s", "/skills");
    assert!(peer.said(4).0.contains("/skill:greet"));
}

#[test]
fn cancelling_ends_what_is_rendered_and_the_agent_never_hears_of_the_prompt() {
    let workspace = greeting();
    let body = "!`touch started; exec sleep 4713.25`\n";
    let (mut peer, agent) = between(&workspace, &["--no-bundled", "--trust"], &["--allow-shell"]);
    workspace.save_skill(".agents/skills", "slow", "description: Waits.\n", body);
    assert_eq!(peer.announced(), ["skill:greet", "skill:slow"]);
    peer.prompt(1, "s", "/slow");
    let started = workspace.project().join("started");
    eventually("the command starts", || started.exists());
    peer.prompt(2, "s", "/greet");
    assert!(peer.answer(2)["error"]["data"].as_str().unwrap().contains("still being rendered"));
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": "s" } });
    peer.send(&cancel);
    assert_eq!(peer.answer(1)["result"]["stopReason"], "cancelled");
    eventually("its process is gone", || !runs("sleep 4713.25"));
    // The next that the agent reads is the cancellation, and then the next prompt.
    assert_eq!(serde_json::from_slice::<Value>(&agent.read()).unwrap(), cancel);
    peer.prompt(3, "s", "/greet you");
    assert!(String::from_utf8(agent.read()).unwrap().contains("Greet you."));
}

#[test]
fn the_next_prompt_may_follow_the_answer_at_once() {
    let workspace = greeting();
    let (mut peer, mut agent) = between(&workspace, &["--no-bundled"], &[]);
    for id in 0..500 {
        peer.prompt(id, "s", "/greet you");
        // Whoever passes it on may be held up just then.
        let passed: Value = serde_json::from_slice(&agent.read()).unwrap();
        let answer = json!({ "id": passed["id"], "result": { "stopReason": "end_turn" } });
        agent.write(format!("{answer}\n").as_bytes());
        assert!(peer.next()["result"].is_object());
        peer.prompt("none", "s", "/skill:none");
        assert!(peer.said("none").1["result"].is_object());
    }
}

#[test]
fn a_question_is_the_editors_and_not_the_agents() {
    let workspace = greeting();
    let (mut peer, agent) = between(&workspace, &["--no-bundled"], &[]);
    let front = "description: Asks.\nrequire-confirmation: true\n";
    workspace.save_skill(".agents/skills", "careful", front, "Careful work.\n");
    peer.announced();
    for (option, passes) in [("allow", true), ("reject", false)] {
        peer.prompt(option, "s", "/careful");
        let asked = peer.next();
        assert_eq!(asked["method"], "session/request_permission");
        let outcome = json!({ "outcome": { "outcome": "selected", "optionId": option } });
        let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": outcome });
        peer.send(&answer);
        // Who says it twice says it to nobody.
        peer.send(&answer);
        if passes {
            assert!(String::from_utf8(agent.read()).unwrap().contains("Careful work."));
        } else {
            assert!(peer.said(option).0.contains("The answer was no."));
        }
    }
}

#[test]
fn an_agent_that_dies_is_an_error_of_every_open_request() {
    let workspace = greeting();
    let (mut peer, mut agent) = between(&workspace, &["--no-bundled"], &[]);
    let ids = [json!(1), json!("one"), json!(1.5), json!(-3), json!("\u{1}\"")];
    for id in &ids {
        peer.request(id.clone(), "session/prompt", &json!({ "sessionId": "s", "prompt": [] }));
        agent.read();
    }
    drop(agent.writes.take());
    let mut answered: Vec<Value> = Vec::new();
    for _ in &ids {
        let error = peer.next();
        assert!(
            error["error"]["data"].as_str().unwrap().contains("the agent has ended"),
            "{error}"
        );
        answered.push(error["id"].clone());
    }
    assert!(ids.iter().all(|id| answered.contains(id)), "{answered:?}");
    let (status, rest, errors) = peer.ended();
    assert_eq!((status.code(), rest.len()), (Some(1), 0));
    assert!(errors.contains("the agent has ended"), "{errors}");
}

#[test]
fn an_agent_that_is_not_there_is_said() {
    let workspace = Workspace::new();
    let peer = Peer::serve(&workspace, &[], &["--", "no-such-agent"]);
    let (status, _, errors) = peer.ended();
    assert_eq!(status.code(), Some(1));
    assert!(errors.contains("there is no `no-such-agent`"), "{errors}");
}

#[test]
fn the_agents_errors_are_passed_on_and_its_group_ends_with_the_proxy() {
    let workspace = Workspace::new();
    let script = "echo from the agent >&2; sleep 4714.25 & cat; sleep 4714.5";
    for way in ["end", "TERM", "KILL"] {
        let mut peer = Peer::serve(&workspace, &[], &["--", "sh", "-c", script]);
        let said = next(&peer.stderr).unwrap();
        assert_eq!(said, b"from the agent\n");
        peer.write(b"hello\n");
        assert_eq!(peer.raw(), b"hello\n");
        peer.end_by(way);
        eventually(&format!("{way}: nothing is left"), || !runs("sleep 4714"));
    }
}
