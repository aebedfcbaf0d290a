//! A value that is not YAML.

static DECK: skilldeck::Deck = skilldeck::include_skills!("decks/bad-yaml/skills");

fn main() {
    println!("{}", DECK.skills().len());
}
