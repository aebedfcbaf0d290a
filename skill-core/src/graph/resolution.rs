//! Skills and their `depends-on` to an order of those that are available, and why others are not.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use super::adjacency::Adjacency;
use super::{cycles, faults, topological};
use crate::diagnostic::Diagnostic;
use crate::model::Dependency;

/// What resolution needs to know of a skill.
pub trait Node {
    /// The name for messages.
    fn name(&self) -> &str;
    /// The version as written.
    fn version(&self) -> Option<&str>;
    /// What it depends on.
    fn depends_on(&self) -> &[Dependency];
    /// Its file, for diagnostics.
    fn path(&self) -> Option<&Path>;
}

/// Why a skill is unavailable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// The position of the skill.
    pub skill: u32,
    /// The reasons in one line, joined by `; `: what is missing, the cycle as `a → b → a`, or the
    /// dependency that is itself unavailable and why.
    pub reason: String,
    /// The same as diagnostics, each at the line of its `depends-on` entry, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Dependencies of a whole deck, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// Available skills, dependencies first.
    pub order: Vec<u32>,
    /// For each skill the positions of its resolved dependencies, in source order; empty where
    /// unavailable.
    pub edges: Vec<Vec<u32>>,
    /// What is unavailable, sorted by position.
    pub unavailable: Vec<Unavailable>,
}

/// Faults by skill: the number of the `depends-on` entry, and what is wrong with it.
type Faults = BTreeMap<u32, Vec<(usize, Diagnostic)>>;

/// Resolves the dependencies of a deck. `find` gives the position that a name reaches; a name that
/// reaches several skills reaches none.
///
/// Unavailable are: a skill with a dependency that is missing, of the wrong version or has a
/// requirement that cannot be read, the members of a cycle, and whatever depends on one of these.
#[must_use]
pub fn resolve<N: Node>(nodes: &[N], find: impl Fn(&str) -> Option<u32>) -> Resolution {
    let (mut edges, entries, mut faults) = link(nodes, find);
    let dependencies = Adjacency::new(&edges);
    let dependants = dependencies.reversed();
    let (order, parts) = topological::order_of(&dependencies, &dependants);
    let deck = Deck { nodes, edges: &edges, entries: &entries };
    add_cycles(&deck, &order.cycles, &parts, &dependencies, &mut faults);
    if faults.is_empty() {
        return Resolution { order: order.order, edges, unavailable: Vec::new() };
    }
    let part_of = cycles::members(&dependencies, &parts);
    let unavailable = spread(&deck, &dependants, &part_of, faults);
    for skill in &unavailable {
        edges[skill.skill as usize].clear();
    }
    let is_unavailable =
        |node: &u32| unavailable.binary_search_by_key(node, |skill| skill.skill).is_ok();
    let order = order.order.into_iter().filter(|node| !is_unavailable(node)).collect();
    Resolution { order, edges, unavailable }
}

/// The skills and which `depends-on` entry each edge comes from.
pub(super) struct Deck<'a, N> {
    nodes: &'a [N],
    edges: &'a [Vec<u32>],
    entries: &'a [Vec<usize>],
}

impl<'a, N: Node> Deck<'a, N> {
    pub(super) fn node(&self, position: u32) -> &'a N {
        &self.nodes[position as usize]
    }

    /// The first entry by which one skill depends on another that `wanted` accepts, and its number.
    fn entry(&self, from: u32, wanted: impl Fn(u32) -> bool) -> Option<(usize, &'a Dependency)> {
        let edge = self.edges[from as usize].iter().position(|to| wanted(*to))?;
        let entry = self.entries[from as usize][edge];
        Some((entry, &self.node(from).depends_on()[entry]))
    }

    /// The line of the entry by which one skill depends on another.
    pub(super) fn line(&self, from: u32, to: u32) -> u32 {
        self.entry(from, |other| other == to).map_or(1, |(_, entry)| entry.line)
    }
}

/// Edges in source order, each once; the entry each comes from; and the faults of single entries.
/// An entry of the wrong version is an edge too, so a cycle is one whatever the versions are.
fn link<N: Node>(
    nodes: &[N],
    find: impl Fn(&str) -> Option<u32>,
) -> (Vec<Vec<u32>>, Vec<Vec<usize>>, Faults) {
    let mut edges = vec![Vec::new(); nodes.len()];
    let mut entries = vec![Vec::new(); nodes.len()];
    let mut faults = Faults::new();
    for (position, node) in (0_u32..).zip(nodes) {
        let at = position as usize;
        for (number, dependency) in node.depends_on().iter().enumerate() {
            let target = find(&dependency.name).and_then(|to| Some((to, nodes.get(to as usize)?)));
            let found = faults::of_entry(node, dependency, target.map(|(_, node)| node));
            if !found.is_empty() {
                let found = found.into_iter().map(|fault| (number, fault));
                faults.entry(position).or_default().extend(found);
            }
            if let Some((to, _)) = target
                && !edges[at].contains(&to)
            {
                edges[at].push(to);
                entries[at].push(number);
            }
        }
    }
    (edges, entries, faults)
}

/// Adds to each member of a cycle the path round it, at the entry that leads on.
fn add_cycles<N: Node>(
    deck: &Deck<'_, N>,
    cycles: &[Vec<u32>],
    parts: &[Vec<u32>],
    dependencies: &Adjacency,
    faults: &mut Faults,
) {
    let part_of = if parts.is_empty() { Vec::new() } else { cycles::members(dependencies, parts) };
    for ((number, part), path) in (0..).zip(parts).zip(cycles) {
        let on_path: BTreeMap<u32, u32> = path.windows(2).map(|edge| (edge[0], edge[1])).collect();
        for member in part {
            let next = on_path.get(member);
            let leads_on = |to: u32| match next {
                Some(next) => to == *next,
                None => part_of[to as usize] == number,
            };
            let Some((entry, dependency)) = deck.entry(*member, leads_on) else { continue };
            let fault = faults::cycle(deck, *member, path, next.is_some(), dependency.line);
            let of_member = faults.entry(*member).or_default();
            of_member.push((entry, fault));
            of_member.sort_by_key(|(entry, _)| *entry);
        }
    }
}

/// Carries faults to dependants, each by a shortest chain to a skill that has one of its own.
fn spread<N: Node>(
    deck: &Deck<'_, N>,
    dependants: &Adjacency,
    part_of: &[u32],
    mut faults: Faults,
) -> Vec<Unavailable> {
    let mut links: Vec<Option<Link>> = vec![None; deck.nodes.len()];
    let mut queue = VecDeque::new();
    for root in faults.keys() {
        links[*root as usize] = Some(Link { next: *root, root: *root, length: 0 });
        queue.push_back(*root);
    }
    while let Some(node) = queue.pop_front() {
        let Some(link) = links[node as usize] else { continue };
        for dependant in dependants.of(node) {
            let slot = &mut links[*dependant as usize];
            if slot.is_none() {
                *slot = Some(Link { next: node, root: link.root, length: link.length + 1 });
                queue.push_back(*dependant);
            }
        }
    }
    let causes: BTreeMap<u32, Diagnostic> =
        faults.iter().filter_map(|(root, found)| Some((*root, found.first()?.1.clone()))).collect();
    for (position, targets) in (0_u32..).zip(deck.edges) {
        for (to, entry) in targets.iter().zip(&deck.entries[position as usize]) {
            let Some(link) = links[*to as usize] else { continue };
            // The circle itself says why its members are unavailable.
            let part = part_of[position as usize];
            if part != u32::MAX && part == part_of[*to as usize] {
                continue;
            }
            let Some(cause) = causes.get(&link.root) else { continue };
            let chain = Chain { from: position, to: *to, link, links: &links };
            let line = deck.node(position).depends_on()[*entry].line;
            let fault = faults::unavailable(deck, &chain, cause, line);
            faults.entry(position).or_default().push((*entry, fault));
        }
    }
    faults.into_iter().map(|(skill, found)| unavailable(skill, found)).collect()
}

fn unavailable(skill: u32, mut faults: Vec<(usize, Diagnostic)>) -> Unavailable {
    faults.sort_by_key(|(entry, _)| *entry);
    let diagnostics: Vec<Diagnostic> = faults.into_iter().map(|(_, fault)| fault).collect();
    let reasons: Vec<&str> = diagnostics.iter().map(|fault| &*fault.message).collect();
    Unavailable { skill, reason: reasons.join("; "), diagnostics }
}

/// How an unavailable skill hangs on one that has a fault of its own.
#[derive(Clone, Copy)]
struct Link {
    /// The dependency on the way there; itself at the end.
    next: u32,
    root: u32,
    length: usize,
}

/// A dependant, the dependency that is unavailable, and the way from there to the root.
pub(super) struct Chain<'a> {
    pub(super) from: u32,
    pub(super) to: u32,
    link: Link,
    links: &'a [Option<Link>],
}

impl Chain<'_> {
    /// The skill that has a fault of its own.
    pub(super) fn root(&self) -> u32 {
        self.link.root
    }

    /// How many skills the chain has, both ends included.
    pub(super) fn len(&self) -> usize {
        self.link.length + 2
    }

    /// The skills from the dependant to the root.
    pub(super) fn skills(&self) -> impl Iterator<Item = u32> + '_ {
        let rest = std::iter::successors(Some(self.to), |node| {
            self.links[*node as usize].map(|link| link.next).filter(|next| next != node)
        });
        std::iter::once(self.from).chain(rest)
    }
}
