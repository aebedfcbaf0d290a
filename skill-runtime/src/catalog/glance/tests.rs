//! Events as data: what each asks for.
