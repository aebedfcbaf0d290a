//! A path of keys to the place of the last one in a text, and to a typed value under it.
//!
//! The library tells places in errors only. So a place is had by an error at the right moment: the
//! text is read once more, down the path, by a reader that fails at the key.

use std::fmt;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, Deserializer};

/// One step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Item(usize),
}

/// The 1-based line and column of the last key of the path; the start of the text if it leads
/// nowhere.
pub(super) fn locate(text: &str, path: &[Step]) -> (u32, u32) {
    let read = Way::<()> { path, end: End::Key };
    match read.deserialize(serde_yaml::Deserializer::from_str(text)) {
        Err(error) => place_of(&error).unwrap_or((1, 1)),
        Ok(()) => (1, 1),
    }
}

/// Reads the value at the end of the path, with errors that know their place.
pub(super) fn read_at<T: DeserializeOwned>(
    text: &str,
    path: &[Step],
) -> Result<Option<T>, serde_yaml::Error> {
    let mut value = None;
    let mut take = |found: T| value = Some(found);
    let read = Way { path, end: End::Value(&mut take as &mut dyn FnMut(T)) };
    read.deserialize(serde_yaml::Deserializer::from_str(text))?;
    Ok(value)
}

/// Where an error stands.
pub(super) fn place_of(error: &serde_yaml::Error) -> Option<(u32, u32)> {
    let place = error.location()?;
    Some((u32::try_from(place.line()).ok()?, u32::try_from(place.column()).ok()?))
}

/// What is done at the end of a way.
enum End<'a, T = ()> {
    /// Fail at the last key.
    Key,
    /// Take the value.
    Value(&'a mut dyn FnMut(T)),
}

struct Way<'a, T = ()> {
    path: &'a [Step],
    end: End<'a, T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Way<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        match (self.path, self.end) {
            ([], End::Value(take)) => {
                take(T::deserialize(from)?);
                Ok(())
            }
            // An item of a list is its own place.
            ([], End::Key) => from.deserialize_any(Fail),
            (path, end) => from.deserialize_any(Way { path, end }),
        }
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Way<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((Step::Key(wanted), rest)) = self.path.split_first() else {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        let fails = rest.is_empty() && matches!(self.end, End::Key);
        let mut end = Some(self.end);
        while let Some(is_wanted) = map.next_key_seed(Is { wanted, fails })? {
            match end.take() {
                Some(end) if is_wanted => map.next_value_seed(Way { path: rest, end })?,
                kept => {
                    end = kept;
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Some((Step::Item(wanted), rest)) = self.path.split_first() else {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        for _ in 0..*wanted {
            seq.next_element::<IgnoredAny>()?;
        }
        seq.next_element_seed(Way { path: rest, end: self.end })?;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// Whether a key is the wanted one, as an error if that is what is wanted.
struct Is<'a> {
    wanted: &'a str,
    fails: bool,
}

impl<'de> DeserializeSeed<'de> for Is<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<bool, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Is<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<bool, E> {
        let is_wanted = key == self.wanted;
        if is_wanted && self.fails { Err(E::custom("here")) } else { Ok(is_wanted) }
    }
}

/// Fails at whatever comes.
struct Fail;

macro_rules! fail {
    ($($method:ident($type:ty);)*) => {
        $(fn $method<E: Error>(self, _: $type) -> Result<(), E> {
            Err(E::custom("here"))
        })*
    };
}

impl<'de> Visitor<'de> for Fail {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fail! { visit_str(&str); visit_bool(bool); visit_i64(i64); visit_u64(u64); visit_f64(f64); }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom("here"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom("here"))
    }
}

/// A path of keys.
pub(super) fn keys(path: &[&str]) -> Vec<Step> {
    path.iter().map(|key| Step::Key((*key).to_owned())).collect()
}

/// Reads a whole text.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, serde_yaml::Error> {
    T::deserialize(serde_yaml::Deserializer::from_str(text))
}
