//! What is wrong with a dependency to the diagnostic that says so.

use std::borrow::Cow;

use super::resolution::{Chain, Deck, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::Dependency;

/// How many skills of a path are named. A longer one says how many it leaves out, so that a circle
/// of many skills, reported at each of them, stays readable and its reports stay linear in size.
const MAX_NAMED: usize = 16;

/// The faults of one entry; `target` is the skill that its name reaches.
pub(super) fn of_entry<N: Node>(
    node: &N,
    dependency: &Dependency,
    target: Option<&N>,
) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let (name, wanted) = (shown(node.name()), dependency.to_string());
    let wanted = shown(&wanted);
    let needed = shown(&dependency.name);
    if target.is_none() {
        let message = format!("`{name}` depends on `{needed}`, which does not exist");
        let fault = Diagnostic::new(Code::MissingDependency, message).help(format!(
            "add a skill `{needed}`, or correct or remove the entry in `depends-on`"
        ));
        faults.push(at(fault, node, dependency.line));
    }
    let version = target.and_then(Node::version);
    match (dependency.matches(version), target) {
        (Err(error), _) => {
            let message = format!(
                "`{name}` depends on `{wanted}`, whose version requirement cannot be read: {error}"
            );
            let fault = Diagnostic::new(Code::InvalidRequirement, message)
                .help("write a requirement as in Cargo: `^1.2`, `>=1, <3` or `*`");
            faults.push(at(fault, node, dependency.line));
        }
        (Ok(false), Some(target)) => {
            let has = match version {
                Some(version) => format!("has the version `{}`", shown(version)),
                None => "has no version".to_owned(),
            };
            let message =
                format!("`{name}` depends on `{wanted}`, but `{}` {has}", shown(target.name()));
            let fault = Diagnostic::new(Code::DependencyVersion, message)
                .help("change the requirement, or the `version` of the dependency")
                .related(target.path(), 1, format!("`{}` {has}", shown(target.name())));
            faults.push(at(fault, node, dependency.line));
        }
        _ => {}
    }
    faults
}

/// The fault of a member of a cycle. `path` is closed, and leads through the member or past it;
/// every edge of it is a related place: at its first member all of them, at the others the first few.
pub(super) fn cycle<N: Node>(
    deck: &Deck<'_, N>,
    member: u32,
    path: &[u32],
    is_on_path: bool,
    line: u32,
) -> Diagnostic {
    let name = |position: u32| shown(deck.node(position).name());
    let circle = path_of(deck, path.iter().copied(), path.len(), path[0]);
    let message = match (path, is_on_path) {
        ([_, _], true) => format!("`{}` depends on itself: {circle}", name(member)),
        (_, true) => format!("skills depend on each other in a circle: {circle}"),
        (_, false) => {
            let member = name(member);
            format!("skills depend on each other in a circle: {circle} (and `{member}` with them)")
        }
    };
    let mut fault = Diagnostic::new(Code::DependencyCycle, message)
        .help("remove one of these entries from its `depends-on`");
    let shown_edges = if path.first() == Some(&member) { usize::MAX } else { MAX_NAMED };
    for edge in path.windows(2).take(shown_edges) {
        let (from, to) = (edge[0], edge[1]);
        let message = format!("`{}` depends on `{}`", name(from), name(to));
        fault = fault.related(deck.node(from).path(), deck.line(from, to), message);
    }
    at(fault, deck.node(member), line)
}

/// The fault of a dependant; `cause` is the first fault at the end of the chain.
pub(super) fn unavailable<N: Node>(
    deck: &Deck<'_, N>,
    chain: &Chain<'_>,
    cause: &Diagnostic,
    line: u32,
) -> Diagnostic {
    let name = |position: u32| shown(deck.node(position).name());
    let way = path_of(deck, chain.skills(), chain.len(), chain.root());
    let message = format!(
        "`{}` depends on `{}`, which is unavailable ({way}): {}",
        name(chain.from),
        name(chain.to),
        cause.message
    );
    let fault = Diagnostic::new(Code::UnavailableDependency, message)
        .help(format!(
            "make `{}` available, or remove the entry from `depends-on`",
            name(chain.root())
        ))
        .related(deck.node(chain.root()).path(), cause.line, cause.message.clone());
    at(fault, deck.node(chain.from), line)
}

fn at<N: Node>(fault: Diagnostic, node: &N, line: u32) -> Diagnostic {
    let fault = fault.at_line(line);
    match node.path() {
        Some(path) => fault.in_file(path),
        None => fault,
    }
}

/// Skills as `a → b → c`; of more than [`MAX_NAMED`] the first ones, how many are left out, and the
/// last.
fn path_of<N: Node>(
    deck: &Deck<'_, N>,
    skills: impl Iterator<Item = u32>,
    count: usize,
    last: u32,
) -> String {
    let name = |position: u32| shown(deck.node(position).name());
    if count <= MAX_NAMED {
        return skills.map(name).collect::<Vec<_>>().join(" → ");
    }
    let first = MAX_NAMED - 2;
    let mut names: Vec<Cow<'_, str>> = skills.take(first).map(name).collect();
    names.push(format!("… {} more …", count - first - 1).into());
    names.push(name(last));
    names.join(" → ")
}

/// A name in one line, whatever somebody wrote into a file.
fn shown(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        text.chars()
            .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.into() })
            .collect::<String>()
            .into()
    } else {
        text.into()
    }
}
