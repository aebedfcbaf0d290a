//! The events of an invocation to its outcome and its observer.

use crate::error::{Error, ErrorKind};
use crate::host::Host;
use crate::snapshot::Entry;
use crate::telemetry::{
    Activation, ActivationId, ArgumentsHash, Draft, Ending, Span, Telemetry, log_refusal, notify,
};

use super::Request;

/// Makes events, and keeps those that the outcome gives back.
pub(super) struct Recorder<'a> {
    host: &'a dyn Host,
    request: &'a Request,
    telemetry: &'a Telemetry,
    generation: u64,
    /// The events of dependencies, in order.
    inner: Vec<Activation>,
}

/// Events in order; those of a skill without dependencies need no allocation.
#[expect(clippy::large_enum_variant, reason = "the large one is the usual one, kept in place")]
#[derive(Clone, Debug)]
pub(super) enum Events {
    Two([Activation; 2]),
    Many(Vec<Activation>),
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        host: &'a dyn Host,
        request: &'a Request,
        telemetry: &'a Telemetry,
        generation: u64,
    ) -> Self {
        Self { host, request, telemetry, generation, inner: Vec::new() }
    }

    /// The skill itself was let start.
    pub(super) fn start(&self, entry: Entry<'_>, raw: &str) -> Activation {
        let draft = self.draft(entry, raw, self.request.lineage.activation());
        self.tell(draft.started(self.host.now()))
    }

    /// A refusal: of policy, of a person, or because the skill cannot be used.
    pub(super) fn refuse(&self, entry: Entry<'_>, raw: &str, error: &Error) {
        // Being asked is no refusal: the request comes again.
        let heard = self.request.observer.is_some()
            || !self.telemetry.observers.is_empty()
            || cfg!(feature = "tracing");
        if heard && !matches!(error.kind(), ErrorKind::NeedsConfirmation { .. }) {
            let draft = self.draft(entry, raw, self.request.lineage.activation());
            log_refusal(&self.tell(draft.refused(self.host.now(), error.kind().as_str())));
        }
    }

    /// A dependency, from its start to its end.
    pub(super) fn dependency<T>(
        &mut self,
        entry: Entry<'_>,
        parent: ActivationId,
        render: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let draft = self.draft(entry, "", Some(parent));
        let started = self.tell(draft.started(self.host.now()));
        let span = Span::enter(&started);
        let result = render();
        let ended = self.end(&started, &result);
        span.exit(&ended);
        self.inner.push(started);
        self.inner.push(ended);
        result
    }

    /// The end of an activation.
    pub(super) fn end<T>(&self, started: &Activation, result: &Result<T, Error>) -> Activation {
        let ending = match result {
            Ok(_) => Ending::Completed,
            Err(error) => Ending::Failed(error.kind().as_str()),
        };
        self.tell(started.ended(self.host.now(), ending))
    }

    /// All events: the start of the skill itself, its dependencies, its end.
    pub(super) fn events(self, started: Activation, ended: Activation) -> Events {
        if self.inner.is_empty() {
            return Events::Two([started, ended]);
        }
        let mut all = Vec::with_capacity(self.inner.len() + 2);
        all.push(started);
        all.extend(self.inner);
        all.push(ended);
        Events::Many(all)
    }

    fn tell(&self, activation: Activation) -> Activation {
        if let Some(observer) = &self.request.observer {
            notify(&**observer, &activation);
        }
        self.telemetry.observers.tell(&activation);
        activation
    }

    fn draft<'b>(&'b self, entry: Entry<'b>, raw: &str, parent: Option<ActivationId>) -> Draft<'b> {
        Draft {
            parent,
            name: entry.skill().name(),
            word: entry.word(),
            version: entry.skill().version(),
            source: &entry.source().name,
            protocol: &self.request.protocol,
            agent: self.request.agent.as_deref(),
            session: self.request.session.as_deref(),
            generation: self.generation,
            initiator: self.request.initiator,
            arguments: ArgumentsHash::of(raw, &self.telemetry.hash_key),
        }
    }
}

impl Events {
    pub(super) fn as_slice(&self) -> &[Activation] {
        match self {
            Self::Two(events) => events,
            Self::Many(events) => events,
        }
    }

    /// The start of the skill itself.
    pub(super) fn first(&self) -> Option<&Activation> {
        self.as_slice().first()
    }
}
