//! The text of a file to its settings, or to the one fault that keeps it from being used.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use skilldeck_core::diagnostic::one_line;
use skilldeck_core::model::fold;
use skilldeck_core::scan;

use super::file::{File, RfcBlock, Section, SkillBlock};
use super::place::{Step, keys, locate, place_of, read, read_at};
use crate::error::{Error, ErrorKind};

/// The longest file.
const MAX_BYTES: usize = 64 << 10;
/// The most opening brackets, and the most blocks that one line may open (`- - -`): the scanner of
/// the library is quadratic in both.
const MAX_OPENINGS: usize = 1024;
const MAX_OPENINGS_OF_A_LINE: usize = 64;
/// The name of the section.
const SECTION: &str = "skills";
/// The key of the RFC's other form.
const RFC_KEY: &str = "slash_command";
/// What stands in the section beside skills in the RFC's other form.
const KEYS: [&str; 13] = [
    "enable_skill_commands",
    "faces",
    "prefix",
    "precedence",
    "native_commands",
    "trust",
    "sources",
    "shell",
    "rate_limit",
    "bodies",
    "telemetry",
    "global_slash_config",
    "per_skill_config",
];

/// A file and its settings.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) path: PathBuf,
    text: String,
    pub(super) section: Section,
    /// What is said of single skills, in either form.
    pub(super) skills: Vec<Said>,
}

/// What is said of one skill, and where.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) name: String,
    pub(super) at: Vec<Step>,
    pub(super) block: SkillBlock,
}

impl Parsed {
    /// Reads a file; nothing if it does not exist.
    pub(super) fn load(path: &Path) -> Result<Option<Self>, Error> {
        match scan::read_if_present(path) {
            Ok(Some(content)) => Self::parse(path, &content.bytes).map(Some),
            Ok(None) if scan::is_gone(path) => Ok(None),
            // Somebody meant a file to be there, and it may narrow what this user allows.
            Ok(None) => Err(error(path, (1, 1), "the file is a link that leads nowhere")),
            Err(why) => Err(Error::new(ErrorKind::Configuration, why.to_string())),
        }
    }

    pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let whole = |why: &str| error(path, (1, 1), why);
        if bytes.len() > MAX_BYTES {
            return Err(whole("the file is longer than 64 KiB"));
        }
        let text = str::from_utf8(bytes).map_err(|_| whole("the file is not UTF-8"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if let Some((line, why)) = too_much(text) {
            return Err(error(path, (line, 1), why));
        }
        let file: Option<File> = read(text).map_err(|fault| explain(path, text, &fault))?;
        let mut section = file.and_then(|file| file.skills).unwrap_or_default();
        let rest = std::mem::take(&mut section.rest);
        let mut parsed =
            Self { path: path.to_owned(), text: text.to_owned(), section, skills: Vec::new() };
        let per_skill = parsed.section.per_skill_config.take().unwrap_or_default();
        for (name, block) in per_skill.0 {
            let at = keys(&[SECTION, "per_skill_config", &name]);
            parsed.skills.push(Said { name, at, block });
        }
        for (name, value) in rest.0 {
            let at = keys(&[SECTION, &name]);
            let is_skill = value.as_mapping().is_some_and(|map| map.contains_key(RFC_KEY));
            if !is_skill {
                return Err(parsed.error(&at, unknown(&name, &KEYS)));
            }
            let block: Option<RfcBlock> =
                read_at(&parsed.text, &at).map_err(|fault| explain(path, text, &fault))?;
            let Some(RfcBlock { slash_command: block }) = block else {
                return Err(parsed.error(&at, "this cannot be read"));
            };
            parsed.skills.push(Said { name, at: [at, keys(&[RFC_KEY])].concat(), block });
        }
        parsed.hold_single()?;
        Ok(parsed)
    }

    /// Two blocks for one skill are a mistake, and the second would hide the first.
    fn hold_single(&self) -> Result<(), Error> {
        let mut known = BTreeMap::new();
        for said in &self.skills {
            if let Some(first) = known.insert(fold(&said.name), &said.name) {
                let why = format!(
                    "`{}` and `{first}` are one skill, of which something is said twice; put it \
                     together",
                    said.name
                );
                return Err(self.error(&said.at, why));
            }
        }
        Ok(())
    }

    /// Where the last key of a path stands.
    pub(super) fn place(&self, path: &[Step]) -> (u32, u32) {
        locate(&self.text, path)
    }

    /// An error about what stands at this path.
    pub(super) fn error(&self, path: &[Step], why: impl Display) -> Error {
        error(&self.path, self.place(path), why)
    }

    /// The directory that relative paths are taken from.
    pub(super) fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// The line of what the library should not see, and why. A file of a stranger may be written to take
/// all time or, by anchors, all memory.
fn too_much(text: &str) -> Option<(u32, &'static str)> {
    let mut openings = 0;
    for (line, number) in text.lines().zip(1..) {
        openings += line.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
        let is_block = |part: &&str| matches!(*part, "-" | "?" | ":");
        let blocks = line.split_ascii_whitespace().filter(is_block).count();
        if openings > MAX_OPENINGS || blocks > MAX_OPENINGS_OF_A_LINE {
            return Some((number, "the file nests too much"));
        }
        let is_start = |c: char| c.is_whitespace() || matches!(c, '[' | '{' | ',' | ':' | '-');
        let is_anchor = |(at, _): (usize, &str)| {
            line[..at].chars().next_back().is_none_or(is_start)
                && line[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
        };
        if line.match_indices('&').any(is_anchor) {
            return Some((number, "anchors (`&name`) are not read; write the value out"));
        }
    }
    None
}

/// The path of an item in a list of the section.
pub(super) fn item(list: &str, at: usize) -> Vec<Step> {
    let mut path = keys(&[SECTION, list]);
    path.push(Step::Item(at));
    path
}

/// An error of a file of configuration.
fn error(path: &Path, (line, column): (u32, u32), why: impl Display) -> Error {
    let path = path.to_string_lossy();
    let message = format!("{}:{line}:{column}: {}", one_line(&path), one_line(&why.to_string()));
    Error::new(ErrorKind::Configuration, message)
}

/// An error of the library in our words: its place, then what is wrong.
fn explain(path: &Path, text: &str, fault: &serde_yaml::Error) -> Error {
    let message = fault.to_string();
    // The place stands before it already.
    let end = message.rfind(" at line ").unwrap_or(message.len());
    let message = &message[..end];
    let place = place_of(fault).unwrap_or((1, 1));
    let line = text.lines().nth(place.0.saturating_sub(1) as usize).unwrap_or_default();
    if message.contains("cannot start any token") && line.trim_start_matches(' ').starts_with('\t')
    {
        return error(path, place, "a tab cannot indent; use blanks");
    }
    let Some(start) = message.find("unknown field `") else {
        return error(path, place, message);
    };
    let mut names = message[start..].split('`').skip(1).step_by(2);
    let name = names.next().unwrap_or_default();
    let known: Vec<&str> = names.collect();
    error(path, place, format!("{}{}", &message[..start], unknown(name, &known)))
}

/// What to say of a key that is not known. A misspelt restriction would restrict nothing, so it is
/// an error and not a note.
fn unknown(name: &str, known: &[&str]) -> String {
    let distance = |key: &&&str| strsim::damerau_levenshtein(name, key);
    let nearest = known.iter().min_by_key(distance).filter(|key| {
        // More than a third of the letters is another word.
        strsim::damerau_levenshtein(name, key) <= 1 + key.chars().count() / 3
    });
    match nearest {
        Some(nearest) => format!("the key `{name}` is not known; did you mean `{nearest}`?"),
        None => format!("the key `{name}` is not known; known are `{}`", known.join("`, `")),
    }
}
