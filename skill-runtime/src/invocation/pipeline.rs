//! Find, decide, bind, render dependencies and the skill itself, run a fork, record: in this order,
//! on one snapshot.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use skilldeck_core::template::{Bound, Variables};

use super::confirm::{Asking, Version, confirm};
use super::find::{Found, find};
use super::record::Recorder;
use super::render::Rendered;
use super::resources::{Need, base, side_files};
use super::{Outcome, Request, Shape, fork, schema, shell};
use crate::error::{Error, ErrorKind};
use crate::host::Host;
use crate::policy::{Policy, Reason, ShellRule, Weighed};
use crate::snapshot::{Entry, Snapshot, State};
use crate::telemetry::{Activation, Span, Telemetry};

/// What all steps of one invocation share.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) host: &'a dyn Host,
    pub(super) policy: &'a Policy,
    pub(super) request: &'a Request,
}

/// What is made of a skill and its dependencies.
struct Product {
    prompt: String,
    appended: Range<usize>,
    answer: Option<String>,
    notices: Vec<String>,
}

/// One invocation.
pub(super) fn run(
    snapshot: &Snapshot,
    host: &dyn Host,
    policy: &Policy,
    telemetry: &Telemetry,
    request: &Request,
) -> Result<Outcome, Error> {
    let run = Run { host, policy, request };
    let found = find(snapshot, policy, request)?;
    let entry = found.entry;
    let dependencies = snapshot.dependencies(entry);
    let generation = snapshot.generation();
    let version = Version { registry: snapshot.registry(), generation };
    let mut recorder = Recorder::new(host, request, telemetry, generation);
    if let Err(error) = run.admit(&found, &dependencies, version) {
        recorder.refuse(entry, found.raw, &error);
        return Err(error);
    }
    let started = recorder.start(entry, found.raw);
    let span = Span::enter(&started);
    let product = run.produce(&found, &dependencies, &mut recorder, &started);
    let ended = recorder.end(&started, &product);
    span.exit(&ended);
    let product = product?;
    let mut grant = policy.grant(entry);
    for dependency in dependencies {
        grant.narrow_by(dependency);
    }
    Ok(Outcome {
        prompt: product.prompt,
        answer: product.answer,
        appended: product.appended,
        target: Arc::clone(request.target.text()),
        raw: found.range,
        shape: request.shape_of_answer(),
        generation,
        inject: policy.injects(entry),
        grant,
        notices: product.notices,
        events: recorder.events(started, ended),
    })
}

impl Run<'_> {
    /// Whether the skill may start: by policy, with all that it depends on, and by the answer of
    /// the person who is asked once for all.
    fn admit<'a>(
        self,
        found: &Found<'a>,
        dependencies: &[Entry<'a>],
        version: Version,
    ) -> Result<(), Error> {
        let caller = self.request.caller();
        let entry = found.entry;
        let asking: Asking<'_> = match self.policy.weigh(entry, dependencies, &caller) {
            Weighed::Open(asking) => asking,
            Weighed::Closed(because_of, reasons) => {
                return Err(denied(entry, because_of, &reasons));
            }
        };
        fork::check(entry, &self.request.lineage)?;
        self.not_cancelled(entry)?;
        confirm(self.host, self.request, found, version, &asking)?;
        // Only what starts counts: being asked, or a refusal, takes nothing from the next one.
        self.policy.count(entry, caller.initiator)
    }

    /// Renders, and runs the fork if the skill wants one.
    fn produce(
        self,
        found: &Found<'_>,
        dependencies: &[Entry<'_>],
        recorder: &mut Recorder<'_>,
        started: &Activation,
    ) -> Result<Product, Error> {
        let bound = found.entry.skill().template().bind(found.raw);
        let rule = self.policy.shell_rule(found.entry);
        let mut notices = Vec::new();
        schema::check(self.policy, found.entry, &bound, &mut notices)?;
        shell::validate(found.entry, rule, &bound)?;
        let mut prompt = String::new();
        // A dependency is a part of the prompt, also one that would fork if it were invoked itself.
        for &dependency in dependencies {
            recorder.dependency(dependency, started.id(), || {
                let bound = dependency.skill().template().bind("");
                let rule = self.policy.shell_rule(dependency);
                self.block(dependency, rule, &bound, &mut prompt, &mut notices)
            })?;
            prompt.push_str("\n\n");
        }
        let appended = self.block(found.entry, rule, &bound, &mut prompt, &mut notices)?;
        let skill = found.entry.skill();
        let answer = if skill.is_fork() {
            self.not_cancelled(found.entry)?;
            Some(fork::run(self.host, self.request, skill, started.id(), &prompt)?)
        } else {
            None
        };
        Ok(Product { prompt, appended, answer, notices })
    }

    /// Writes the block of one skill behind what `prompt` has. Gives the bytes of the arguments
    /// that no placeholder received.
    fn block(
        self,
        entry: Entry<'_>,
        rule: ShellRule<'_>,
        bound: &Bound<'_>,
        prompt: &mut String,
        notices: &mut Vec<String>,
    ) -> Result<Range<usize>, Error> {
        notice(entry, notices);
        let request = self.request;
        let skill = entry.skill();
        let template = skill.template();
        let shape = request.shape_of_answer();
        let base = base(self, entry, Need::of(shape, template, rule), notices)?;
        let directory = request.directory.as_deref().map(|path| path.to_string_lossy());
        let variables = Variables {
            skill_dir: base.as_deref(),
            session_id: request.session.as_deref(),
            project_dir: request.project.as_deref().or(directory.as_deref()),
            effort: skill.effort().or(request.effort.as_deref()),
        };
        let shells = shell::replace(self, entry, rule, bound, &variables, notices)?;
        let files = match (shape, &base) {
            (Shape::Tool, Some(_)) => side_files(entry, notices),
            _ => Vec::new(),
        };
        let rendered = Rendered {
            name: skill.name(),
            template,
            bound,
            variables,
            shells: &shells,
            base: base.as_deref(),
            files: &files,
        };
        prompt.reserve(rendered.size());
        Ok(rendered.write(shape, prompt))
    }

    /// Whether to go on.
    pub(super) fn not_cancelled(self, entry: Entry<'_>) -> Result<(), Error> {
        if self.request.cancel.is_cancelled() {
            let message = format!("skill `{}` was cancelled", entry.word());
            return Err(Error::new(ErrorKind::Cancelled, message));
        }
        Ok(())
    }
}

/// The error of a skill that may not start, because of itself or of a dependency.
fn denied(entry: Entry<'_>, because_of: Entry<'_>, reasons: &[Reason]) -> Error {
    let is_unusable = reasons.iter().any(|reason| matches!(reason, Reason::Unusable(_)));
    let (kind, what) = if is_unusable {
        (ErrorKind::Unavailable, "unavailable")
    } else {
        (ErrorKind::Refused, "refused")
    };
    let mut message = format!("skill `{}` is {what}: ", entry.word());
    if entry.word() != because_of.word() {
        let _ = write!(message, "its dependency `{}`: ", because_of.word());
    }
    for (at, reason) in reasons.iter().enumerate() {
        let separator = if at == 0 { "" } else { "; " };
        let _ = write!(message, "{separator}{reason}");
    }
    if let (true, Some(path)) = (is_unusable, because_of.path()) {
        let _ = write!(message, " ({})", path.display());
    }
    Error::new(kind, message)
}

/// What a person should know of an entry before they trust its text.
fn notice(entry: Entry<'_>, notices: &mut Vec<String>) {
    if entry.state() == State::Stale {
        let why = entry.reason().unwrap_or("its file has an error");
        notices.push(format!("skill `{}` is the last good version: {why}", entry.word()));
    }
    if entry.source().trusted {
        return;
    }
    if let Some(trusted) = entry.shadows().iter().find(|shadow| shadow.source.trusted) {
        notices.push(format!(
            "skill `{}` of the untrusted source `{}` shadows the trusted one of `{}`",
            entry.word(),
            entry.source().name,
            trusted.source.name
        ));
    }
}
