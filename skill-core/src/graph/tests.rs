//! Orders, cycles and resolution: cases, and what holds for every graph.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::diagnostic::Code::{self, *};
use crate::model::Dependency;

fn lists(edges: &[&[u32]]) -> Vec<Vec<u32>> {
    edges.iter().map(|list| list.to_vec()).collect()
}

#[test]
fn orders() {
    let cases: &[(&[&[u32]], &[u32])] = &[
        (&[], &[]),
        (&[&[]], &[0]),
        (&[&[], &[], &[]], &[0, 1, 2]),
        (&[&[2], &[], &[1]], &[1, 2, 0]),
        (&[&[3], &[], &[], &[]], &[1, 2, 3, 0]),
        (&[&[1, 2], &[3], &[3], &[]], &[3, 1, 2, 0]),
        (&[&[1, 1, 1, 9], &[9]], &[1, 0]),
    ];
    for (edges, expected) in cases.iter().copied() {
        let order = order(&lists(edges));
        assert_eq!(order.order, expected, "{edges:?}");
        assert!(order.cycles.is_empty() && order.cyclic.is_empty());
    }
}

#[test]
fn cycles_are_closed_shortest_and_one_for_each_part() {
    #[expect(clippy::type_complexity)]
    let cases: &[(&[&[u32]], &[u32], &[&[u32]], &[u32])] = &[
        // A skill that depends on itself.
        (&[&[0]], &[], &[&[0, 0]], &[0]),
        (&[&[1], &[0], &[0], &[]], &[3], &[&[0, 1, 0]], &[0, 1]),
        // The long way round is in the part, and not in the path.
        (&[&[1, 3], &[2], &[0], &[0]], &[], &[&[0, 3, 0]], &[0, 1, 2, 3]),
        // Of two shortest paths the smaller one.
        (&[&[2, 1], &[0], &[0]], &[], &[&[0, 1, 0]], &[0, 1, 2]),
        // Two parts, one depends on the other.
        (&[&[1], &[0, 2], &[3], &[2]], &[], &[&[0, 1, 0], &[2, 3, 2]], &[0, 1, 2, 3]),
        // Between two parts, and behind them.
        (&[&[0], &[0, 2], &[2], &[], &[1, 3]], &[3], &[&[0, 0], &[2, 2]], &[0, 2]),
    ];
    for (edges, free, cycles, cyclic) in cases.iter().copied() {
        let found = order(&lists(edges));
        assert_eq!(found.order, free, "{edges:?}");
        assert_eq!(found.cycles, lists(cycles), "{edges:?}");
        assert_eq!(found.cyclic, cyclic, "{edges:?}");
    }
}

struct Skill {
    name: String,
    version: Option<&'static str>,
    depends_on: Vec<Dependency>,
    path: PathBuf,
}

impl Node for Skill {
    fn name(&self) -> &str {
        &self.name
    }
    fn version(&self) -> Option<&str> {
        self.version
    }
    fn depends_on(&self) -> &[Dependency] {
        &self.depends_on
    }
    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }
}

/// A skill whose dependencies stand in lines 5, 6, …
fn skill(name: &str, version: Option<&'static str>, depends_on: &[&str]) -> Skill {
    Skill {
        name: name.to_owned(),
        version,
        depends_on: (5..).zip(depends_on).map(|(line, text)| Dependency::new(text, line)).collect(),
        path: PathBuf::from(format!("{}/SKILL.md", name.escape_default())),
    }
}

fn resolved(skills: &[Skill]) -> Resolution {
    resolve(skills, |name| {
        skills.iter().position(|skill| skill.name == name.to_lowercase()).map(|at| at as u32)
    })
}

/// What is said of one skill: code, line, message.
fn said(resolution: &Resolution, skill: u32) -> Vec<(Code, u32, &str)> {
    let found = resolution.unavailable.iter().find(|unavailable| unavailable.skill == skill);
    let diagnostics = found.map_or(&[][..], |unavailable| &unavailable.diagnostics);
    diagnostics.iter().map(|d| (d.code, d.line, &*d.message)).collect()
}

#[test]
fn what_is_whole_is_available_in_order() {
    let skills = [
        skill("a", None, &["c@^1", "b", "C"]),
        skill("b", Some("v2"), &[]),
        skill("c", Some("1.4"), &["b@2"]),
    ];
    let resolution = resolved(&skills);
    assert_eq!(resolution.order, [1, 2, 0]);
    assert_eq!(resolution.edges, lists(&[&[2, 1], &[], &[1]]));
    assert!(resolution.unavailable.is_empty());
}

#[test]
fn every_fault_of_a_skill_is_said_at_its_line() {
    let skills = [
        skill("a", None, &["missing", "b@^2", "c@1", "b@latest", "missing@latest", "d@1", "b@*"]),
        skill("b", Some("1.4"), &[]),
        skill("c", None, &[]),
        skill("d", Some("newest"), &[]),
    ];
    let resolution = resolved(&skills);
    let said = said(&resolution, 0);
    let expected = [
        (MissingDependency, 5, "`a` depends on `missing`, which does not exist"),
        (DependencyVersion, 6, "`a` depends on `b@^2`, but `b` has the version `1.4`"),
        (DependencyVersion, 7, "`a` depends on `c@1`, but `c` has no version"),
        (
            InvalidRequirement,
            8,
            "`a` depends on `b@latest`, whose version requirement cannot be read: ",
        ),
        (MissingDependency, 9, "`a` depends on `missing`, which does not exist"),
        (InvalidRequirement, 9, "`a` depends on `missing@latest`, whose version requirement "),
        (DependencyVersion, 10, "`a` depends on `d@1`, but `d` has the version `newest`"),
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert_eq!((said.0, said.1), (expected.0, expected.1));
        assert!(said.2.starts_with(expected.2), "{}", said.2);
    }
    let unavailable = &resolution.unavailable[0];
    let messages: Vec<&str> = said.iter().map(|said| said.2).collect();
    assert_eq!(unavailable.reason, messages.join("; "));
    assert!(
        unavailable.diagnostics.iter().all(|d| d.path.as_deref() == Some(Path::new("a/SKILL.md")))
    );
    assert!(unavailable.diagnostics.iter().all(|d| d.help.is_some()));
    assert_eq!(resolution.order, [1, 2, 3]);
    assert_eq!(resolution.edges[0], []);
}

#[test]
fn a_cycle_takes_its_members_and_their_dependants() {
    let skills = [
        skill("a", None, &["free", "b"]),
        skill("b", None, &["a"]),
        skill("c", None, &["free", "d"]),
        skill("d", None, &["a"]),
        skill("free", None, &[]),
    ];
    let resolution = resolved(&skills);
    assert_eq!(resolution.order, [4]);
    let circle = "skills depend on each other in a circle: a → b → a";
    assert_eq!(said(&resolution, 0), [(DependencyCycle, 6, circle)]);
    assert_eq!(said(&resolution, 1), [(DependencyCycle, 5, circle)]);
    let message = format!("`c` depends on `d`, which is unavailable (c → d → a): {circle}");
    assert_eq!(said(&resolution, 2), [(UnavailableDependency, 6, &*message)]);
    let message = format!("`d` depends on `a`, which is unavailable (d → a): {circle}");
    assert_eq!(said(&resolution, 3), [(UnavailableDependency, 5, &*message)]);

    for unavailable in &resolution.unavailable[..2] {
        let edges: Vec<(&Path, u32, &str)> = unavailable.diagnostics[0]
            .related
            .iter()
            .map(|place| (place.path.as_deref().unwrap(), place.line, &*place.message))
            .collect();
        assert_eq!(
            edges,
            [
                (Path::new("a/SKILL.md"), 6, "`a` depends on `b`"),
                (Path::new("b/SKILL.md"), 5, "`b` depends on `a`"),
            ]
        );
    }
    let root = &resolution.unavailable[2].diagnostics[0].related[0];
    assert_eq!((root.path.as_deref(), root.line), (Some(Path::new("a/SKILL.md")), 6));
}

#[test]
fn a_skill_that_depends_on_itself_is_a_cycle() {
    let resolution = resolved(&[skill("a", None, &["A"])]);
    assert_eq!(said(&resolution, 0), [(DependencyCycle, 5, "`a` depends on itself: a → a")]);
    assert!(resolution.order.is_empty());
}

#[test]
fn a_member_beside_the_path_is_named() {
    let skills =
        [skill("a", None, &["b", "c"]), skill("b", None, &["a"]), skill("c", None, &["a"])];
    let resolution = resolved(&skills);
    let message = "skills depend on each other in a circle: a → b → a (and `c` with them)";
    assert_eq!(said(&resolution, 2), [(DependencyCycle, 5, message)]);
}

#[test]
fn faults_add_up_in_source_order() {
    // `a` is in a circle, of the wrong version for `b`, lacks a skill and hangs on another.
    let skills = [
        skill("a", None, &["d", "b", "missing"]),
        skill("b", None, &["a@1"]),
        skill("c", None, &["gone"]),
        skill("d", None, &["c"]),
    ];
    let resolution = resolved(&skills);
    let codes = |skill| {
        said(&resolution, skill).iter().map(|(code, line, _)| (*code, *line)).collect::<Vec<_>>()
    };
    assert_eq!(
        codes(0),
        [(UnavailableDependency, 5), (DependencyCycle, 6), (MissingDependency, 7)]
    );
    assert_eq!(codes(1), [(DependencyVersion, 5), (DependencyCycle, 5)]);
    assert_eq!(
        said(&resolution, 0)[0].2,
        "`a` depends on `d`, which is unavailable (a → d → c): `c` depends on `gone`, which does not exist"
    );
}

#[test]
fn a_reason_is_one_line() {
    let resolution = resolved(&[skill("a", None, &["x\ny@\n1"])]);
    assert!(
        !resolution.unavailable[0].reason.contains('\n'),
        "{}",
        resolution.unavailable[0].reason
    );
    assert!(resolution.unavailable[0].reason.contains("`x\\ny`"));
}

#[test]
fn depth_is_no_limit() {
    const COUNT: u32 = 100_000;
    let mut edges: Vec<Vec<u32>> = (1..COUNT).map(|next| vec![next]).collect();
    edges.push(Vec::new());
    assert!(order(&edges).order.into_iter().eq((0..COUNT).rev()));

    edges[COUNT as usize - 1].push(0);
    let circle = order(&edges);
    assert!(circle.order.is_empty());
    assert!(circle.cycles[0].iter().copied().eq((0..COUNT).chain([0])));
    assert!(circle.cyclic.into_iter().eq(0..COUNT));
}

#[test]
fn long_chains_and_circles_end_with_short_reasons() {
    const COUNT: u32 = 20_000;
    let name = |at: u32| format!("s{at:06}");
    let find = |name: &str| name.strip_prefix('s')?.parse().ok().filter(|at| *at < COUNT);
    let mut skills: Vec<Skill> =
        (0..COUNT).map(|at| skill(&name(at), None, &[&name(at + 1)])).collect();

    let chain = resolve(&skills, find);
    assert!(chain.order.is_empty());
    assert_eq!(chain.unavailable.len(), COUNT as usize);
    let reason = &chain.unavailable[0].reason;
    assert!(reason.contains("s000012 → s000013 → … 19985 more … → s019999)"), "{reason}");
    assert!(reason.ends_with("`s019999` depends on `s020000`, which does not exist"), "{reason}");

    skills[COUNT as usize - 1].depends_on = vec![Dependency::new(&name(0), 9)];
    let circle = resolve(&skills, find);
    assert_eq!(circle.unavailable.len(), COUNT as usize);
    assert_eq!(circle.unavailable[0].diagnostics[0].related.len(), COUNT as usize);
    for unavailable in &circle.unavailable[1..] {
        assert!(unavailable.reason.len() < 500);
        assert!(unavailable.diagnostics[0].related.len() <= 16);
    }

    skills[COUNT as usize - 1].depends_on.clear();
    let whole = resolve(&skills, find);
    assert!(whole.order.iter().copied().eq((0..COUNT).rev()));
}

fn graphs() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (0_u32..14).prop_flat_map(|nodes| {
        let list = proptest::collection::vec(0..nodes.max(1) + 1, 0..3);
        proptest::collection::vec(list, nodes as usize)
    })
}

/// Whether there is a way of at least one edge.
fn reaches(edges: &[Vec<u32>], from: u32, to: u32) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for next in edges[node as usize].iter().filter(|next| (**next as usize) < edges.len()) {
            if *next == to {
                return true;
            }
            if !std::mem::replace(&mut seen[*next as usize], true) {
                open.push(*next);
            }
        }
    }
    false
}

proptest! {
    #[test]
    fn an_order_holds_what_no_cycle_reaches(edges in graphs()) {
        let nodes = edges.len() as u32;
        let found = order(&edges);
        let cyclic: Vec<u32> = (0..nodes).filter(|node| reaches(&edges, *node, *node)).collect();
        prop_assert_eq!(&found.cyclic, &cyclic);
        let mut ordered = found.order.clone();
        ordered.sort_unstable();
        let free: Vec<u32> = (0..nodes)
            .filter(|node| !cyclic.contains(node) && !cyclic.iter().any(|member| reaches(&edges, *node, *member)))
            .collect();
        prop_assert_eq!(&ordered, &free);

        // The smallest position whose dependencies all stand before it comes next.
        let mut left: Vec<u32> = free;
        for (at, node) in found.order.iter().enumerate() {
            let is_free = |node: &&u32| edges[**node as usize].iter().all(|to| *to >= nodes || found.order[..at].contains(to));
            prop_assert_eq!(left.iter().find(is_free), Some(node));
            left.retain(|other| other != node);
        }
    }

    #[test]
    fn every_cycle_is_closed_and_made_of_edges(edges in graphs()) {
        let found = order(&edges);
        let mut in_parts = Vec::new();
        for path in &found.cycles {
            prop_assert!(path.len() > 1);
            prop_assert_eq!(path.first(), path.last());
            for edge in path.windows(2) {
                prop_assert!(edges[edge[0] as usize].contains(&edge[1]));
            }
            let mut once = path[1..].to_vec();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), path.len() - 1);
            let part: Vec<u32> = (0..edges.len() as u32)
                .filter(|node| reaches(&edges, path[0], *node) && reaches(&edges, *node, path[0]))
                .collect();
            prop_assert_eq!(part[0], path[0]);
            in_parts.extend(part);
        }
        in_parts.sort_unstable();
        prop_assert_eq!(in_parts, found.cyclic);
        prop_assert!(found.cycles.is_sorted());
    }

    #[test]
    fn the_order_of_edges_means_nothing(edges in graphs()) {
        let turned: Vec<Vec<u32>> = edges.iter().map(|list| list.iter().rev().chain(list).copied().collect()).collect();
        prop_assert_eq!(order(&edges), order(&turned));
    }

    #[test]
    fn a_skill_is_available_or_says_why(edges in graphs()) {
        let name = |at: u32| format!("s{at}");
        let skills: Vec<Skill> = (0..).zip(&edges).map(|(at, list)| {
            let names: Vec<String> = list.iter().map(|to| name(*to)).collect();
            skill(&name(at), None, &names.iter().map(String::as_str).collect::<Vec<_>>())
        }).collect();
        let nodes = edges.len() as u32;
        let found = resolved(&skills);
        let bad: Vec<u32> = (0..nodes)
            .filter(|node| reaches(&edges, *node, *node) || edges[*node as usize].iter().any(|to| *to >= nodes))
            .collect();
        for node in 0..nodes {
            let lost = bad.contains(&node) || bad.iter().any(|other| reaches(&edges, node, *other));
            prop_assert_eq!(found.order.contains(&node), !lost);
            let said = said(&found, node);
            prop_assert_eq!(!said.is_empty(), lost);
            prop_assert!(said.is_sorted_by_key(|(_, line, _)| *line));
            let mut expected = Vec::new();
            for to in &edges[node as usize] {
                if !lost && !expected.contains(to) {
                    expected.push(*to);
                }
            }
            prop_assert_eq!(&found.edges[node as usize], &expected);
        }
        prop_assert!(found.unavailable.is_sorted_by_key(|unavailable| unavailable.skill));
    }
}
