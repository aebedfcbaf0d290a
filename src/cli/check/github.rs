//! Findings to the workflow commands that GitHub Actions shows as annotations.

use std::fmt::Write;

use skilldeck::diagnostic::{Diagnostic, Severity};

/// One command a line.
pub(super) fn commands(diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = String::new();
        if let Some(path) = &diagnostic.path {
            properties = format!(
                "file={},line={},col={},",
                property(&path.to_string_lossy()),
                diagnostic.line,
                diagnostic.column
            );
        }
        let mut message = diagnostic.message.clone();
        if let Some(help) = &diagnostic.help {
            let _ = write!(message, "\nhelp: {help}");
        }
        let _ = writeln!(
            text,
            "::{command} {properties}title={}::{}",
            property(diagnostic.code.id()),
            data(&message)
        );
    }
    text
}

/// Escapes a message as the runner reads it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property as the runner reads it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skilldeck::diagnostic::{Code, Diagnostic};

    #[test]
    fn a_message_stays_on_its_line() {
        let finding = Diagnostic::new(Code::InvalidYaml, "100% bad\nreally")
            .in_file(Path::new("a,b:c/SKILL.md"))
            .help("mend it");
        assert_eq!(
            super::commands(&[finding]),
            "::error file=a%2Cb%3Ac/SKILL.md,line=1,col=1,title=invalid-yaml::\
             100%25 bad%0Areally%0Ahelp: mend it\n"
        );
    }
}
