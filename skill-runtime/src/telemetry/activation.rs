//! One event: a skill was started, or it ended, or it was refused.

use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::hash::{Use, keyed};
use super::packed::Packed;
use crate::caller::Initiator;
use crate::telemetry::ArgumentsHash;

/// An event of kind [`Activation::EVENT`]. Clones share their texts.
///
/// A skill counts as used by a `Started` and the `Completed` or `Failed` that follows under the
/// same id; a `Refused` stands alone and is no activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    id: ActivationId,
    parent: Option<ActivationId>,
    texts: Packed<7>,
    generation: u64,
    initiator: Initiator,
    arguments: ArgumentsHash,
    state: ActivationState,
    timestamp: SystemTime,
    duration: Option<Duration>,
    error_type: Option<&'static str>,
}

/// How far an activation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActivationState {
    /// Policy let it start.
    Started,
    /// It ended well.
    Completed,
    /// It ended in an error.
    Failed,
    /// It was not let start.
    Refused,
}

/// What joins the events of one activation; unique among processes, shown as 32 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActivationId(u128);

/// What is known before anything happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) parent: Option<ActivationId>,
    pub(crate) name: &'a str,
    pub(crate) word: &'a str,
    pub(crate) version: Option<&'a str>,
    pub(crate) source: &'a str,
    pub(crate) protocol: &'a str,
    pub(crate) agent: Option<&'a str>,
    pub(crate) session: Option<&'a str>,
    pub(crate) generation: u64,
    pub(crate) initiator: Initiator,
    pub(crate) arguments: ArgumentsHash,
}

/// How an activation ended; the text is the type of the error.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending {
    Completed,
    Failed(&'static str),
}

impl Draft<'_> {
    pub(crate) fn started(&self, now: SystemTime) -> Activation {
        self.event(ActivationState::Started, now, None)
    }

    pub(crate) fn refused(&self, now: SystemTime, error_type: &'static str) -> Activation {
        self.event(ActivationState::Refused, now, Some(error_type))
    }

    fn event(
        &self,
        state: ActivationState,
        timestamp: SystemTime,
        error_type: Option<&'static str>,
    ) -> Activation {
        let texts = [
            Some(self.name),
            Some(self.word),
            Some(self.source),
            Some(self.protocol),
            self.version,
            self.agent,
            self.session,
        ];
        Activation {
            id: ActivationId::next(),
            parent: self.parent,
            texts: Packed::new(texts),
            generation: self.generation,
            initiator: self.initiator,
            arguments: self.arguments,
            state,
            timestamp,
            duration: None,
            error_type,
        }
    }
}

impl Activation {
    /// The name of the event in logs and metrics.
    pub const EVENT: &'static str = "skill_activation";

    /// The end of what this is the start of.
    pub(crate) fn ended(&self, now: SystemTime, ending: Ending) -> Self {
        let (state, error_type) = match ending {
            Ending::Completed => (ActivationState::Completed, None),
            Ending::Failed(error_type) => (ActivationState::Failed, Some(error_type)),
        };
        // A clock that was put back gives no time at all rather than nonsense.
        let duration = now.duration_since(self.timestamp).unwrap_or_default();
        let started = self.clone();
        Self { state, error_type, timestamp: now, duration: Some(duration), ..started }
    }

    /// What joins this event to the others of the same activation.
    #[must_use]
    pub fn id(&self) -> ActivationId {
        self.id
    }

    /// The activation it is part of: of the dependant, or of the fork it happens in.
    #[must_use]
    pub fn parent(&self) -> Option<ActivationId> {
        self.parent
    }

    /// The skill, by its command word.
    #[must_use]
    pub fn skill(&self) -> &str {
        self.texts.get(1).unwrap_or_default()
    }

    /// The name of the skill for display.
    #[must_use]
    pub fn name(&self) -> &str {
        self.texts.get(0).unwrap_or_default()
    }

    /// The version of the skill, as written.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.texts.get(4)
    }

    /// The generation of the deck.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The name of the source the skill comes from.
    #[must_use]
    pub fn source(&self) -> &str {
        self.texts.get(2).unwrap_or_default()
    }

    /// The protocol it came by.
    #[must_use]
    pub fn protocol(&self) -> &str {
        self.texts.get(3).unwrap_or_default()
    }

    /// Whether a person or a model asked.
    #[must_use]
    pub fn initiator(&self) -> Initiator {
        self.initiator
    }

    /// The agent it happened in.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        self.texts.get(5)
    }

    /// The session it belongs to.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.texts.get(6)
    }

    /// When it happened, by the clock of the host.
    #[must_use]
    pub fn timestamp(&self) -> SystemTime {
        self.timestamp
    }

    /// How long it took, once it has ended.
    #[must_use]
    pub fn duration(&self) -> Option<Duration> {
        self.duration
    }

    /// The same in milliseconds.
    #[must_use]
    pub fn duration_ms(&self) -> Option<f64> {
        self.duration.map(|duration| duration.as_secs_f64() * 1000.0)
    }

    /// How far it is.
    #[must_use]
    pub fn state(&self) -> ActivationState {
        self.state
    }

    /// Whether it ended well; `None` while it has not ended.
    #[must_use]
    pub fn success(&self) -> Option<bool> {
        match self.state {
            ActivationState::Started => None,
            ActivationState::Completed => Some(true),
            ActivationState::Failed | ActivationState::Refused => Some(false),
        }
    }

    /// The kind of the error as one word (see [`ErrorKind::as_str`](crate::ErrorKind::as_str)).
    #[must_use]
    pub fn error_type(&self) -> Option<&'static str> {
        self.error_type
    }

    /// A keyed hash of the arguments; never the arguments.
    #[must_use]
    pub fn arguments_hash(&self) -> ArgumentsHash {
        self.arguments
    }
}

impl ActivationState {
    /// `started`, `completed`, `failed` or `refused`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

impl ActivationId {
    /// Reads 32 hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| u128::from_str_radix(text, 16).ok()).flatten().map(Self)
    }

    /// A new one: a random number of the process, and a count.
    fn next() -> Self {
        static PROCESS: LazyLock<u128> = LazyLock::new(|| keyed(Use::Process, &[]) << 64);
        static COUNT: AtomicU64 = AtomicU64::new(1);
        Self(*PROCESS | u128::from(COUNT.fetch_add(1, Ordering::Relaxed)))
    }
}

impl fmt::Display for ActivationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
