//! Names, slugs and folded keys: tables, and the laws between the three.

use proptest::prelude::*;

use super::slug_flat;
use super::*;

#[test]
fn validity_follows_the_specification() {
    let longest = "a".repeat(64);
    let longest_wide = "技".repeat(64);
    for name in ["a", "0", "git-helper", "a1-2b", "技", "技能-审查", "straße", "οδος", &longest]
    {
        assert!(is_valid_name(name), "{name}");
    }
    assert!(is_valid_name(&longest_wide));
    // The NFKC form counts: an accent of its own, a ligature, a full-width letter.
    for name in ["cafe\u{301}", "ﬁx", "ａ"] {
        assert!(is_valid_name(name), "{name}");
    }
    let too_long = "a".repeat(65);
    let too_long_wide = "技".repeat(65);
    let cut_at_hyphen = format!("{}-b", "a".repeat(64));
    for name in [
        "",
        "-",
        "-a",
        "a-",
        "a--b",
        "A",
        "Git",
        "a_b",
        "a b",
        " a",
        "a.b",
        "git:cm",
        "../x",
        "a\0",
        "Ａ",
        "É",
        "ǅ",
        "a\u{200b}b",
        "🙂",
        &too_long,
        &too_long_wide,
        &cut_at_hyphen,
    ] {
        assert!(!is_valid_name(name), "{name:?}");
    }
}

#[test]
fn slugs() {
    for (name, expected) in [
        ("", ""),
        ("---", ""),
        ("git-helper", "git-helper"),
        ("Git_Helper", "git-helper"),
        ("  Git   Helper!  ", "git-helper"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\Temp", "c:temp"),
        ("git:cm", "git:cm"),
        ("Git : CM", "git:cm"),
        (":git::cm:", "git:cm"),
        ("a:!:b", "a:b"),
        ("git：cm", "git:cm"),
        ("技能 审查", "技能-审查"),
        ("CAFE\u{301}", "café"),
        ("ﬁX", "fix"),
        ("Ａ１", "a1"),
        ("İstanbul", "istanbul"),
        ("I\u{307}stanbul", "istanbul"),
        ("STRAẞE", "straße"),
        ("ΟΔΟΣ", "οδος"),
        ("ǅ", "dž"),
        ("a\u{202e}b", "a-b"),
        ("Tool™", "tooltm"),
        ("🙂", ""),
    ] {
        assert_eq!(slug(name), expected, "{name:?}");
    }
}

#[test]
fn folded_keys() {
    for (word, expected) in [
        ("git:cm", "git-cm"),
        ("Git_Helper", "git-helper"),
        ("GIT CM", "git-cm"),
        ("ΟΔΟΣ", "οδοσ"),
        ("οδος", "οδοσ"),
        ("!", ""),
    ] {
        assert_eq!(fold(word), expected, "{word:?}");
    }
}

/// Every character that is assigned, each as a word of its own and with marks behind it.
#[test]
fn slug_is_idempotent_for_every_character() {
    let assigned = ('\0'..'\u{33480}').chain('\u{e0000}'..'\u{e0200}');
    for marks in ["-", "\u{301}\u{307}\u{345}-"] {
        let all: String =
            assigned.clone().flat_map(|c| [c].into_iter().chain(marks.chars())).collect();
        let once = slug(&all);
        assert!(once == slug(&once), "a slug is not its own slug, with {marks:?}");
    }
}

/// Text that is likely to be odd: separators, marks, letters whose case is not one to one.
fn text() -> impl Strategy<Value = String> {
    let odd = "aZ0-_: :\u{301}\u{307}\u{345}İıßẞΣσςǅﬁ™ＡK技क्ﷺ🅐\u{1100}\u{1161}\u{11a8}：";
    let odd: Vec<char> = odd.chars().collect();
    let c =
        prop_oneof![proptest::sample::select(odd), any::<char>(), proptest::char::range('a', 'e')];
    proptest::collection::vec(c, 0..12).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn slug_is_its_own_slug(text in text()) {
        let slugged = slug(&text);
        prop_assert_eq!(&slug(&slugged), &slugged);
    }

    #[test]
    fn fold_sees_through_slug(text in text()) {
        prop_assert_eq!(fold(&slug(&text)), fold(&text));
        prop_assert_eq!(fold(&fold(&text)), fold(&text));
    }

    #[test]
    fn only_words_that_are_not_their_own_key_are_folded(text in text()) {
        let folded = fold(&text);
        prop_assert_eq!(fold_if_other(&text), (folded != text).then_some(folded));
    }

    #[test]
    fn a_slug_without_colons_is_a_valid_name(text in text()) {
        let slug = slug(&text);
        prop_assume!(!slug.is_empty() && !slug.contains(':') && slug.chars().count() <= 64);
        prop_assert!(is_valid_name(&slug), "{slug:?}");
    }

    #[test]
    fn a_valid_name_is_its_own_slug(text in "[a-eσς技ß0-9]{1,3}(-[a-eσς技ß0-9]{1,3}){0,3}", odd in text()) {
        prop_assert!(is_valid_name(&text));
        prop_assert_eq!(slug(&text), text);
        let odd: String = odd.nfkc().collect();
        if is_valid_name(&odd) {
            prop_assert_eq!(slug(&odd), odd);
        }
    }
}

#[test]
fn the_word_of_a_skill_has_no_parts() {
    let table = [
        ("git:cm", "git-cm"),
        ("Git : CM", "git-cm"),
        (":git::cm:", "git-cm"),
        ("git\u{ff1a}cm", "git-cm"),
        ("a:!:b", "a-b"),
        ("git-helper", "git-helper"),
        (":", ""),
    ];
    for (name, expected) in table {
        assert_eq!(slug_flat(name), expected, "{name}");
    }
}
