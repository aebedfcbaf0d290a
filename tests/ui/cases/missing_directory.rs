//! A directory that does not exist.

static DECK: skilldeck::Deck = skilldeck::include_skills!("skills");

fn main() {
    println!("{}", DECK.skills().len());
}
