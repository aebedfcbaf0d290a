//! A call with wrong arguments.

use skilldeck::{Deck, include_skills};

static MISSING: Deck = include_skills!("decks/nowhere");
static ABSOLUTE: Deck = include_skills!("/decks");
static OUTSIDE: Deck = include_skills!("../decks");
static FILE: Deck = include_skills!("decks/strict/errors.txt");
static NOTHING: Deck = include_skills!();
static NO_LITERAL: Deck = include_skills!(SKILLS);
static UNKNOWN: Deck = include_skills!("decks/strict/skills", fast);
static TWICE: Deck = include_skills!("decks/strict/skills", strict, strict);
static VALUE: Deck = include_skills!("decks/strict/skills", files = some);
static STRICT: Deck = include_skills!("decks/strict/skills", strict);
static LENIENT: Deck = include_skills!("decks/strict/skills");

fn main() {}
