//! Loaded skills to the source text that `include_skills!` stands for.

use super::load::Loaded;
use super::quote::{Quote, literal, slice};
use super::side_files::LoadedFile;

/// The skills as the inside of a block whose value is a constant
/// [`Deck`](crate::model::Deck).
///
/// All that the text names is reached through `s`, which the block has to bind to the hidden module
/// of the facade first: `{ use skilldeck::__private as s; … }`. Each file that was read is tracked
/// by the compiler; one that is added is not, which is what a line in a build script is for.
#[must_use]
pub fn emit(loaded: &Loaded) -> String {
    let Loaded { skills, index, order, passed_over, directories, tiers, files } = loaded;
    let mut out = String::new();
    let (count, read) = (skills.len(), skills.len() + passed_over.len());
    // One constant for all of them: one for each is a body of its own to check.
    out.push_str(&format!("const _:[&[u8];{read}]=["));
    for skill in skills.iter().chain(passed_over) {
        include(&skill.path, &mut out);
        out.push_str(",\n");
    }
    out.push_str(&format!("];\nstatic SKILLS:[s::BundledSkill;{count}]=s::skills("));
    slice(skills, &mut out);
    out.push_str(");\ns::Deck::compiled(&SKILLS,");
    index.quote(&mut out);
    out.push(',');
    slice(order, &mut out);
    out.push_str(",s::Selection{directories:&");
    literal(directories, &mut out);
    out.push_str(",tiers:&");
    literal(tiers, &mut out);
    out.push_str(",files:&");
    literal(files.globs(), &mut out);
    let passed_over: Vec<_> = passed_over.iter().map(|it| (&it.path, &it.sha256)).collect();
    out.push_str(",passed_over:&");
    literal(passed_over, &mut out);
    out.push_str("})");
    out
}

impl Quote for LoadedFile {
    fn quote(&self, out: &mut String) {
        let Self { path, package_path, sha256, executable } = self;
        out.push_str("s::SideFile{path:");
        literal(path, out);
        out.push_str(",bytes:");
        include(package_path, out);
        out.push_str(",sha256:");
        literal(sha256, out);
        out.push_str(",executable:");
        literal(executable, out);
        out.push('}');
    }
}

/// The bytes of a file of the package, tracked.
fn include(path: &str, out: &mut String) {
    out.push_str("s::include_bytes!(s::concat!(s::env!(\"CARGO_MANIFEST_DIR\"),");
    literal(format!("/{path}"), out);
    out.push_str("))");
}
