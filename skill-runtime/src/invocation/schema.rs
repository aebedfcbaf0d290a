//! Arguments held against the JSON Schema that a skill has for them.

use skilldeck_core::model::Value;
use skilldeck_core::template::Bound;

use crate::error::Error;
use crate::policy::Policy;
use crate::snapshot::Entry;

#[cfg(feature = "schema")]
mod instance;
#[cfg(feature = "schema")]
mod validate;

/// Whether the arguments fit. Where this crate was built without the feature `schema` nothing is
/// checked, and a notice says so.
pub(super) fn check(
    policy: &Policy,
    entry: Entry<'_>,
    bound: &Bound<'_>,
    notices: &mut Vec<String>,
) -> Result<(), Error> {
    // What configuration demands is demanded beside what the skill does.
    let own = entry.skill().input_schema();
    own.into_iter()
        .chain(policy.schemas(entry))
        .try_for_each(|schema| check_one(entry, schema, bound, notices))
}

fn check_one(
    entry: Entry<'_>,
    schema: &Value,
    bound: &Bound<'_>,
    notices: &mut Vec<String>,
) -> Result<(), Error> {
    #[cfg(feature = "schema")]
    {
        let _ = notices;
        validate::validate(entry, schema, bound)
    }
    #[cfg(not(feature = "schema"))]
    {
        let _ = (schema, bound);
        notices.push(format!(
            "the arguments of skill `{}` were not held against its `input-schema`: this program \
             has no JSON Schema",
            entry.word()
        ));
        Ok(())
    }
}
