//! The bundled deck and the directory it was compiled from to what differs.

use std::path::PathBuf;

use super::args::{Global, VerifyArgs};
use super::deck::BUNDLED;
use super::json;
use super::output::{Exit, Failure, GREEN, Output, RED, shown};

/// Prints what was changed, added or removed since the build.
pub(crate) fn verify(global: &Global, args: &VerifyArgs, output: &Output) -> Result<Exit, Failure> {
    let directory = args.directory.clone().unwrap_or_else(|| PathBuf::from("skills"));
    let differences = BUNDLED.verify(&[&directory]);
    if global.json {
        output.json(&differences.iter().map(json::diagnostic).collect())?;
    } else {
        let mut lines = String::new();
        for difference in &differences {
            let path = difference.path.as_deref().unwrap_or(&directory).display();
            let code = difference.code.id();
            lines.push_str(&format!(
                "{RED}{}{RED:#}: {} [{code}]\n",
                shown(&path.to_string()),
                shown(&difference.message)
            ));
        }
        output.result_or_nothing(&lines)?;
    }
    let (skills, place) = (BUNDLED.skills().len(), directory.display().to_string());
    let place = shown(&place);
    if differences.is_empty() {
        output.note(format_args!("{GREEN}ok{GREEN:#}: {skills} skills are those of `{place}`"));
        return Ok(Exit::Done);
    }
    let count = match differences.len() {
        1 => "1 difference".to_owned(),
        count => format!("{count} differences"),
    };
    output.note(format_args!("{RED}{count}{RED:#} to `{place}`; build again to compile it in"));
    Ok(Exit::No)
}
