//! Values with a form of their own: times, sizes, an order of tiers, trust, mappings by name.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use skilldeck_core::diagnostic::one_line;

use super::file::SourceTrust;
use crate::source::{Precedence, Rank, Tier};

/// A length of time, such as `120s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Length(pub(super) Duration);

/// A number of bytes, such as `64KiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size(pub(super) usize);

/// What stands before command words, or is one: text that can be typed in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece(pub(super) String);

/// The most characters of one.
const MOST_OF_A_PIECE: usize = 64;

/// An order of tiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order(pub(super) Precedence);

/// A mapping whose keys are names; in source order, what stands twice included.
#[derive(Clone, Debug)]
pub(super) struct Named<T>(pub(super) Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Text that is read by a function, or what was expected.
struct Text<T> {
    expected: &'static str,
    read: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = |text: &str| {
            let time = humantime::parse_duration(text).ok();
            time.filter(|time| !time.is_zero()).map(Length)
        };
        from.deserialize_any(Text { expected: "a time with its unit, such as `120s`", read })
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = |text: &str| {
            // A bare number could be meant in any unit.
            let is_bare = text.trim().chars().all(|c| c.is_ascii_digit());
            let size: bytesize::ByteSize = text.parse().ok().filter(|_| !is_bare)?;
            usize::try_from(size.as_u64()).ok().map(Size)
        };
        from.deserialize_any(Text { expected: "a size with its unit, such as `64KiB`", read })
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = |text: &str| {
            let is_piece = !text.contains(char::is_whitespace)
                && text.chars().count() <= MOST_OF_A_PIECE
                // What no terminal shows could pass for another one.
                && one_line(text) == text;
            is_piece.then(|| Piece(text.to_owned()))
        };
        from.deserialize_any(Text { expected: "at most 64 characters without blanks", read })
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(OrderVisitor).map(Self)
    }
}

struct OrderVisitor;

/// A tier of a list: its name, or its name and which of its sources wins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RankBlock {
    tier: String,
    order: Option<Within>,
}

/// Which source of a tier wins.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Within {
    First,
    Last,
}

struct RankItem(Rank);

impl<'de> Deserialize<'de> for RankItem {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(RankVisitor).map(Self)
    }
}

struct RankVisitor;

impl<'de> Visitor<'de> for RankVisitor {
    type Value = Rank;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a tier, or `{tier: NAME, order: last}`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Rank, E> {
        Ok(Rank { tier: Tier::new(text.to_owned()), last_wins: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rank, A::Error> {
        let block = RankBlock::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        let last_wins = block.order == Some(Within::Last);
        Ok(Rank { tier: Tier::new(block.tier), last_wins })
    }
}

impl<'de> Visitor<'de> for OrderVisitor {
    type Value = Precedence;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`project_first`, `personal_first`, or a list of tiers, the strongest first")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Precedence, E> {
        match text {
            "project_first" => Ok(Precedence::project_first()),
            "personal_first" => Ok(Precedence::personal_first()),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Precedence, A::Error> {
        let mut ranks = Vec::new();
        while let Some(RankItem(rank)) = seq.next_element()? {
            if ranks.iter().any(|known: &Rank| known.tier == rank.tier) {
                let message =
                    format!("the tier `{}` stands twice in the order", rank.tier.as_str());
                return Err(A::Error::custom(message));
            }
            ranks.push(rank);
        }
        Ok(Precedence::new(ranks))
    }
}

impl<'de> Deserialize<'de> for SourceTrust {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TrustVisitor)
    }
}

struct TrustVisitor;

impl Visitor<'_> for TrustVisitor {
    type Value = SourceTrust;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`true`, `false` or `required`")
    }

    fn visit_bool<E: Error>(self, said: bool) -> Result<SourceTrust, E> {
        Ok(SourceTrust::Said(said))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SourceTrust, E> {
        match text {
            "required" => Ok(SourceTrust::Required),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(NamedVisitor(PhantomData))
    }
}

struct NamedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping from names of skills to their settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Named(pairs))
    }
}

#[cfg(test)]
mod schema {
    //! What these values are in the page for editors.

    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Length, Named, Order, Piece, Size};
    use crate::configuration::file::SourceTrust;

    macro_rules! schemas {
        ($($type:ty, $name:literal, $schema:tt;)*) => {
            $(impl JsonSchema for $type {
                fn schema_name() -> Cow<'static, str> {
                    $name.into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!($schema)
                }
            })*
        };
    }

    schemas! {
        Length, "Length", {"description": "A time with its unit, such as `120s`.", "type": "string"};
        Size, "Size", {"description": "A size with its unit, such as `64KiB`.", "type": "string"};
        Piece, "Piece", {
            "description": "Text without blanks.",
            "type": "string",
            "pattern": "^\\S*$",
            "maxLength": 64
        };
        SourceTrust, "SourceTrust", {"enum": [true, false, "required"]};
        Order, "Order", {
            "description": "An order of tiers: a preset or a list, the strongest first.",
            "anyOf": [
                {"enum": ["project_first", "personal_first"]},
                {
                    "type": "array",
                    "items": {
                        "anyOf": [
                            {"type": "string"},
                            {
                                "type": "object",
                                "properties": {
                                    "tier": {"type": "string"},
                                    "order": {"enum": ["first", "last", null]}
                                },
                                "required": ["tier"],
                                "additionalProperties": false
                            }
                        ]
                    }
                }
            ]
        };
    }

    impl<T: JsonSchema> JsonSchema for Named<T> {
        fn schema_name() -> Cow<'static, str> {
            format!("Named_{}", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let inner = generator.subschema_for::<T>();
            json_schema!({"type": "object", "additionalProperties": inner})
        }
    }
}
