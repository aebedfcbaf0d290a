//! A project's file held against the user's: what would widen is named, with file and line.
//!
//! The names are for people. That nothing widens does not hang on them: the two files are layers of
//! one policy, each of which can only refuse, and limits are the smaller of the two.

use skilldeck_core::diagnostic::{Code, Diagnostic};
use skilldeck_core::model::fold;

use super::file::{Global, Section, ShellDefault, ShellFailure, SkillBlock};
use super::parse::{Parsed, Said};
use super::place::{Step, keys};
use crate::policy::ShellLimits;

/// What the user's settings are, where they say nothing too.
struct Allowed<'a> {
    section: &'a Section,
    skills: &'a [Said],
}

/// Everything in the project's file that the user's does not allow.
pub(super) fn widening(user: Option<&Parsed>, project: &Parsed) -> Vec<Diagnostic> {
    let nothing = Section::default();
    let allowed = Allowed {
        section: user.map_or(&nothing, |user| &user.section),
        skills: user.map_or(&[], |user| &user.skills),
    };
    let mut found = Vec::new();
    let mut refuse = |path: Vec<Step>, what: &str| {
        let code = Code::WideningSetting;
        let message = format!("{what}, which the user's configuration does not allow");
        let (line, column) = project.place(&path);
        let mut diagnostic = Diagnostic::new(code, message)
            .in_file(&project.path)
            .help("a project can only narrow; put it into the user's file, or remove it");
        (diagnostic.line, diagnostic.column) = (line, column);
        found.push(diagnostic);
    };
    sections(&allowed, &project.section, &mut refuse);
    shells(&allowed, &project.section, &mut refuse);
    for said in &project.skills {
        skills(&allowed, said, &mut refuse);
    }
    found
}

type Refuse<'a> = &'a mut dyn FnMut(Vec<Step>, &str);

fn sections(allowed: &Allowed<'_>, project: &Section, refuse: Refuse<'_>) {
    let user = allowed.section;
    let at = |path: &[&str]| keys(&[&["skills"], path].concat());
    if user.enable_skill_commands == Some(false) && project.enable_skill_commands == Some(true) {
        refuse(at(&["enable_skill_commands"]), "skill commands are switched on");
    }
    let closed: Vec<&str> = user
        .faces
        .into_iter()
        .flat_map(|faces| faces.said())
        .filter_map(|(name, open)| (!open).then_some(name))
        .collect();
    for (name, open) in project.faces.into_iter().flat_map(|faces| faces.said()) {
        if open && closed.contains(&name) {
            refuse(at(&["faces", name]), &format!("the protocol `{name}` is switched on"));
        }
    }
    if project.precedence.is_some() && project.precedence != user.precedence {
        refuse(at(&["precedence"]), "the order of the tiers is changed");
    }
    if project.trust.as_ref().is_some_and(|names| !names.is_empty()) {
        refuse(at(&["trust"]), "something is trusted");
    }
    if let (Some(rate), Some(users)) = (project.rate_limit, user.rate_limit)
        && !rate.is_within(&users)
    {
        refuse(at(&["rate_limit"]), "more invocations are let through");
    }
    let Some(global) = &project.global_slash_config else { return };
    let said = user.global_slash_config.as_ref();
    let at = |key| at(&["global_slash_config", key]);
    if global.enabled == Some(true) && said.and_then(|said| said.enabled) == Some(false) {
        refuse(at("enabled"), "skills are switched on");
    }
    let asks = said.and_then(|said| said.require_confirmation);
    if global.require_confirmation == Some(false) && asks == Some(true) {
        refuse(at("require_confirmation"), "confirmation is given up");
    }
    let agents = said.and_then(|said| said.allowed_agents.as_deref());
    if let Some(more) = further(agents, global.allowed_agents.as_deref()) {
        refuse(at("allowed_agents"), &more);
    }
}

fn shells(allowed: &Allowed<'_>, project: &Section, refuse: Refuse<'_>) {
    let Some(shell) = project.shell else { return };
    let user = allowed.section.shell.unwrap_or_default();
    let at = |key| keys(&["skills", "shell", key]);
    if shell.default == Some(ShellDefault::Allow) && user.default != Some(ShellDefault::Allow) {
        refuse(at("default"), "shell commands are allowed");
    }
    let longest = user.timeout.map_or(ShellLimits::DEFAULT.timeout, |time| time.0);
    if shell.timeout.is_some_and(|time| time.0 > longest) {
        refuse(at("timeout"), "shell commands get more time");
    }
    let most = user.max_output.map_or(ShellLimits::DEFAULT.max_output, |size| size.0);
    if shell.max_output.is_some_and(|size| size.0 > most) {
        refuse(at("max_output"), "shell commands may print more");
    }
    let tolerates = |said: Option<ShellFailure>| said == Some(ShellFailure::Empty);
    if tolerates(shell.on_failure) && !tolerates(user.on_failure) {
        refuse(at("on_failure"), "failures of shell commands are passed over");
    }
}

fn skills(allowed: &Allowed<'_>, said: &Said, refuse: Refuse<'_>) {
    let name = fold(&said.name);
    let nothing = SkillBlock::default();
    let user = allowed.skills.iter().find(|user| fold(&user.name) == name);
    let user = user.map_or(&nothing, |user| &user.block);
    let all = Global::default();
    let all = allowed.section.global_slash_config.as_ref().unwrap_or(&all);
    let at = |key: &str| [&*said.at, &[Step::Key(key.to_owned())]].concat();
    let block = &said.block;
    if block.enabled == Some(true) && user.enabled.or(all.enabled) == Some(false) {
        refuse(at("enabled"), &format!("`{}` is switched on", said.name));
    }
    let asks = user.require_confirmation.or(all.require_confirmation);
    if block.require_confirmation == Some(false) && asks == Some(true) {
        refuse(at("require_confirmation"), "confirmation is given up");
    }
    let agents = user.allowed_agents.as_deref().or(all.allowed_agents.as_deref());
    if let Some(more) = further(agents, block.allowed_agents.as_deref()) {
        refuse(at("allowed_agents"), &more);
    }
    if block.auto_inject == Some(true) && user.auto_inject == Some(false) {
        refuse(at("auto_inject"), &format!("the outcome of `{}` is delivered", said.name));
    }
}

/// The agents that a project adds to the user's.
fn further(user: Option<&[String]>, project: Option<&[String]>) -> Option<String> {
    let (user, project) = (user.filter(|agents| !agents.is_empty())?, project?);
    if project.is_empty() {
        return Some("all agents are let in".to_owned());
    }
    let more: Vec<&str> = {
        let is_new = |agent: &&String| !user.contains(agent);
        project.iter().filter(is_new).map(String::as_str).collect()
    };
    (!more.is_empty()).then(|| format!("more agents are let in (`{}`)", more.join("`, `")))
}
