//! Skills that depend on each other.

static DECK: skilldeck::Deck = skilldeck::include_skills!("decks/cycle/skills");

fn main() {
    println!("{}", DECK.skills().len());
}
