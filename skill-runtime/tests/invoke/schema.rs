//! Arguments held against an `input-schema`.

use skilldeck_runtime::{ErrorKind, Request};

use crate::support::deck;

const NAMED: &str = "arguments: [path, depth, deep]\ninput-schema:\n  type: object\n  properties:\n    \
    path: {type: string, pattern: '^[a-z/]+$'}\n    depth: {type: integer, minimum: 1, maximum: 9}\n    \
    deep: {type: boolean}\n  required: [path]\n  additionalProperties: false\n---\nLook at $path, $depth.\n";

#[test]
fn the_rules_as_a_table() {
    let registry = deck(&[
        ("look", NAMED),
        (
            "count",
            "arguments: [n]\ninput-schema: {properties: {n: {type: integer}}}\n---\nCount to $n.\n",
        ),
        ("text", "input-schema: {type: string, minLength: 3}\n---\nText: $ARGUMENTS\n"),
        ("list", "input-schema: {type: array, items: {type: integer}}\n---\nList: $ARGUMENTS\n"),
        (
            "other",
            "arguments: [a]\ninput-schema: {type: object, properties: {b: {type: string}}}\n---\nX: $a\n",
        ),
        ("broken", "input-schema: {type: nothing}\n---\nBroken.\n"),
        ("far", "input-schema: {$ref: 'https://example.com/schema.json'}\n---\nFar.\n"),
        ("slow", "input-schema: {type: string, pattern: '^(a+)+$'}\n---\nSlow: $ARGUMENTS\n"),
    ]);
    let slow = format!("/slow {}!", "a".repeat(100_000));
    let rows: &[(&str, Result<&str, &str>)] = &[
        ("/look src 3", Ok("Look at src, 3.")),
        ("/look src", Ok("Look at src, .")),
        ("/look \"src/a\" 3 true", Ok("Look at src/a, 3.")),
        // JSON is taken as it is.
        ("/look {\"path\": \"src\", \"depth\": 9}", Ok("Look at")),
        (
            "/look {\"path\": 1}",
            Err("argument `path`: the value is not of type \"string\" (`type`)"),
        ),
        (
            "/look {\"path\": \"a\", \"x\": 1}",
            Err(
                "the arguments: Additional properties are not allowed ('x' was unexpected) (`additionalProperties`)",
            ),
        ),
        // One word is an argument, though it is JSON too.
        ("/count 3", Ok("Count to 3.")),
        ("/count [3]", Err("argument `n`: the value is not of type \"integer\" (`type`)")),
        ("/look", Err("argument `path` is missing (`required`)")),
        ("/look src deep", Err("argument `depth`: the value is not of type \"integer\" (`type`)")),
        ("/look src 3.5", Err("argument `depth`: the value is not of type \"integer\" (`type`)")),
        (
            "/look src 10",
            Err("argument `depth`: the value is greater than the maximum of 9 (`maximum`)"),
        ),
        ("/look SRC 0", Err("argument `path`: the value does not match \"^[a-z/]+$\" (`pattern`)")),
        (
            "/look SRC 0",
            Err("argument `depth`: the value is less than the minimum of 1 (`minimum`)"),
        ),
        ("/look src 1 yes", Err("argument `deep`: the value is not of type \"boolean\" (`type`)")),
        ("/text abc", Ok("Text: abc")),
        ("/text ab", Err("the arguments: the value is shorter than 3 characters (`minLength`)")),
        ("/list [1, 2]", Ok("List: [1, 2]")),
        ("/list 1 2", Err("the arguments: the value is not of type \"array\" (`type`)")),
        // Its properties are no declared arguments, so the text is meant.
        ("/other x", Err("the arguments: the value is not of type \"object\" (`type`)")),
        ("/broken", Err("the `input-schema` of skill `broken` is no JSON Schema: ")),
        ("/far", Err("the `input-schema` of skill `far` is no JSON Schema: ")),
        (&slow, Err("the arguments: the value does not match")),
    ];
    for (line, expected) in rows {
        let result = registry.invoke(&Request::line(*line));
        match (expected, result) {
            (Ok(text), Ok(outcome)) => {
                assert!(outcome.text().contains(text), "{line}: {}", outcome.text());
                assert_eq!(outcome.notices(), [""; 0]);
            }
            (Err(text), Err(error)) => {
                assert_eq!(*error.kind(), ErrorKind::InvalidArguments, "{line}: {error}");
                assert!(error.to_string().contains(text), "{line}: {error}");
                assert!(error.to_string().len() < 1000, "{line}: {error}");
            }
            (_, result) => panic!("{line}: {result:?}"),
        }
    }
}
