//! Files, directories or the whole deck to findings.

mod explain;
mod fix;
mod github;
mod human;
mod names;
mod sarif;
mod spec;
mod target;
mod watch;

use serde_json::Value;
use skilldeck::diagnostic::{Code, Diagnostic, Severity};
use skilldeck::model::{Index, Key, KeyKind};

use super::args::{CheckArgs, CheckFormat, Global};
use super::json;
use super::output::{BOLD, Exit, Failure, GREEN, Output, RED, YELLOW, counts};

/// What was looked at.
#[derive(Debug, Default, PartialEq, Eq)]
struct Findings {
    /// Everything there is to say, sorted by file and place.
    diagnostics: Vec<Diagnostic>,
    /// How many files with skills were read.
    files: usize,
}

/// Prints what is wrong, and says by the exit code whether it is much.
pub(crate) fn check(global: &Global, args: &CheckArgs, output: &Output) -> Result<Exit, Failure> {
    if let Some(id) = &args.explain {
        return print_explanation(id, output);
    }
    if args.watch {
        return watch::watch(global, args, output);
    }
    let mut refused = false;
    if args.fix {
        let mended = fix::fix(&target::mendable(global, args, output)?, args.dry_run, output)?;
        if args.dry_run {
            return Ok(mended);
        }
        refused = mended == Exit::No;
    }
    let findings = Findings::of(global, args)?;
    match form(global, args) {
        CheckFormat::Human => findings.print_pages(output)?,
        CheckFormat::Json => output.json(&findings.json())?,
        CheckFormat::Sarif => output.json(&sarif::log(&findings.diagnostics))?,
        CheckFormat::Github => {
            output.result_or_nothing(&github::commands(&findings.diagnostics))?;
        }
    }
    output.note(findings.summary());
    let fails = refused
        || findings.count(Severity::Error) > 0
        || (args.strict && findings.count(Severity::Warning) > 0);
    Ok(if fails { Exit::No } else { Exit::Done })
}

/// The form that was asked for.
fn form(global: &Global, args: &CheckArgs) -> CheckFormat {
    if global.json { CheckFormat::Json } else { args.format }
}

impl Findings {
    /// Looks at what the arguments name.
    fn of(global: &Global, args: &CheckArgs) -> Result<Self, Failure> {
        let mut findings = target::find(global, args)?;
        if args.spec {
            spec::apply(&target::files(global, args)?, &mut findings.diagnostics);
        }
        findings.sort();
        Ok(findings)
    }

    /// Puts each finding in its place, once.
    fn sort(&mut self) {
        self.diagnostics.sort_by(|a, b| {
            (&a.path, a.line, a.column, a.code).cmp(&(&b.path, b.line, b.column, b.code))
        });
        self.diagnostics.dedup();
        keep_the_more_exact(&mut self.diagnostics);
    }

    fn print_pages(&self, output: &Output) -> Result<(), Failure> {
        output.result_or_nothing(&human::report(&self.diagnostics, output))
    }

    fn json(&self) -> Value {
        self.diagnostics.iter().map(json::diagnostic).collect()
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|finding| finding.severity == severity).count()
    }

    fn summary(&self) -> String {
        let [errors, warnings, notes] =
            [Severity::Error, Severity::Warning, Severity::Note].map(|it| self.count(it));
        let files =
            format!("{} file{} checked", self.files, if self.files == 1 { "" } else { "s" });
        let notes = match notes {
            0 => String::new(),
            1 => ", 1 note".to_owned(),
            _ => format!(", {notes} notes"),
        };
        if errors + warnings == 0 {
            return format!("{GREEN}ok{GREEN:#}: {files}{notes}");
        }
        let style = if errors > 0 { RED } else { YELLOW };
        format!("{style}{}{style:#}{notes}; {files}", counts(errors, warnings))
    }
}

/// Of two findings of one kind on one line, one by the parser and one by the deck, the one stays
/// that says where on the line it is.
fn keep_the_more_exact(diagnostics: &mut Vec<Diagnostic>) {
    let exact: Vec<_> = diagnostics
        .iter()
        .filter(|finding| !finding.span.is_empty())
        .map(|finding| (finding.path.clone(), finding.line, finding.code))
        .collect();
    diagnostics.retain(|finding| {
        let place = (finding.path.clone(), finding.line, finding.code);
        !finding.span.is_empty() || !exact.contains(&place)
    });
}

/// Prints what a code means.
fn print_explanation(id: &str, output: &Output) -> Result<Exit, Failure> {
    let Some(code) = Code::from_id(id) else {
        let advice = match nearest(id) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        return Err(Failure::Usage(format!("there is no code `{id}`{advice}")));
    };
    let text = explain::explanation(code);
    output.result(&format!(
        "{BOLD}{}{BOLD:#} ({})\n{}\n\n{text}",
        code.id(),
        code.severity(),
        code.title()
    ))?;
    Ok(Exit::Done)
}

/// The code that somebody may have meant.
fn nearest(id: &str) -> Option<&'static str> {
    let keys = Code::ALL.iter().zip(0..).map(|(code, skill)| Key {
        text: code.id().into(),
        skill,
        kind: KeyKind::Word,
    });
    let (index, _) = Index::build(keys);
    let near = index.exact(index.suggest(id, 1).first()?)?.skill;
    Code::ALL.get(near as usize).map(|code| code.id())
}
