//! Activations to spans and events of `tracing`; to nothing without the feature of this name.

use super::{Activation, StaleContext};

/// A span that is entered while an activation runs.
pub(crate) struct Span {
    #[cfg(feature = "tracing")]
    entered: tracing::span::EnteredSpan,
}

/// What is current on a thread, for those that work for it.
pub(crate) struct Surroundings {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
    #[cfg(feature = "tracing")]
    dispatch: tracing::Dispatch,
}

#[cfg(feature = "tracing")]
mod with {
    use tracing::{Level, dispatcher, field};

    use super::{Activation, Span, StaleContext, Surroundings};

    impl Surroundings {
        /// Those of this thread.
        pub(crate) fn here() -> Self {
            let dispatch = dispatcher::get_default(Clone::clone);
            Self { span: tracing::Span::current(), dispatch }
        }

        /// Does some work inside of them.
        pub(crate) fn within<T>(&self, work: impl FnOnce() -> T) -> T {
            dispatcher::with_default(&self.dispatch, || self.span.in_scope(work))
        }
    }

    impl Span {
        /// Enters the span of what has started.
        pub(crate) fn enter(started: &Activation) -> Self {
            let span = tracing::span!(
                Level::INFO,
                "skill_activation",
                id = %started.id(),
                parent_id = started.parent().map(field::display),
                skill = started.skill(),
                version = started.version(),
                generation = started.generation(),
                source = started.source(),
                protocol = started.protocol(),
                initiator = started.initiator().as_str(),
                agent = started.agent(),
                session = started.session(),
                arguments_hash = %started.arguments_hash(),
                success = field::Empty,
                duration_ms = field::Empty,
                error_type = field::Empty,
            );
            Self { entered: span.entered() }
        }

        /// Records how it ended, and leaves it.
        pub(crate) fn exit(self, ended: &Activation) {
            self.entered.record("success", ended.success());
            self.entered.record("duration_ms", ended.duration_ms());
            self.entered.record("error_type", ended.error_type());
        }
    }

    /// A refusal is an event: it takes no time.
    pub(crate) fn log_refusal(refused: &Activation) {
        tracing::warn!(
            id = %refused.id(),
            skill = refused.skill(),
            source = refused.source(),
            protocol = refused.protocol(),
            initiator = refused.initiator().as_str(),
            agent = refused.agent(),
            session = refused.session(),
            error_type = refused.error_type(),
            "skill refused"
        );
    }

    /// One warning for all sessions that hold old text.
    pub(crate) fn log_stale(stale: &[StaleContext], generation: u64) {
        // They are sorted by session.
        let sessions = stale.chunk_by(|a, b| a.session == b.session).count();
        if sessions > 0 {
            tracing::warn!(sessions, generation, "sessions hold the text of an older generation");
        }
    }

    /// A registry without any source is valid, and seldom meant.
    pub(crate) fn log_no_source() {
        tracing::info!("there is no source of skills, so none are available");
    }
}

#[cfg(not(feature = "tracing"))]
mod without {
    use super::{Activation, Span, StaleContext, Surroundings};

    impl Surroundings {
        pub(crate) fn here() -> Self {
            Self {}
        }

        pub(crate) fn within<T>(&self, work: impl FnOnce() -> T) -> T {
            work()
        }
    }

    impl Span {
        pub(crate) fn enter(_: &Activation) -> Self {
            Self {}
        }

        pub(crate) fn exit(self, _: &Activation) {}
    }

    pub(crate) fn log_refusal(_: &Activation) {}

    pub(crate) fn log_stale(_: &[StaleContext], _: u64) {}

    pub(crate) fn log_no_source() {}
}

#[cfg(feature = "tracing")]
pub(crate) use with::{log_no_source, log_refusal, log_stale};
#[cfg(not(feature = "tracing"))]
pub(crate) use without::{log_no_source, log_refusal, log_stale};
