//! Text and lists that are borrowed from a `static` at build time and owned at run time.

use std::borrow::Cow;

/// Text of a model: borrowed in a compiled deck, owned in a loaded one.
pub type Text = Cow<'static, str>;

/// A list of a model: borrowed in a compiled deck, owned in a loaded one.
pub type List<T> = Cow<'static, [T]>;
