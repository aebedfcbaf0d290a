//! Who may start what where a host or a file of configuration has its own rules.

use skilldeck_core::model::Value;
use skilldeck_runtime::{
    Caller, ErrorKind, Initiator, Policy, Reason, Registry, Request, Rules, Shape, SkillRules,
};

use crate::support::{deck, source, untrusted};

fn under(policy: Policy, skills: &[(&str, &str)]) -> Registry {
    Registry::builder().source(source("mine", true, skills)).policy(policy).build().unwrap()
}

fn one(name: &str, rules: SkillRules) -> Policy {
    Policy::new().rules(Rules::new().skill(name, rules))
}

fn refusal(registry: &Registry, request: Request) -> String {
    let error = registry.invoke(&request).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Refused, "{error}");
    error.to_string()
}

#[test]
fn each_rule_gives_its_reason() {
    let line = || Request::line("/skill:plain").protocol("acp");
    let table = [
        (Rules::new().commands(false), "skill commands are switched off"),
        (Rules::new().face("acp", false), "the protocol `acp` is switched off"),
        (Rules::new().enabled(false), "the configuration switches it off"),
        (Rules::new().allowed_agents(["main"]), "only agents of known name"),
        (
            Rules::new().skill("plain", SkillRules::new().min_version("1.2").unwrap()),
            "it has the version `1.1`, and the configuration wants 1.2 or later",
        ),
    ];
    for (rules, reason) in table {
        let registry = under(Policy::new().rules(rules), &[("plain", "version: 1.1\n---\nx\n")]);
        let message = refusal(&registry, line());
        assert!(message.contains(reason), "{message}");
        let caller = Caller { protocol: Some("acp"), ..Caller::new(Initiator::User) };
        assert_eq!(registry.listing(&caller, None).text, "", "{reason}");
        let menu = registry.menu(&Request::line("/skills").protocol("acp"));
        assert_eq!(menu.as_deref(), Some("there are no skills"), "{reason}");
        assert_eq!(registry.announcer().protocol("acp").listing(&registry.snapshot()).text, "");
    }
    let other = under(Policy::new().rules(Rules::new().allowed_agents(["main"])), &[("a", "x\n")]);
    let message = refusal(&other, Request::line("/a").agent("sub"));
    assert!(message.contains("the agent `sub` is not in the `allowed_agents`"), "{message}");
}

#[test]
fn a_face_that_is_switched_off_closes_no_other() {
    let registry = under(Policy::new().rules(Rules::new().face("mcp", false)), &[("plain", "x\n")]);
    for protocol in ["acp", "agui", "opencode", "cli", "library"] {
        assert!(registry.invoke(&Request::line("/plain").protocol(protocol)).is_ok(), "{protocol}");
    }
    refusal(&registry, Request::line("/plain").protocol("mcp"));
}

#[test]
fn no_spelling_of_a_name_escapes_its_rules() {
    let skills = [("my-skill", "name: My Skill\naliases: [Mine]\n---\nx\n"), ("other", "x\n")];
    for name in ["my-skill", "My_Skill", "MY SKILL", "mine", "MINE"] {
        let registry = under(one(name, SkillRules::new().enabled(false)), &skills);
        refusal(&registry, Request::line("/my-skill"));
        refusal(&registry, Request::line("/Mine"));
        assert!(registry.invoke(&Request::line("/other")).is_ok());
    }
    // What is said of two of its names holds together.
    let rules = Rules::new()
        .skill("mine", SkillRules::new().enabled(false).allowed_agents(["a"]))
        .skill("my-skill", SkillRules::new().enabled(true).allowed_agents(["a", "b"]));
    let registry = under(Policy::new().rules(rules), &skills);
    let caller = Caller { agent: Some("b"), ..Caller::new(Initiator::User) };
    let snapshot = registry.snapshot();
    let decision = registry.policy().decide(snapshot.get("my-skill").unwrap(), &caller);
    let agent = Reason::AgentNotConfigured("b".to_owned());
    assert_eq!(decision.reasons, [Reason::SwitchedOff, agent]);
}

#[test]
fn what_a_skill_demands_holds_whatever_is_configured() {
    let open = SkillRules::new().enabled(true).require_confirmation(false);
    let open = || one("strict", open.clone().allowed_agents([""; 0]).auto_inject(true));
    let strict = |keys: &str| under(open(), &[("strict", &format!("{keys}---\nx\n"))]);
    refusal(&strict("slash-command: {enabled: false}\n"), Request::line("/strict"));
    refusal(&strict("allowed-agents: [main]\n"), Request::line("/strict"));
    refusal(&strict("user-invocable: false\n"), Request::line("/strict"));
    let asked = strict("require-confirmation: true\n").invoke(&Request::line("/strict"));
    assert!(matches!(asked.unwrap_err().kind(), ErrorKind::NeedsConfirmation { .. }));
    let quiet = strict("slash-command: {auto-inject: false}\n");
    assert!(!quiet.invoke(&Request::line("/strict")).unwrap().inject());
}

#[test]
fn a_dependency_is_held_to_the_rules_too() {
    let skills = [("top", "depends-on: base\n---\nx\n"), ("base", "x\n")];
    let registry = under(one("base", SkillRules::new().enabled(false)), &skills);
    let message = refusal(&registry, Request::line("/top"));
    assert!(message.contains("its dependency `base`: the configuration"), "{message}");
    assert_eq!(registry.listing(&Caller::new(Initiator::User), None).text, "");
    let registry = under(one("base", SkillRules::new().require_confirmation(true)), &skills);
    let error = registry.invoke(&Request::line("/top")).unwrap_err();
    assert!(error.to_string().contains("`base`: the configuration asks"), "{error}");
}

#[test]
fn words_and_prefixes_can_be_configured() {
    let rules = Rules::new()
        .skill("deploy", SkillRules::new().aliases(["ship", "plain"]).prefix("/ops:"))
        .skill("plain", SkillRules::new());
    let policy = Policy::new().rules(rules).prefix("/do:").native_commands(["help"]);
    let skills = [
        ("deploy", "x\n"),
        ("plain", "x\n"),
        ("own", "slash-command: {prefix: \"/my:\"}\n---\nx\n"),
    ];
    let registry = under(policy, &skills);
    let reaches = |line: &str| {
        let outcome = registry.invoke(&Request::line(line))?;
        Ok::<_, skilldeck_runtime::Error>(outcome.events()[0].skill().to_owned())
    };
    for (line, word) in [
        ("/do:deploy", "deploy"),
        ("/skill:deploy", "deploy"),
        ("/ship", "deploy"),
        ("/skill:Ship", "deploy"),
        ("/ops:deploy", "deploy"),
        ("/my:own", "own"),
        // What a skill is called itself is stronger.
        ("/plain", "plain"),
    ] {
        assert_eq!(reaches(line).unwrap(), word, "{line}");
    }
    let error = reaches("/help").unwrap_err();
    assert!(error.to_string().contains("a command of the host"), "{error}");
    assert!(reaches("/ops:plain").is_err());
    let menu = registry.menu(&Request::line("/skills")).unwrap();
    let lines: Vec<&str> = menu.lines().map(|line| line.split([' ']).next().unwrap()).collect();
    assert_eq!(lines, ["/ops:deploy:", "/my:own:", "/do:plain:"]);
    // A request has the last word about its prefix, and adds native commands.
    let request = Request::line("/skills").prefix("/x:").native_commands(["plain"]);
    assert!(registry.menu(&request).unwrap().contains("/x:plain"));
    let hidden = Request::line("/plain").native_commands(["plain"]);
    assert!(registry.invoke(&hidden).is_err());
    let other = Request::line("/help").native_commands(["plain"]);
    assert!(registry.invoke(&other).unwrap_err().to_string().contains("a command of the host"));
}

#[test]
fn a_word_that_two_skills_get_is_ambiguous() {
    let rules = Rules::new()
        .skill("a", SkillRules::new().aliases(["go"]))
        .skill("b", SkillRules::new().aliases(["go"]));
    let registry = under(Policy::new().rules(rules), &[("a", "x\n"), ("b", "x\n")]);
    let error = registry.invoke(&Request::line("/go")).unwrap_err();
    let candidates = vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Ambiguous { candidates });
}

#[test]
fn delivery_can_be_kept_back_and_versions_demanded() {
    let registry = under(one("a", SkillRules::new().auto_inject(false)), &[("a", "x\n")]);
    assert!(!registry.invoke(&Request::line("/a")).unwrap().inject());
    for (version, runs) in [("1.2.0", true), ("v2", true), ("1.1.9", false), ("new", false)] {
        let rules = SkillRules::new().min_version("1.2").unwrap();
        let registry = under(one("a", rules), &[("a", &format!("version: {version}\n---\nx\n"))]);
        assert_eq!(registry.invoke(&Request::line("/a")).is_ok(), runs, "{version}");
    }
    let registry = under(one("a", SkillRules::new().min_version("0.1").unwrap()), &[("a", "x\n")]);
    let message = refusal(&registry, Request::line("/a"));
    assert!(message.contains("it has no version"), "{message}");
    for wrong in ["", "new", "1.2, <3", "*", "^1", ">=1", "1.2.3.4"] {
        let error = SkillRules::new().min_version(wrong).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Configuration, "{wrong}");
    }
}

#[test]
fn an_untrusted_source_stays_what_it_is() {
    let registry = untrusted(&[("evil", "x\n")]);
    let policy = one("evil", SkillRules::new().enabled(true).require_confirmation(false));
    let request = Request::line("/evil").initiator(Initiator::Model);
    let error = registry.invoke_with(&policy, &request).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Refused);
}

#[test]
fn a_configured_schema_is_held_beside_the_own_one() {
    let text = |text: &'static str| Value::String(text.into());
    let least = Value::Map(vec![("minLength".into(), Value::Number("3".into()))].into());
    let schema = Value::Map(
        vec![
            ("type".into(), text("object")),
            ("properties".into(), Value::Map(vec![("what".into(), least)].into())),
        ]
        .into(),
    );
    let body = "arguments: [what]\n---\n$what\n";
    let registry = under(one("a", SkillRules::new().input_schema(schema)), &[("a", body)]);
    let invoke = |line: &str| registry.invoke(&Request::line(line).shape(Shape::Plain));
    if cfg!(feature = "schema") {
        assert_eq!(invoke("/a ab").unwrap_err().kind(), &ErrorKind::InvalidArguments);
        assert_eq!(invoke("/a abc").unwrap().notices(), [""; 0]);
    } else {
        assert_eq!(invoke("/a ab").unwrap().notices().len(), 1);
    }
}

#[test]
fn the_default_policy_says_nothing() {
    let registry = deck(&[("a", "x\n")]);
    assert_eq!(registry.policy(), &Policy::new());
    assert_eq!(registry.policy().names().count(), 0);
    let named = one("My_Skill", SkillRules::new());
    assert_eq!(named.names().collect::<Vec<_>>(), ["my-skill"]);
}

#[cfg(feature = "rate-limit")]
mod limits {
    use std::num::NonZeroU32;
    use std::time::{Duration, Instant};

    use skilldeck_runtime::{ErrorKind, Initiator, Policy, RateLimit, Request};

    use super::under;

    fn limit(burst: u32, per: Duration) -> Policy {
        let burst = NonZeroU32::new(burst).unwrap();
        Policy::new().rate_limit(RateLimit::new(burst, per).unwrap())
    }

    #[test]
    fn a_bucket_is_for_one_skill_and_one_initiator() {
        let policy = limit(2, Duration::from_secs(3600));
        let skills = [
            ("a", "x\n"),
            ("b", "depends-on: a\n---\nx\n"),
            ("off", "user-invocable: false\n---\nx\n"),
        ];
        let registry = under(policy, &skills);
        let invoke = |line: &str, initiator| {
            registry.invoke(&Request::line(line).initiator(initiator)).map_err(|error| {
                let ErrorKind::RateLimited { retry_after } = error.kind() else { return None };
                assert!(error.to_string().contains("try again in 30 min"), "{error}");
                Some(*retry_after)
            })
        };
        assert!(invoke("/a", Initiator::User).is_ok());
        assert!(invoke("/a", Initiator::User).is_ok());
        let wait = invoke("/a", Initiator::User).unwrap_err().unwrap();
        assert!(wait > Duration::from_secs(1700) && wait <= Duration::from_secs(1800), "{wait:?}");
        assert!(invoke("/a", Initiator::Model).is_ok());
        // A dependency is a part of what needs it.
        assert!(invoke("/b", Initiator::User).is_ok());
        // What is refused takes nothing: it is refused by its own rule each time.
        for _ in 0..4 {
            assert_eq!(invoke("/off", Initiator::User).unwrap_err(), None);
        }
        assert!(invoke("/off", Initiator::Model).is_ok());
    }

    #[test]
    fn a_bucket_fills_again() {
        let registry = under(limit(1, Duration::from_millis(20)), &[("a", "x\n")]);
        let start = Instant::now();
        let mut started = 0;
        while started < 3 {
            started += u32::from(registry.invoke(&Request::line("/a")).is_ok());
            assert!(start.elapsed() < Duration::from_secs(30), "started {started}");
        }
        assert!(start.elapsed() >= Duration::from_millis(40), "{:?}", start.elapsed());
    }

    #[test]
    fn a_time_that_cannot_be_divided_is_none() {
        let two = NonZeroU32::new(2).unwrap();
        assert_eq!(RateLimit::new(two, Duration::from_nanos(1)), None);
        assert!(RateLimit::new(two, Duration::from_nanos(2)).is_some());
    }
}

#[test]
fn rules_that_several_names_reach_are_one() {
    let rules = SkillRules::new().aliases(["other"]);
    let registry = under(one("plain", rules), &[("plain", "aliases: [plain-one]\n---\nx\n")]);
    let snapshot = registry.snapshot();
    let entry = snapshot.get("plain").unwrap();
    let words: Vec<&str> = registry.policy().aliases_of(entry).collect();
    assert_eq!(words, ["plain-one", "other"]);
}
