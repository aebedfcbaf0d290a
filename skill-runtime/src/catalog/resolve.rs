//! The chains of versions to the one of each word that stays in force.
//!
//! The strongest version wins unless it breaks the deck: an override that closes a cycle or cannot
//! resolve its dependencies is refused where a version it shadows can be used instead.

use std::collections::BTreeMap;
use std::path::Path;

use skilldeck_core::diagnostic::Code;
use skilldeck_core::graph::{self, Node, Resolution, Unavailable};
use skilldeck_core::model::{Dependency, Lookup, Skill};

use super::overlay::{Candidate, Overlay};
use super::words::{Named, Words, words};

/// The versions in force and the deck they make.
pub(crate) struct Settled {
    /// For each word how many versions were passed over for the one in force.
    pub(crate) depths: Vec<usize>,
    /// Why versions were passed over, by word and depth.
    pub(crate) refused: BTreeMap<(usize, usize), Unavailable>,
    pub(crate) words: Words,
    pub(crate) resolution: Resolution,
}

/// What a choice of versions comes to.
struct Trial {
    words: Words,
    resolution: Resolution,
}

/// A better choice, and why it passes over more versions.
struct Step {
    depths: Vec<usize>,
    refused: BTreeMap<(usize, usize), Unavailable>,
    trial: Trial,
}

/// Settles the versions. Every step passes over at least one version more, so it ends.
pub(crate) fn settle(overlay: &Overlay<'_>) -> Settled {
    let mut depths = vec![0; overlay.len()];
    let mut trial = Trial::of(overlay, &depths);
    let mut refused = BTreeMap::new();
    while let Some(step) = improve(overlay, &depths, &trial) {
        depths = step.depths;
        trial = step.trial;
        refused.extend(step.refused);
    }
    let Trial { words, resolution } = trial;
    Settled { depths, refused, words, resolution }
}

/// One step towards a deck without failing overrides, causes before consequences: what is broken by
/// itself, then cycles (one member at a time, the weakest first, as one may be enough), then what
/// only suffers from others.
fn improve(overlay: &Overlay<'_>, depths: &[usize], trial: &Trial) -> Option<Step> {
    let mut broken = Vec::new();
    let mut cyclic = Vec::new();
    let mut suffering = Vec::new();
    for fault in &trial.resolution.unavailable {
        let word = fault.skill as usize;
        if depths[word] + 1 < overlay.readable(word) {
            let codes = || fault.diagnostics.iter().map(|diagnostic| diagnostic.code);
            let is_inherited =
                |code| matches!(code, Code::DependencyCycle | Code::UnavailableDependency);
            if codes().any(|code| !is_inherited(code)) {
                broken.push(word);
            } else if codes().any(|code| code == Code::DependencyCycle) {
                cyclic.push(word);
            } else {
                suffering.push(word);
            }
        }
    }
    cyclic.sort_by_key(|&word| std::cmp::Reverse(overlay.chain(word)[depths[word]]));
    let members = cyclic.into_iter().map(|word| vec![word]);
    std::iter::once(broken)
        .chain(members)
        .chain([suffering])
        .find_map(|words| demote(overlay, depths, trial, words))
}

/// Passes over the versions in force of these words, each to the first one below that can be used.
/// Words that have none stay as they are; `None` if that is all of them.
fn demote(
    overlay: &Overlay<'_>,
    depths: &[usize],
    trial: &Trial,
    mut words: Vec<usize>,
) -> Option<Step> {
    let mut lower = depths.to_vec();
    let mut refused = BTreeMap::new();
    for &word in &words {
        refused.insert((word, lower[word]), trial.fault(word)?.clone());
        lower[word] += 1;
    }
    while !words.is_empty() {
        let next = Trial::of(overlay, &lower);
        let before = words.len();
        let mut moved = false;
        words.retain(|&word| match next.fault(word) {
            None => true,
            Some(fault) if lower[word] + 1 < overlay.readable(word) => {
                refused.insert((word, lower[word]), fault.clone());
                lower[word] += 1;
                moved = true;
                true
            }
            Some(_) => {
                (depths[word]..lower[word]).for_each(|depth| drop(refused.remove(&(word, depth))));
                lower[word] = depths[word];
                false
            }
        });
        if !moved && words.len() == before {
            return Some(Step { depths: lower, refused, trial: next });
        }
    }
    None
}

impl Trial {
    fn of(overlay: &Overlay<'_>, depths: &[usize]) -> Self {
        let versions: Vec<&Candidate<'_>> =
            depths.iter().enumerate().map(|(word, &depth)| overlay.version(word, depth)).collect();
        let named: Vec<Named<'_>> = versions
            .iter()
            .enumerate()
            .map(|(word, version)| Named {
                skill: version.skill(),
                path: version.path(),
                strength: overlay.chain(word)[depths[word]],
            })
            .collect();
        let words = words(&named);
        let nodes: Vec<Version<'_>> = versions
            .iter()
            .map(|version| Version { skill: version.skill(), path: version.path() })
            .collect();
        let is_readable = |at: &u32| versions[*at as usize].item.unreadable().is_none();
        let find = |name: &str| words.index.find(name);
        let mut resolution =
            graph::resolve(&nodes, |name| find(name).position().filter(is_readable));
        explain(&mut resolution, &nodes, |name| match find(name) {
            Lookup::Found(key) => {
                let reason = versions[key.skill as usize].item.unreadable()?;
                Some(format!("`{name}`, which cannot be read: {reason}"))
            }
            Lookup::Ambiguous(all) => {
                let all: Vec<_> =
                    all.iter().map(|&at| format!("`{}`", versions[at as usize].word())).collect();
                Some(format!("`{name}`, which is ambiguous: {}", all.join(", ")))
            }
            Lookup::None => None,
        });
        Self { words, resolution }
    }

    fn fault(&self, word: usize) -> Option<&Unavailable> {
        let unavailable = &self.resolution.unavailable;
        let found = unavailable.binary_search_by_key(&word, |fault| fault.skill as usize);
        found.ok().map(|at| &unavailable[at])
    }
}

/// The graph knows missing dependencies only; says of those that are there why they cannot be used.
fn explain(
    resolution: &mut Resolution,
    nodes: &[Version<'_>],
    why: impl Fn(&str) -> Option<String>,
) {
    let mut better: Vec<(String, String)> = Vec::new();
    for fault in &resolution.unavailable {
        let skill = nodes[fault.skill as usize].skill;
        for diagnostic in &fault.diagnostics {
            let asked = skill.depends_on().iter().find(|dependency| {
                diagnostic.code == Code::MissingDependency
                    && dependency.line == diagnostic.line
                    && diagnostic.message.contains(&format!("`{}`, which", dependency.name))
            });
            if let Some(reason) = asked.and_then(|dependency| why(&dependency.name)) {
                let message = format!("`{}` depends on {reason}", skill.word());
                better.push((diagnostic.message.clone(), message));
            }
        }
    }
    if better.is_empty() {
        return;
    }
    // What suffers from a fault repeats its message.
    let mend = |text: &mut String| {
        for (old, new) in better.iter().filter(|(old, _)| text.contains(old)).collect::<Vec<_>>() {
            *text = text.replace(old, new);
        }
    };
    for fault in &mut resolution.unavailable {
        mend(&mut fault.reason);
        for diagnostic in &mut fault.diagnostics {
            mend(&mut diagnostic.message);
            diagnostic.related.iter_mut().for_each(|related| mend(&mut related.message));
        }
    }
}

/// A version as the graph sees it.
struct Version<'a> {
    skill: &'a Skill,
    path: Option<&'a Path>,
}

impl Node for Version<'_> {
    fn name(&self) -> &str {
        self.skill.word()
    }

    fn version(&self) -> Option<&str> {
        self.skill.version()
    }

    fn depends_on(&self) -> &[Dependency] {
        self.skill.depends_on()
    }

    fn path(&self) -> Option<&Path> {
        self.path
    }
}
