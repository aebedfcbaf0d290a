//! How often a skill may be started: a token bucket for each skill and initiator.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::Policy;
use crate::caller::Initiator;
use crate::error::{Error, ErrorKind};
use crate::snapshot::Entry;

/// So many invocations at once, and as many again in each such time, evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    burst: NonZeroU32,
    per: Duration,
}

impl RateLimit {
    /// `burst` invocations in each `per`. `None` if that time is too short to be divided: less than
    /// a nanosecond for each.
    #[must_use]
    pub fn new(burst: NonZeroU32, per: Duration) -> Option<Self> {
        (per.as_nanos() >= u128::from(burst.get())).then_some(Self { burst, per })
    }

    fn quota(self) -> Option<Quota> {
        Some(Quota::with_period(self.per / self.burst.get())?.allow_burst(self.burst))
    }
}

/// A limit and what was taken of it; clones share that.
#[derive(Clone)]
pub(super) struct Limiter {
    limit: RateLimit,
    taken: Arc<DefaultKeyedRateLimiter<(String, Initiator)>>,
}

impl Limiter {
    pub(super) fn new(limit: RateLimit) -> Option<Self> {
        Some(Self { limit, taken: Arc::new(RateLimiter::keyed(limit.quota()?)) })
    }
}

impl Policy {
    /// How often each skill may be started by people, and as often by models; as often as they like
    /// by default. What was taken is shared by the clones of a policy.
    ///
    /// Only what starts counts, so what is refused or waits for a confirmation takes nothing. A
    /// dependency counts as a part of the skill that needs it.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use std::time::Duration;
    ///
    /// use skilldeck_runtime::{Policy, RateLimit};
    ///
    /// let ten = NonZeroU32::new(10).expect("not zero");
    /// let limit = RateLimit::new(ten, Duration::from_secs(60)).expect("long enough");
    /// assert_ne!(Policy::new().rate_limit(limit), Policy::new());
    /// ```
    #[must_use]
    pub fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.limiter = Limiter::new(limit);
        self
    }

    /// Takes one invocation of what the limit allows.
    pub(crate) fn count(&self, entry: Entry<'_>, initiator: Initiator) -> Result<(), Error> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        let key = (entry.word().to_owned(), initiator);
        limiter.taken.check_key(&key).map_err(|until| {
            let retry_after = until.wait_time_from(DefaultClock::default().now());
            let message = format!(
                "skill `{}` was started too often; try again in {}",
                entry.word(),
                about(retry_after)
            );
            Error::new(ErrorKind::RateLimited { retry_after }, message)
        })
    }
}

/// A time for a person, never shorter than it is.
fn about(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, 0) => format!("{minutes} min"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

impl PartialEq for Limiter {
    fn eq(&self, other: &Self) -> bool {
        self.limit == other.limit
    }
}

impl Eq for Limiter {}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limit.fmt(f)
    }
}
