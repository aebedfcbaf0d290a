//! Entries of `depends-on`: how they are split, and which versions meet them.

use super::*;

#[test]
fn entries_are_split_at_the_first_at() {
    for (text, name, requirement) in [
        ("git", "git", None),
        ("  git  ", "git", None),
        ("git@^1.2 ", "git", Some("^1.2")),
        ("git @ >=1, <3", "git", Some(">=1, <3")),
        ("git@1@2", "git", Some("1@2")),
        ("git@", "git", Some("")),
        ("@scope/git", "@scope/git", None),
        ("@scope/git@1", "@scope/git", Some("1")),
        ("技@*", "技", Some("*")),
        ("", "", None),
        ("@", "@", None),
    ] {
        let dependency = Dependency::new(text, 7);
        assert_eq!(dependency.name, name, "{text:?}");
        assert_eq!(dependency.requirement.as_deref(), requirement, "{text:?}");
        assert_eq!(dependency.line, 7);
    }
}

#[test]
fn an_entry_prints_as_it_is_read() {
    for text in ["git", "git@^1.2", "git@"] {
        assert_eq!(Dependency::new(text, 1).to_string(), text);
    }
}

#[test]
fn versions_are_read_with_tolerance() {
    for (text, expected) in [
        ("1", Some("1.0.0")),
        ("1.2", Some("1.2.0")),
        ("1.2.3", Some("1.2.3")),
        ("v1.2.3", Some("1.2.3")),
        ("V2", Some("2.0.0")),
        (" 1.10 ", Some("1.10.0")),
        ("1.2-beta.1", Some("1.2.0-beta.1")),
        ("1+build", Some("1.0.0+build")),
        ("1.2.3-rc.1+b-2", Some("1.2.3-rc.1+b-2")),
        ("", None),
        ("v", None),
        ("latest", None),
        ("1.", None),
        ("1.2.3.4", None),
        ("vv1", None),
        ("-1", None),
        ("99999999999999999999", None),
    ] {
        assert_eq!(read_version(text).map(|v| v.to_string()).as_deref(), expected, "{text:?}");
    }
}

#[test]
fn requirements_are_those_of_cargo() {
    for (requirement, version, expected) in [
        ("^1.2", Some("1.2"), true),
        ("^1.2", Some("1.9.9"), true),
        ("^1.2", Some("2"), false),
        ("1.2", Some("v1.3"), true),
        ("1.2", Some("1.1"), false),
        ("^0.2", Some("0.3"), false),
        ("~1.2", Some("1.3"), false),
        ("=1.2.3", Some("1.2.3"), true),
        ("=1.2", Some("1.2.7"), true),
        (">=1, <3", Some("2.9"), true),
        (">=1, <3", Some("3"), false),
        ("1.*", Some("1.7"), true),
        ("^1.2", Some("1.3.0-beta"), false),
        ("^1.2.0-alpha", Some("1.2.0-beta"), true),
        ("^1.2", Some("latest"), false),
        ("^1.2", None, false),
        (">=0", None, false),
        ("*", None, true),
        ("*", Some("latest"), true),
        ("*", Some("1.0.0-beta"), true),
        (" * ", Some("1"), true),
    ] {
        let dependency = Dependency::new(&format!("a@{requirement}"), 1);
        assert_eq!(dependency.matches(version), Ok(expected), "{requirement} and {version:?}");
    }
    assert_eq!(Dependency::new("a", 1).matches(None), Ok(true));
}

#[test]
fn a_requirement_that_cannot_be_read_is_an_error_for_every_version() {
    for requirement in ["", "latest", "^", "1.2.3.4", ">=1 <2", "v1", "1@2"] {
        let dependency = Dependency::new(&format!("a@{requirement}"), 1);
        for version in [None, Some("1.0.0"), Some("latest")] {
            let error = dependency.matches(version).expect_err(requirement);
            assert!(!error.to_string().is_empty());
        }
    }
}
