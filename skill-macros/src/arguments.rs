//! The tokens of a call of `include_skills!` to directories and options.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use skilldeck_core::codegen::{Files, OptionError, Options, Prefix, Tier};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, bracketed, token};

/// What a call asks for.
pub(crate) struct Arguments {
    /// The directories, at least one; errors about the skills point at them.
    pub(crate) directories: Vec<Place>,
    pub(crate) options: Options,
    /// What the generated code calls the facade, if it is not to be the one it was called by.
    pub(crate) facade: Option<TokenStream>,
}

/// A directory as a call names it.
pub(crate) struct Place {
    pub(crate) path: LitStr,
    pub(crate) tier: Tier,
}

/// How an option is read from what stands behind its name.
type Read = fn(&mut Arguments, ParseStream<'_>) -> syn::Result<()>;

/// Every option: its name, how it is written, and how it is read. An option that is not here is
/// refused with this list.
const OPTIONS: &[(&str, &str, Read)] = &[
    ("strict", "strict", |arguments, _| {
        arguments.options.strict = true;
        Ok(())
    }),
    ("files", "files = all | none | \"GLOB\" | [\"GLOB\", …]", |arguments, input| {
        input.parse::<Token![=]>()?;
        arguments.options.files = files(input)?;
        Ok(())
    }),
    ("prefix", "prefix = \"WORD-\"", |arguments, input| {
        input.parse::<Token![=]>()?;
        let text: LitStr = input.parse()?;
        let prefix = Prefix::new(&text.value()).map_err(|error| at(&text, &error.into()))?;
        arguments.options.prefix = prefix;
        Ok(())
    }),
    ("crate", "crate = some::path", |arguments, input| {
        input.parse::<Token![=]>()?;
        arguments.facade = Some(path(input)?);
        Ok(())
    }),
];

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let listed = input.peek(token::Bracket);
        let directories = if listed { places(input)? } else { vec![place(input)?] };
        let mut arguments = Self { directories, options: Options::default(), facade: None };
        let mut seen = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            if !listed && seen.is_empty() && (input.peek(LitStr) || is_tier(input)) {
                arguments.directories.push(place(input)?);
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
            read(&mut arguments, input)?;
            seen.push(name);
        }
        Ok(arguments)
    }
}

/// What the call starts with.
const WANTED: &str = "expected the directory of the skills as a string literal, as in \
                      `include_skills!(\"skills\")`";

/// The list form: directories in brackets, at least one, each with its tier before it or none.
fn places(input: ParseStream<'_>) -> syn::Result<Vec<Place>> {
    list(input, |content| {
        if !is_tier(content) {
            return place(content);
        }
        let word = content.call(Ident::parse_any)?;
        let Some(tier) = Tier::from_word(&word.to_string()) else {
            let known = Tier::ALL.map(|tier| format!("`{}`", tier.word())).join(", ");
            let message =
                format!("there is no tier `{word}`\n  = help: tiers are, strongest first, {known}");
            return Err(syn::Error::new(word.span(), message));
        };
        content.parse::<Token![:]>()?;
        Ok(Place { tier, ..place(content)? })
    })
}

/// A directory without a tier.
fn place(input: ParseStream<'_>) -> syn::Result<Place> {
    if is_tier(input) {
        let name = input.fork().call(Ident::parse_any)?;
        if let Some((_, written, _)) = OPTIONS.iter().find(|(known, ..)| name == known) {
            let message = format!("`{name}` is an option, which is written `{written}`");
            return Err(syn::Error::new(name.span(), message));
        }
        let message = "a tier stands in a list of directories, as in \
                       `include_skills!([core: \"skills\"])`";
        return Err(input.error(message));
    }
    Ok(Place { path: literal(input, WANTED)?, tier: Tier::default() })
}

/// Whether a word with a colon comes next.
fn is_tier(input: ParseStream<'_>) -> bool {
    input.peek(Ident::peek_any) && input.peek2(Token![:]) && !input.peek2(Token![::])
}

/// A path of names, as in `use`.
fn path(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    const WANTED: &str = "expected a path to the crate `skilldeck`, as in \
                          `crate = some_crate::skilldeck`\n  = help: write it without quotes";
    let wanted = |error: syn::Error| syn::Error::new(error.span(), WANTED);
    let mut path = TokenStream::new();
    input.parse::<Option<Token![::]>>()?.to_tokens(&mut path);
    loop {
        input.call(Ident::parse_any).map_err(wanted)?.to_tokens(&mut path);
        let Some(colons) = input.parse::<Option<Token![::]>>()? else { break };
        colons.to_tokens(&mut path);
    }
    if input.is_empty() || input.peek(Token![,]) { Ok(path) } else { Err(wanted(input.error(""))) }
}

fn files(input: ParseStream<'_>) -> syn::Result<Files> {
    const WANTED: &str = "expected `all`, `none`, a glob as a string literal, or a list of them";
    let globs = if input.peek(token::Bracket) {
        list(input, |content| literal(content, WANTED))?
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

/// Items in brackets, at least one.
fn list<T>(
    input: ParseStream<'_>,
    item: impl Fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let content;
    bracketed!(content in input);
    let mut items = Vec::new();
    while items.is_empty() || !content.is_empty() {
        items.push(item(&content)?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(items)
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

/// The path of the facade, from `[path of the facade]`, and the rest.
pub(crate) fn split(input: TokenStream) -> syn::Result<(TokenStream, TokenStream)> {
    let mut input = input.into_iter();
    match input.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            Ok((group.stream(), input.collect()))
        }
        other => {
            let span = other.map_or_else(proc_macro2::Span::call_site, |token| token.span());
            Err(syn::Error::new(span, "use `skilldeck::include_skills!`, which calls this macro"))
        }
    }
}
