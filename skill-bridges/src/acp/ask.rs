//! A question of a skill to the permission that an editor asks its user for.

use agent_client_protocol::v1::schema::{
    PermissionOption, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    SessionId, ToolCallUpdate, ToolCallUpdateFields, ToolKind,
};
use uuid::Uuid;

/// The option that lets it start.
const ALLOW: &str = "allow";

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    /// The turn was cancelled.
    Cancelled,
}

/// What everything that is ours is called by.
const OURS: &str = "skilldeck-";

/// A name that nobody else gives.
pub(super) fn name() -> String {
    format!("{OURS}{}", Uuid::new_v4())
}

/// Whether an identifier, as it was written, is one of those.
pub(super) fn is_ours(id: &str) -> bool {
    let name = id.strip_prefix('"').and_then(|id| id.strip_suffix('"'));
    let rest = name.and_then(|name| name.strip_prefix(OURS));
    rest.is_some_and(|rest| Uuid::try_parse(rest).is_ok())
}

/// The request that asks this in one line.
pub(super) fn permission(session: SessionId, question: &str) -> RequestPermissionRequest {
    let call = name();
    let fields = ToolCallUpdateFields::new().title(question.to_owned()).kind(ToolKind::Other);
    let options = vec![
        PermissionOption::new(ALLOW, "Start it", PermissionOptionKind::AllowOnce),
        PermissionOption::new("reject", "Do not start it", PermissionOptionKind::RejectOnce),
    ];
    RequestPermissionRequest::new(session, ToolCallUpdate::new(call, fields), options)
}

/// What the user chose. What is not understood is no.
pub(super) fn answer(outcome: &RequestPermissionOutcome) -> Answer {
    match outcome {
        RequestPermissionOutcome::Selected(chosen) if &*chosen.option_id.0 == ALLOW => Answer::Yes,
        RequestPermissionOutcome::Cancelled => Answer::Cancelled,
        _ => Answer::No,
    }
}
