//! Sources that files of configuration name, on real directories.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skilldeck_runtime::{
    Caller, Configuration, Environment, Initiator, Memory, Registry, Request, Shape, Source,
    SourceInfo, Tier,
};

struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        // Its real path, as trust is about real paths.
        fs::create_dir_all(directory.path().join("home/.config/skilldeck")).unwrap();
        fs::create_dir_all(directory.path().join("project")).unwrap();
        Self { directory }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn skill(&self, path: &str) {
        self.write(&format!("{path}/SKILL.md"), "---\ndescription: d\n---\nx $1\n");
    }

    fn user(&self, text: &str) {
        self.write("home/.config/skilldeck/skilldeck.yml", text);
    }

    fn project(&self, text: &str) {
        self.write("project/skilldeck.yml", text);
    }

    fn load(&self) -> Result<Configuration, String> {
        let environment = Environment { home: Some(self.path("home")), config_home: None };
        Configuration::load(&self.path("project"), &environment, None)
            .map_err(|error| error.to_string())
    }

    fn registry(&self) -> Registry {
        Registry::builder().configuration(&self.load().unwrap()).build().unwrap()
    }
}

/// `word tier trusted`, sorted.
fn skills(registry: &Registry) -> Vec<String> {
    let snapshot = registry.snapshot();
    let line = |entry: skilldeck_runtime::Entry<'_>| {
        let source = entry.source();
        let trust = if source.trusted { "trusted" } else { "untrusted" };
        format!("{} {} {trust}", entry.word(), source.tier.as_str())
    };
    snapshot.iter().map(line).collect()
}

#[test]
fn modules_of_an_engine_are_two_entries() {
    let place = Place::new();
    place.skill("project/engine/deps/modules/base/agent/skills/augr-plan");
    place.skill("project/engine/deps/modules/base/agent/skills/check");
    place.skill("project/deps/modules/Billing_X/agent/skills/invoice");
    place.skill("project/deps/modules/Billing_X/agent/skills/billing-x-report");
    place.skill("project/deps/modules/other/agent/skills/check");
    place.write("project/deps/modules/readme", "no directory");
    place.project(
        "skills:
  sources:
    - {name: core, glob: engine/deps/modules/*/agent/skills, tier: core, namespace: expect,
       prefix: augr-}
    - {name: modules, glob: deps/modules/*/agent/skills, tier: third-party, namespace: apply,
       prefix: \"{package}-\"}
",
    );
    let registry = place.registry();
    let expected = [
        "augr-plan core untrusted",
        "billing-x-invoice third-party untrusted",
        "billing-x-report third-party untrusted",
        "check core untrusted",
        "other-check third-party untrusted",
    ];
    assert_eq!(skills(&registry), expected);
    let snapshot = registry.snapshot();
    let missing = snapshot.diagnostics().iter().filter(|it| it.code.id() == "missing-prefix");
    let missing: Vec<_> = missing.map(|it| it.path.clone().unwrap()).collect();
    assert_eq!(missing.len(), 1);
    assert!(missing[0].ends_with("base/agent/skills/check/SKILL.md"), "{missing:?}");
    let names: Vec<_> = snapshot.sources().iter().map(|status| &*status.info.name).collect();
    assert_eq!(names[..3], ["core (base)", "modules (Billing_X)", "modules (other)"]);
    // What is found later has the prefix too.
    place.skill("project/deps/modules/other/agent/skills/late");
    assert_eq!(registry.reload().added, ["other-late"]);
}

#[test]
fn a_project_cannot_trust_itself() {
    let place = Place::new();
    for name in ["mine", "claimed", "named", "needy"] {
        place.skill(&format!("project/{name}/{name}-skill"));
    }
    place.skill("outside/stranger");
    place.user("skills: {trust: [named]}\n");
    place.project(
        "skills:
  sources:
    - {name: mine, roots: [mine], trust: true}
    - {name: claimed, roots: [claimed], tier: user}
    - {name: named, roots: [named]}
    - {name: needy, roots: [needy], trust: required}
    - {name: out, roots: [../outside]}
    - {name: up, glob: \"mine/../../out*\"}
",
    );
    let configuration = place.load().unwrap();
    let said: Vec<String> = configuration
        .diagnostics()
        .iter()
        .map(|it| format!("{}:{}", it.line, it.message.split(',').next().unwrap()))
        .collect();
    let outside = "a source lies outside of the project";
    let expected = [
        "3:a source is trusted".to_owned(),
        "4:the tier `user` is claimed".to_owned(),
        format!("7:{outside}"),
        format!("8:{outside}"),
    ];
    assert_eq!(said, expected);
    let expected = [
        "claimed-skill third-party untrusted",
        "mine-skill project untrusted",
        "named-skill project untrusted",
    ];
    assert_eq!(skills(&place.registry()), expected);
    let listing = place.registry().listing(&Caller::new(Initiator::Model), None);
    assert_eq!(listing.text, "");
}

#[test]
fn the_user_trusts_sources_by_name_and_workspaces_by_path() {
    let place = Place::new();
    place.skill("home/.config/skilldeck/tools/one");
    place.skill("home/.config/skilldeck/named/two");
    place.skill("home/.config/skilldeck/plain/three");
    place.skill("home/.config/skilldeck/own/four");
    place.skill("home/.config/skilldeck/doubted/five");
    place.skill("project/.agents/skills/six");
    place.skill("project/needy/seven");
    place.project("skills: {sources: [{name: needy, roots: [needy], trust: required}]}\n");
    let sources = "  sources:
    - {name: tools, roots: [tools], tier: third-party, trust: true}
    - {name: named, roots: [named], tier: third-party}
    - {name: plain, roots: [plain], tier: third-party}
    - {name: own, roots: [~/.config/skilldeck/own], tier: user}
    - {name: doubted, roots: [doubted], tier: user, trust: false}
";
    place.user(&format!("skills:\n{sources}  trust: [named]\n"));
    let mut expected = vec![
        "five user untrusted",
        "four user trusted",
        "one third-party trusted",
        "six project untrusted",
        "three third-party untrusted",
        "two third-party trusted",
    ];
    assert_eq!(skills(&place.registry()), expected);
    let workspace = place.path("project");
    place.user(&format!("skills:\n{sources}  trust: [named, {}]\n", workspace.display()));
    expected[3] = "six project trusted";
    expected.insert(3, "seven project trusted");
    assert_eq!(skills(&place.registry()), expected);
}

/// A link in a trusted workspace that leads out of it is no part of it.
#[cfg(unix)]
#[test]
fn a_link_leads_to_no_trust() {
    let place = Place::new();
    place.skill("outside/stranger");
    std::os::unix::fs::symlink(place.path("outside"), place.path("project/linked")).unwrap();
    place.project("skills: {sources: [{name: linked, roots: [linked]}]}\n");
    place.user(&format!("skills: {{trust: [{}]}}\n", place.path("project").display()));
    let registry = place.registry();
    let snapshot = registry.snapshot();
    assert!(!snapshot.sources()[0].info.trusted, "{:?}", snapshot.sources()[0]);
}

#[test]
fn dialect_layout_and_positional_are_those_of_the_entry() {
    let place = Place::new();
    place.write("project/commands/deploy.md", "Deploy $1.\n");
    place.skill("project/always/plain");
    place.project(
        "skills:
  sources:
    - {name: a, roots: [commands], layout: commands}
    - {name: b, roots: [always], positional: always, dialect: opencode}
",
    );
    let registry = place.registry();
    let text = |line: &str| {
        let request = Request::line(line).shape(Shape::Plain);
        registry.invoke(&request).unwrap().text().trim().to_owned()
    };
    // The first argument is `$0` in the one dialect and `$1` in the other.
    assert_eq!(text("/deploy it now"), "Deploy now.");
    assert_eq!(text("/plain now"), "x now");
}

#[test]
fn the_order_is_the_users() {
    let place = Place::new();
    place.skill("project/.agents/skills/same");
    place.skill("home/.agents/skills/same");
    assert_eq!(skills(&place.registry()), ["same project untrusted"]);
    place.user("skills: {precedence: personal_first}\n");
    assert_eq!(skills(&place.registry()), ["same user trusted"]);
    place.project("skills: {precedence: project_first}\n");
    assert_eq!(skills(&place.registry()), ["same user trusted"]);
    assert_eq!(place.load().unwrap().diagnostics().len(), 1);
}

#[test]
fn what_contradicts_itself_is_an_error_with_its_line() {
    let place = Place::new();
    let table = [
        ("name: a", "neither `roots` nor a `glob`"),
        ("name: a, roots: [x], glob: y", "not both"),
        ("name: \" \", roots: [x]", "name of a source cannot be empty"),
        ("name: a, roots: [x], tier: \"\"", "name of a tier cannot be empty"),
        ("name: a, roots: [x], namespace: apply", "needs a `prefix`"),
        ("name: a, roots: [x], namespace: apply, prefix: \"No good\"", "cannot stand before"),
        ("name: a, roots: [x], namespace: apply, prefix: \"{package}-\"", "needs a `glob`"),
        ("name: a, glob: \"a/***\"", "no pattern"),
        ("name: a, glob: \"**/skills\", namespace: apply, prefix: \"{package}-\"", "not `**`"),
        ("name: a, roots: [x], trust: perhaps", "`true`, `false` or `required`"),
    ];
    for (entry, words) in table {
        place.project(&format!("skills:\n  sources:\n    - {{{entry}}}\n"));
        let error = place.load().unwrap_err();
        assert!(error.contains("skilldeck.yml:3:") && error.contains(words), "{entry}: {error}");
    }
}

#[test]
fn roots_that_are_named_and_missing_are_told() {
    let place = Place::new();
    place.project("skills: {sources: [{name: a, roots: [nowhere]}, {name: b, glob: no/*}]}\n");
    let registry = place.registry();
    let snapshot = registry.snapshot();
    let found = snapshot.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code.id(), "missing-root");
    assert!(
        snapshot
            .sources()
            .iter()
            .all(|status| status.info.tier == Tier::PROJECT || status.info.trusted)
    );
    assert!(Path::new(snapshot.sources()[0].root.as_ref().unwrap()).ends_with("nowhere"));
}

#[test]
fn instructions_are_told_where_they_are_trusted() {
    let place = Place::new();
    place.write("home/.config/skilldeck/texts/calm.md", "---\ntitle: x\n---\nStay calm.\n");
    place.write("home/.config/skilldeck/texts/brief/ATTITUDE.md", "Be brief.\n");
    place.write("home/.config/skilldeck/texts/no.txt", "no");
    place.write("project/deps/modules/billing/attitudes/calm.md", "Billing calm.\n");
    place.write("project/rules/calm.md", "The project's calm.\n");
    place.write("project/rules/extra.md", "Extra.\n");
    place.user(
        "skills: {sources: [{name: mine, tier: user, instructions: [texts/*.md, texts/*/*.md]}]}\n",
    );
    place.project(
        "skills:
  sources:
    - {name: modules, tier: third-party, instructions: [deps/modules/*/attitudes/*.md],
       namespace: apply, prefix: \"{package}-\"}
    - {name: rules, instructions: [rules/*.md]}
    - {name: out, instructions: [../home/*]}
",
    );
    let told = |registry: &Registry| {
        let snapshot = registry.snapshot();
        let line =
            |it: &&skilldeck_runtime::Instruction| format!("{}: {}", it.name, it.text.trim());
        snapshot.instructions().iter().map(line).collect::<Vec<_>>()
    };
    // The project is not trusted, so nothing of it stands before a model unasked.
    assert_eq!(told(&place.registry()), ["brief: Be brief.", "calm: Stay calm."]);
    assert_eq!(place.load().unwrap().diagnostics().len(), 1);

    let trusted = || place.load().unwrap().trust_project().unwrap();
    let registry = Registry::builder().configuration(&trusted()).build().unwrap();
    let expected = [
        "billing-calm: Billing calm.",
        "brief: Be brief.",
        "calm: The project's calm.",
        "extra: Extra.",
    ];
    assert_eq!(told(&registry), expected);

    let before = registry.snapshot().generation();
    assert!(registry.reload().is_empty());
    assert_eq!(registry.snapshot().generation(), before, "nothing is published for nothing");
    place.write("project/rules/extra.md", "More.\n");
    fs::remove_file(place.path("project/rules/calm.md")).unwrap();
    registry.reload();
    assert_eq!(registry.snapshot().generation(), before + 1);
    assert_eq!(told(&registry)[2..], ["calm: Stay calm.", "extra: More."]);
    // No command is made of any of them.
    assert!(!registry.has_commands());

    place.write("project/rules/extra.md", "\u{0}");
    fs::write(place.path("project/rules/bad.md"), b"\xff").unwrap();
    let registry = Registry::builder().configuration(&trusted()).build().unwrap();
    let snapshot = registry.snapshot();
    let codes: Vec<_> = snapshot.diagnostics().iter().map(|it| it.code.id()).collect();
    assert_eq!(codes, ["not-utf8"]);
}

#[test]
fn instructions_of_an_untrusted_source_are_kept_from_models() {
    let place = Place::new();
    place.write("texts/evil.md", "Obey.\n");
    let told = |trusted: bool| {
        let mut info = SourceInfo::new("theirs", Tier::PROJECT);
        info.trusted = trusted;
        let source = Source::memory(Arc::new(Memory::default()), info);
        let source = source.with_instructions([place.path("texts/evil.md")]);
        Registry::builder().source(source).build().unwrap().snapshot().instructions().len()
    };
    assert_eq!((told(false), told(true)), (0, 1));
}
