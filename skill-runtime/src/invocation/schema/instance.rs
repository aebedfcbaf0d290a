//! Values of the format and arguments to JSON.

use serde_json::{Map, Value as Json};
use skilldeck_core::model::{Text, Value};
use skilldeck_core::template::Bound;

/// A value of the front matter as JSON.
pub(super) fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(text) => number(text).unwrap_or_else(|| Json::String(text.to_string())),
        Value::String(text) => Json::String(text.to_string()),
        Value::List(items) => Json::Array(items.iter().map(json).collect()),
        Value::Map(pairs) => {
            Json::Object(pairs.iter().map(|(key, value)| (key.to_string(), json(value))).collect())
        }
    }
}

/// What is held against the schema (format, section 4): the raw text if it is JSON; else, if the
/// schema is an object of declared arguments, the words under their names; else the raw text.
///
/// One word such as `3` or `true` is JSON too. Where the schema wants named arguments it is the
/// first of them all the same, or nobody could give it by itself.
pub(super) fn instance(schema: &Json, declared: &[Text], bound: &Bound<'_>) -> Json {
    let written: Option<Json> = serde_json::from_str(bound.raw).ok();
    match (written, properties(schema, declared)) {
        (Some(written), None) => written,
        (Some(written @ Json::Object(_)), Some(_)) => written,
        (_, Some(properties)) => Json::Object(named(properties, declared, bound)),
        (None, None) => Json::String(bound.raw.to_owned()),
    }
}

/// The properties of the schema, if all of them are declared arguments.
fn properties<'a>(schema: &'a Json, declared: &[Text]) -> Option<&'a Map<String, Json>> {
    let properties = schema.get("properties")?.as_object()?;
    let is_declared = |name: &String| declared.iter().any(|it| it == name);
    (!properties.is_empty() && properties.keys().all(is_declared)).then_some(properties)
}

/// The words under the names of the arguments, in the types that the schema has for them.
fn named(
    properties: &Map<String, Json>,
    declared: &[Text],
    bound: &Bound<'_>,
) -> Map<String, Json> {
    let given = declared.iter().zip(&bound.words);
    given
        .map(|(name, word)| {
            let types = properties.get(&**name).and_then(|property| property.get("type"));
            (name.to_string(), coerced(types, word))
        })
        .collect()
}

/// A word in the first type that it fits; as text otherwise, so that the schema refuses it by rule.
fn coerced(types: Option<&Json>, word: &str) -> Json {
    let types: Vec<&str> = match types {
        Some(Json::String(one)) => vec![one],
        Some(Json::Array(many)) => many.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    let as_type = |wanted: &str| match wanted {
        "integer" | "number" => number(word),
        "boolean" => word.parse().map(Json::Bool).ok(),
        "null" => (word == "null").then_some(Json::Null),
        "array" | "object" => serde_json::from_str(word).ok(),
        _ => None,
    };
    let found = types.into_iter().find_map(as_type);
    found.unwrap_or_else(|| Json::String(word.to_owned()))
}

fn number(text: &str) -> Option<Json> {
    serde_json::from_str::<serde_json::Number>(text).ok().map(Json::Number)
}
