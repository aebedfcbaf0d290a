//! What holds for every body and every argument.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::borrow::Cow;
use std::fmt::Write as _;

use proptest::prelude::*;
use skilldeck_core::model::Text;
use skilldeck_core::template::{
    Argument, Bound, Cut, Dialect, Positional, Segment, Span, Template, Variables, split,
};

const DECLARED: [Text; 3] = [Cow::Borrowed("base"), Cow::Borrowed("base-repo"), Cow::Borrowed("é")];

fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Claude), Just(Dialect::OpenCode)]
}

fn cut() -> impl Strategy<Value = Cut<'static>> {
    let positional = prop_oneof![Just(Positional::Always), Just(Positional::Declared)];
    (dialect(), positional, any::<bool>(), any::<bool>()).prop_map(
        |(dialect, positional, declares, has_hint)| Cut {
            dialect,
            positional,
            declared: if declares { &DECLARED } else { &[] },
            has_hint,
        },
    )
}

/// Text that is dense with what a template or a shell looks at.
fn dense() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(vec![
            "$0", "$1", "$2", "$10", "$ARGUMENTS", "$ARGUMENTS[1]", "$ARGUMENTS[", "$@", "$base",
            "$base-repo", "$é", "${SKILL_DIR}", "${CLAUDE_SESSION_ID}", "${", "$", "\\", "\\\\",
            "!`x`", " !`echo \"$1\"`", "\n!`cat '$0' $1`\n", "!", "`", "``", "\n```!\n", "\n```\n",
            "\n~~~\n", "\n  ```!\n", "'", "\"", "\n", "\r\n", " ", "\t", "- ", "> ", "# ", "| ",
            "<<END\n", "\nEND\n", "<<'END'", "$(", ")", "((", "))", "{", "}", "$'", "#", ";",
            "sh -c ", "eval ", "case ", "esac", "é", "word", "0", ".",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC{0,4}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn anything() -> impl Strategy<Value = String> {
    prop_oneof![3 => dense(), 1 => any::<String>()]
}

/// Segment by segment, with nothing shared with the implementation but the segments.
fn naive(template: &Template, bound: &Bound<'_>, shells: &[String]) -> String {
    let source = |span: Span| &template.text()[span.start as usize..span.end as usize];
    let mut out = String::new();
    for segment in template.segments() {
        let text: String = match *segment {
            Segment::Text(span) | Segment::Variable(_, span) => source(span).to_owned(),
            Segment::Shell(index) => shells[index as usize].clone(),
            Segment::Argument(Argument::All, _) => bound.raw.to_owned(),
            Segment::Argument(Argument::Rest(index), _) => {
                let rest: Vec<&str> =
                    bound.words.iter().skip(index as usize).map(AsRef::as_ref).collect();
                rest.join(" ")
            }
            Segment::Argument(Argument::Named(index), _) => {
                bound.words.get(index as usize).map(|word| word.to_string()).unwrap_or_default()
            }
            Segment::Argument(Argument::Position(index), span) => {
                match (bound.words.get(index as usize), template.dialect()) {
                    (Some(word), _) => word.to_string(),
                    (None, Dialect::Claude) => source(span).to_owned(),
                    (None, Dialect::OpenCode) => String::new(),
                }
            }
        };
        out.push_str(&text);
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_cut_covers_the_body_in_order(body in anything(), cut in cut()) {
        let (template, lints) = Template::cut(body.clone().into(), &cut);
        prop_assert_eq!(template.text(), &body);
        let mut cursor = 0;
        let mut shells = 0;
        for segment in template.segments() {
            let span = match *segment {
                Segment::Text(span) | Segment::Variable(_, span) | Segment::Argument(_, span) => span,
                Segment::Shell(index) => {
                    prop_assert_eq!(index as usize, shells);
                    shells += 1;
                    template.shells()[index as usize].source
                }
            };
            prop_assert!(span.start < span.end);
            let gap = &body[cursor..span.start as usize];
            prop_assert!(gap.is_empty() || gap == "\\", "lost {gap:?}");
            cursor = span.end as usize;
            prop_assert!(body.is_char_boundary(cursor));
        }
        prop_assert_eq!(shells, template.shells().len());
        prop_assert_eq!(body[cursor..].replace("\r\n", "").replace('\n', ""), "");
        for lint in lints {
            prop_assert!(body.get(lint.span).is_some_and(|text| !text.is_empty()));
        }
    }

    #[test]
    fn a_command_differs_from_its_source_only_in_its_placeholders(body in dense(), cut in cut()) {
        let (template, _) = Template::cut(body.clone().into(), &cut);
        for shell in template.shells().iter().filter(|shell| !shell.block) {
            let (mut expected, mut at) = (String::new(), shell.source.start as usize + 2);
            for reference in shell.references.iter() {
                let source = reference.source.range();
                expected.push_str(&body[at..source.start]);
                match reference.argument {
                    Argument::All => expected.push_str("${ARGUMENTS}"),
                    Argument::Rest(_) => expected.push_str("${SKILL_ARG_REST}"),
                    Argument::Position(n) | Argument::Named(n) => {
                        write!(expected, "${{SKILL_ARG_{n}}}").unwrap();
                    }
                }
                at = source.end;
            }
            expected.push_str(&body[at..shell.source.end as usize - 1]);
            prop_assert_eq!(&shell.command, &expected);
        }
    }

    #[test]
    fn what_is_inserted_is_never_looked_at(
        body in dense(),
        cut in cut(),
        raw in dense(),
        shell in dense(),
    ) {
        let (template, _) = Template::cut(body.into(), &cut);
        let bound = template.bind(&raw);
        let shells = vec![shell; template.shells().len()];
        let replacements: Vec<Cow<'_, str>> = shells.iter().map(Into::into).collect();
        let mut out = String::new();
        template.fill(&bound, &Variables::default(), &replacements, &mut out);
        prop_assert_eq!(out, naive(&template, &bound, &shells));
    }

    #[test]
    fn an_argument_arrives_as_it_is(raw in anything(), dialect in dialect()) {
        let cut = Cut { dialect, positional: Positional::Always, ..Cut::default() };
        let (template, _) = Template::cut("<$ARGUMENTS> ${SKILL_DIR}".into(), &cut);
        let variables = Variables { skill_dir: Some("$ARGUMENTS"), ..Variables::default() };
        let mut out = String::new();
        let append = template.fill(&template.bind(&raw), &variables, &[], &mut out);
        prop_assert_eq!(out, format!("<{raw}> $ARGUMENTS"));
        prop_assert!(!append);
    }

    #[test]
    fn no_argument_changes_a_command(body in dense(), cut in cut(), raw in dense()) {
        let (template, _) = Template::cut(body.into(), &cut);
        let before = template.shells().to_vec();
        let bound = template.bind(&raw);
        let environment = template.environment(&bound, &Variables::default());
        prop_assert!(environment.iter().any(|(name, value)| name == "ARGUMENTS" && *value == raw));
        prop_assert_eq!(template.shells(), before);
    }

    #[test]
    fn plain_text_is_one_segment(body in "[^$\\\\!\r\n][^$\\\\!]*[^$\\\\!\r\n]", cut in cut()) {
        let (template, lints) = Template::cut(body.clone().into(), &cut);
        let end = u32::try_from(body.len()).unwrap();
        prop_assert_eq!(template.segments(), [Segment::Text(Span { start: 0, end })]);
        prop_assert!(lints.is_empty() && !template.has_placeholder());
    }

    #[test]
    fn splitting_loses_only_white_space_and_quotes(raw in anything(), dialect in dialect()) {
        let kept = |text: &str| {
            let kept: String = text
                .chars()
                .filter(|c| !c.is_whitespace() && !matches!(c, '\'' | '"' | '\\'))
                .collect();
            kept
        };
        prop_assert_eq!(kept(&split(dialect, &raw).concat()), kept(&raw));
    }

    #[test]
    fn words_without_quotes_split_at_white_space(raw in "[a-z\\\\$é \t\n]*", dialect in dialect()) {
        prop_assert_eq!(split(dialect, &raw), raw.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn a_quoted_word_comes_back(words in proptest::collection::vec(any::<String>(), 0..5)) {
        let quoted: Vec<String> = words
            .iter()
            .map(|word| format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")))
            .collect();
        let raw = quoted.join(" ");
        prop_assert_eq!(split(Dialect::Claude, &raw), words);
    }
}
