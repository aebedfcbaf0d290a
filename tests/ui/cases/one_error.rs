//! A mistake gives one error, and none from the code that uses the deck.

use skilldeck::{BundledSkill, Deck, Registry, include_skills};

static DECK: Deck = include_skills!("decks/self-dependency/skills", files = "*.md", prefix = "my-");
/// One of several directories, with a tier; the other directories are right.
static TIERS: Deck = include_skills!([
    third_party: "decks/strict/skills",
    core: "decks/missing-dependency/skills",
]);
const DIRECTORIES: &[&str] = &["decks/strict/skills"];

fn words() -> Vec<&'static str> {
    DECK.skills().iter().map(|bundled| bundled.skill.word()).collect()
}

fn main() -> Result<(), skilldeck::Error> {
    let commit = DECK.get("commit").expect("a skill");
    println!("{}: {}", commit.skill.name(), commit.skill.description());
    for position in DECK.order() {
        let BundledSkill { skill, path, sha256, files } = &DECK.skills()[*position as usize];
        println!("{} {path} {sha256} {}", skill.word(), files.len());
    }
    println!("{:?} {:?} {:?}", words(), TIERS.tiers(), TIERS.verify(DIRECTORIES));
    Registry::builder().bundled(&DECK).build()?;
    Ok(())
}
