//! Calls to the first thing that is wrong with them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Errors, read};

/// A package with the directories `a`, `b` and `b/c`, and a skill in two of them.
fn package() -> tempfile::TempDir {
    let package = tempfile::tempdir().unwrap();
    for path in ["a/one", "b/c/two"] {
        let directory = package.path().join(path);
        fs::create_dir_all(&directory).unwrap();
        let name = path.rsplit('/').next().unwrap();
        let text = format!("---\nname: {name}\ndescription: d\n---\nText.\n");
        fs::write(directory.join("SKILL.md"), text).unwrap();
    }
    package
}

fn called(input: TokenStream, package: &Path) -> Result<String, Errors> {
    read(input, &mut TokenStream::new(), Some(package.as_os_str().to_owned()))
}

#[test]
fn without_a_package_nothing_can_be_found() {
    for unset in [None, Some("".into())] {
        let errors = read(quote!("a"), &mut TokenStream::new(), unset).unwrap_err();
        assert_eq!(errors.0.len(), 1);
        let message = &errors.0[0].1;
        assert!(message.contains("`CARGO_MANIFEST_DIR` is not set\n  = help: "), "{message}");
    }
}

#[test]
fn directories_stand_in_a_row_or_in_a_list() {
    let package = package();
    let one = called(quote!("a"), package.path()).unwrap();
    let row = called(quote!("a", "b", strict), package.path()).unwrap();
    let list = called(quote!(["a", "b",], strict,), package.path()).unwrap();
    assert_ne!(one, row);
    assert_eq!(row, list);
    assert!(row.contains("a/one/SKILL.md") && row.contains("b/c/two/SKILL.md"), "{row}");
}

#[test]
fn every_wrong_call_says_what_is_wrong() {
    let package = package();
    for (call, messages) in [
        (quote!(), &["expected the directory of the skills"][..]),
        (quote!([]), &["expected the directory of the skills"]),
        (quote!([a]), &["expected the directory of the skills"]),
        (quote!(["a"], "b"), &["expected a known option"]),
        (quote!("a", strict, "b"), &["expected a known option"]),
        (quote!("a", "a"), &["the directory `a` lies in another one"]),
        (quote!("b/c", "b"), &["the directory `b` lies in another one"]),
        (quote!("b", "./b/c"), &["the directory `b/c` lies in another one"]),
        (quote!("x", "a", "y"), &["`x` does not exist", "`y` does not exist"]),
        (quote!(""), &["the path of the directory is empty"]),
        (quote!("/a"), &["the path `/a` is absolute"]),
        (quote!("a/../../x"), &["the path `a/../../x` leads out of the package"]),
        (quote!("a/one/SKILL.md"), &["`a/one/SKILL.md` is no directory"]),
        (quote!(core: "a"), &["a tier stands in a list of directories"]),
        (quote!("a", core: "b"), &["a tier stands in a list of directories"]),
        (
            quote!("a", prefix: "b-"),
            &["`prefix` is an option, which is written `prefix = \"WORD-\"`"],
        ),
        (quote!(files: all), &["`files` is an option, which is written `files = all | none"]),
        (
            quote!(["b", managed: "a"]),
            &[
                "there is no tier `managed`\n  = help: tiers are, strongest first, `project`, `user`, \
               `third_party`, `core`, `bundled`",
            ],
        ),
        (quote!([core: user: "a"]), &["a tier stands in a list"]),
        (quote!([core: a]), &["expected the directory of the skills"]),
        (quote!([core]), &["expected the directory of the skills"]),
        (quote!("a", crate = "house"), &["expected a path to the crate `skilldeck`"]),
        (quote!("a", crate = house::), &["expected a path to the crate `skilldeck`"]),
        (quote!("a", crate = house deck), &["expected a path to the crate `skilldeck`"]),
        (quote!("a", crate = Vec<u8>), &["expected a path to the crate `skilldeck`"]),
        (quote!("a", crate = a, crate = b), &["the option `crate` is here twice"]),
        (quote!("a", files = some), &["expected `all`, `none`, a glob"]),
        (quote!("a", files = []), &["expected `all`, `none`, a glob"]),
        (quote!("a", files = 1), &["expected `all`, `none`, a glob"]),
        (quote!("a", files = "a/../b"), &["the glob `a/../b` has an empty part"]),
        (quote!("a", files = ["*.md", "[ab].md"]), &["the glob `[ab].md` has `[`"]),
        (quote!("a", files = "a\\b"), &["has a backslash"]),
        (quote!("a", files = "**.md"), &["has `**` beside other signs"]),
        (quote!("a", prefix = ""), &["the prefix `` cannot stand"]),
        (quote!("a", prefix = "Team-"), &["the prefix `Team-` cannot stand"]),
        (quote!("a", prefix = "a--"), &["the prefix `a--` cannot stand"]),
        (quote!("a", prefix = "-a"), &["the prefix `-a` cannot stand"]),
        (quote!("a", prefix = "a b-"), &["the prefix `a b-` cannot stand"]),
        (quote!("a", prefix = "x-", prefix = "y-"), &["the option `prefix` is here twice"]),
    ] {
        let errors = called(call.clone(), package.path()).unwrap_err();
        let found: Vec<&str> = errors.0.iter().map(|(_, message)| message.as_str()).collect();
        let right = found.len() == messages.len()
            && found.iter().zip(messages).all(|(found, wanted)| found.contains(wanted));
        assert!(right, "{call}: {found:?}, wanted {messages:?}");
    }
}

#[test]
fn tiers_decide_before_the_position() {
    let package = package();
    let other = package.path().join("b/c/one");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("SKILL.md"), "---\nname: one\ndescription: d\n---\nOther.\n").unwrap();
    for (call, winner) in [
        (quote!(["a", "b"]), "a/one"),
        (quote!([core: "a", core: "b"]), "a/one"),
        (quote!(["a", core: "b"]), "b/c/one"),
        (quote!([core: "a", third_party: "b"]), "b/c/one"),
        (quote!([third_party: "a", user: "b"]), "b/c/one"),
        (quote!([user: "a", project: "b"]), "b/c/one"),
        (quote!([bundled: "a", "b",], strict), "a/one"),
    ] {
        let text = called(call.clone(), package.path()).unwrap();
        // Those that lose stand behind the texts of the deck.
        let texts = text.split_once("static TEXTS").unwrap().1.split_once("];").unwrap().0;
        let found: Vec<_> = ["a/one", "b/c/one"]
            .into_iter()
            .filter(|it| texts.contains(&format!("\"{it}/SKILL.md\"")))
            .collect();
        assert_eq!(found, [winner], "{call}: {text}");
    }
}

#[test]
fn an_empty_directory_is_an_empty_deck() {
    let package = package();
    fs::create_dir(package.path().join("none")).unwrap();
    let text = called(quote!("none", strict), package.path()).unwrap();
    assert!(text.contains("static SKILLS:[s::BundledSkill;0]"), "{text}");
}

#[test]
fn the_facade_is_what_the_call_says() {
    let package = package();
    for (call, path) in [
        (quote!("a"), "found"),
        (quote!("a", crate = house), "house"),
        (quote!("a", strict, crate = ::house::deck, files = none), ":: house :: deck"),
        (quote!("a", crate = crate::deck,), "crate :: deck"),
        (quote!("a", crate = self::deck), "self :: deck"),
        // A fault in the skills does not change what an empty deck is named by.
        (quote!("nowhere", crate = house), "house"),
    ] {
        let mut facade = quote!(found);
        let _ = read(call.clone(), &mut facade, Some(package.path().into()));
        assert_eq!(facade.to_string(), path, "{call}");
    }
}
