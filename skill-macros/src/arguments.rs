//! The tokens of a call of `include_skills!` to a directory and options.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use skilldeck_core::codegen::{Files, Options};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token};

/// What a call asks for.
pub(crate) struct Arguments {
    /// The directory, as written; errors about the skills point at it.
    pub(crate) directory: LitStr,
    pub(crate) options: Options,
}

/// How an option is read from what stands behind its name.
type Read = fn(&mut Options, ParseStream<'_>) -> syn::Result<()>;

/// Every option: its name, how it is written, and how it is read. An option that is not here is
/// refused with this list.
const OPTIONS: &[(&str, &str, Read)] = &[
    ("strict", "strict", |options, _| {
        options.strict = true;
        Ok(())
    }),
    ("files", "files = all | none", |options, input| {
        input.parse::<Token![=]>()?;
        let value = input.call(Ident::parse_any)?;
        options.files = match value.to_string().as_str() {
            "all" => Files::all(),
            "none" => Files::none(),
            _ => return Err(syn::Error::new(value.span(), "expected `all` or `none`")),
        };
        Ok(())
    }),
];

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let directory = input.parse::<LitStr>().map_err(|error| {
            syn::Error::new(
                error.span(),
                "expected the directory of the skills as a string literal, as in \
                 `include_skills!(\"skills\")`",
            )
        })?;
        let mut options = Options::default();
        let mut seen = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name = input.call(Ident::parse_any).map_err(|error| unknown(&error, "option"))?;
            let known = OPTIONS.iter().find(|(known, ..)| name == known);
            let Some((_, _, read)) = known else {
                let error = syn::Error::new(name.span(), "");
                return Err(unknown(&error, &format!("option, not `{name}`")));
            };
            if seen.contains(&name) {
                let message = format!("the option `{name}` is here twice");
                return Err(syn::Error::new(name.span(), message));
            }
            read(&mut options, input)?;
            seen.push(name);
        }
        Ok(Self { directory, options })
    }
}

fn unknown(at: &syn::Error, wanted: &str) -> syn::Error {
    let known: Vec<String> = OPTIONS.iter().map(|(_, usage, _)| format!("`{usage}`")).collect();
    let message = format!("expected a known {wanted}\n  = help: options are {}", known.join(", "));
    syn::Error::new(at.span(), message)
}

/// The path of the hidden module, from `[path of the facade]`, and the rest.
pub(crate) fn split(input: TokenStream) -> syn::Result<(TokenStream, TokenStream)> {
    let mut input = input.into_iter();
    match input.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            Ok((hidden(&group), input.collect()))
        }
        other => {
            let span = other.map_or_else(proc_macro2::Span::call_site, |token| token.span());
            Err(syn::Error::new(span, "use `skilldeck::include_skills!`, which calls this macro"))
        }
    }
}

fn hidden(facade: &Group) -> TokenStream {
    let facade = facade.stream();
    quote!(#facade::__private)
}
