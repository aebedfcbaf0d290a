//! Loaded skills to the source text that `include_skills!` stands for.
//!
//! It is text and not a stream of tokens, because handing the compiler one text is much faster than
//! handing it some hundred tokens for every skill.

use std::fmt::{Debug, Display, Write};

use super::load::Loaded;
use super::pack::{Items, Pack, Packer};
use crate::model::{Index, Table};

/// The skills as the inside of a block whose value is a constant
/// [`Deck`](crate::model::Deck).
///
/// All that the text names is reached through `s`, which the block has to bind to the hidden module
/// of the facade first: `{ use skilldeck::__private as s; … }`. Each file that was read is tracked
/// by the compiler; one that is added is not, which is what a line in a build script is for.
#[must_use]
pub fn emit(loaded: &Loaded) -> String {
    let Loaded { skills, index, order, passed_over, directories, tiers, files } = loaded;
    let mut packer = Packer::default();
    let mut items = Items::default();
    for skill in skills {
        skill.pack(&mut packer, &mut items.numbers);
        items.count += 1;
    }
    let index = packed_index(index, &mut packer);

    let mut out = String::new();
    // One constant for all of them: one for each is a body of its own to check.
    let paths: Vec<&str> = skills.iter().chain(passed_over).map(|it| it.path.as_str()).collect();
    put(&mut out, format_args!("const _:[&[s::Byte];{}]=", paths.len()));
    includes(&paths, &mut out);
    put(&mut out, format_args!(";\nstatic TEXTS:[&s::Str;{}]=", packer.texts().len()));
    literal(packer.texts(), &mut out);
    out.push_str(";\n");
    pool(&packer, &mut out);
    list("SKILLS", "s::BundledSkill", "skills", &items, &mut out);
    out.push_str("s::Deck::compiled(&SKILLS,");
    out.push_str(&index);
    out.push_str(",&");
    numbers(order, &mut out);
    out.push_str(",s::Selection{directories:&");
    literal(directories, &mut out);
    out.push_str(",tiers:&");
    literal(tiers, &mut out);
    out.push_str(",files:&");
    literal(files.globs(), &mut out);
    let passed_over: Vec<_> = passed_over.iter().map(|it| (&it.path, &it.sha256)).collect();
    out.push_str(",passed_over:&");
    literal(passed_over, &mut out);
    out.push_str("})");
    out
}

/// The statics that the numbers of skills refer to, and the one that holds them all.
fn pool(packer: &Packer, out: &mut String) {
    let lists = [
        ("NAMES", "s::Text", "names", &packer.names),
        ("VALUES", "s::Value", "values", &packer.values),
        ("PAIRS", "(s::Text,s::Value)", "pairs", &packer.pairs),
        ("DEPENDENCIES", "s::Dependency", "dependencies", &packer.dependencies),
        ("EXTRAS", "s::Extra", "extras", &packer.extras),
        ("DETAILS", "s::Details", "details", &packer.details),
        ("SEGMENTS", "s::Segment", "segments", &packer.segments),
        ("REFERENCES", "s::Reference", "references", &packer.references),
        ("SHELLS", "s::ShellSpan", "shells", &packer.shells),
    ];
    let filled = lists.iter().filter(|(.., items)| items.count > 0);
    for (name, kind, function, items) in filled {
        list(name, kind, function, items, out);
    }
    let files = &packer.files;
    if files.count > 0 {
        put(out, format_args!("static FILES:[s::SideFile;{}]=s::files(&POOL,&", files.count));
        numbers(files.numbers.as_slice(), out);
        out.push_str(",&");
        includes(&packer.contents, out);
        out.push_str(");\n");
    }
    out.push_str("static POOL:s::Pool=s::Pool{texts:&TEXTS,");
    for (name, _, function, items) in lists.iter().chain([&("FILES", "", "files", files)]) {
        // Every field is named: with a base behind them, lints of whoever calls would complain.
        let name = if items.count > 0 { name } else { "[]" };
        put(out, format_args!("{function}:&{name},"));
    }
    out.push_str("};\n");
}

/// A static of what this constant function reads.
fn list(name: &str, kind: &str, function: &str, items: &Items, out: &mut String) {
    // The compiler counts the steps of constants and by default refuses millions of them.
    let count = items.count;
    put(
        out,
        format_args!(
            "#[allow(long_running_const_eval)]static {name}:[{kind};{count}]=s::{function}(&POOL,&"
        ),
    );
    numbers(items.numbers.as_slice(), out);
    out.push_str(");\n");
}

/// The index as an expression.
fn packed_index(index: &Index, packer: &mut Packer) -> String {
    let mut out = "s::Index::from_parts(".to_owned();
    table(index.exact_table(), packer, &mut out);
    out.push(',');
    table(index.folded_table(), packer, &mut out);
    out.push(')');
    out
}

fn table(table: &Table, packer: &mut Packer, out: &mut String) {
    if table.keys().is_empty() {
        out.push_str("s::Table::EMPTY");
        return;
    }
    let mut keys = Items::default();
    for key in table.keys() {
        key.pack(packer, &mut keys.numbers);
        keys.count += 1;
    }
    out.push('{');
    list("KEYS", "s::Key", "keys", &keys, out);
    out.push_str("s::Table::from_parts(&KEYS,&");
    numbers(table.slots(), out);
    out.push_str(")}");
}

/// The bytes of files of the package, tracked, as an array.
fn includes(paths: &[impl AsRef<str>], out: &mut String) {
    out.push('[');
    for path in paths {
        out.push_str("s::include_bytes!(s::concat!(s::env!(\"CARGO_MANIFEST_DIR\"),");
        literal(format!("/{}", path.as_ref()), out);
        out.push_str(")),\n");
    }
    out.push(']');
}

/// Appends `value` as a literal: its debug form is one for text, and for lists of text.
fn literal(value: impl Debug, out: &mut String) {
    put(out, format_args!("{value:?}"));
}

/// Appends `[…]`.
fn numbers(numbers: &[impl Display], out: &mut String) {
    out.push('[');
    for number in numbers {
        put(out, format_args!("{number},"));
    }
    out.push(']');
}

/// Writing to a string cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
