//! What stands between an editor and an agent: live skills for any agent.
//!
//! Two threads pass lines on, one for each direction, and look at the few parts that skills are
//! about. What takes time, such as loading a project or rendering, happens on a third.

mod down;
mod follow;
mod merge;
mod pipes;
mod render;
mod session;
mod tables;
mod up;
mod wire;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::{BoxFuture, Either, select};
use futures::stream::{FuturesUnordered, StreamExt};
use futures_lite::future::block_on;

use self::pipes::Pipes;
use self::tables::Tables;
use super::Sender;
use super::invoke::Pool;
use crate::Projects;

/// Stands between an editor and an agent. The editor sees the agent's commands and the skills of the
/// session's project behind them; where both have a name, it is the agent's. A skill that is typed
/// reaches the agent as its rendered prompt.
///
/// All else is passed on as it is, byte for byte, in both directions: unknown methods, `_meta`,
/// requests of the agent, errors, identifiers of any kind, and lines that are no messages.
///
/// ```no_run
/// use std::io;
/// use std::path::Path;
/// use std::process::Command;
///
/// use skilldeck_bridges::Projects;
/// use skilldeck_bridges::acp::Proxy;
/// use skilldeck_runtime::{Companion, Registry};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (agent, input, output) = Companion::start(Command::new("some-agent"))?;
/// let projects = Projects::new(|directory: &Path| {
///     Registry::builder().default_roots(directory).watch().build()
/// });
/// let ended = Proxy::new(projects).run((io::stdin(), io::stdout()), (output, input))?;
/// println!("ended by {ended:?}");
/// drop(agent);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Proxy {
    projects: Projects,
    name: Option<String>,
}

/// Who ended the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The editor says nothing more, and the agent has been told so. What it still says is passed on
    /// for as long as this process lives.
    Editor,
    /// The agent is gone. Every request that it had not answered was answered with an error.
    Agent,
}

/// What a task of the third thread is.
type Task = BoxFuture<'static, ()>;

/// All that the threads share.
struct Shared {
    projects: Arc<Projects>,
    name: Option<String>,
    pool: Pool,
    pipes: Pipes,
    tables: Tables,
    tasks: UnboundedSender<Task>,
}

impl Proxy {
    /// A proxy with the skills of these projects.
    #[must_use]
    pub const fn new(projects: Projects) -> Self {
        Self { projects, name: None }
    }

    /// Says which agent it is before, for skills that only some agents may use.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Passes lines on until one side ends. Each side is what is read from it and what is written
    /// to it.
    ///
    /// # Errors
    /// When no thread can be started, or a side cannot be read.
    pub fn run<EditorIn, EditorOut, AgentIn, AgentOut>(
        self,
        editor: (EditorIn, EditorOut),
        agent: (AgentIn, AgentOut),
    ) -> io::Result<Ended>
    where
        EditorIn: Read + Send + 'static,
        EditorOut: Write + Send + 'static,
        AgentIn: Read + Send + 'static,
        AgentOut: Write + Send + 'static,
    {
        let (tasks, queue) = unbounded();
        let shared = Arc::new(Shared {
            projects: Arc::new(self.projects),
            name: self.name,
            pool: Pool::new(),
            pipes: Pipes::new(editor.1, agent.1),
            tables: Tables::default(),
            tasks,
        });
        let (tell, ended) = channel();
        spawn("acp-skills", || block_on(work(queue)))?;
        let (up, down) = (Arc::clone(&shared), Arc::clone(&shared));
        let other = tell.clone();
        // Nobody hears of the second end.
        spawn("acp-up", move || drop(tell.send(up::pump(&up, editor.0))))?;
        spawn("acp-down", move || drop(other.send(down::pump(&down, agent.0))))?;
        ended.recv().unwrap_or_else(|_| Err(io::Error::other("both directions broke")))
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Works on tasks until nobody can send any more.
async fn work(mut queue: UnboundedReceiver<Task>) {
    let mut running: FuturesUnordered<Task> = FuturesUnordered::new();
    loop {
        if running.is_empty() {
            match queue.next().await {
                Some(task) => running.push(task),
                None => return,
            }
        }
        match select(queue.next(), running.next()).await {
            Either::Left((Some(task), _)) => running.push(task),
            Either::Left((None, _)) => return,
            Either::Right(_) => {}
        }
    }
}

impl Shared {
    /// Gives the third thread something to do.
    fn begin(&self, task: impl Future<Output = ()> + Send + 'static) {
        // It ends with the last of those who could send.
        let _ = self.tasks.unbounded_send(Box::pin(task));
    }

    fn sender(&self, session: &str, directory: &std::path::Path) -> Sender {
        let sender = Sender::new(session).directory(directory);
        match &self.name {
            Some(name) => sender.agent(&**name),
            None => sender,
        }
    }
}
