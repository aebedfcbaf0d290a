//! Decks to measure: skills with the sizes and the front matter of real ones, the same every time.

#![allow(dead_code, reason = "each bench uses its part")]

use std::fs;
use std::path::Path;

const SENTENCES: [&str; 8] = [
    "Read the change before you judge it, and the code around it before the change.",
    "Name the file and the line of everything you say.",
    "When the tests do not cover a branch, say which input would reach it.",
    "Prefer the smallest change that makes the fault impossible.",
    "Stop when a step fails, and report what you saw instead of what you hoped.",
    "Quote the error in full; never paraphrase it.",
    "Keep the old behaviour for callers that rely on it, or list the callers that break.",
    "Write the summary last, in three lines.",
];

/// The text of the skill with this number: 2 to 5 KB, one in four with placeholders, one in three
/// with a description in a folded block.
pub(crate) fn skill(number: usize) -> String {
    let mut text = String::from("---\n");
    text.push_str(&format!("name: skill-{number}\n"));
    if number.is_multiple_of(3) {
        text.push_str(
            "description: >-\n  Looks at one part of a change and says what is wrong with it.\n",
        );
        text.push_str("  Use it when a person asks for a second pair of eyes.\n");
    } else {
        text.push_str(&format!(
            "description: Does task number {number} and says what came of it, with file and line.\n"
        ));
    }
    if number.is_multiple_of(4) {
        text.push_str("argument-hint: \"[path] [depth]\"\narguments: [path, depth]\n");
    }
    if number.is_multiple_of(5) {
        text.push_str("allowed-tools: Read, Grep, Bash(git diff:*)\nlicense: MIT\n");
    }
    text.push_str("---\n\n");
    text.push_str(&format!("# Task {number}\n\n"));
    if number.is_multiple_of(4) {
        text.push_str("Look at $path down to depth $depth.\n\n");
    }
    let size = 2000 + (number * 7919) % 3000;
    let mut at = number;
    while text.len() < size {
        text.push_str("- ");
        text.push_str(SENTENCES[at % SENTENCES.len()]);
        text.push('\n');
        at += 1;
        if at.is_multiple_of(9) {
            text.push_str("\n```sh\ngit diff --stat\n```\n\n");
        }
    }
    text
}

/// Writes this many skills below a directory.
pub(crate) fn write(root: &Path, count: usize) {
    for number in 0..count {
        let directory = root.join(format!("skill-{number}"));
        fs::create_dir_all(&directory).expect("a fresh directory takes a directory");
        fs::write(directory.join("SKILL.md"), skill(number)).expect("and a file");
    }
}
