//! Standard input and output to a transport.
//!
//! Reading and writing block, so each has a thread. Lines that the protocol library would take apart
//! at length only to refuse them are answered here.

use std::future::Future;
use std::io::{self, Write};
use std::sync::mpsc as threads;
use std::thread;
use std::time::Duration;

use agent_client_protocol::{Agent as AgentRole, DynConnectTo, Error, Lines as Transport, Result};
use futures::channel::mpsc::{self, Receiver, Sender};
use futures::{SinkExt, StreamExt, sink};
use futures_lite::future::block_on;
use serde::de::IgnoredAny;
use serde_json::json;

use crate::lines::{Line, Lines, MOST_BYTES};

/// How many lines may wait in either direction.
const MOST_WAITING: usize = 64;

/// From which length on a line is looked at here first: the library gives back all of what it cannot
/// read.
const LONG: usize = 16 << 10;

/// How long the last answers may take to be written.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What the writing thread is given.
enum Out {
    Line(String),
    End,
}

/// Serves standard input and output with this, on this thread.
pub(super) fn serve<F>(serve: impl FnOnce(DynConnectTo<AgentRole>) -> F) -> io::Result<()>
where
    F: Future<Output = Result<()>>,
{
    let (mut replies, written) = mpsc::channel(MOST_WAITING);
    let (done, is_done) = threads::channel();
    thread::Builder::new().name("acp-output".to_owned()).spawn(move || {
        // Nobody hears it if the other side did not wait so long.
        let _ = done.send(block_on(write(written)));
    })?;
    let (lines, read) = mpsc::channel(MOST_WAITING);
    let errors = replies.clone();
    // It ends with the process, as nothing interrupts a read.
    thread::Builder::new().name("acp-input".to_owned()).spawn(|| {
        // Who has stopped listening has stopped the server.
        let _ = block_on(read_lines(lines, errors));
    })?;
    let outgoing = sink::unfold(replies.clone(), async |mut replies: Sender<Out>, line| {
        replies
            .send(Out::Line(line))
            .await
            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok::<_, io::Error>(replies)
    });
    let result = block_on(serve(DynConnectTo::new(Transport::new(Box::pin(outgoing), read))));
    let is_gone = block_on(replies.send(Out::End)).is_err();
    match is_done.recv_timeout(LAST_WORDS) {
        // A client that reads no more is gone, which is how all of this usually ends.
        Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        Ok(Err(error)) => return Err(error),
        Ok(Ok(())) | Err(_) if is_gone => return Ok(()),
        Ok(Ok(())) | Err(_) => {}
    }
    result.map_err(|error| io::Error::other(error.message))
}

async fn write(mut lines: Receiver<Out>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    while let Some(Out::Line(mut line)) = lines.next().await {
        line.push('\n');
        stdout.write_all(line.as_bytes())?;
        stdout.flush()?;
    }
    Ok(())
}

async fn read_lines(
    mut lines: Sender<io::Result<String>>,
    mut replies: Sender<Out>,
) -> std::result::Result<(), mpsc::SendError> {
    let mut stdin = Lines::new(io::stdin());
    loop {
        let line = match stdin.next() {
            Ok(Some(Line::Whole(line))) => readable(line),
            Ok(Some(Line::Beginning(_))) => match stdin.rest(|_| Ok(())) {
                Ok(()) => Err(format!("a message has at most {MOST_BYTES} bytes")),
                Err(error) => return lines.send(Err(error)).await,
            },
            Ok(None) => return Ok(()),
            Err(error) => return lines.send(Err(error)).await,
        };
        match line {
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => lines.send(Ok(line)).await?,
            Err(why) => {
                let error = Error::parse_error().data(why);
                let reply = json!({ "jsonrpc": "2.0", "id": null, "error": error });
                replies.send(Out::Line(reply.to_string())).await?;
            }
        }
    }
}

/// A line that is worth passing on.
fn readable(line: Vec<u8>) -> std::result::Result<String, String> {
    let line = String::from_utf8(line).map_err(|error| {
        format!("a message is UTF-8, and this is not at byte {}", error.utf8_error().valid_up_to())
    })?;
    if line.len() >= LONG {
        serde_json::from_str::<IgnoredAny>(&line).map_err(|error| error.to_string())?;
    }
    Ok(line)
}
