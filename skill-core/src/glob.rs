//! A glob and a path to whether the one matches the other: which side files are embedded.

/// Whether one of these globs matches the path, which has `/` between its parts.
pub(crate) fn is_selected(globs: &[impl AsRef<str>], path: &str) -> bool {
    let path: Vec<&str> = path.split('/').collect();
    globs.iter().any(|glob| {
        let glob: Vec<&str> = glob.as_ref().split('/').collect();
        parts(&glob, &path)
    })
}

/// `**` stands for any number of directories, and at the end for everything below.
fn parts(glob: &[&str], path: &[&str]) -> bool {
    match glob {
        [] => path.is_empty(),
        ["**"] => !path.is_empty(),
        ["**", rest @ ..] => (0..path.len()).any(|skipped| parts(rest, &path[skipped..])),
        [first, rest @ ..] => match path {
            [] => false,
            [name, below @ ..] => matches(first, name) && parts(rest, below),
        },
    }
}

/// `*` stands for any characters and `?` for one. What a `*` takes is only given back to the last
/// one, which is enough and never takes long.
fn matches(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<char>, Vec<char>) = (glob.chars().collect(), name.chars().collect());
    let (mut at, mut here) = (0, 0);
    // Behind the last `*`, and the end of what it has taken.
    let mut star = None;
    while here < name.len() {
        match glob.get(at) {
            Some('*') => {
                at += 1;
                star = Some((at, here));
            }
            Some(c) if *c == '?' || *c == name[here] => {
                at += 1;
                here += 1;
            }
            _ => match &mut star {
                Some((behind, taken)) => {
                    *taken += 1;
                    (at, here) = (*behind, *taken);
                }
                None => return false,
            },
        }
    }
    glob[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::is_selected;

    #[test]
    fn a_glob_matches_the_whole_path() {
        for (glob, yes, no) in [
            ("**", &["a", "a/b/c"][..], &[][..]),
            ("*", &["a", "a.md", "é"], &["a/b"]),
            ("*.md", &["a.md", ".md"], &["a.mdx", "d/a.md", "md"]),
            ("**/*.md", &["a.md", "d/a.md", "d/e/a.md"], &["a.txt", "d/a.md/x"]),
            (
                "references/**",
                &["references/a", "references/d/b"],
                &["references", "x/references/a"],
            ),
            ("scripts/*.sh", &["scripts/a.sh"], &["scripts/d/a.sh", "a.sh"]),
            ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["a", "b", "a/x"]),
            ("?.md", &["a.md", "é.md"], &["ab.md", ".md"]),
            ("a*b*c", &["abc", "a1b2c", "abcbc"], &["ac", "abcd", "xabc"]),
            ("**/a*a", &["aa", "x/aba"], &["a", "x/ab"]),
            ("data.json", &["data.json"], &["DATA.json", "d/data.json"]),
        ] {
            for path in yes {
                assert!(is_selected(&[glob], path), "{glob} matches {path}");
            }
            for path in no {
                assert!(!is_selected(&[glob], path), "{glob} does not match {path}");
            }
        }
    }

    #[test]
    fn one_of_several_is_enough_and_none_matches_nothing() {
        assert!(is_selected(&["*.txt", "*.md"], "a.md"));
        assert!(!is_selected(&["*.txt", "*.md"], "a.rs"));
        assert!(!is_selected(&[""; 0], "a"));
    }

    #[test]
    fn many_stars_end_soon() {
        let (glob, name) = ("*a".repeat(50), "a".repeat(2000) + "b");
        assert!(!is_selected(&[glob], &name));
    }
}
