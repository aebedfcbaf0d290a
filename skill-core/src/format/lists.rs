//! The text of a list to its items, by the rule of the key: tools, words, globs, dependencies.

use semver::VersionReq;

/// The most alternatives that the globs of `paths` may stand for together.
pub(super) const MAX_ALTERNATIVES: usize = 256;

/// Splits tools at commas and blanks outside parentheses; `None` if those are not balanced.
pub(super) fn tools(text: &str) -> Option<Vec<String>> {
    let items = split(text, ['(', ')'], |c| c == ',' || c.is_whitespace());
    items.iter().all(|item| is_tool(item)).then_some(items)
}

/// Whether an item can be a tool: its parentheses are balanced, and it is no damaged list.
pub(super) fn is_tool(item: &str) -> bool {
    let mut depth = 0usize;
    for c in item.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && !item.starts_with(['[', '{', ']', '}'])
}

/// The tools that must not be used; `None` unless each piece is the plain name of one, so that none
/// is taken for something else and forgotten. Quotes around a piece are no part of it.
///
/// A blank ends a tool in a `text`, but not in the item of a list.
pub(super) fn forbidden(texts: &[String], is_text: bool) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for text in texts {
        let items = split(text, ['(', ')'], |c| c == ',' || is_text && c.is_whitespace());
        if items.is_empty() {
            return None;
        }
        for item in items {
            let bare = ['"', '\'']
                .iter()
                .find_map(|quote| item.strip_prefix(*quote)?.strip_suffix(*quote));
            let item = bare.unwrap_or(&item);
            if !is_plain_tool(item) {
                return None;
            }
            found.push(item.to_owned());
        }
    }
    Some(found)
}

/// A name, and at most one pair of parentheses behind it.
fn is_plain_tool(item: &str) -> bool {
    let end = item.find('(').unwrap_or(item.len());
    let (name, pattern) = item.split_at(end);
    let is_edge = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '*');
    let is_name = name.chars().all(|c| is_edge(c) || matches!(c, '.' | ':' | '/' | '-'))
        && name.starts_with(is_edge)
        && name.ends_with(is_edge)
        && (name == "*" || name.contains(|c: char| c.is_ascii_alphanumeric()));
    // The first parenthesis closes at the end, and not before.
    let mut depth = 0usize;
    let closes = pattern.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at + 1)
    });
    is_name && (pattern.is_empty() || closes == Some(pattern.len()))
}

/// Splits words at commas and blanks.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Splits globs at commas outside braces, and at line ends.
pub(super) fn globs(text: &str) -> Vec<String> {
    split(text, ['{', '}'], |c| matches!(c, ',' | '\n'))
}

/// How many globs without braces these stand for.
pub(super) fn alternatives(globs: &[String]) -> usize {
    globs.iter().fold(0, |sum: usize, glob| sum.saturating_add(alternatives_of(glob)))
}

/// A dependency as it is written: the name, and the requirement behind its `@`.
pub(super) fn dependency(item: &str) -> (String, Option<String>) {
    match item.split_once('@') {
        Some((name, requirement)) => {
            let requirement = requirement.trim();
            let requirement = (!requirement.is_empty()).then(|| requirement.to_owned());
            (name.trim().to_owned(), requirement)
        }
        None => (item.trim().to_owned(), None),
    }
}

/// Splits dependencies at commas and blanks, and keeps a requirement such as `>=1, <3` together.
pub(super) fn dependencies(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for piece in words(text) {
        match items.last_mut() {
            // What starts with an operator, or follows one, goes on with a requirement.
            Some(item) if item.ends_with(OPERATORS) => item.push_str(&piece),
            Some(item) if piece.starts_with('@') && !item.contains('@') => item.push_str(&piece),
            Some(item) if piece.starts_with(OPERATORS) && item.contains('@') => {
                item.push_str(", ");
                item.push_str(&piece);
            }
            _ => items.push(piece),
        }
    }
    items
}

const OPERATORS: [char; 6] = ['@', '<', '>', '=', '^', '~'];

/// Whether a requirement is one in Cargo's syntax.
pub(super) fn is_requirement(text: &str) -> bool {
    VersionReq::parse(text).is_ok()
}

/// Whether a version is semantic, read tolerantly: a `v` may stand before it, and the last parts
/// may be missing.
pub(super) fn is_version(text: &str) -> bool {
    let bare = text.strip_prefix(['v', 'V']).unwrap_or(text);
    let end = bare.find(['-', '+']).unwrap_or(bare.len());
    let (core, suffix) = bare.split_at(end);
    let parts = core.split('.').count();
    let zeros = [".0.0", ".0", ""].get(parts - 1).copied();
    zeros.is_some_and(|zeros| semver::Version::parse(&format!("{core}{zeros}{suffix}")).is_ok())
}

fn split(text: &str, [open, close]: [char; 2], ends: impl Fn(char) -> bool) -> Vec<String> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut depth = 0usize;
    for c in text.chars() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 && ends(c) {
            items.push(std::mem::take(&mut item));
        } else {
            item.push(c);
        }
    }
    items.push(item);
    items.retain_mut(|item| {
        *item = item.trim().to_owned();
        !item.is_empty()
    });
    items
}

/// `a{b,c{d,e}}` is three: in a brace alternatives add up, side by side they multiply.
fn alternatives_of(glob: &str) -> usize {
    // For each open brace: the sum of the alternatives before the last comma, and the product of
    // the current one.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut product = 1usize;
    for c in glob.chars() {
        match c {
            '{' => open.push((0, std::mem::replace(&mut product, 1))),
            ',' => {
                if let Some((sum, _)) = open.last_mut() {
                    *sum = sum.saturating_add(std::mem::replace(&mut product, 1));
                }
            }
            '}' => {
                if let Some((sum, outer)) = open.pop() {
                    product = sum.saturating_add(product).saturating_mul(outer);
                }
            }
            _ => {}
        }
    }
    // A brace that is never closed is text.
    open.into_iter()
        .rev()
        .fold(product, |product, (sum, outer)| sum.saturating_add(product).saturating_mul(outer))
}
