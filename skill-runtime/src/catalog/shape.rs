//! Two versions of a skill to whether they have the same place in a deck.

use skilldeck_core::model::{Dependency, Details, Fields, List, Skill, Text};

use super::item::Loaded;

/// All of a skill that decides about its place in the deck and about that of others: who wins a word,
/// what reaches whom, who depends on whom, and what there is to say about all this.
#[derive(Debug, PartialEq)]
struct Shape<'a> {
    word: &'a Text,
    directory_word: &'a Text,
    aliases: &'a List<Text>,
    depends_on: &'a List<Dependency>,
    version: &'a Option<Text>,
}

/// Whether a deck with the one version is the deck with the other, but for the skill itself.
pub(super) fn is_same_shape(a: &Loaded, b: &Loaded) -> bool {
    // Why one cannot be read stands among what is said about others.
    let are_readable = a.unreadable.is_none() && b.unreadable.is_none();
    are_readable
        && a.path == b.path
        && a.real_path == b.real_path
        && shape(&a.skill) == shape(&b.skill)
}

/// Names every field, so that a new one does not go unnoticed here.
fn shape(skill: &Skill) -> Shape<'_> {
    let Fields { word, directory_word, details, name: _, description: _, template: _ } =
        skill.fields();
    let Details {
        aliases,
        depends_on,
        version,
        when_to_use: _,
        license: _,
        compatibility: _,
        metadata: _,
        allowed_tools: _,
        disallowed_tools: _,
        argument_hint: _,
        arguments: _,
        input_schema: _,
        slash_command: _,
        user_invocable: _,
        disable_model_invocation: _,
        allowed_agents: _,
        require_confirmation: _,
        context: _,
        agent: _,
        model: _,
        effort: _,
        background: _,
        shell: _,
        hooks: _,
        paths: _,
        extra: _,
        restriction: _,
    } = &**details;
    Shape { word, directory_word, aliases, depends_on, version }
}
