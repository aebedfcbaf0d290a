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

/// The request that asks this in one line.
pub(super) fn permission(session: SessionId, question: &str) -> RequestPermissionRequest {
    let call = format!("skilldeck-{}", Uuid::new_v4());
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
