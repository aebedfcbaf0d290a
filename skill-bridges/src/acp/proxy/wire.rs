//! A line of JSON to the few parts of it that a proxy looks at, without a copy and without changing
//! a byte of the rest.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A message of JSON-RPC.
#[derive(Debug, Deserialize)]
pub(super) struct Message<'a> {
    /// As it was written: it may be a number, a text or nothing.
    #[serde(borrow, default)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) result: Option<&'a RawValue>,
}

/// The parameters of what opens a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Open {
    pub(super) cwd: Option<String>,
    pub(super) session_id: Option<String>,
}

/// Anything that names a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Named {
    pub(super) session_id: Option<String>,
}

/// The parameters of a prompt.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Prompt<'a> {
    session_id: String,
    #[serde(borrow)]
    prompt: Vec<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
}

/// A prompt whose first text is the line that may be a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    pub(super) session: String,
    pub(super) line: String,
    /// Where the text stands in the message, its quotes included.
    pub(super) place: Range<usize>,
}

/// The parameters of a notification about a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Update<'a> {
    session_id: String,
    #[serde(borrow)]
    update: &'a RawValue,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Commands<'a> {
    #[serde(borrow)]
    session_update: Cow<'a, str>,
    #[serde(borrow, default)]
    available_commands: Option<&'a RawValue>,
}

/// The commands that an agent announces.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Announcement {
    pub(super) session: String,
    /// Where the list stands in the message, its brackets included.
    pub(super) place: Range<usize>,
}

/// Reads a line. What is no message is none of a proxy's business.
pub(super) fn message(line: &str) -> Option<Message<'_>> {
    object(line)
}

/// Reads an object. A list could pass for one, its items for fields.
pub(super) fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let is_object = text.trim_ascii_start().starts_with('{');
    if is_object { serde_json::from_str(text).ok() } else { None }
}

/// Reads parameters.
pub(super) fn read<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    object(raw?.get())
}

/// The first text of a prompt.
pub(super) fn typed(line: &str, params: Option<&RawValue>) -> Option<Typed> {
    let prompt: Prompt<'_> = read(params)?;
    let text = prompt.prompt.iter().find_map(|block| {
        let block: Block<'_> = object(block.get())?;
        block.text.filter(|_| block.kind == "text")
    })?;
    Some(Typed {
        session: prompt.session_id,
        line: serde_json::from_str(text.get()).ok()?,
        place: place(line, text.get()),
    })
}

/// The list that an agent announces.
pub(super) fn announcement(line: &str, params: Option<&RawValue>) -> Option<Announcement> {
    let update: Update<'_> = read(params)?;
    let commands: Commands<'_> = object(update.update.get())?;
    let list = commands.available_commands?;
    let is_list = list.get().starts_with('[');
    (is_list && commands.session_update == "available_commands_update")
        .then(|| Announcement { session: update.session_id, place: place(line, list.get()) })
}

/// Where a part that was borrowed from a text stands in it.
fn place(whole: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - whole.as_ptr().addr();
    start..start + part.len()
}

#[cfg(test)]
mod tests {
    use super::{announcement, message, typed};

    #[test]
    fn parts_are_found_where_they_stand() {
        let line = r#" {"jsonrpc":"2.0","id" : 1e2,"method":"session/prompt","params":{"x":[1],
            "sessionId":"s\u0031","prompt":[{"type":"image","data":"text"},
            {"text":"a \"b\" \u00e9","type":"text"},{"type":"text","text":"second"}]}}"#;
        let read = message(line).expect("a message");
        assert_eq!(read.id.expect("an id").get(), "1e2");
        let typed = typed(line, read.params).expect("a prompt");
        assert_eq!((&*typed.session, &*typed.line), ("s1", "a \"b\" é"));
        assert_eq!(&line[typed.place], r#""a \"b\" \u00e9""#);

        let line = r#"{"method":"session/update","params":{"sessionId":"s","update":
            {"availableCommands": [ {"name":"a"} ],"sessionUpdate":"available_commands_update"}}}"#;
        let read = message(line).expect("a message");
        let found = announcement(line, read.params).expect("an announcement");
        assert_eq!(&line[found.place], r#"[ {"name":"a"} ]"#);
    }

    #[test]
    fn what_is_not_understood_is_left_alone() {
        for line in ["", "[]", "17", "{", r#"{"id":1,"id":2}"#, r#"{"method":3}"#] {
            assert!(message(line).is_none(), "{line}");
        }
        for params in [
            r#"{"prompt":[{"type":"text","text":"/a"}]}"#,
            r#"{"sessionId":"s","prompt":[{"type":"text","text":3}]}"#,
            r#"{"sessionId":"s","prompt":[{"type":"text","text":"\ud800"}]}"#,
            r#"{"sessionId":"s","prompt":{}}"#,
            r#"{"sessionId":"s","prompt":[]}"#,
            "[1]",
            r#"["s",[{"type":"text","text":"/a"}]]"#,
            r#"{"sessionId":"s","prompt":[["text","/a"]]}"#,
        ] {
            let line = format!(r#"{{"method":"session/prompt","params":{params}}}"#);
            let read = message(&line).expect("a message");
            assert_eq!(typed(&line, read.params), None, "{params}");
        }
    }
}
