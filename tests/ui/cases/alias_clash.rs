//! An alias that another skill has, where warnings are errors.

static DECK: skilldeck::Deck = skilldeck::include_skills!("decks/alias-clash/skills", strict);

fn main() {
    println!("{}", DECK.skills().len());
}
