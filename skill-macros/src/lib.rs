//! `include_skills!`: a thin door to the code generator of `skilldeck-core`.
//!
//! Use it through the crate `skilldeck`, which says what it does.

mod arguments;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;

use arguments::Arguments;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use skilldeck_core::codegen::{Directory, Fault, emit, load};
use syn::LitStr;

/// The macro behind `skilldeck::include_skills!`: `[path of the facade] "directory", …, options`.
#[doc(hidden)]
#[proc_macro]
pub fn include_skills(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (hidden, input) = match arguments::split(input.into()) {
        Ok(parts) => parts,
        Err(error) => return error.into_compile_error().into(),
    };
    let table = match read(input, std::env::var_os("CARGO_MANIFEST_DIR")) {
        // The compiler's own lexer: that of `proc-macro2` goes over the text once more, and without
        // optimisation.
        Ok(text) => match text.parse::<proc_macro::TokenStream>() {
            Ok(table) => TokenStream::from(table),
            Err(error) => Errors::new(Span::call_site(), error.to_string()).expand(&hidden),
        },
        Err(errors) => errors.expand(&hidden),
    };
    quote!({ use #hidden as s; #table }).into()
}

/// The text of the table; `package` is what the paths are relative to.
fn read(input: TokenStream, package: Option<OsString>) -> Result<String, Errors> {
    let Arguments { directories: paths, options } =
        syn::parse2(input).map_err(|error| Errors::new(error.span(), error.to_string()))?;
    let package = package.filter(|package| !package.is_empty()).ok_or_else(|| {
        let message = "the directory of the package is not known: `CARGO_MANIFEST_DIR` is not set\n  \
                       = help: compile with Cargo, or set it to what the path is relative to";
        Errors::new(span_of(&paths), message.to_owned())
    })?;
    let mut directories = Vec::with_capacity(paths.len());
    let mut errors = Errors::default();
    for path in &paths {
        let directory = Directory::new(Path::new(&package), &path.value());
        match directory.and_then(|directory| directory.beside(&directories)) {
            Ok(directory) => directories.push(directory),
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
            (at.map_or_else(|| span_of(&paths), |at| paths[at].span()), fault.to_string())
        };
        Errors(faults.iter().map(message).collect())
    })?;
    Ok(emit(&loaded))
}

/// Where the first directory stands.
fn span_of(paths: &[LitStr]) -> Span {
    paths.first().map_or_else(Span::call_site, LitStr::span)
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
    fn expand(self, hidden: &TokenStream) -> TokenStream {
        let errors = self
            .0
            .iter()
            .map(|(span, message)| quote_spanned!(*span=> ::core::compile_error!(#message);));
        quote!(#(#errors)* #hidden::Deck::EMPTY)
    }
}
