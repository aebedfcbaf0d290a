//! What is asked for, by whom, and how the answer is to look.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skilldeck_core::model::Text;

use super::Shape;
use crate::caller::{Caller, Initiator};
use crate::cancel::CancelToken;
use crate::command::{Syntax, Typed, parse_line};
use crate::lineage::Lineage;
use crate::policy::Policy;
use crate::telemetry::Observer;

/// One invocation, as it is asked for.
///
/// ```
/// use skilldeck_runtime::{Initiator, Request, Shape};
///
/// let typed = Request::line("/skill:commit fix the parser").protocol("cli").session("s-1");
/// let called = Request::command("commit", "fix the parser").initiator(Initiator::Model);
/// assert_eq!((typed.shape_of_answer(), called.shape_of_answer()), (Shape::User, Shape::Tool));
/// ```
#[derive(Clone)]
pub struct Request {
    pub(super) target: Target,
    pub(super) initiator: Initiator,
    pub(super) protocol: Text,
    pub(super) agent: Option<String>,
    pub(super) session: Option<String>,
    pub(super) shape: Option<Shape>,
    pub(super) directory: Option<PathBuf>,
    pub(super) project: Option<String>,
    pub(super) effort: Option<String>,
    pub(super) confirmation: Option<String>,
    pub(super) cancel: CancelToken,
    pub(super) native: Vec<Text>,
    pub(super) prefix: Option<Text>,
    pub(super) bare: bool,
    pub(super) lineage: Lineage,
    pub(super) observer: Option<Arc<dyn Observer>>,
}

/// What is to be invoked. The texts are shared with the outcome.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Line(Arc<str>),
    Command { word: String, arguments: Arc<str> },
}

impl Request {
    /// A typed line, such as `/skill:commit fix the parser`.
    #[must_use]
    pub fn line(line: impl Into<String>) -> Self {
        Self::new(Target::Line(line.into().into()))
    }

    /// A command word and the arguments behind it, verbatim.
    #[must_use]
    pub fn command(word: impl Into<String>, arguments: impl Into<String>) -> Self {
        let arguments = arguments.into().into();
        Self::new(Target::Command { word: word.into(), arguments })
    }

    fn new(target: Target) -> Self {
        Self {
            target,
            initiator: Initiator::User,
            protocol: Text::Borrowed("library"),
            agent: None,
            session: None,
            shape: None,
            directory: None,
            project: None,
            effort: None,
            confirmation: None,
            cancel: CancelToken::new(),
            native: Vec::new(),
            prefix: None,
            bare: false,
            lineage: Lineage::default(),
            observer: None,
        }
    }

    /// Who asked; a person by default.
    #[must_use]
    pub fn initiator(mut self, initiator: Initiator) -> Self {
        self.initiator = initiator;
        self
    }

    /// The protocol it came by: `acp`, `agui`, `opencode`, `mcp`, `cli`, `frontdoor`, or `library`,
    /// the default.
    #[must_use]
    pub fn protocol(mut self, protocol: impl Into<Text>) -> Self {
        self.protocol = protocol.into();
        self
    }

    /// The agent it happens in. Skills with `allowed-agents` refuse an unknown one.
    #[must_use]
    pub fn agent(mut self, agent: impl Into<String>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// The session it belongs to, `${SESSION_ID}` in bodies.
    #[must_use]
    pub fn session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }

    /// How the answer is to look: by default [`Shape::User`] for a person, [`Shape::Tool`] for a
    /// model.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// The working directory of the session, in which shell spans run.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// The project's directory, `${PROJECT_DIR}` in bodies; by default the working directory.
    #[must_use]
    pub fn project(mut self, directory: impl AsRef<Path>) -> Self {
        self.project = Some(directory.as_ref().to_string_lossy().into_owned());
        self
    }

    /// The effort of the session, `${CLAUDE_EFFORT}` in bodies of skills that set none themselves.
    #[must_use]
    pub fn effort(mut self, effort: impl Into<String>) -> Self {
        self.effort = Some(effort.into());
        self
    }

    /// The token of a [`NeedsConfirmation`](crate::ErrorKind::NeedsConfirmation): a person said yes
    /// to this very request.
    #[must_use]
    pub fn confirmation(mut self, token: impl Into<String>) -> Self {
        self.confirmation = Some(token.into());
        self
    }

    /// Cancels it from elsewhere.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.cancel = token;
        self
    }

    /// The host's own commands, which win over bare words of a line, beside those of the policy.
    #[must_use]
    pub fn native_commands<T: Into<Text>>(mut self, words: impl IntoIterator<Item = T>) -> Self {
        self.native = words.into_iter().map(Into::into).collect();
        self
    }

    /// What is announced before words instead of the policy's prefix and `/skill:`, which is
    /// understood all the same.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<Text>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    /// Whether a line without a slash names a skill too: `commit fix it`.
    #[must_use]
    pub fn bare(mut self, bare: bool) -> Self {
        self.bare = bare;
        self
    }

    /// Inside of which forks it is asked for: what [`ForkRequest`](crate::ForkRequest) has.
    #[must_use]
    pub fn within(mut self, lineage: Lineage) -> Self {
        self.lineage = lineage;
        self
    }

    /// Who is told of its events as they happen, also of those for which there is no outcome.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The shape of the answer.
    #[must_use]
    pub fn shape_of_answer(&self) -> Shape {
        self.shape.unwrap_or(match self.initiator {
            Initiator::User => Shape::User,
            Initiator::Model => Shape::Tool,
        })
    }

    /// Who starts it.
    #[must_use]
    pub fn caller(&self) -> Caller<'_> {
        Caller {
            initiator: self.initiator,
            agent: self.agent.as_deref(),
            protocol: Some(&self.protocol),
        }
    }

    /// How the line is read: what the request says, then what the policy says.
    pub(super) fn read<'a>(&'a self, line: &'a str, policy: &Policy) -> Typed<'a> {
        let both: Vec<Text>;
        let native = match (&*self.native, policy.native()) {
            (own, []) => own,
            ([], configured) => configured,
            (own, configured) => {
                both = [own, configured].concat();
                &both
            }
        };
        parse_line(line, &Syntax { prefix: self.announced(policy), native, bare: self.bare })
    }

    /// What is announced before words.
    pub(super) fn announced<'a>(&'a self, policy: &'a Policy) -> &'a str {
        self.prefix.as_deref().or(policy.announced()).unwrap_or(Syntax::PREFIX)
    }
}

impl Target {
    /// The text that arguments are a part of.
    pub(super) fn text(&self) -> &Arc<str> {
        match self {
            Self::Line(text) | Self::Command { arguments: text, .. } => text,
        }
    }
}

impl fmt::Debug for Request {
    /// Without the arguments: they may be private.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("initiator", &self.initiator)
            .field("protocol", &self.protocol)
            .field("agent", &self.agent)
            .field("session", &self.session)
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}
