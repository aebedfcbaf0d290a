//! Edges to a deterministic order, dependencies first (Kahn's algorithm).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::adjacency::Adjacency;
use super::cycles;

/// A deterministic order of nodes, dependencies first, and the cycles that are not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Positions, dependencies before dependants; among nodes that are free the smaller position
    /// first. Members of cycles and what depends on them are absent.
    pub order: Vec<u32>,
    /// One path per strongly connected part, closed: `[a, b, a]`. It is a shortest one through the
    /// smallest position of the part, and starts there. Sorted.
    pub cycles: Vec<Vec<u32>>,
    /// The members of cycles, sorted.
    pub cyclic: Vec<u32>,
}

/// Orders nodes. `edges[i]` are the positions that node `i` depends on; their order, doubles and
/// positions that do not exist mean nothing.
///
/// ```
/// use skilldeck_core::graph::order;
///
/// assert_eq!(order(&[vec![2], vec![], vec![1]]).order, [1, 2, 0]);
///
/// let circle = order(&[vec![1], vec![0], vec![0], vec![]]);
/// assert_eq!(circle.order, [3]);
/// assert_eq!(circle.cycles, [[0, 1, 0]]);
/// assert_eq!(circle.cyclic, [0, 1]);
/// ```
#[must_use]
pub fn order(edges: &[Vec<u32>]) -> Order {
    let dependencies = Adjacency::new(edges);
    order_of(&dependencies, &dependencies.reversed()).0
}

/// The order, and for each of its cycles the members of the whole strongly connected part.
pub(super) fn order_of(dependencies: &Adjacency, dependants: &Adjacency) -> (Order, Vec<Vec<u32>>) {
    let (order, left) = free_first(dependencies, dependants);
    let parts = cycles::parts(dependencies, &left);
    let cycles = cycles::shortest_paths(dependencies, &parts);
    let mut cyclic: Vec<u32> = parts.iter().flatten().copied().collect();
    cyclic.sort_unstable();
    (Order { order, cycles, cyclic }, parts)
}

/// The order, and the nodes that are not in it.
fn free_first(dependencies: &Adjacency, dependants: &Adjacency) -> (Vec<u32>, Vec<u32>) {
    let mut open: Vec<usize> =
        dependencies.nodes().map(|node| dependencies.of(node).len()).collect();
    // Nodes that are free from the start come in order anyway; only those that become free need
    // the heap, and most decks have few.
    let mut from_start =
        dependencies.nodes().filter(|node| dependencies.of(*node).is_empty()).peekable();
    let mut freed = BinaryHeap::new();
    let mut order = Vec::with_capacity(open.len());
    loop {
        let node = match (from_start.peek(), freed.peek()) {
            (Some(start), Some(Reverse(node))) if node < start => freed.pop().map(|node| node.0),
            (Some(_), _) => from_start.next(),
            (None, _) => freed.pop().map(|node| node.0),
        };
        let Some(node) = node else { break };
        order.push(node);
        for dependant in dependants.of(node) {
            open[*dependant as usize] -= 1;
            if open[*dependant as usize] == 0 {
                freed.push(Reverse(*dependant));
            }
        }
    }
    let left = dependencies.nodes().filter(|node| open[*node as usize] > 0).collect();
    (order, left)
}
