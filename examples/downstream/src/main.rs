//! A binary that ships two skills of its own and lets a directory lie over them.
//!
//! Try `cargo run`, `cargo run -- /skill:welcome Ada`, `cargo run -- wellcome`.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use deck::{BundledSkill, Deck, Error, Registry, Request, Snapshot, Source, SourceInfo, Tier};

static DECK: Deck = deck::include_skills!("skills", strict);

fn main() -> Result<ExitCode, Error> {
    // A person's own skills: in a real program a directory of the user or of the project.
    let overlay = std::env::var_os("OVERLAY")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("overlay"), PathBuf::from);
    let mut info = SourceInfo::new("overlay", Tier::USER);
    info.trusted = true;
    let registry =
        Registry::builder().bundled(&DECK).source(Source::directory(overlay, info)).build()?;

    let line: Vec<String> = std::env::args().skip(1).collect();
    if line.is_empty() {
        bundled();
        list(&registry.snapshot());
        return Ok(ExitCode::SUCCESS);
    }
    match registry.invoke(&Request::line(with_prefix(&line.join(" ")))) {
        Ok(outcome) => println!("{}", outcome.text()),
        Err(error) => {
            println!("{error}");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The compiled table, without any registry: dependencies before what depends on them.
fn bundled() {
    println!("compiled in:");
    for position in DECK.order() {
        let BundledSkill { skill, path, files, .. } = &DECK.skills()[*position as usize];
        println!("  {} ({path})", skill.word());
        for file in *files {
            println!("    {} ({} bytes)", file.path, file.bytes.len());
        }
    }
}

/// What is in force, and what it lies over.
fn list(snapshot: &Snapshot) {
    println!("in force:");
    for entry in snapshot.iter() {
        let over: Vec<&str> = entry.shadows().iter().map(|lost| &*lost.source.name).collect();
        let over = if over.is_empty() { String::new() } else { format!(", over {}", over.join(", ")) };
        println!("  /skill:{} - {} ({}{over})", entry.word(), entry.skill().description(), entry.source().name);
    }
}

fn with_prefix(line: &str) -> String {
    if line.starts_with('/') { line.to_owned() } else { format!("/skill:{line}") }
}
