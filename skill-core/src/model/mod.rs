//! The model: plain data that a `static` can hold and a parser can build.

mod command;
mod deck;
mod dependency;
mod details;
mod index;
mod name;
mod permissions;
mod prefix;
mod skill;
mod text;
mod value;

pub use command::SkillCommand;
pub use deck::{BundledSkill, Deck, Selection, SideFile};
pub use dependency::{Dependency, RequirementError};
pub use details::{Details, Kept};
pub use index::{Clash, Index, Key, KeyKind, Lookup, Table};
pub use name::{fold, is_valid_name, slug, slug_flat};
pub use permissions::{Agents, Restriction};
pub use prefix::{InvalidPrefix, Prefix};
pub use skill::{Extra, Fields, Skill, SlashCommand};
pub use text::{List, Text};
pub use value::Value;
