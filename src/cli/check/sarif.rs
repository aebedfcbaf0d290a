//! Findings to a SARIF 2.1.0 log, the form code-scanning services read.
//!
//! Source: OASIS, Static Analysis Results Interchange Format 2.1.0.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use serde_json::{Value, json};
use skilldeck::diagnostic::{Code, Diagnostic, Severity};

use super::explain;

/// One run of this tool with a rule for each code that was found.
pub(super) fn log(diagnostics: &[Diagnostic]) -> Value {
    let codes: BTreeSet<Code> = diagnostics.iter().map(|finding| finding.code).collect();
    let codes: Vec<Code> = codes.into_iter().collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skilldeck",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": codes.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": diagnostics.iter().map(|finding| result(finding, &codes)).collect::<Vec<_>>(),
        }],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.id(),
        "shortDescription": { "text": code.title() },
        "fullDescription": { "text": explain::explanation(code) },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

fn result(finding: &Diagnostic, codes: &[Code]) -> Value {
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let mut result = json!({
        "ruleId": finding.code.id(),
        "ruleIndex": codes.iter().position(|code| *code == finding.code),
        "level": level(finding.severity),
        "message": { "text": message },
        "locations": [],
    });
    if let Some(path) = &finding.path {
        result["locations"] = json!([location(path, finding.line, Some(finding.column), None)]);
    }
    let related: Vec<Value> = finding
        .related
        .iter()
        .filter_map(|place| {
            let path = place.path.as_ref()?;
            Some(location(path, place.line, None, Some(&place.message)))
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    result
}

fn location(path: &Path, line: u32, column: Option<u32>, message: Option<&str>) -> Value {
    let mut region = json!({ "startLine": line });
    if let Some(column) = column {
        region["startColumn"] = json!(column);
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(path) }, "region": region }
    });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// A path as a URI reference (RFC 3986): `/` between the parts, everything unusual in percent.
fn uri(path: &Path) -> String {
    let mut uri = String::new();
    for component in path.components() {
        match component {
            Component::RootDir => uri.push_str("file:///"),
            Component::Prefix(prefix) => {
                uri.push_str("file:///");
                encode(&prefix.as_os_str().to_string_lossy(), &mut uri);
                uri.push('/');
            }
            Component::CurDir => {}
            part => {
                if !uri.is_empty() && !uri.ends_with('/') {
                    uri.push('/');
                }
                encode(&part.as_os_str().to_string_lossy(), &mut uri);
            }
        }
    }
    uri
}

fn encode(text: &str, uri: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::uri;

    #[test]
    fn paths_become_uri_references() {
        assert_eq!(uri(Path::new("a b/ü/SKILL.md")), "a%20b/%C3%BC/SKILL.md");
        assert_eq!(uri(Path::new("./a/x.md")), "a/x.md");
        assert_eq!(uri(Path::new("../a")), "../a");
        #[cfg(unix)]
        assert_eq!(uri(Path::new("/a/b")), "file:///a/b");
    }
}
