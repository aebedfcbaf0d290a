//! `include_skills!`: a thin door to the code generator of `skilldeck-core`.
//!
//! Use it through the crate `skilldeck`, which says what it does.

mod arguments;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;

use arguments::{Arguments, Place};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use skilldeck_core::codegen::{Directory, Fault, emit, load};

/// The macro behind `skilldeck::include_skills!`: `[path of the facade] "directory", …, options`.
#[doc(hidden)]
#[proc_macro]
pub fn include_skills(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (mut facade, input) = match arguments::split(input.into()) {
        Ok(parts) => parts,
        Err(error) => return error.into_compile_error().into(),
    };
    let table = match read(input, &mut facade, std::env::var_os("CARGO_MANIFEST_DIR")) {
        // The compiler's own lexer: that of `proc-macro2` goes over the text once more, and without
        // optimisation.
        Ok(text) => match text.parse::<proc_macro::TokenStream>() {
            Ok(table) => TokenStream::from(table),
            Err(error) => Errors::new(Span::call_site(), error.to_string()).expand(),
        },
        Err(errors) => errors.expand(),
    };
    quote!({ use #facade::__private as s; #table }).into()
}

/// The text of the table; `package` is what the paths are relative to. A call that names the facade
/// changes it.
fn read(
    input: TokenStream,
    facade: &mut TokenStream,
    package: Option<OsString>,
) -> Result<String, Errors> {
    let Arguments { directories: places, options, facade: named } =
        syn::parse2(input).map_err(|error| Errors::new(error.span(), error.to_string()))?;
    if let Some(named) = named {
        *facade = named;
    }
    let package = package.filter(|package| !package.is_empty()).ok_or_else(|| {
        let message = "the directory of the package is not known: `CARGO_MANIFEST_DIR` is not set\n  \
                       = help: compile with Cargo, or set it to what the path is relative to";
        Errors::new(span_of(&places), message.to_owned())
    })?;
    let mut directories = Vec::with_capacity(places.len());
    let mut errors = Errors::default();
    for Place { path, tier } in &places {
        let directory = Directory::new(Path::new(&package), &path.value());
        match directory.and_then(|directory| directory.beside(&directories)) {
            Ok(directory) => directories.push(directory.in_tier(*tier)),
            Err(error) => errors.0.push((path.span(), error.to_string())),
        }
    }
    if !errors.0.is_empty() {
        return Err(errors);
    }
    let loaded = load(&directories, &options).map_err(|faults| {
        let message = |fault: &Fault| {
            // No directory is inside another, so at most one has the file.
            let at = directories.iter().position(|directory| directory.holds(fault.path()));
            (at.map_or_else(|| span_of(&places), |at| places[at].path.span()), fault.to_string())
        };
        Errors(faults.iter().map(message).collect())
    })?;
    Ok(emit(&loaded))
}

/// Where the first directory stands.
fn span_of(places: &[Place]) -> Span {
    places.first().map_or_else(Span::call_site, |place| place.path.span())
}

/// What is wrong, and where in the call.
#[derive(Debug, Default)]
struct Errors(Vec<(Span, String)>);

impl Errors {
    fn new(span: Span, message: String) -> Self {
        Self(vec![(span, message)])
    }

    /// A compile error for each message, and an empty deck, so that one mistake is one error and
    /// not another one about types.
    fn expand(self) -> TokenStream {
        let errors = self
            .0
            .iter()
            .map(|(span, message)| quote_spanned!(*span=> ::core::compile_error!(#message);));
        quote!(#(#errors)* s::Deck::EMPTY)
    }
}
