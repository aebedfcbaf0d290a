//! An agent that answers commands with their rendered prompts.

use std::future::Future;
use std::io;
use std::path::Path;
use std::sync::Arc;

use agent_client_protocol::v1::schema::{
    AgentCapabilities, AvailableCommandsUpdate, CancelNotification, CloseSessionRequest,
    CloseSessionResponse, Implementation, InitializeRequest, InitializeResponse,
    LoadSessionRequest, LoadSessionResponse, NewSessionRequest, NewSessionResponse,
    PromptCapabilities, PromptRequest, PromptResponse, ResumeSessionRequest, ResumeSessionResponse,
    SessionCapabilities, SessionCloseCapabilities, SessionId, SessionNotification,
    SessionResumeCapabilities, SessionUpdate,
};
use agent_client_protocol::v1::{ConnectionTo, Responder, schema};
use agent_client_protocol::{
    Agent as AgentRole, Client, ConnectTo, Error, Result, on_receive_notification,
    on_receive_request,
};
use async_lock::RwLock;
use futures::StreamExt;
use futures::channel::oneshot;
use futures::future::{Either, select};
use uuid::Uuid;

use super::invoke::Pool;
use super::session::{Session, Sessions};
use super::turn::answer;
use super::{Announced, SKILLS, Sender, commands, stdio};
use crate::{Project, Projects};

/// The longest name of a session that a client may choose.
const MOST_OF_A_NAME: usize = 1024;

/// An agent without a model: it announces the skills of the project that a session works in, asks
/// for permission where a skill wants that, and answers a command with its rendered prompt. What an
/// author of skills sees in an editor, and a complete example of [the pieces](super) in use.
///
/// Sessions of one directory share a registry. Sessions can be loaded and resumed under any name, as
/// there is nothing in them that could be lost.
#[derive(Clone, Debug)]
pub struct Agent {
    projects: Arc<Projects>,
    name: Option<String>,
}

impl Agent {
    /// An agent over these projects.
    #[must_use]
    pub fn new(projects: Projects) -> Self {
        Self { projects: Arc::new(projects), name: None }
    }

    /// Says which agent it is, for skills that only some agents may use.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Serves one client until it is gone, or until `stop` is ready. What runs then is cancelled.
    ///
    /// # Errors
    /// When the connection breaks.
    pub async fn serve(
        self,
        transport: impl ConnectTo<AgentRole> + 'static,
        stop: impl Future<Output = ()>,
    ) -> Result<()> {
        let server = Arc::new(Server {
            agent: self,
            pool: Pool::new(),
            sessions: Sessions::default(),
            at_work: Arc::default(),
        });
        let result = connect(Arc::clone(&server), transport, stop).await;
        server.sessions.clear();
        result
    }

    /// Serves whoever is at standard input and output.
    ///
    /// # Errors
    /// When the connection breaks. That the client is gone is no error.
    pub fn serve_stdio(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        stdio::serve(|transport| self.serve(transport, stop))
    }
}

/// All that the handlers of a connection share.
struct Server {
    agent: Agent,
    pool: Pool,
    sessions: Sessions,
    /// Held for reading by whoever owes an answer.
    at_work: Arc<RwLock<()>>,
}

async fn connect(
    server: Arc<Server>,
    transport: impl ConnectTo<AgentRole> + 'static,
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let it = || Arc::clone(&server);
    let (initialize, new, load, resume) = (it(), it(), it(), it());
    let (close, prompt, cancel) = (it(), it(), it());
    AgentRole
        .v1()
        .name("skilldeck")
        .on_receive_request(
            // What comes behind it may be there already, and waits.
            async move |request: InitializeRequest, responder, _: ConnectionTo<Client>| {
                initialize.initialize(request, responder).await
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, client: ConnectionTo<Client>| {
                let id = SessionId::new(Uuid::new_v4().to_string());
                let answer = NewSessionResponse::new(id.clone());
                let opening = Opening { id, answer, responder };
                new.open(opening, &request.cwd, client)
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: LoadSessionRequest, responder, client: ConnectionTo<Client>| {
                let answer = LoadSessionResponse::new();
                let opening = Opening { id: request.session_id, answer, responder };
                load.open(opening, &request.cwd, client)
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ResumeSessionRequest, responder, client: ConnectionTo<Client>| {
                let answer = ResumeSessionResponse::new();
                let opening = Opening { id: request.session_id, answer, responder };
                resume.open(opening, &request.cwd, client)
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CloseSessionRequest, responder, _: ConnectionTo<Client>| {
                if close.sessions.remove(&request.session_id) {
                    responder.respond(CloseSessionResponse::new())
                } else {
                    responder.respond_with_error(no_session(&request.session_id))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, client: ConnectionTo<Client>| {
                Arc::clone(&prompt).prompt(request, responder, client)
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |notification: CancelNotification, _: ConnectionTo<Client>| {
                if let Some(session) = cancel.sessions.get(&notification.session_id) {
                    session.desk.cancel();
                }
                Ok(())
            },
            on_receive_notification!(),
        )
        .connect_with(transport, async move |client: ConnectionTo<Client>| {
            let over = std::pin::pin!(async {
                client.incoming_closed().await;
                // Prompts end at once. What was asked is answered, also if nothing more is said.
                server.sessions.clear();
                server.at_work.write().await;
            });
            select(over, std::pin::pin!(stop)).await;
            Ok(())
        })
        .await
}

/// A session that is to be, and how its client hears that it is.
struct Opening<Answer: agent_client_protocol::JsonRpcResponse> {
    id: SessionId,
    answer: Answer,
    responder: Responder<Answer>,
}

impl Server {
    async fn initialize(
        &self,
        request: InitializeRequest,
        responder: Responder<InitializeResponse>,
    ) -> Result<()> {
        let prompts = PromptCapabilities::new().image(true).audio(true).embedded_context(true);
        let sessions = SessionCapabilities::new()
            .resume(SessionResumeCapabilities::new())
            .close(SessionCloseCapabilities::new());
        let mut capabilities = AgentCapabilities::new()
            .load_session(true)
            .prompt_capabilities(prompts)
            .session_capabilities(sessions);
        // No session has said yet where it works, so this is the directory of the process.
        if let Ok(here) = std::env::current_dir()
            && let Some(Ok(project)) = self.enter(&here).await
        {
            let sender = self.sender(&SessionId::new(""), &here);
            let registry = project.registry();
            let list = commands(&registry.snapshot(), registry.policy(), &sender.caller());
            let list = serde_json::to_value(list).unwrap_or_default();
            capabilities = capabilities.meta(serde_json::Map::from_iter([(SKILLS.into(), list)]));
        }
        let info = Implementation::new("skilldeck", env!("CARGO_PKG_VERSION"))
            .title("skilldeck (preview of skills)".to_owned());
        let response = InitializeResponse::new(request.protocol_version);
        responder.respond(response.agent_capabilities(capabilities).agent_info(info))
    }

    /// Opens a session, answers, and announces from then on.
    fn open<Answer: agent_client_protocol::JsonRpcResponse + Send + 'static>(
        self: &Arc<Self>,
        opening: Opening<Answer>,
        directory: &Path,
        client: ConnectionTo<Client>,
    ) -> Result<()> {
        let Opening { id, answer, responder } = opening;
        let why_not = if !directory.is_absolute() {
            Some(Error::invalid_params().data("`cwd` is not an absolute path"))
        } else if id.0.len() > MOST_OF_A_NAME {
            Some(Error::invalid_params().data("the name of the session is too long"))
        } else {
            None
        };
        if let Some(error) = why_not {
            return responder.respond_with_error(error);
        }
        let server = Arc::clone(self);
        let directory = directory.to_owned();
        let follower = client.clone();
        let at_work = self.at_work.try_read_arc();
        client.spawn(async move {
            let _at_work = at_work;
            let project = match server.enter(&directory).await {
                Some(Ok(project)) => project,
                Some(Err(error)) => {
                    let error = Error::internal_error().data(error.to_string());
                    return responder.respond_with_error(error);
                }
                None => return responder.respond_with_internal_error("skills cannot be loaded"),
            };
            let sender = server.sender(&id, &directory);
            let (session, ended) = Session::new(id, sender, project);
            if !server.sessions.insert(Arc::clone(&session)) {
                let why = "there are too many sessions; close one of them";
                return responder.respond_with_error(Error::invalid_request().data(why));
            }
            responder.respond(answer)?;
            follow(&session, ended, &follower)
        })
    }

    fn prompt(
        self: Arc<Self>,
        request: PromptRequest,
        responder: Responder<PromptResponse>,
        client: ConnectionTo<Client>,
    ) -> Result<()> {
        let Some(session) = self.sessions.get(&request.session_id) else {
            return responder.respond_with_error(no_session(&request.session_id));
        };
        let Some(mut turn) = session.desk.begin() else {
            let why = "a prompt of this session is still being answered; cancel it first";
            return responder.respond_with_error(Error::invalid_request().data(why));
        };
        let to = client.clone();
        let at_work = self.at_work.try_read_arc();
        client.spawn(async move {
            let _at_work = at_work;
            let cancellation = responder.cancellation();
            let result = {
                let answer =
                    std::pin::pin!(answer(&to, &self.pool, &session, &mut turn, &request.prompt));
                let cancelled = std::pin::pin!(cancellation.cancelled());
                match select(answer, cancelled).await {
                    Either::Left((result, _)) => result,
                    Either::Right(((), answer)) => {
                        session.desk.cancel();
                        answer.await
                    }
                }
            };
            // The client may send the next prompt as soon as it has the answer to this one.
            drop(turn);
            responder.respond_with_result(result.map(PromptResponse::new))
        })
    }

    async fn enter(
        &self,
        directory: &Path,
    ) -> Option<std::result::Result<Arc<Project>, skilldeck_runtime::Error>> {
        let projects = Arc::clone(&self.agent.projects);
        let directory = directory.to_owned();
        self.pool.run(move || projects.enter(&directory)).await
    }

    fn sender(&self, id: &SessionId, directory: &Path) -> Sender {
        let sender = Sender::new(&*id.0).directory(directory);
        match &self.agent.name {
            Some(name) => sender.agent(&**name),
            None => sender,
        }
    }
}

/// Announces the commands of a session, and again whenever they are others, until it ends.
fn follow(
    session: &Arc<Session>,
    mut ended: oneshot::Receiver<()>,
    client: &ConnectionTo<Client>,
) -> Result<()> {
    // The first that it gives is what exists.
    let mut changes = session.project.registry().subscribe();
    let session = Arc::downgrade(session);
    let to = client.clone();
    client.spawn(async move {
        let mut announced = Announced::default();
        loop {
            match select(changes.next(), &mut ended).await {
                Either::Left((Some(_), _)) => {}
                Either::Left((None, _)) | Either::Right(_) => return Ok(()),
            }
            let Some(session) = session.upgrade() else { return Ok(()) };
            let registry = session.project.registry();
            if let Some(commands) = announced.update(registry, &session.sender.caller()) {
                let update = AvailableCommandsUpdate::new(commands.to_vec());
                let update = SessionUpdate::AvailableCommandsUpdate(update);
                to.send_notification(SessionNotification::new(session.id.clone(), update))?;
            }
        }
    })
}

fn no_session(id: &SessionId) -> Error {
    schema::Error::session_not_found(id.clone()).into()
}
