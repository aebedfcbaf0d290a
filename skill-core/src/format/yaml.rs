//! YAML text to nodes whose scalars keep their source text. The only module that names the library.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, EnumAccess, Error as _, IgnoredAny, MapAccess, SeqAccess};
use serde::de::{VariantAccess, Visitor};

/// The most nodes one reading may give. The text is at most 64 KiB, so more than this can only come
/// from aliases, whose repetition the library bounds in jumps but not in what a jump copies.
const MAX_NODES: usize = 100_000;
/// The most bytes of text one reading may give, for the same reason.
const MAX_TEXT: usize = 1 << 20;
/// The most opening brackets and block indicators the library is given: its scanner is quadratic in
/// them, and no front matter that a person wrote comes near.
pub(super) const MAX_OPENINGS: usize = 256;

/// What a scalar is by the rules of YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Number,
    Text,
}

/// A value; a scalar has its text as it was written, less quotes and escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Scalar(Kind, String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// What a whole text holds.
#[derive(Debug)]
pub(super) enum Root {
    /// Nothing but blanks and comments.
    Empty,
    /// The pairs of a mapping in source order, duplicates included.
    Pairs(Vec<(String, Node)>),
    /// A scalar or a list.
    Other,
}

/// Why a text cannot be read.
#[derive(Debug)]
pub(super) struct Fault {
    /// The library's words, without the place.
    pub(super) message: String,
    /// The byte of the text, where the library gives one.
    pub(super) offset: Option<usize>,
}

/// Reads a text that [`opens_too_much`] let pass.
pub(super) fn read(text: &str) -> Result<Root, Fault> {
    let budget = Budget { nodes: Cell::new(MAX_NODES), text: Cell::new(MAX_TEXT) };
    let shape = Shape { budget: &budget };
    let mut node = shape
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .map_err(|error| fault(&error))?;
    if !matches!(node, Node::Scalar(..)) && node.lacks_text() {
        // Numbers, booleans and nulls were resolved; the second walk takes what was written.
        let fill = Fill { node: &mut node, budget: &budget };
        fill.deserialize(serde_yaml::Deserializer::from_str(text))
            .map_err(|error| fault(&error))?;
    }
    Ok(match node {
        Node::Map(pairs) => Root::Pairs(pairs),
        Node::Scalar(Kind::Null, _) => Root::Empty,
        Node::Scalar(..) | Node::List(_) => Root::Other,
    })
}

/// Where a text has more openings than the library should see.
pub(super) fn opens_too_much(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut openings = 0;
    let mut in_line = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'[' | b'{' => openings += 1,
            b'\n' => in_line = 0,
            // `- - - -` and `? ? ? ?` open a block each.
            b'-' | b'?' | b':' if matches!(bytes.get(at + 1), None | Some(b' ' | b'\t')) => {
                in_line += 1;
            }
            _ => {}
        }
        if openings > MAX_OPENINGS || in_line > MAX_OPENINGS {
            return Some(at);
        }
    }
    None
}

impl Node {
    /// The text of a scalar; `None` for a list or mapping.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(_, text) => Some(text),
            Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Whether it is `null`, `~` or nothing.
    pub(super) const fn is_null(&self) -> bool {
        matches!(self, Self::Scalar(Kind::Null, _))
    }

    /// Keeps the last of the pairs that share a key, and names those keys in `found`.
    pub(super) fn settle_duplicates(&mut self, found: &mut Vec<String>) {
        match self {
            Self::Scalar(..) => {}
            Self::List(items) => items.iter_mut().for_each(|item| item.settle_duplicates(found)),
            Self::Map(pairs) => {
                let mut last = std::collections::BTreeMap::new();
                for (at, (key, _)) in pairs.iter().enumerate() {
                    if last.insert(key.clone(), at).is_some() {
                        found.push(key.clone());
                    }
                }
                let mut at = 0..;
                pairs.retain(|(key, _)| last.get(key).copied() == at.next());
                pairs.iter_mut().for_each(|(_, node)| node.settle_duplicates(found));
            }
        }
    }

    /// The value in YAML's flow form, for where the source text is not at hand.
    pub(super) fn to_flow(&self) -> String {
        match self {
            Self::Scalar(_, text) => text.clone(),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(Self::to_flow).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Map(pairs) => {
                let pairs: Vec<_> =
                    pairs.iter().map(|(key, node)| format!("{key}: {}", node.to_flow())).collect();
                format!("{{{}}}", pairs.join(", "))
            }
        }
    }

    fn lacks_text(&self) -> bool {
        match self {
            Self::Scalar(kind, _) => *kind != Kind::Text,
            Self::List(items) => items.iter().any(Self::lacks_text),
            Self::Map(pairs) => pairs.iter().any(|(_, node)| node.lacks_text()),
        }
    }
}

fn fault(error: &serde_yaml::Error) -> Fault {
    let offset = error.location().map(|location| location.index());
    let mut message = error.to_string();
    // The place is given in the file's own coordinates by whoever reports this.
    while let Some(start) = message.find(" at line ") {
        let rest =
            message[start + " at line ".len()..].trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest
            .strip_prefix(" column ")
            .map_or(rest, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        message.replace_range(start..message.len() - rest.len(), "");
    }
    Fault { message, offset }
}

/// What is left to spend.
struct Budget {
    nodes: Cell<usize>,
    text: Cell<usize>,
}

impl Budget {
    fn spend<E: serde::de::Error>(&self, text: usize) -> Result<(), E> {
        let (nodes, left) = (self.nodes.get().checked_sub(1), self.text.get().checked_sub(text));
        let (Some(nodes), Some(left)) = (nodes, left) else {
            return Err(E::custom("aliases repeat too much"));
        };
        self.nodes.set(nodes);
        self.text.set(left);
        Ok(())
    }
}

/// The first walk: what is where. Only text has its text yet.
#[derive(Clone, Copy)]
struct Shape<'b> {
    budget: &'b Budget,
}

impl Shape<'_> {
    fn resolved<E: serde::de::Error>(self, kind: Kind) -> Result<Node, E> {
        self.budget.spend(0)?;
        Ok(Node::Scalar(kind, String::new()))
    }
}

impl<'de> DeserializeSeed<'de> for Shape<'_> {
    type Value = Node;

    fn deserialize<D: serde::Deserializer<'de>>(self, de: D) -> Result<Node, D::Error> {
        de.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Shape<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Node, E> {
        self.resolved(Kind::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Node, E> {
        self.resolved(Kind::Number)
    }

    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<Node, E> {
        self.resolved(Kind::Number)
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Node, E> {
        self.resolved(Kind::Number)
    }

    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<Node, E> {
        self.resolved(Kind::Number)
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Node, E> {
        self.resolved(Kind::Number)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Node, E> {
        self.resolved(Kind::Null)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Node, E> {
        self.resolved(Kind::Null)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Node, E> {
        self.budget.spend(text.len())?;
        Ok(Node::Scalar(Kind::Text, text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        self.budget.spend(0)?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        self.budget.spend(0)?;
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key_seed(Word)? {
            self.budget.spend(key.len())?;
            pairs.push((key, map.next_value_seed(self)?));
        }
        Ok(Node::Map(pairs))
    }

    /// A tag says nothing to this format; what it stands before is read as if it were not there.
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Node, A::Error> {
        let (IgnoredAny, value) = data.variant()?;
        value.newtype_variant_seed(self)
    }
}

/// The text of one scalar, whatever it would resolve to.
struct Word;

impl<'de> DeserializeSeed<'de> for Word {
    type Value = String;

    fn deserialize<D: serde::Deserializer<'de>>(self, de: D) -> Result<String, D::Error> {
        de.deserialize_str(self)
    }
}

impl Visitor<'_> for Word {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }
}

/// The second walk, led by the first: the text of each scalar that was resolved.
struct Fill<'n, 'b> {
    node: &'n mut Node,
    budget: &'b Budget,
}

impl<'de> DeserializeSeed<'de> for Fill<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, de: D) -> Result<(), D::Error> {
        match self.node {
            Node::Scalar(Kind::Text, _) => de.deserialize_str(IgnoredAny).map(drop),
            Node::Scalar(_, text) => {
                *text = Word.deserialize(de)?;
                self.budget.spend(text.len())
            }
            Node::List(_) => de.deserialize_seq(self),
            Node::Map(_) => de.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Fill<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of the first walk")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Node::List(items) = self.node else { return Err(A::Error::custom("not a list")) };
        for node in items {
            seq.next_element_seed(Fill { node, budget: self.budget })?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Node::Map(pairs) = self.node else { return Err(A::Error::custom("not a mapping")) };
        for (_, node) in pairs {
            if map.next_key_seed(Word)?.is_some() {
                map.next_value_seed(Fill { node, budget: self.budget })?;
            }
        }
        Ok(())
    }
}
