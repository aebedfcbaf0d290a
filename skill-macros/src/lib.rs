//! `include_skills!`: a thin door to the code generator of `skilldeck-core`.
//!
//! Use it through the crate `skilldeck`, which says what it does.

mod arguments;

use std::path::Path;

use arguments::Arguments;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use skilldeck_core::codegen::{Directory, emit, load};

/// The macro behind `skilldeck::include_skills!`: `[path of the facade] "directory", options`.
#[doc(hidden)]
#[proc_macro]
pub fn include_skills(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (hidden, input) = match arguments::split(input.into()) {
        Ok(parts) => parts,
        Err(error) => return error.into_compile_error().into(),
    };
    let table = match read(input) {
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

/// The text of the table.
fn read(input: TokenStream) -> Result<String, Errors> {
    let Arguments { directory: path, options } =
        syn::parse2(input).map_err(|error| Errors::new(error.span(), error.to_string()))?;
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| {
        let message = "the directory of the package is not known: `CARGO_MANIFEST_DIR` is not set\n  \
                       = help: compile with Cargo, or set it to what the path is relative to";
        Errors::new(path.span(), message.to_owned())
    })?;
    let directory = Directory::new(Path::new(&package), &path.value())
        .map_err(|error| Errors::new(path.span(), error.to_string()))?;
    let loaded = load(&directory, &options).map_err(|faults| Errors {
        span: path.span(),
        messages: faults.iter().map(ToString::to_string).collect(),
    })?;
    Ok(emit(&loaded))
}

/// What is wrong, and where in the call.
struct Errors {
    span: Span,
    messages: Vec<String>,
}

impl Errors {
    fn new(span: Span, message: String) -> Self {
        Self { span, messages: vec![message] }
    }

    /// A compile error for each message, and an empty deck, so that one mistake is one error and
    /// not another one about types.
    fn expand(self, hidden: &TokenStream) -> TokenStream {
        let Self { span, messages } = self;
        let errors =
            messages.iter().map(|message| quote_spanned!(span=> ::core::compile_error!(#message);));
        quote!(#(#errors)* #hidden::Deck::EMPTY)
    }
}
