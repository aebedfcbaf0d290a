//! A request for the list of skills to the text that answers it.

use skilldeck_core::diagnostic::one_line;

use super::Request;
use super::request::Target;
use crate::command::Typed;
use crate::policy::Policy;
use crate::registry::Registry;
use crate::snapshot::Entry;

impl Registry {
    /// The list of skills that the caller may type, if that is what the request asks for: `/skills`,
    /// `/skill` or the prefix alone. A face shows it to the person; it is no turn and no invocation,
    /// and [`invoke`](Self::invoke) refuses such a line.
    ///
    /// One line per skill, sorted: the command, the hint to its arguments, the description.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use skilldeck_runtime::{Memory, Registry, Request, Source, SourceInfo, Tier};
    ///
    /// let mine = Arc::new(Memory::default());
    /// mine.insert("greet", "---\ndescription: Greets.\nargument-hint: \"[name]\"\n---\nHello.\n");
    /// let source = Source::memory(mine, SourceInfo::new("mine", Tier::USER));
    /// let registry = Registry::builder().source(source).build()?;
    ///
    /// let menu = registry.menu(&Request::line("/skills")).expect("it is asked for");
    /// assert_eq!(menu, "/skill:greet [name] (untrusted): Greets.");
    /// assert_eq!(registry.menu(&Request::line("/skill:greet")), None);
    /// # Ok::<(), skilldeck_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn menu(&self, request: &Request) -> Option<String> {
        self.menu_with(self.policy(), request)
    }

    /// The same under another policy.
    #[must_use]
    pub fn menu_with(&self, policy: &Policy, request: &Request) -> Option<String> {
        let Target::Line(line) = &request.target else { return None };
        if request.read(line, policy) != Typed::List {
            return None;
        }
        if !self.has_skills() {
            return Some("skills are unavailable: there is no source of skills".to_owned());
        }
        let snapshot = self.snapshot();
        let caller = request.caller();
        let may = |entry: &Entry<'_>| policy.offers(*entry, &caller);
        let line =
            |entry| line_of(entry, policy.prefix_of(entry).unwrap_or(request.announced(policy)));
        let lines: Vec<String> = snapshot.iter().filter(may).map(line).collect();
        Some(if lines.is_empty() { "there are no skills".to_owned() } else { lines.join("\n") })
    }
}

fn line_of(entry: Entry<'_>, prefix: &str) -> String {
    let skill = entry.skill();
    let slash = if prefix.starts_with('/') { "" } else { "/" };
    let mut line = format!("{slash}{prefix}{}", entry.word());
    for part in skill.argument_hint().into_iter().flat_map(str::split_whitespace) {
        line.push(' ');
        line.push_str(part);
    }
    if !entry.source().trusted {
        line.push_str(" (untrusted)");
    }
    let mut separator = ": ";
    for part in skill.description().split_whitespace() {
        line.push_str(separator);
        line.push_str(part);
        separator = " ";
    }
    one_line(&line).into_owned()
}
