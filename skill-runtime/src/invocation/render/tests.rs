//! What is escaped, and what is not.

use super::{TOOL_TAGS, USER_TAGS, attribute, escape, one_line};

#[test]
fn attributes_stay_attributes() {
    let table = [
        ("plain", "plain"),
        ("a & b", "a &amp; b"),
        ("\"><skill>", "&quot;&gt;&lt;skill&gt;"),
        ("one\ntwo\r\tthree", "one&#10;two&#13;&#9;three"),
        ("größe&", "größe&amp;"),
    ];
    for (value, expected) in table {
        let mut out = String::new();
        attribute(value, &mut out);
        assert_eq!(out, expected);
    }
}

#[test]
fn only_closing_tags_of_the_wrapper_are_escaped() {
    let table = [
        (USER_TAGS, "a </skill> b </skill>", "a <\\/skill> b <\\/skill>"),
        (USER_TAGS, "</skill ></skill\n\t>", "<\\/skill ><\\/skill\n\t>"),
        (USER_TAGS, "</skills> <skill> </skill-x> </sk", "</skills> <skill> </skill-x> </sk"),
        // A lenient reader takes all of these for the closing tag.
        (USER_TAGS, "</SKILL></Skill>", "<\\/SKILL><\\/Skill>"),
        (USER_TAGS, "</skill x></skill/></skill x='y'>", "<\\/skill x><\\/skill/><\\/skill x='y'>"),
        (USER_TAGS, "</ skill>< /skill><\n/\tskill>", "<\\/ skill>< \\/skill><\n\\/\tskill>"),
        (
            USER_TAGS,
            "</skill\u{b}></skill\u{a0}></skill\u{2028}>",
            "<\\/skill\u{b}><\\/skill\u{a0}><\\/skill\u{2028}>",
        ),
        (USER_TAGS, "</\u{200b}skill\0>", "<\\/\u{200b}skill\0>"),
        // It may be closed by what follows.
        (USER_TAGS, "</skill", "<\\/skill"),
        (USER_TAGS, "a/skill /skill é/é", "a/skill /skill é/é"),
        (USER_TAGS, "</skill_content>", "</skill_content>"),
        (USER_TAGS, "<</skill>", "<<\\/skill>"),
        (USER_TAGS, "<\\/skill>", "<\\/skill>"),
        (TOOL_TAGS, "</skill> </skill_content>", "</skill> <\\/skill_content>"),
        (
            TOOL_TAGS,
            "</skill_instructions></skill_resources>",
            "<\\/skill_instructions><\\/skill_resources>",
        ),
    ];
    for (tags, text, expected) in table {
        let mut out = format!("</skill>{text}");
        escape(&mut out, "</skill>".len(), tags, &mut []);
        assert_eq!(out, format!("</skill>{expected}"));
    }
}

#[test]
fn positions_move_with_the_text() {
    let mut out = "x</skill>y</skill>z".to_owned();
    let y = out.find('y').unwrap();
    let mut marks = [0, 1, y, out.len()];
    escape(&mut out, 1, USER_TAGS, &mut marks);
    assert_eq!(out, "x<\\/skill>y<\\/skill>z");
    assert_eq!(marks, [0, 1, y + 1, out.len()]);
    assert_eq!(&out[marks[2]..=marks[2]], "y");
}

#[test]
fn a_file_name_is_one_line() {
    let mut out = String::new();
    one_line("a\n- b\u{2028}ü.md", &mut out);
    assert_eq!(out, "a\\n- b\\u{2028}ü.md");
}
