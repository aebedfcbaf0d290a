//! The settings of a file to a layer of rules.

use skilldeck_core::model::{Text, Value};

use super::file::SkillBlock;
use super::parse::{Parsed, Said};
use super::place::Step;
use crate::error::Error;
use crate::policy::{Rules, SkillRules};

/// The layer of a file.
pub(super) fn rules(parsed: &Parsed) -> Result<Rules, Error> {
    let section = &parsed.section;
    let mut rules = Rules::new().commands(section.enable_skill_commands.unwrap_or(true));
    for (protocol, open) in section.faces.into_iter().flat_map(|faces| faces.said()) {
        rules = rules.face(protocol, open);
    }
    if let Some(global) = &section.global_slash_config {
        rules = rules
            .enabled(global.enabled.unwrap_or(true))
            .require_confirmation(global.require_confirmation.unwrap_or(false))
            .allowed_agents(global.allowed_agents.iter().flatten().cloned());
    }
    for said in &parsed.skills {
        rules = rules.skill(&said.name, skill(parsed, said)?);
    }
    Ok(rules)
}

fn skill(parsed: &Parsed, said: &Said) -> Result<SkillRules, Error> {
    let SkillBlock {
        enabled,
        require_confirmation,
        allowed_agents,
        aliases,
        prefix,
        auto_inject,
        input_schema,
        min_version,
    } = said.block.clone();
    let at = |key: &str| [&*said.at, &[Step::Key(key.to_owned())]].concat();
    let mut rules = SkillRules::new().aliases(aliases.into_iter().flatten().map(|it| it.0));
    if let Some(enabled) = enabled {
        rules = rules.enabled(enabled);
    }
    if let Some(asks) = require_confirmation {
        rules = rules.require_confirmation(asks);
    }
    if let Some(agents) = allowed_agents {
        rules = rules.allowed_agents(agents);
    }
    if let Some(prefix) = prefix {
        rules = rules.prefix(prefix.0);
    }
    if let Some(injects) = auto_inject {
        rules = rules.auto_inject(injects);
    }
    if let Some(schema) = input_schema {
        let schema = value(&serde_yaml::Value::Mapping(schema))
            .map_err(|why| parsed.error(&at("input_schema"), why))?;
        rules = rules.input_schema(schema);
    }
    if let Some(version) = min_version {
        let wrong = |why: Error| parsed.error(&at("min_version"), why);
        rules = rules.min_version(&version).map_err(wrong)?;
    }
    Ok(rules)
}

/// A value of YAML as the front matter of a skill has it.
fn value(from: &serde_yaml::Value) -> Result<Value, &'static str> {
    Ok(match from {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(value) => Value::Bool(*value),
        serde_yaml::Value::Number(number) => Value::Number(number.to_string().into()),
        serde_yaml::Value::String(text) => Value::String(text.clone().into()),
        serde_yaml::Value::Sequence(items) => {
            let items: Result<Vec<Value>, _> = items.iter().map(value).collect();
            Value::List(items?.into())
        }
        serde_yaml::Value::Mapping(pairs) => {
            let pair = |(key, inner): (&serde_yaml::Value, &serde_yaml::Value)| {
                let key = key.as_str().ok_or("the keys of a schema are text")?;
                Ok((Text::from(key.to_owned()), value(inner)?))
            };
            let pairs: Result<Vec<(Text, Value)>, &'static str> = pairs.iter().map(pair).collect();
            Value::Map(pairs?.into())
        }
        serde_yaml::Value::Tagged(_) => return Err("a schema has no tags"),
    })
}
