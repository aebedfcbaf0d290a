//! Lists of edges to one flat list that is sorted and free of doubles.

use std::ops::Range;

/// The edges of each node, side by side in one list.
pub(super) struct Adjacency {
    targets: Vec<u32>,
    /// Where the edges of each node begin, and behind the last where they all end.
    starts: Vec<usize>,
}

impl Adjacency {
    /// The edges of these lists, sorted and each once. Edges to nodes that do not exist are left
    /// out.
    pub(super) fn new(lists: &[Vec<u32>]) -> Self {
        let nodes = lists.len();
        let mut targets = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        let mut starts = Vec::with_capacity(nodes + 1);
        let mut sorted = Vec::new();
        for list in lists {
            starts.push(targets.len());
            sorted.clear();
            sorted.extend(list.iter().copied().filter(|to| (*to as usize) < nodes));
            sorted.sort_unstable();
            sorted.dedup();
            targets.extend_from_slice(&sorted);
        }
        starts.push(targets.len());
        Self { targets, starts }
    }

    /// The same edges, each the other way; sorted too.
    pub(super) fn reversed(&self) -> Self {
        let mut starts = vec![0; self.starts.len()];
        for to in &self.targets {
            starts[*to as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; self.targets.len()];
        for from in self.nodes() {
            for to in self.of(from) {
                targets[next[*to as usize]] = from;
                next[*to as usize] += 1;
            }
        }
        Self { targets, starts }
    }

    /// The positions of all nodes.
    pub(super) fn nodes(&self) -> Range<u32> {
        0..(self.starts.len() - 1) as u32
    }

    /// The targets of this node.
    pub(super) fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.starts[node]..self.starts[node + 1]]
    }
}
