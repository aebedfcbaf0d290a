//! Files to settings, faults with their places, and what a project cannot widen.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::Configuration;
use super::file::File;
use super::parse::Parsed;
use crate::caller::{Caller, Initiator};
use crate::policy::{OnFailure, Policy, Verdict};
use crate::registry::Registry;
use crate::source::{Environment, Memory, Precedence, Source, SourceInfo, Tier};

fn parsed(text: &str) -> Result<Parsed, String> {
    Parsed::parse(Path::new("x.yml"), text.as_bytes()).map_err(|error| error.to_string())
}

/// An environment without a home.
fn nobody() -> Environment {
    Environment::default()
}

fn of(user: &str, project: &str) -> Result<Configuration, String> {
    let file = |path: &str, text: &str| {
        let parse = || Parsed::parse(Path::new(path), text.as_bytes());
        (!text.is_empty()).then(parse).transpose().map_err(|error| error.to_string())
    };
    Configuration::of(
        file("user.yml", user)?,
        file("project.yml", project)?,
        Path::new(""),
        &nobody(),
    )
    .map_err(|error| error.to_string())
}

/// Two skills, of which one is called `a`.
fn deck() -> Registry {
    let memory = Memory::default();
    for name in ["a", "other"] {
        memory.insert(name, "---\ndescription: d\n---\nx\n");
    }
    let mut info = SourceInfo::new("mine", Tier::USER);
    info.trusted = true;
    Registry::builder().source(Source::memory(Arc::new(memory), info)).build().unwrap()
}

const PAGE: &str = include_str!("../../../docs/configuration.md");

/// The first block of YAML of the page, which shows everything.
fn whole() -> &'static str {
    PAGE.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap()
}

#[test]
fn what_the_page_shows_is_understood() {
    let configuration = of(whole(), "").unwrap();
    let policy = configuration.policy();
    assert_eq!(policy.names().collect::<Vec<_>>(), ["dangerous-skill"]);
    assert_eq!(configuration.precedence(), Precedence::project_first());
    assert!(!policy.shell());
    // Each key of the page is one of the types.
    for key in ["bodies", "telemetry", "min_version", "input_schema", "faces", "rate_limit"] {
        assert!(whole().contains(key), "{key}");
    }
}

#[test]
fn nothing_is_a_file_too() {
    let default = Configuration::of(None, None, Path::new(""), &nobody()).unwrap().policy();
    for text in ["", "\n# nothing\n", "skills:\n", "skills: {}\n", "---\n", "\u{feff}skills: {}\n"]
    {
        let read =
            Configuration::of(Some(parsed(text).unwrap()), None, Path::new(""), &nobody()).unwrap();
        assert_eq!(read.policy(), default, "{text:?}");
    }
}

#[test]
fn faults_have_a_place_and_say_what_was_expected() {
    let long = format!("# {}\n", "x".repeat(70 << 10));
    let deep = "[".repeat(2000);
    let dashes = format!("a:\n{}", "- ".repeat(30_000));
    let table: &[(&str, &str, &[&str])] = &[
        (
            "skills:\n  shel: {default: allow}\n",
            "x.yml:2:3: ",
            &["`shel`", "did you mean `shell`?"],
        ),
        ("skills:\n\tshell: {}\n", "x.yml:2:", &["a tab cannot indent"]),
        ("skills: {prefix: 3}\n", "x.yml:1:", &["skills.prefix: invalid type: integer `3`"]),
        ("skills: {prefix: \"a b\"}\n", "x.yml:1:", &["without blanks"]),
        ("skills: {native_commands: [\"a\\tb\"]}\n", "x.yml:1:", &["without blanks"]),
        (
            "skills: {per_skill_config: {a: {aliases: [\"\\u202e\"]}}}\n",
            "x.yml:1:",
            &["without blanks"],
        ),
        ("skils: {}\n", "x.yml:1:", &["`skils`", "did you mean `skills`?"]),
        (
            "skills:\n  global_slash_config:\n    require_confirmaton: true\n",
            "x.yml:3:5: ",
            &["`require_confirmaton`", "did you mean `require_confirmation`?"],
        ),
        (
            "skills:\n  per_skill_config:\n    a:\n      allowed_agent: [x]\n",
            "x.yml:4:7: ",
            &["`allowed_agent`", "did you mean `allowed_agents`?", "per_skill_config.a"],
        ),
        (
            "skills:\n  a: {slash_command: {enable: false}}\n",
            "x.yml:2:",
            &["`enable`", "did you mean `enabled`?"],
        ),
        ("skills:\n  a: {slash-command: {}}\n", "x.yml:2:3: ", &["`a` is not known"]),
        ("skills:\n  enable_skill_commands: yes\n", "x.yml:2:26: ", &["boolean", "yes"]),
        ("skills:\n  shell: {default: maybe}\n", "x.yml:2:", &["`maybe`", "`deny`", "`allow`"]),
        ("skills:\n  shell: {timeout: 120}\n", "x.yml:2:20: ", &["120", "a time with its unit"]),
        ("skills:\n  shell: {max_output: 64 bananas}\n", "x.yml:2:", &["a size with its unit"]),
        ("skills:\n  shell: {max_output: \"64\"}\n", "x.yml:2:", &["a size with its unit"]),
        (
            "skills:\n  global_slash_config: {allowed_agents: main}\n",
            "x.yml:2:",
            &["allowed_agents", "expected a sequence"],
        ),
        ("skills:\n  precedence: mine_first\n", "x.yml:2:15: ", &["`project_first`"]),
        ("skills:\n  precedence: [a, b, a]\n", "x.yml:2:", &["`a` stands twice"]),
        ("skills:\n  rate_limit: {burst: 0, per: 1s}\n", "x.yml:2:", &["nonzero"]),
        ("skills:\n  rate_limit: {burst: 9, per: 1ns}\n", "x.yml:2:3: ", &["too short"]),
        ("skills:\n  bodies: reread\n", "x.yml:2:3: ", &["not supported yet"]),
        ("skills:\n  telemetry: {prometheus: true}\n", "x.yml:2:", &["not supported yet"]),
        ("skills:\n  sources:\n    - {roots: [b]}\n", "x.yml:3:", &["missing field `name`"]),
        (
            "skills:\n  per_skill_config: {a: {min_version: new}}\n",
            "x.yml:2:26: ",
            &["`new` is no version"],
        ),
        (
            "skills:\n  per_skill_config:\n    My_Skill: {}\n    my-skill: {}\n",
            "x.yml:4:5: ",
            &["said twice"],
        ),
        (
            "skills:\n  per_skill_config: {a: {}}\n  a: {slash_command: {}}\n",
            "x.yml:3:",
            &["said twice"],
        ),
        ("skills:\n  a: {slash_command: {}}\n  a: {slash_command: {}}\n", "x.yml:", &["twice"]),
        ("skills:\n  prefix: a\n  prefix: b\n", "x.yml:", &["duplicate field `prefix`"]),
        ("skills:\n  prefix: \"a\n", "x.yml:", &[]),
        ("skills: [a]\n", "x.yml:1:9: ", &["expected a mapping of settings"]),
        ("- a\n", "x.yml:1:1: ", &["expected a mapping of settings"]),
        (&long, "x.yml:1:1: ", &["longer than 64 KiB"]),
        (&deep, "x.yml:1:1: ", &["nests too much"]),
        (&dashes, "x.yml:2:1: ", &["nests too much"]),
        ("skills:\n  prefix: &a b\n  c: *a\n", "x.yml:2:1: ", &["anchors"]),
    ];
    for (text, place, words) in table {
        let error = parsed(text)
            .and_then(|file| {
                Configuration::of(Some(file), None, Path::new(""), &nobody())
                    .map_err(|error| error.to_string())
            })
            .map(|_| ())
            .expect_err(text);
        let shown: String = text.chars().take(80).collect();
        assert!(error.starts_with(place), "{shown}: {error}");
        for word in *words {
            assert!(error.contains(word), "{shown}: {error} has no {word}");
        }
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let error = Parsed::parse(Path::new("x.yml"), b"a: \xff").unwrap_err().to_string();
    assert_eq!(error, "x.yml:1:1: the file is not UTF-8");
}

/// The policy of these two files is that of the user's alone, and this is said of the project's.
fn refused(user: &str, project: &str, line: u32, words: &str) {
    let both = of(user, project).unwrap();
    let [found] = both.diagnostics() else {
        panic!("{project}: {:?}", both.diagnostics());
    };
    assert_eq!(found.path.as_deref(), Some(Path::new("project.yml")));
    assert_eq!(found.line, line, "{project}: {found}");
    assert!(found.message.contains(words), "{found}");
    // What is said holds: under both files nothing goes on that did not under the user's.
    let alone = of(user, "").unwrap();
    let (both_policy, users) = (both.policy(), alone.policy());
    assert!(users.shell() || !both_policy.shell(), "{project}");
    let (limits, most) = (both_policy.shell_limits(), users.shell_limits());
    assert!(limits.timeout <= most.timeout && limits.max_output <= most.max_output, "{project}");
    assert_eq!(limits.on_failure, most.on_failure, "{project}");
    assert_eq!(both.rate(), alone.rate(), "{project}");
    let registry = deck();
    let snapshot = registry.snapshot();
    for protocol in ["mcp", "acp"] {
        for agent in [None, Some("a"), Some("b")] {
            for initiator in [Initiator::User, Initiator::Model] {
                let caller = Caller { initiator, agent, protocol: Some(protocol) };
                for entry in snapshot.iter() {
                    let [now, before] =
                        [&both_policy, &users].map(|it| it.decide(entry, &caller).verdict);
                    assert!(now >= before, "{project}: {now:?} where it was {before:?}");
                    assert!(users.injects(entry) || !both_policy.injects(entry), "{project}");
                }
            }
        }
    }
    assert_eq!(both.precedence(), of(user, "").unwrap().precedence());
}

#[test]
fn a_project_cannot_widen() {
    let global = |text: &str| format!("skills:\n  global_slash_config:\n    {text}\n");
    let one = |text: &str| format!("skills:\n  per_skill_config:\n    a:\n      {text}\n");
    let shell = |text: &str| format!("skills:\n  shell:\n    {text}\n");
    let top = |text: &str| format!("skills:\n  {text}\n");
    let table = [
        (top("enable_skill_commands: false"), top("enable_skill_commands: true"), 2, "switched on"),
        (top("faces: {mcp: false}"), top("faces: {mcp: true}"), 2, "`mcp` is switched on"),
        (String::new(), top("precedence: personal_first"), 2, "order of the tiers"),
        (String::new(), top("trust: [mine]"), 2, "something is trusted"),
        (String::new(), shell("default: allow"), 3, "shell commands are allowed"),
        (shell("default: deny"), shell("default: allow"), 3, "shell commands are allowed"),
        (String::new(), shell("timeout: 121s"), 3, "more time"),
        (shell("timeout: 5s"), shell("timeout: 6s"), 3, "more time"),
        (String::new(), shell("max_output: 65KiB"), 3, "print more"),
        (shell("max_output: 1KiB"), shell("max_output: 2KiB"), 3, "print more"),
        (String::new(), shell("on_failure: empty"), 3, "passed over"),
        (
            top("rate_limit: {burst: 2, per: 1m}"),
            top("rate_limit: {burst: 3, per: 10m}"),
            2,
            "more invocations",
        ),
        (
            top("rate_limit: {burst: 2, per: 1m}"),
            top("rate_limit: {burst: 1, per: 1s}"),
            2,
            "more invocations",
        ),
        (global("enabled: false"), global("enabled: true"), 3, "switched on"),
        (
            global("require_confirmation: true"),
            global("require_confirmation: false"),
            3,
            "confirmation is given up",
        ),
        (global("allowed_agents: [a]"), global("allowed_agents: [a, b]"), 3, "(`b`)"),
        (global("allowed_agents: [a]"), global("allowed_agents: []"), 3, "all agents"),
        (global("enabled: false"), one("enabled: true"), 4, "`a` is switched on"),
        (one("enabled: false"), one("enabled: true"), 4, "`a` is switched on"),
        (global("require_confirmation: true"), one("require_confirmation: false"), 4, "given up"),
        (one("require_confirmation: true"), one("require_confirmation: false"), 4, "given up"),
        (global("allowed_agents: [a]"), one("allowed_agents: [b]"), 4, "(`b`)"),
        (one("allowed_agents: [a]"), one("allowed_agents: []"), 4, "all agents"),
        (one("auto_inject: false"), one("auto_inject: true"), 4, "is delivered"),
        // The RFC's other form, and another spelling of the name.
        (
            one("enabled: false"),
            "skills:\n  A:\n    slash_command:\n      enabled: true\n".to_owned(),
            4,
            "`A` is switched on",
        ),
    ];
    for (user, project, line, words) in &table {
        refused(user, project, *line, words);
    }
}

/// What one file says holds by itself, and under the opposite in the project's.
#[test]
fn what_the_user_says_holds() {
    let deny = Verdict::Deny;
    let table = [
        ("enable_skill_commands: false", "enable_skill_commands: true", deny),
        ("faces: {acp: false}", "faces: {acp: true}", deny),
        ("global_slash_config: {enabled: false}", "a: {slash_command: {enabled: true}}", deny),
        ("a: {slash_command: {enabled: false}}", "per_skill_config: {a: {enabled: true}}", deny),
        (
            "global_slash_config: {allowed_agents: [x]}",
            "a: {slash_command: {allowed_agents: []}}",
            deny,
        ),
        (
            "per_skill_config: {a: {min_version: 1.0.0}}",
            "a: {slash_command: {min_version: 0.1.0}}",
            deny,
        ),
        (
            "global_slash_config: {require_confirmation: true}",
            "per_skill_config: {a: {require_confirmation: false}}",
            Verdict::Ask,
        ),
        // Within a file what is said of one skill stands in the place of what is said of all.
        (
            "{global_slash_config: {enabled: false}, per_skill_config: {a: {enabled: true}}}",
            "global_slash_config: {enabled: true}",
            Verdict::Allow,
        ),
    ];
    let registry = deck();
    let snapshot = registry.snapshot();
    let caller = Caller { protocol: Some("acp"), ..Caller::new(Initiator::User) };
    for (user, project, verdict) in table {
        for project in ["", project] {
            let file = |text: &str| match text {
                "" => String::new(),
                text if text.starts_with('{') => format!("skills: {text}\n"),
                text => format!("skills: {{{text}}}\n"),
            };
            let policy = of(&file(user), &file(project)).unwrap().policy();
            let found = policy.decide(snapshot.get("a").unwrap(), &caller);
            assert_eq!(found.verdict, verdict, "{user} and {project}: {:?}", found.reasons);
            // The project's file says the same alone.
            let policy = of("", &file(user)).unwrap().policy();
            assert_eq!(
                policy.decide(snapshot.get("a").unwrap(), &caller).verdict,
                verdict,
                "{user}"
            );
        }
    }
}

#[test]
fn what_is_refused_takes_nothing_else_with_it() {
    let user = "skills:\n  shell: {default: allow, timeout: 60s, on_failure: empty}\n";
    let project = "skills:\n  trust: [x]\n  shell: {timeout: 5s, max_output: 1KiB}\n  \
                   rate_limit: {burst: 5, per: 1m}\n  native_commands: [help]\n  prefix: \"/p:\"\n";
    let both = of(user, project).unwrap();
    assert_eq!(both.diagnostics().len(), 1);
    let limits = both.policy().shell_limits();
    assert!(both.policy().shell());
    assert_eq!((limits.timeout, limits.max_output), (Duration::from_secs(5), 1024));
    assert_eq!(limits.on_failure, OnFailure::Empty);
    assert_eq!(
        (both.policy().announced(), both.policy().native()),
        (Some("/p:"), &["help".into()][..])
    );
    for (project, runs) in [("deny", false), ("allow", true)] {
        let project = format!("skills: {{shell: {{default: {project}}}}}\n");
        let both = of(user, &project).unwrap();
        assert_eq!((both.policy().shell(), both.diagnostics()), (runs, &[][..]));
        assert!(both.allow_shell().policy().shell(), "a flag stands above the files");
    }
    let stricter = of(user, "skills: {shell: {on_failure: error}}\n").unwrap();
    assert_eq!(stricter.policy().shell_limits().on_failure, OnFailure::Error);
}

#[test]
fn the_narrower_rate_holds() {
    let rate =
        |burst: u32, per: &str| format!("skills: {{rate_limit: {{burst: {burst}, per: {per}}}}}\n");
    let limited = |user: &str, project: &str| of(user, project).unwrap().policy();
    if cfg!(feature = "rate-limit") {
        assert_ne!(limited("", &rate(2, "1m")), Policy::new());
        let users = of(&rate(2, "1m"), "").unwrap().rate();
        assert_eq!(of(&rate(2, "1m"), &rate(3, "1s")).unwrap().rate(), users);
        let projects = of("", &rate(1, "1m")).unwrap().rate();
        assert_eq!(of(&rate(2, "1m"), &rate(1, "1m")).unwrap().rate(), projects);
    } else {
        assert!(of(&rate(2, "1m"), "").unwrap_err().contains("without limits"));
    }
}

#[test]
fn orders_are_presets_or_lists() {
    let order =
        |text: &str| of(&format!("skills: {{precedence: {text}}}\n"), "").unwrap().precedence();
    assert_eq!(order("personal_first"), Precedence::personal_first());
    let list = order("[user, {tier: modules, order: last}, {tier: core}]");
    let ranks: Vec<_> = list.ranks().iter().map(|it| (it.tier.as_str(), it.last_wins)).collect();
    assert_eq!(ranks, [("user", false), ("modules", true), ("core", false)]);
    assert_eq!(list.ranks()[0].tier, Tier::USER);
}

#[test]
fn files_are_found_where_they_belong() {
    let here = tempfile::tempdir().unwrap();
    let at = |path: &str, prefix: &str| {
        let path = here.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("skills: {{prefix: \"{prefix}\"}}\n")).unwrap();
        path
    };
    let environment = |config: bool| Environment {
        home: Some(here.path().join("home")),
        config_home: config.then(|| here.path().join("config")),
    };
    let project = here.path().join("project");
    let load = |config, given: Option<&Path>| {
        Configuration::load(&project, &environment(config), given)
            .map(|it| it.policy().announced().map(str::to_owned))
            .map_err(|error| error.to_string())
    };
    assert_eq!(load(true, None), Ok(None));
    at("project/skilldeck.yml", "project");
    assert_eq!(load(true, None), Ok(Some("project".to_owned())));
    at("home/.config/skilldeck/skilldeck.yml", "home");
    assert_eq!(load(false, None), Ok(Some("home".to_owned())));
    assert_eq!(load(true, None), Ok(Some("project".to_owned())));
    at("config/skilldeck/skilldeck.yml", "config");
    assert_eq!(load(true, None), Ok(Some("config".to_owned())));
    let given = at("given.yml", "given");
    assert_eq!(load(true, Some(&given)), Ok(Some("given".to_owned())));
    let error = load(true, Some(&here.path().join("nowhere.yml"))).unwrap_err();
    assert!(error.ends_with("nowhere.yml: the file does not exist"), "{error}");
    let error = load(true, Some(here.path())).unwrap_err();
    assert!(error.contains("not-regular"), "{error}");
    // A file that is meant to be there may narrow something.
    #[cfg(unix)]
    {
        let link = project.join("skilldeck.yml");
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        let error = load(true, None).unwrap_err();
        assert!(error.ends_with("the file is a link that leads nowhere"), "{error}");
        fs::remove_file(&link).unwrap();
    }
    // One file that is both is the user's.
    let given = project.join("skilldeck.yml");
    fs::write(&given, "skills: {shell: {default: allow}}\n").unwrap();
    let both = Configuration::load(&project, &environment(true), Some(&given)).unwrap();
    assert!(both.policy().shell() && both.diagnostics().is_empty());
    assert_eq!(both.files().collect::<Vec<_>>(), [given]);
}

/// Set `SKILLDECK_BLESS` to write the page anew.
#[test]
fn the_schema_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/skilldeck.schema.json");
    let schema = serde_json::to_value(schemars::schema_for!(File)).unwrap();
    if std::env::var_os("SKILLDECK_BLESS").is_some() {
        fs::write(&path, serde_json::to_string_pretty(&schema).unwrap() + "\n").unwrap();
    }
    // In which order keys stand is up to the features that others ask of the JSON library.
    let kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(kept == schema, "docs/skilldeck.schema.json is not what the types say");
}

/// The most that a test of anything may take.
const BOUND: Duration = Duration::from_secs(20);

#[test]
fn hostile_files_end_soon() {
    let quoted = format!("skills: {{prefix: \"{}\"}}\n", "\\\n".repeat(15_000));
    let table = [
        "- ".repeat(30_000),
        "? ".repeat(30_000),
        "a: ".repeat(20_000),
        "[".repeat(60_000),
        "{a: ".repeat(1_000),
        "!".repeat(60_000),
        "\"".repeat(60_000),
        (0..60).map(|depth| format!("{}a:\n", " ".repeat(depth * 16))).collect(),
        (0..350).map(|depth| format!("{}-\n", " ".repeat(depth))).collect(),
        "skills:\n".to_owned() + &"  a: {}\n".repeat(7_000),
        "a: |\n".to_owned() + &" x\n".repeat(20_000),
        quoted,
        "---\n".repeat(15_000),
        "\0".repeat(100),
        "%YAML 9.9\n---\n".to_owned(),
        "skills: !!binary x\n".to_owned(),
        "skills: {per_skill_config: {? [a] : {}}}\n".to_owned(),
        "skills: {1: {slash_command: {}}, true: {slash_command: {}}}\n".to_owned(),
    ];
    for text in &table {
        let start = std::time::Instant::now();
        let _ = parsed(text);
        let shown: String = text.chars().take(20).collect();
        assert!(start.elapsed() < BOUND, "{shown}: {:?}", start.elapsed());
    }
}

proptest::proptest! {
    /// Whatever stands in a file: settings, or one line that says what is wrong.
    #[test]
    fn no_file_panics(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "skills:", "\n", "  ", "    ", "per_skill_config:", "a:", "enabled:", "true",
                "allowed_agents:", "[", "]", "{", "}", ",", "\"", "slash_command:", "- ", "x",
                "min_version:", "1.2", "input_schema:", "null", "#", "|", "shell:", "default:",
                "allow", "sources:", "name:", "roots:", "rate_limit:", "burst:", "per:", "1m", "!",
            ]),
            0..40,
        ),
    ) {
        let text = parts.concat();
        if let Err(error) = of(&text, &text) {
            proptest::prop_assert!(error.contains(".yml:") && error.lines().count() == 1, "{error}");
        }
    }
}
