//! Rust source to the same text without what a rule must not see: comments, strings, test modules.

use std::ops::Range;

/// Blanks comments and, if `strings` is false, what stands inside string and character literals.
/// Line ends stay, so that line numbers do too.
pub(crate) fn strip(source: &str, strings: bool) -> String {
    let bytes = source.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (end, keep) = match literal_end(bytes, at) {
            Some(end) => (end, strings),
            None => match comment_end(bytes, at) {
                Some(end) => (end, false),
                None => (word_end(bytes, at), true),
            },
        };
        if keep {
            out.extend_from_slice(&bytes[at..end]);
        } else {
            out.extend(bytes[at..end].iter().map(|b| if *b == b'\n' { b'\n' } else { b' ' }));
        }
        at = end;
    }
    String::from_utf8(out).expect("only ASCII was written over whole literals and comments")
}

/// Where `#[cfg(test)] mod name { … }` stands in code whose literals and comments are blank.
pub(crate) fn test_modules(code: &str) -> Vec<Range<usize>> {
    const MARK: &str = "#[cfg(test)]";
    let mut found = Vec::new();
    for (start, _) in code.match_indices(MARK) {
        let item = &code[start + MARK.len()..];
        let Some(open) = item.find(['{', ';']) else { break };
        let is_module = item[..open].split_whitespace().nth_back(1) == Some("mod");
        if is_module && item[open..].starts_with('{') {
            found.push(start..start + MARK.len() + open + block_length(&item[open..]));
        }
    }
    found
}

/// Blanks ranges; line ends stay.
pub(crate) fn blank(text: &str, ranges: &[Range<usize>]) -> String {
    let inside = |at: usize| ranges.iter().any(|range| range.contains(&at));
    let signs = text.char_indices();
    signs.map(|(at, sign)| if sign != '\n' && inside(at) { ' ' } else { sign }).collect()
}

/// The length of the braced block that `code` starts with.
pub(crate) fn block_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

/// Where the words and single signs that are neither literal nor comment end. A whole word is one
/// step, so that the `r` at the end of `for` starts no raw string.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
    let length = bytes[at..].iter().take_while(|b| word(b)).count();
    at + length.max(1)
}

fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        return Some(at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with(b"/*") {
        return None;
    }
    let (mut depth, mut i) = (0_usize, 0);
    while i < rest.len() {
        match &rest[i..] {
            [b'/', b'*', ..] => (depth, i) = (depth + 1, i + 2),
            [b'*', b'/', ..] => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            break;
        }
    }
    Some(at + i.min(rest.len()))
}

fn literal_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        rest.starts_with(prefix.as_bytes())
            && matches!(rest.get(prefix.len()), Some(b'"' | b'#' | b'\''))
    })?;
    let body = &rest[prefix.len()..];
    let length = if prefix.ends_with('r') { raw_length(body)? } else { quoted_length(body)? };
    Some(at + prefix.len() + length)
}

fn raw_length(body: &[u8]) -> Option<usize> {
    let hashes = body.iter().take_while(|b| **b == b'#').count();
    if body.get(hashes) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.extend(std::iter::repeat_n(b'#', hashes));
    let inside = &body[hashes + 1..];
    let found = inside.windows(close.len()).position(|window| window == close);
    Some(hashes + 1 + found.map_or(inside.len(), |found| found + close.len()))
}

fn quoted_length(body: &[u8]) -> Option<usize> {
    let quote = *body.first()?;
    match (quote, body.get(1)?) {
        (b'"', _) | (b'\'', b'\\') => {}
        // One character between two quotes; anything else is a lifetime or a label.
        (b'\'', _) => {
            let text = std::str::from_utf8(&body[1..body.len().min(5)])
                .or_else(|e| std::str::from_utf8(&body[1..=e.valid_up_to()]))
                .ok()?;
            let length = text.chars().next()?.len_utf8();
            return (body.get(1 + length) == Some(&b'\'')).then_some(length + 2);
        }
        _ => return None,
    }
    let mut i = 1;
    while i < body.len() {
        match body[i] {
            b'\\' => i += 2,
            b if b == quote => return Some(i + 1),
            _ => i += 1,
        }
    }
    Some(body.len())
}

#[cfg(test)]
mod tests {
    use super::{blank, strip, test_modules};

    #[test]
    fn literals_and_comments_are_told_apart() {
        for (source, expected) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("f(\"x // y\") // z", "f(        )     "),
            ("f(\"\\\"\", 'a', '\\'', '\\u{1f}')", "f(    ,    ,     ,         )"),
            ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
            ("for \"x\"", "for    "),
            ("r#\"a \" b\"# + br\"c\" + b'd'", "           +       +     "),
            ("r#type + x", "r#type + x"),
            ("'é' + 'x", "     + 'x"),
            ("\"a\nb\"", "  \n  "),
        ] {
            assert_eq!(strip(source, false), expected, "{source}");
        }
        assert_eq!(strip("f(\"x // y\") // z", true), "f(\"x // y\")     ");
    }

    #[test]
    fn only_test_modules_are_found() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { {} }\n}\nfn c() {}\n";
        let expected = "fn a() {}\n            \n           \n              \n \nfn c() {}\n";
        assert_eq!(blank(code, &test_modules(code)), expected);
        for code in ["#[cfg(test)]\nmod tests;\nfn c() {}", "#[cfg(test)]\nfn a() {}\nmod b {}"] {
            assert_eq!(test_modules(code), []);
        }
    }
}
