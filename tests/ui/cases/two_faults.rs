//! Two files, each with a fault.

use skilldeck::{Deck, include_skills};

static DECK: Deck = include_skills!("decks/two-faults/skills", files = none);

fn main() {
    println!("{}", DECK.skills().len());
}
