//! The same without the feature `rate-limit`: nothing is counted.

use super::Policy;
use crate::caller::Initiator;
use crate::error::Error;
use crate::snapshot::Entry;

impl Policy {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as where it is counted")]
    pub(crate) fn count(&self, _: Entry<'_>, _: Initiator) -> Result<(), Error> {
        Ok(())
    }
}
