//! A code to the paragraph that the format's page has about it.

use skilldeck::diagnostic::Code;

/// The page that describes the format: the one place where a code is explained.
const PAGE: &str = include_str!("../../../docs/format.md");

/// The paragraphs under the heading of a code, without the heading.
pub(super) fn explanation(code: Code) -> &'static str {
    let heading = format!("\n### `{}`", code.id());
    let Some(at) = PAGE.find(&heading) else { return code.title() };
    let section = PAGE[at + heading.len()..].split_once('\n').map_or("", |(_, rest)| rest);
    let end = ["\n### ", "\n## "].iter().filter_map(|next| section.find(next)).min();
    section[..end.unwrap_or(section.len())].trim()
}

#[cfg(test)]
mod tests {
    use skilldeck::diagnostic::Code;

    #[test]
    fn every_code_has_its_paragraph() {
        for code in Code::ALL {
            let text = super::explanation(*code);
            assert!(text.len() > code.title().len(), "`{}` is not explained", code.id());
            assert!(!text.contains("\n### "), "`{}` runs into the next", code.id());
        }
    }
}
