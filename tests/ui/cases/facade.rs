//! A crate that the generated code is to name, and that is none, or has no deck of skills in it.

use skilldeck::{Deck, include_skills};

static NOWHERE: Deck = include_skills!("decks/strict/skills", crate = nowhere);
static OTHER: Deck = include_skills!("decks/strict/skills", crate = std::collections);
static QUOTED: Deck = include_skills!("decks/strict/skills", crate = "skilldeck");
static RIGHT: Deck = include_skills!("decks/strict/skills", crate = ::skilldeck);

fn main() {
    println!("{}", NOWHERE.skills().len() + OTHER.skills().len() + QUOTED.skills().len());
    println!("{}", RIGHT.skills().len());
}
