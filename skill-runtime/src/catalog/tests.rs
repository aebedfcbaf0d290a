//! The overlay as data: sources in, the deck they make out.

mod edits;

use std::fmt::Write as _;
use std::sync::Arc;

use crate::registry::Registry;
use crate::snapshot::Snapshot;
use crate::source::{Memory, Precedence, Rank, Source, SourceInfo, Tier};

/// A source, `<name> <tier>`, and its skills, `<directory> [name=…] [needs=a,b@1] [version=…]
/// [alias=…]`; `!` behind the directory makes its file unreadable.
type Given<'a> = (&'a str, &'a [&'a str]);

pub(crate) fn skill_text(line: &str) -> (String, String) {
    let mut parts = line.split_whitespace();
    let directory = parts.next().unwrap_or_default();
    let name = directory.trim_end_matches('!');
    let mut lines = vec![format!("name: {name}"), format!("description: About {name}.")];
    for part in parts {
        let (key, value) = part.split_once('=').unwrap();
        match key {
            "name" => lines[0] = format!("name: {value}"),
            "needs" => lines.push(format!("depends-on: [\"{}\"]", value.replace(',', "\", \""))),
            "version" => lines.push(format!("version: {value}")),
            "alias" => lines.push(format!("aliases: [{value}]")),
            _ => panic!("unknown part {key}"),
        }
    }
    let mut text = format!("---\n{}\n---\nDo it.\n", lines.join("\n"));
    if directory.ends_with('!') {
        // What is larger than the limit is refused as a whole.
        text.extend(std::iter::repeat_n('x', skilldeck_core::format::MAX_FILE_BYTES));
    }
    (name.to_owned(), text)
}

fn snapshot(precedence: Precedence, given: &[Given<'_>]) -> Arc<Snapshot> {
    let mut builder = Registry::builder().precedence(precedence);
    for (source, skills) in given {
        let (name, tier) = source.split_once(' ').unwrap();
        let memory = Memory::default();
        for line in *skills {
            let (name, text) = skill_text(line);
            memory.insert(name, text);
        }
        let info = SourceInfo::new(name, Tier::new(tier.to_owned()));
        builder = builder.source(Source::memory(Arc::new(memory), info));
    }
    builder.build().unwrap().snapshot()
}

/// The deck in words: an entry a line, with its source, its state unless it is ready, and below it
/// what lost against it and the codes of what is said about its place.
fn describe(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    for entry in snapshot.iter() {
        write!(out, "{} from {}", entry.word(), entry.source().name).unwrap();
        if !matches!(entry.state(), crate::State::Ready) {
            write!(out, " is {}", entry.state().as_str()).unwrap();
        }
        out.push('\n');
        for shadow in entry.shadows() {
            writeln!(out, "  over {}: {}", shadow.source.name, shadow.why).unwrap();
        }
        for diagnostic in entry.diagnostics() {
            writeln!(out, "  {}", diagnostic.code.id()).unwrap();
        }
    }
    out
}

#[track_caller]
fn check(given: &[Given<'_>], expected: &str) {
    check_in(Precedence::default(), given, expected);
}

#[track_caller]
fn check_in(precedence: Precedence, given: &[Given<'_>], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(|line| line.trim_start_matches('|')).collect();
    let found = describe(&snapshot(precedence, given));
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn tiers_decide_then_sources_then_paths() {
    check(
        &[
            ("b bundled", &["one", "two", "three"]),
            ("u user", &["one", "two"]),
            ("p project", &["one"]),
            ("q project", &["one", "four"]),
        ],
        "|four from q
|one from p
|  over q: an earlier source of the same tier wins: p
|  over u: project wins over user
|  over b: project wins over bundled
|three from b
|two from u
|  over b: user wins over bundled",
    );
}

#[test]
fn the_order_of_tiers_is_data() {
    let given: &[Given<'_>] =
        &[("p project", &["one"]), ("u user", &["one"]), ("v user", &["one"]), ("x own", &["one"])];
    check_in(
        Precedence::personal_first(),
        given,
        "|one from u
|  over v: an earlier source of the same tier wins: u
|  over p: user wins over project
|  over x: user wins over own",
    );
    let last = Rank { tier: Tier::USER, last_wins: true };
    check_in(
        Precedence::new(vec![Rank { tier: Tier::new("own"), last_wins: false }, last]),
        given,
        "|one from x
|  over v: own wins over user
|  over u: own wins over user
|  over p: own wins over project",
    );
}

#[test]
fn the_last_source_of_a_tier_may_win() {
    check_in(
        Precedence::new(vec![Rank { tier: Tier::USER, last_wins: true }]),
        &[("u user", &["one"]), ("v user", &["a name=one", "b name=one"])],
        "|one from v
|  over v: a smaller path in the same source wins
|  over u: a later source of the same tier wins: v
|  name-mismatch
|  duplicate-word",
    );
}

#[test]
fn two_skills_of_one_word_in_a_source_are_a_fault() {
    check(
        &[("u user", &["a name=same", "b name=same"])],
        "|same from u
|  over u: a smaller path in the same source wins
|  name-mismatch
|  duplicate-word",
    );
}

#[test]
fn what_cannot_be_read_hides_nothing() {
    check(
        &[("p project", &["one!", "two!"]), ("u user", &["one"])],
        "|one from u
|  over p: it cannot be read: the file is larger than 1 MiB
|  too-large
|two from p is unreadable
|  too-large",
    );
}

#[test]
fn words_that_differ_in_separators_are_two_skills() {
    // Only commands have parts; to a skill a colon is a separator like any other.
    let memory = Memory::default();
    for name in ["git:cm", "git-cm"] {
        memory.insert(name, "Commit it.\n");
    }
    let mut info = SourceInfo::new("u", Tier::USER);
    info.layout = skilldeck_core::format::Layout::Commands;
    let source = Source::memory(Arc::new(memory), info);
    let found = Registry::builder().source(source).build().unwrap().snapshot();
    assert_eq!(found.len(), 2);
    assert!(matches!(found.find("git:cm"), crate::Lookup::Found(e) if e.word() == "git:cm"));
    assert!(matches!(found.find("git-cm"), crate::Lookup::Found(e) if e.word() == "git-cm"));
    let crate::Lookup::Ambiguous(both) = found.find("Git_CM") else { panic!("not ambiguous") };
    assert_eq!(both.iter().map(|entry| entry.word()).collect::<Vec<_>>(), ["git-cm", "git:cm"]);
    let codes: Vec<_> = found.diagnostics().iter().map(|found| found.code.id()).collect();
    assert!(codes.contains(&"duplicate-word"), "{codes:?}");
}

#[test]
fn a_colon_in_the_name_of_a_skill_is_a_separator() {
    let found = snapshot(Precedence::default(), &[("u user", &["a name=git:cm"])]);
    assert_eq!(found.iter().map(|entry| entry.word()).collect::<Vec<_>>(), ["git-cm"]);
}

#[test]
fn aliases_lose_to_words_and_to_stronger_aliases() {
    let given: &[Given<'_>] =
        &[("p project", &["deploy alias=ship,go"]), ("u user", &["ship", "run alias=go,start"])];
    check(
        given,
        "|deploy from p
|  alias-clash
|run from u
|  alias-clash
|ship from u",
    );
    let found = snapshot(Precedence::default(), given);
    let reached = |word: &str| found.get(word).map(|entry| entry.word());
    assert_eq!(reached("ship"), Some("ship"));
    assert_eq!(reached("go"), Some("deploy"));
    assert_eq!(reached("start"), Some("run"));
    let aliases = |word: &str| found.get(word).unwrap().aliases().collect::<Vec<_>>();
    assert_eq!(aliases("deploy"), ["go"]);
    assert_eq!(aliases("run"), ["start"]);
}

#[test]
fn dependencies_that_fail_make_unavailable() {
    check(
        &[(
            "u user",
            &[
                "a needs=b",
                "b needs=a",
                "c needs=a",
                "lone needs=nowhere",
                "ok needs=plain",
                "plain",
                "self needs=self",
                "wants needs=plain@2",
            ],
        )],
        "|a from u is unavailable
|  dependency-cycle
|b from u is unavailable
|  dependency-cycle
|c from u is unavailable
|  unavailable-dependency
|lone from u is unavailable
|  missing-dependency
|ok from u
|plain from u
|self from u is unavailable
|  dependency-cycle
|wants from u is unavailable
|  dependency-version",
    );
}

#[test]
fn a_dependency_that_cannot_be_read_is_named_as_such() {
    let deck = [("u user", &["a needs=b", "b!"][..])];
    let found = snapshot(Precedence::default(), &deck);
    let reason = found.get("a").unwrap().reason().unwrap();
    assert_eq!(reason, "`a` depends on `b`, which cannot be read: the file is larger than 1 MiB");
}

#[test]
fn an_override_that_fails_is_refused_if_what_it_shadows_works() {
    // Missing, and missing two versions deep.
    check(
        &[
            ("p project", &["one needs=nowhere", "two needs=nowhere", "new needs=nowhere"]),
            ("u user", &["two needs=nowhere"]),
            ("b bundled", &["one", "two"]),
        ],
        "|new from p is unavailable
|  missing-dependency
|one from b
|  over p: refused, because its dependencies cannot be resolved: `one` depends on `nowhere`, which does not exist
|  override-refused
|two from b
|  over p: refused, because its dependencies cannot be resolved: `two` depends on `nowhere`, which does not exist
|  over u: refused, because its dependencies cannot be resolved: `two` depends on `nowhere`, which does not exist
|  override-refused
|  override-refused",
    );
    // The version below fails as well: the override stays in force.
    check(
        &[("p project", &["one needs=nowhere"]), ("b bundled", &["one needs=nowhere"])],
        "|one from p is unavailable
|  over b: project wins over bundled
|  missing-dependency",
    );
}

#[test]
fn an_override_that_closes_a_cycle_is_refused() {
    check(
        &[("p project", &["a needs=b"]), ("b bundled", &["a", "b needs=a", "c needs=b"])],
        "|a from b
|  over p: refused, because its dependencies cannot be resolved: skills depend on each other in a circle: a → b → a
|  override-refused
|b from b
|c from b",
    );
    // Two overrides close it together: the weaker one goes, which is enough.
    check(
        &[("p project", &["a needs=b"]), ("u user", &["b needs=a"]), ("b bundled", &["a", "b"])],
        "|a from p
|  over b: project wins over bundled
|b from b
|  over u: refused, because its dependencies cannot be resolved: skills depend on each other in a circle: a → b → a
|  override-refused",
    );
}

#[test]
fn causes_are_refused_before_those_that_suffer() {
    // `two` of the project works once the broken override of `one` is refused.
    check(
        &[("p project", &["one needs=nowhere", "two needs=one"]), ("b bundled", &["one", "two"])],
        "|one from b
|  over p: refused, because its dependencies cannot be resolved: `one` depends on `nowhere`, which does not exist
|  override-refused
|two from p
|  over b: project wins over bundled",
    );
    // Nothing mends `one` here, so `two` gives way.
    let found = snapshot(
        Precedence::default(),
        &[("p project", &["one needs=nowhere", "two needs=one"]), ("b bundled", &["two"])],
    );
    assert_eq!(found.get("two").unwrap().source().name, "b");
    assert_eq!(found.get("one").unwrap().state(), crate::State::Unavailable);
}

#[test]
fn a_version_may_be_in_the_deck_that_the_strongest_is_not() {
    check(
        &[
            ("p project", &["one needs=two@2"]),
            ("u user", &["two version=1.0.0"]),
            ("b bundled", &["one", "two version=2.0.0"]),
        ],
        "|one from b
|  over p: refused, because its dependencies cannot be resolved: `one` depends on `two@2`, but `two` has the version `1.0.0`
|  override-refused
|two from u
|  over b: user wins over bundled",
    );
}

#[test]
fn dependencies_come_in_the_order_to_render() {
    let deck =
        [("u user", &["top needs=right,left", "left needs=base", "right needs=base", "base"][..])];
    let found = snapshot(Precedence::default(), &deck);
    let needed = found.dependencies(found.get("top").unwrap());
    let words: Vec<_> = needed.iter().map(|entry| entry.word()).collect();
    assert_eq!(words, ["base", "left", "right"]);
    assert!(found.dependencies(found.get("base").unwrap()).is_empty());
}
