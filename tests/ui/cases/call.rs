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
static NO_PREFIX: Deck = include_skills!("decks/strict/skills", prefix = "Team");
static NO_TIER: Deck = include_skills!(["decks/strict/skills", managed: "decks/cycle/skills"]);
static NO_LIST: Deck = include_skills!(core: "decks/strict/skills");
static STRICT: Deck = include_skills!("decks/strict/skills", strict);
static LENIENT: Deck = include_skills!("decks/strict/skills");

fn main() {}
