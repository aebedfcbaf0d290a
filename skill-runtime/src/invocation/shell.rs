//! Shell spans to what stands in their place: output, or why there is none.

use std::borrow::Cow;

use skilldeck_core::template::{Bound, Dialect, Variables};

use super::parallel::in_order;
use super::pipeline::Run;
use crate::cancel::CancelToken;
use crate::error::{Error, ErrorKind};
use crate::host::{HostError, ShellRequest};
use crate::policy::{OnFailure, ShellRule};
use crate::snapshot::Entry;

/// The most bytes of one variable of an environment, its name and what joins and ends it included:
/// what Linux passes to a process.
const MAX_VARIABLE: usize = 128 << 10;

/// What the names of positional arguments start with in an environment.
const POSITION: &str = "SKILL_ARG_";

/// Whether the commands that will run can be given these arguments; asked before anything runs.
pub(super) fn validate(
    entry: Entry<'_>,
    rule: ShellRule<'_>,
    bound: &Bound<'_>,
) -> Result<(), Error> {
    let mut spans = entry.skill().template().shells().iter();
    if spans.any(|span| span.takes_arguments && rule.check(&span.command).is_ok()) {
        environment(entry, bound, &Variables::default())?;
    }
    Ok(())
}

/// Runs the shell spans of a skill, side by side, as far as they may run. Their texts are in the
/// order of the spans, and of several that fail the first one is the error.
pub(super) fn replace<'a>(
    run: Run<'_>,
    entry: Entry<'_>,
    rule: ShellRule<'_>,
    bound: &Bound<'_>,
    variables: &Variables<'_>,
    notices: &mut Vec<String>,
) -> Result<Vec<Cow<'a, str>>, Error> {
    let spans = entry.skill().template().shells();
    let runs: Vec<_> = spans.iter().filter(|span| rule.check(&span.command).is_ok()).collect();
    let done = in_order(runs.len(), &run.request.cancel, |at, cancel| {
        let span = runs[at];
        // A command that does not ask for arguments cannot fail because of them.
        let environment = if span.takes_arguments {
            environment(entry, bound, variables)?
        } else {
            let nothing = Bound { raw: "", words: Vec::new() };
            entry.skill().template().environment(&nothing, variables)
        };
        match execute(run, entry, &span.command, &environment, cancel) {
            Err(error)
                if error.kind() == &ErrorKind::ShellFailed
                    && run.policy.shell_limits().on_failure == OnFailure::Empty =>
            {
                Ok(Err(format!("{error}; nothing stands in its place")))
            }
            other => other.map(Ok),
        }
    })?;
    let mut done = done.into_iter();
    let mut text = |command: &str| match rule.check(command) {
        Err(why) => format!("[shell command not run: {why}]"),
        Ok(()) => done.next().unwrap_or(Ok(String::new())).unwrap_or_else(|notice| {
            notices.push(notice);
            String::new()
        }),
    };
    Ok(spans.iter().map(|span| Cow::Owned(text(&span.command))).collect())
}

/// Runs one command. Line ends at the end of its output go, as in `$(…)`.
fn execute(
    run: Run<'_>,
    entry: Entry<'_>,
    command: &str,
    environment: &[(String, String)],
    cancel: &CancelToken,
) -> Result<String, Error> {
    run.not_cancelled(entry)?;
    let skill = entry.skill();
    let limits = run.policy.shell_limits();
    let request = ShellRequest {
        skill,
        command,
        shell: skill.shell(),
        environment,
        directory: run.request.directory.as_deref(),
        timeout: limits.timeout,
        max_output: limits.max_output,
        cancel,
    };
    match run.host.shell(&request) {
        Ok(output) => {
            let mut text = output.stdout;
            text.truncate(text.trim_end_matches(['\n', '\r']).len());
            Ok(text)
        }
        Err(error) => Err(failed(entry, command, error)),
    }
}

fn failed(entry: Entry<'_>, command: &str, error: HostError) -> Error {
    let kind = match error {
        HostError::Cancelled => ErrorKind::Cancelled,
        HostError::ArgumentsTooLong => ErrorKind::InvalidArguments,
        _ => ErrorKind::ShellFailed,
    };
    let place = entry.path().map(|path| format!(" ({})", path.display())).unwrap_or_default();
    let why = match &error {
        HostError::Unsupported => "this host runs no commands".to_owned(),
        other => other.to_string(),
    };
    let message =
        format!("shell command `{command}` of skill `{}`{place} failed: {why}", entry.word());
    Error::new(kind, message).because(error)
}

/// The environment of a command, if the system can pass it.
fn environment(
    entry: Entry<'_>,
    bound: &Bound<'_>,
    variables: &Variables<'_>,
) -> Result<Vec<(String, String)>, Error> {
    let environment = entry.skill().template().environment(bound, variables);
    for (name, value) in &environment {
        let why = if value.contains('\0') {
            "holds a NUL character".to_owned()
        } else if name.len() + value.len() + "=\0".len() > MAX_VARIABLE {
            format!("is {} bytes long, more than the system passes", value.len())
        } else {
            continue;
        };
        let message = format!(
            "the arguments of skill `{}` do not fit: {} {why}, and a shell command needs it",
            entry.word(),
            argument(entry, name)
        );
        return Err(Error::new(ErrorKind::InvalidArguments, message));
    }
    Ok(environment)
}

/// An argument as the one who wrote the skill calls it.
fn argument(entry: Entry<'_>, variable: &str) -> String {
    let skill = entry.skill();
    let position = variable.strip_prefix(POSITION).and_then(|digits| digits.parse::<usize>().ok());
    match (position, skill.template().dialect()) {
        (Some(at), dialect) => match (skill.arguments().get(at), dialect) {
            (Some(name), _) => format!("`{name}`"),
            (None, Dialect::Claude) => format!("`${at}`"),
            (None, Dialect::OpenCode) => format!("`${}`", at + 1),
        },
        (None, _) => format!("`{variable}`"),
    }
}
