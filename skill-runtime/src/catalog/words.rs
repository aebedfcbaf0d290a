//! The skills of a deck to its command index, and what there is to say about clashing words.

use std::path::Path;

use skilldeck_core::diagnostic::{Code, Diagnostic, Severity};
use skilldeck_core::model::{Clash, Index, Key, KeyKind, Skill};

/// One skill as far as its words go.
pub(crate) struct Named<'a> {
    pub(crate) skill: &'a Skill,
    pub(crate) path: Option<&'a Path>,
    /// Its place in the overlay; the smaller one keeps an alias that two skills want.
    pub(crate) strength: u32,
}

/// The words of a deck.
pub(crate) struct Words {
    pub(crate) index: Index,
    /// Clashes, each with the position of the skill it is about; sorted by it.
    pub(crate) clashes: Vec<(u32, Diagnostic)>,
}

/// The index of these skills, whose words all differ. A word is never lost; an alias that is
/// another skill's word or a stronger skill's alias is, with a diagnostic.
pub(crate) fn words(skills: &[Named<'_>]) -> Words {
    let mut by_strength: Vec<u32> = (0..).take(skills.len()).collect();
    by_strength.sort_unstable_by_key(|&at| skills[at as usize].strength);
    let keys = by_strength.iter().flat_map(|&at| Key::of_skill(skills[at as usize].skill, at));
    let (index, clashes) = Index::build(keys);
    let explained = clashes.iter().map(|clash| (clash.loser, explain(clash, skills)));
    Words { index, clashes: explained.collect() }
}

fn explain(clash: &Clash, skills: &[Named<'_>]) -> Diagnostic {
    let loser = &skills[clash.loser as usize];
    let winner = &skills[clash.winner as usize];
    let (text, rival) = (&clash.text, &clash.rival);
    let (word, other) = (loser.skill.word(), winner.skill.word());
    let is_lost = text == rival;
    let code = if clash.kind == KeyKind::Word { Code::DuplicateWord } else { Code::AliasClash };
    let (message, help) = match (clash.kind, is_lost) {
        (KeyKind::Word, _) => (
            format!("the command words `{text}` and `{rival}` differ in their separators only"),
            "type them exactly as they are, or rename one of the skills",
        ),
        (_, true) => (
            format!("the alias `{text}` of `{word}` reaches `{other}` instead"),
            "choose another alias",
        ),
        (_, false) => (
            format!(
                "the alias `{text}` of `{word}` differs from `{rival}` of `{other}` in its \
                 separators only"
            ),
            "type it exactly as it is, or choose another alias",
        ),
    };
    let mut diagnostic = Diagnostic::new(code, message).help(help).related(
        winner.path,
        1,
        format!("`{other}` is here"),
    );
    diagnostic.path = loser.path.map(Path::to_path_buf);
    // Both stay reachable, which is less than a true duplicate.
    diagnostic.severity = Severity::Warning;
    diagnostic
}
