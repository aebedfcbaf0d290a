//! Every combination of trust, initiator, agent, flags of a skill and configuration, held against
//! what docs/configuration.md says in words.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::sync::Arc;

use skilldeck_runtime::{
    Caller, ErrorKind, Initiator, Memory, Policy, Registry, Request, Rules, SkillRules, Source,
    SourceInfo, Tier, Verdict,
};

/// What the file of a skill says, and whether its source is trusted.
#[derive(Clone, Copy, Debug)]
struct Flags {
    trusted: bool,
    user_invocable: bool,
    disable_model_invocation: bool,
    enabled: bool,
    require_confirmation: bool,
    only_main: bool,
}

/// What a file of configuration says.
#[derive(Clone, Copy, Debug)]
struct Config {
    commands: bool,
    face: bool,
    enabled: bool,
    confirm: bool,
    agents: &'static [&'static str],
    skill_enabled: Option<bool>,
    skill_confirm: Option<bool>,
    skill_agents: Option<&'static [&'static str]>,
}

const BOTH: [bool; 2] = [false, true];
const SAID: [Option<bool>; 3] = [None, Some(false), Some(true)];
const AGENTS: [Option<&str>; 3] = [Some("main"), Some("sub"), None];

fn all_flags() -> Vec<Flags> {
    let mut all = Vec::new();
    for bits in 0..64 {
        let bit = |at: u32| bits >> at & 1 == 1;
        all.push(Flags {
            trusted: bit(0),
            user_invocable: bit(1),
            disable_model_invocation: bit(2),
            enabled: bit(3),
            require_confirmation: bit(4),
            only_main: bit(5),
        });
    }
    all
}

fn all_configs() -> Vec<Config> {
    let mut all = Vec::new();
    for (commands, face) in [(true, true), (false, true), (true, false)] {
        for enabled in BOTH {
            for confirm in BOTH {
                for agents in [&[][..], &["main"]] {
                    for skill_enabled in SAID {
                        for skill_confirm in SAID {
                            for skill_agents in [None, Some(&[][..]), Some(&["main", "sub"][..])] {
                                all.push(Config {
                                    commands,
                                    face,
                                    enabled,
                                    confirm,
                                    agents,
                                    skill_enabled,
                                    skill_confirm,
                                    skill_agents,
                                });
                            }
                        }
                    }
                }
            }
        }
    }
    all
}

/// The words of the page, one sentence each.
fn expected(flags: Flags, config: Config, initiator: Initiator, agent: Option<&str>) -> Verdict {
    // `user-invocable: false` refuses User; `disable-model-invocation: true` refuses Model. An
    // untrusted skill is refused to the model.
    let is_refused_to_initiator = match initiator {
        Initiator::User => !flags.user_invocable,
        Initiator::Model => flags.disable_model_invocation || !flags.trusted,
    };
    // A non-empty `allowed_agents` denies an unknown agent; so does the skill's own.
    let may = |agents: &[&str]| agents.is_empty() || agent.is_some_and(|it| agents.contains(&it));
    let own_agents: &[&str] = if flags.only_main { &["main"] } else { &[] };
    // Within a file the per-skill block overrides the global one. What the front matter restricts
    // holds whatever a policy says.
    let is_enabled = flags.enabled && config.skill_enabled.unwrap_or(config.enabled);
    let agents = config.skill_agents.unwrap_or(config.agents);
    let asks = flags.require_confirmation || config.skill_confirm.unwrap_or(config.confirm);
    if !config.commands
        || !config.face
        || is_refused_to_initiator
        || !is_enabled
        || !may(own_agents)
        || !may(agents)
    {
        Verdict::Deny
    } else if asks {
        Verdict::Ask
    } else {
        Verdict::Allow
    }
}

fn word(at: usize) -> String {
    format!("skill-{at}")
}

fn source(flags: &[Flags], trusted: bool) -> Source {
    let memory = Memory::default();
    for (at, flags) in flags.iter().enumerate().filter(|(_, flags)| flags.trusted == trusted) {
        let agents = if flags.only_main { "allowed-agents: [main]\n" } else { "" };
        let text = format!(
            "---\ndescription: d\nuser-invocable: {}\ndisable-model-invocation: {}\n\
             require-confirmation: {}\nslash-command: {{enabled: {}}}\n{agents}---\nBody.\n",
            flags.user_invocable,
            flags.disable_model_invocation,
            flags.require_confirmation,
            flags.enabled
        );
        memory.insert(word(at), text);
    }
    let mut info = SourceInfo::new(if trusted { "mine" } else { "theirs" }, Tier::USER);
    info.trusted = trusted;
    Source::memory(Arc::new(memory), info)
}

fn policy(config: Config, skills: usize) -> Policy {
    let mut rules = Rules::new()
        .commands(config.commands)
        .face("acp", config.face)
        .enabled(config.enabled)
        .require_confirmation(config.confirm)
        .allowed_agents(config.agents.iter().copied());
    for at in 0..skills {
        let mut skill = SkillRules::new();
        if let Some(enabled) = config.skill_enabled {
            skill = skill.enabled(enabled);
        }
        if let Some(confirm) = config.skill_confirm {
            skill = skill.require_confirmation(confirm);
        }
        if let Some(agents) = config.skill_agents {
            skill = skill.allowed_agents(agents.iter().copied());
        }
        // Another spelling reaches it too.
        rules = rules.skill(&format!("Skill_{at}"), skill);
    }
    Policy::new().rules(rules)
}

fn request(base: Request, caller: &Caller<'_>) -> Request {
    let request = base.initiator(caller.initiator).protocol("acp");
    match caller.agent {
        Some(agent) => request.agent(agent),
        None => request,
    }
}

/// The words of lines such as `- word: …` or `/skill:word …`.
fn words(text: &str, before: &str) -> BTreeSet<String> {
    let word = |line: &str| {
        let line = line.strip_prefix(before)?;
        Some(line.split([':', ' ']).next()?.to_owned())
    };
    text.lines().filter_map(word).collect()
}

#[test]
fn every_combination_is_decided_as_the_page_says() {
    let flags = all_flags();
    let configs = all_configs();
    let registry = Registry::builder()
        .source(source(&flags, true))
        .source(source(&flags, false))
        .build()
        .unwrap();
    let snapshot = registry.snapshot();
    assert_eq!(snapshot.len(), flags.len());
    let mut combinations = 0;
    let mut verdicts = [0; 3];
    for &config in &configs {
        let policy = policy(config, flags.len());
        for initiator in [Initiator::User, Initiator::Model] {
            for agent in AGENTS {
                let caller = Caller { initiator, agent, protocol: Some("acp") };
                let listing = snapshot.listing_under(&policy, &caller, None).text;
                let listed = words(&listing, "- ");
                let menu = registry.menu_with(&policy, &request(Request::line("/skills"), &caller));
                let menu = words(&menu.unwrap(), "/skill:");
                for (at, &flags) in flags.iter().enumerate() {
                    let word = word(at);
                    let expected = expected(flags, config, initiator, agent);
                    let what = || format!("{flags:?} {config:?} {initiator:?} {agent:?}");
                    let entry = snapshot.get(&word).unwrap();
                    let decision = policy.decide(entry, &caller);
                    assert_eq!(decision.verdict, expected, "decide: {}", what());
                    assert_eq!(decision.reasons.is_empty(), expected == Verdict::Allow);
                    let offered = expected != Verdict::Deny;
                    assert_eq!(policy.offers(entry, &caller), offered, "offers: {}", what());
                    assert_eq!(listed.contains(&word), offered, "listing: {}", what());
                    assert_eq!(menu.contains(&word), offered, "menu: {}", what());
                    let request = request(Request::command(word, ""), &caller);
                    let invoked = match registry.invoke_with(&policy, &request) {
                        Ok(_) => Verdict::Allow,
                        Err(error) => match error.kind() {
                            ErrorKind::Refused => Verdict::Deny,
                            ErrorKind::NeedsConfirmation { .. } => Verdict::Ask,
                            other => panic!("{other:?}: {}", what()),
                        },
                    };
                    assert_eq!(invoked, expected, "invoke: {}", what());
                    combinations += 1;
                    verdicts[expected as usize] += 1;
                }
            }
        }
    }
    println!("{combinations} combinations: {verdicts:?} allowed, asked, denied");
    assert_eq!(combinations, flags.len() * configs.len() * 2 * AGENTS.len());
    assert!(verdicts.iter().all(|count| *count > 1_000), "{verdicts:?}");
}

/// Whatever two files say, together they are as narrow as the narrower of them.
#[test]
fn layers_only_narrow_each_other() {
    let flags = all_flags();
    let registry = Registry::builder()
        .source(source(&flags, true))
        .source(source(&flags, false))
        .build()
        .unwrap();
    let snapshot = registry.snapshot();
    let rules = |config| policy(config, flags.len());
    let configs: Vec<_> = all_configs().into_iter().step_by(17).map(rules).collect();
    let mut compared = 0;
    for (at, one) in configs.iter().enumerate() {
        let other = &configs[(at * 7 + 3) % configs.len()];
        let both = one.clone().and(other);
        for initiator in [Initiator::User, Initiator::Model] {
            for agent in AGENTS {
                let caller = Caller { initiator, agent, protocol: Some("acp") };
                for entry in snapshot.iter() {
                    let alone = [one, other].map(|it| it.decide(entry, &caller).verdict);
                    let narrower = alone.into_iter().max().unwrap();
                    assert_eq!(both.decide(entry, &caller).verdict, narrower, "{entry:?}");
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} pairs compared");
    assert!(compared > 10_000);
}
