//! `serve acp`, as an agent and before one: real processes, line by line.

mod agent;
mod crowd;
mod faults;
mod proxy;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::running::ended;
use crate::support::Workspace;

/// More than anything here takes, even on a busy machine.
const BOUND: Duration = Duration::from_secs(60);

/// A process that is talked to in lines.
struct Peer {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
}

impl Peer {
    fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = lines(BufReader::new(child.stdout.take().unwrap()));
        let stderr = lines(BufReader::new(child.stderr.take().unwrap()));
        let stdin = child.stdin.take();
        Self { child, stdin, stdout, stderr }
    }

    /// `serve acp` in a workspace, with these arguments before and behind it.
    fn serve(workspace: &Workspace, before: &[&str], behind: &[&str]) -> Self {
        let arguments = before.iter().chain(&["serve", "acp"]).chain(behind);
        Self::start(workspace.command(arguments.copied()))
    }

    fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).unwrap();
    }

    fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// Sends a request.
    fn request(&mut self, id: impl Into<Value>, method: &str, params: &Value) {
        let id = id.into();
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    /// Sends a prompt of one text.
    fn prompt(&mut self, id: impl Into<Value>, session: &str, text: &str) {
        let prompt = json!([{ "type": "text", "text": text }]);
        self.request(id, "session/prompt", &json!({ "sessionId": session, "prompt": prompt }));
    }

    fn raw(&self) -> Vec<u8> {
        next(&self.stdout).expect("it says more")
    }

    fn next(&self) -> Value {
        let line = self.raw();
        serde_json::from_slice(&line)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&line)))
    }

    /// Reads up to the first message that is right, and gives all of them.
    fn until(&self, is_right: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut read = Vec::new();
        loop {
            let message = self.next();
            let is_last = is_right(&message);
            read.push(message);
            if is_last {
                return read;
            }
        }
    }

    /// The answer to a request.
    fn answer(&self, id: impl Into<Value>) -> Value {
        let id = id.into();
        self.until(|message| message["id"] == id && message.get("method").is_none()).pop().unwrap()
    }

    /// The names that are announced next.
    fn announced(&self) -> Vec<String> {
        let list = self.until(|it| it["params"]["update"]["availableCommands"].is_array()).pop();
        names(&list.unwrap())
    }

    /// What is said up to the answer to a prompt, and the answer.
    fn said(&self, id: impl Into<Value>) -> (String, Value) {
        let id = id.into();
        let mut all = self.until(|it| it["id"] == id && it.get("method").is_none());
        let answer = all.pop().unwrap();
        let texts = all.iter().filter(|it| update(it) == "agent_message_chunk");
        let texts = texts.map(|it| it["params"]["update"]["content"]["text"].as_str());
        (texts.map(Option::unwrap_or_default).collect(), answer)
    }

    fn initialize(&mut self) -> Value {
        let params = json!({ "protocolVersion": 1, "clientCapabilities": {} });
        self.request(0, "initialize", &params);
        self.answer(0)
    }

    /// Opens a session of this name there, and reads what is announced for it.
    fn open(&mut self, session: &str, directory: &Path) -> Vec<String> {
        let params = json!({ "sessionId": session, "cwd": directory, "mcpServers": [] });
        self.request(format!("open {session}"), "session/load", &params);
        let answer = self.answer(format!("open {session}"));
        assert!(answer["result"].is_object(), "{answer}");
        self.announced()
    }

    /// Says nothing more, and waits for the end.
    fn finish(mut self) -> (ExitStatus, Vec<Vec<u8>>, String) {
        drop(self.stdin.take());
        self.ended()
    }

    /// Waits for the end.
    fn ended(mut self) -> (ExitStatus, Vec<Vec<u8>>, String) {
        let status = ended(&mut self.child);
        let rest = std::iter::from_fn(|| next(&self.stdout)).collect();
        let errors: Vec<_> = std::iter::from_fn(|| next(&self.stderr)).collect();
        (status, rest, String::from_utf8(errors.concat()).unwrap())
    }

    /// Ends it in one of several ways: nothing more is said, or a signal.
    fn end_by(self, way: &str) {
        let ended = if way == "end" {
            self.finish()
        } else {
            self.kill(way);
            self.ended()
        };
        // Who is killed has no code.
        assert_eq!(ended.0.code(), if way == "KILL" { None } else { Some(0) }, "{way}");
    }

    fn kill(&self, signal: &str) {
        let kill = format!("kill -s {signal} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn names(announcement: &Value) -> Vec<String> {
    let list = announcement["params"]["update"]["availableCommands"].as_array().unwrap();
    list.iter().map(|command| command["name"].as_str().unwrap().to_owned()).collect()
}

/// Which update a message is.
fn update(message: &Value) -> &str {
    message["params"]["update"]["sessionUpdate"].as_str().unwrap_or_default()
}

/// The lines of a stream as they are, line ends included.
fn lines(mut stream: impl BufRead + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        loop {
            let mut line = Vec::new();
            match stream.read_until(b'\n', &mut line) {
                Ok(1..) if sender.send(line).is_ok() => {}
                _ => return,
            }
        }
    });
    receiver
}

fn next(lines: &Receiver<Vec<u8>>) -> Option<Vec<u8>> {
    match lines.recv_timeout(BOUND) {
        Ok(line) => Some(line),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => panic!("no line comes"),
    }
}

/// Waits until something is so.
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + BOUND;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether any process has this in its command line.
fn runs(mark: &str) -> bool {
    Command::new("pgrep").args(["-f", "--", mark]).output().unwrap().status.success()
}
