//! The sources of a deck to a table: what is looked at, what was found there, and how changes are
//! noticed.

use serde_json::json;
use skilldeck::SourceStatus;
use skilldeck::diagnostic::one_line;
use unicode_width::UnicodeWidthStr;

use super::args::Global;
use super::attention;
use super::deck;
use super::json;
use super::output::{BOLD, CYAN, DIM, Exit, Failure, Output, YELLOW};

/// Prints every source in its order.
pub(crate) fn roots(global: &Global, output: &Output) -> Result<Exit, Failure> {
    // Whether a root can be watched shows when it is.
    let registry = deck::watch(global, [])?;
    let (snapshot, watching) = (registry.snapshot(), registry.watching());
    if global.json {
        let sources = snapshot
            .sources()
            .iter()
            .map(|status| {
                let attention = attention::of(&watching, status);
                json!({
                    "source": status.info.name,
                    "path": status.root.as_ref().map(|root| root.display().to_string()),
                    "tier": status.info.tier.as_str(),
                    "trusted": status.info.trusted,
                    "present": status.present,
                    "failed": status.failed,
                    "skills": status.skills,
                    "watch": attention.map(attention::word),
                    "watch_reason": attention.and_then(attention::reason),
                    "diagnostics":
                        status.diagnostics.iter().map(json::diagnostic).collect::<Vec<_>>(),
                })
            })
            .collect();
        output.json(&sources)?;
        return Ok(Exit::Done);
    }
    let place = |status: &SourceStatus| match &status.root {
        Some(root) => one_line(&root.to_string_lossy()).into_owned(),
        None => status.info.name.clone(),
    };
    let width = snapshot.sources().iter().map(|status| place(status).width()).max().unwrap_or(0);
    let mut text = String::new();
    for status in snapshot.sources() {
        let found = match (status.present, status.skills) {
            _ if status.failed => "cannot be read".to_owned(),
            (false, _) => "not there".to_owned(),
            (true, 1) => "1 skill".to_owned(),
            (true, skills) => format!("{skills} skills"),
        };
        let trust = if status.info.trusted || !status.present { "" } else { ", untrusted" };
        // What is compiled in does not change.
        let noticed = attention::of(&watching, status)
            .map(|attention| format!(", {}", attention::word(attention)))
            .unwrap_or_default();
        let style = if status.present { BOLD } else { DIM };
        let place = place(status);
        let pad = " ".repeat(width - place.width());
        text.push_str(&format!(
            "{CYAN}{:<12}{CYAN:#}{style}{place}{style:#}{pad}  {DIM}{found}{trust}{noticed}{DIM:#}\n",
            status.info.tier.as_str()
        ));
    }
    for reason in attention::reasons(&watching.roots).keys() {
        text.push_str(&format!("{YELLOW}polled{YELLOW:#}: {}\n", one_line(reason)));
    }
    output.result(&text)?;
    for diagnostic in snapshot.sources().iter().flat_map(|status| &status.diagnostics) {
        output.diagnostic(diagnostic);
    }
    Ok(Exit::Done)
}
