//! A schema and arguments to the rules that they break.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError};
use skilldeck_core::diagnostic::one_line;
use skilldeck_core::model::Value;
use skilldeck_core::template::Bound;

use super::instance::{instance, json};
use crate::error::{Error, ErrorKind};
use crate::snapshot::Entry;

/// How many broken rules are named at once.
const MAX_NAMED: usize = 8;

/// Whether the arguments fit.
pub(super) fn validate(entry: Entry<'_>, schema: &Value, bound: &Bound<'_>) -> Result<(), Error> {
    let schema = json(schema);
    // Skills come from strangers: a pattern may take no more than linear time, and a reference
    // leads nowhere outside of the schema.
    let options = jsonschema::options().with_pattern_options(PatternOptions::regex()).offline();
    let validator = options.build(&schema).map_err(|error| {
        let place = entry.path().map(|path| format!(" ({})", path.display())).unwrap_or_default();
        let message = format!(
            "the `input-schema` of skill `{}`{place} is no JSON Schema: {}; mend it, or remove it",
            entry.word(),
            one_line(&error.to_string())
        );
        Error::new(ErrorKind::InvalidArguments, message)
    })?;
    let arguments = instance(&schema, entry.skill().arguments(), bound);
    let broken: Vec<String> =
        validator.iter_errors(&arguments).take(MAX_NAMED).map(|error| rule(&error)).collect();
    if broken.is_empty() {
        return Ok(());
    }
    let message =
        format!("the arguments of skill `{}` do not fit: {}", entry.word(), broken.join("; "));
    Err(Error::new(ErrorKind::InvalidArguments, message))
}

/// How long a reason may be, in characters: it may name what was given all the same.
const MAX_REASON: usize = 200;

/// One broken rule: the argument it is about, what is wrong, the keyword of the schema. What was
/// given is not repeated: it may be long, and a secret.
fn rule(error: &ValidationError<'_>) -> String {
    let path = error.instance_path().as_str();
    let what = match (error.kind(), path.strip_prefix('/')) {
        (ValidationErrorKind::Required { property }, None) => {
            let name = property.as_str().map_or_else(|| property.to_string(), str::to_owned);
            return format!("argument `{}` is missing (`required`)", one_line(&name));
        }
        (_, Some(name)) => format!("argument `{}`", one_line(name)),
        (_, None) => "the arguments".to_owned(),
    };
    let why = error.masked_with("the value").to_string();
    let mut why = one_line(&why).into_owned();
    if let Some((end, _)) = why.char_indices().nth(MAX_REASON) {
        why.replace_range(end.., "…");
    }
    format!("{what}: {why} (`{}`)", error.kind().keyword())
}
