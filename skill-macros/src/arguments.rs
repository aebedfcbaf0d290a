//! The tokens of a call of `include_skills!` to a directory and options.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use skilldeck_core::codegen::{Files, OptionError, Options, Prefix};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, bracketed, token};

/// What a call asks for.
pub(crate) struct Arguments {
    /// The directories, as written, at least one; errors about the skills point at them.
    pub(crate) directories: Vec<LitStr>,
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
    ("files", "files = all | none | \"GLOB\" | [\"GLOB\", …]", |options, input| {
        input.parse::<Token![=]>()?;
        options.files = files(input)?;
        Ok(())
    }),
    ("prefix", "prefix = \"WORD-\"", |options, input| {
        input.parse::<Token![=]>()?;
        let text: LitStr = input.parse()?;
        options.prefix = Prefix::new(&text.value()).map_err(|error| at(&text, &error))?;
        Ok(())
    }),
];

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let listed = input.peek(token::Bracket);
        let mut directories =
            if listed { list(input, WANTED)? } else { vec![literal(input, WANTED)?] };
        let mut options = Options::default();
        let mut seen = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            if !listed && seen.is_empty() && input.peek(LitStr) {
                directories.push(input.parse()?);
                continue;
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
        Ok(Self { directories, options })
    }
}

/// What the call starts with.
const WANTED: &str = "expected the directory of the skills as a string literal, as in \
                      `include_skills!(\"skills\")`";

fn files(input: ParseStream<'_>) -> syn::Result<Files> {
    const WANTED: &str = "expected `all`, `none`, a glob as a string literal, or a list of them";
    let globs = if input.peek(token::Bracket) {
        list(input, WANTED)?
    } else if input.peek(LitStr) {
        vec![input.parse()?]
    } else {
        let value =
            input.call(Ident::parse_any).map_err(|error| syn::Error::new(error.span(), WANTED))?;
        return match value.to_string().as_str() {
            "all" => Ok(Files::all()),
            "none" => Ok(Files::none()),
            _ => Err(syn::Error::new(value.span(), WANTED)),
        };
    };
    globs.iter().try_fold(Files::none(), |files, glob| {
        files.matching(&glob.value()).map_err(|error| at(glob, &error))
    })
}

/// Literals in brackets, at least one.
fn list(input: ParseStream<'_>, wanted: &str) -> syn::Result<Vec<LitStr>> {
    let content;
    bracketed!(content in input);
    let mut literals = Vec::new();
    while literals.is_empty() || !content.is_empty() {
        literals.push(literal(&content, wanted)?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(literals)
}

fn literal(input: ParseStream<'_>, wanted: &str) -> syn::Result<LitStr> {
    input.parse().map_err(|error| syn::Error::new(error.span(), wanted))
}

fn at(literal: &LitStr, error: &OptionError) -> syn::Error {
    syn::Error::new(literal.span(), error)
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
