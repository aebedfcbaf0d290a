//! Nodes that no order can hold to the strongly connected parts among them, and a path round each.

use std::collections::VecDeque;

use super::adjacency::Adjacency;

const NONE: u32 = u32::MAX;

/// The strongly connected parts that contain a cycle, each sorted, sorted by their smallest member
/// (Tarjan's algorithm with a stack of its own, as chains may be long). `nodes` are where to start.
pub(super) fn parts(edges: &Adjacency, nodes: &[u32]) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    if nodes.is_empty() {
        return found;
    }
    let count = edges.nodes().len();
    // The number under which a node was entered, and the smallest one it reaches that is open.
    let mut entered = vec![NONE; count];
    let mut lowest = vec![NONE; count];
    let mut is_open = vec![false; count];
    let mut open = Vec::new();
    let mut next = 0;
    // A node and how many of its edges were followed.
    let mut walk: Vec<(u32, usize)> = Vec::new();
    for root in nodes {
        if entered[*root as usize] == NONE {
            walk.push((*root, 0));
        }
        while let Some((node, followed)) = walk.last_mut() {
            let at = *node as usize;
            if *followed == 0 && entered[at] == NONE {
                (entered[at], lowest[at]) = (next, next);
                next += 1;
                is_open[at] = true;
                open.push(*node);
            }
            if let Some(to) = edges.of(*node).get(*followed) {
                *followed += 1;
                let to_at = *to as usize;
                if entered[to_at] == NONE {
                    walk.push((*to, 0));
                } else if is_open[to_at] {
                    lowest[at] = lowest[at].min(entered[to_at]);
                }
                continue;
            }
            let node = *node;
            walk.pop();
            if let Some((parent, _)) = walk.last() {
                let parent = *parent as usize;
                lowest[parent] = lowest[parent].min(lowest[at]);
            }
            if lowest[at] == entered[at] {
                let start = open.iter().rposition(|member| *member == node).unwrap_or(0);
                let mut part = open.split_off(start);
                for member in &part {
                    is_open[*member as usize] = false;
                }
                if part.len() > 1 || edges.of(node).contains(&node) {
                    part.sort_unstable();
                    found.push(part);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// For each part a shortest closed path through its smallest member, found breadth first.
pub(super) fn shortest_paths(edges: &Adjacency, parts: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut part_of = Vec::new();
    let mut came_from = Vec::new();
    if !parts.is_empty() {
        part_of = members(edges, parts);
        came_from = vec![NONE; edges.nodes().len()];
    }
    parts.iter().map(|part| shortest_path(edges, part[0], &part_of, &mut came_from)).collect()
}

/// The number of the part that each node is a member of, or `u32::MAX`.
pub(super) fn members(edges: &Adjacency, parts: &[Vec<u32>]) -> Vec<u32> {
    let mut part_of = vec![NONE; edges.nodes().len()];
    for (number, part) in (0..).zip(parts) {
        for member in part {
            part_of[*member as usize] = number;
        }
    }
    part_of
}

fn shortest_path(
    edges: &Adjacency,
    start: u32,
    part_of: &[u32],
    came_from: &mut [u32],
) -> Vec<u32> {
    let part = part_of[start as usize];
    let mut queue = VecDeque::from([start]);
    // Parts do not overlap, so what another search left in `came_from` is never looked at.
    while came_from[start as usize] == NONE
        && let Some(node) = queue.pop_front()
    {
        for to in edges.of(node) {
            if part_of[*to as usize] == part && came_from[*to as usize] == NONE {
                came_from[*to as usize] = node;
                queue.push_back(*to);
            }
        }
    }
    let mut path = vec![start];
    let mut node = came_from[start as usize];
    while node != start && node != NONE {
        path.push(node);
        node = came_from[node as usize];
    }
    path.push(start);
    path.reverse();
    path
}
