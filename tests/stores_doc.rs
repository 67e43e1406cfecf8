//! docs/stores.md is what the tables of stores and options say. `ZARRC_DOCS=write cargo test --test
//! all stores_doc` rewrites it.

use std::fmt::Write as _;
use std::{env, fs, path::Path};
use zarrc::store::{ALIASES, Description, OPTIONS, SCHEMES};

const HEAD: &str = "\
# Stores

Generated from the tables in src/store/ by `ZARRC_DOCS=write cargo test --test all stores_doc`.

A URL names a store:

- A path: `data/run1.zarr`, `/data/x.zip`. Its content decides how it is opened: a directory, or a
  file (or directory) that belongs to one of the schemes below. Put `./` before a path that looks
  like a URL.
- `file:PATH`, the same; `file:///absolute/path`, percent-encoded.
- `scheme:…`, see below.
- `URL|scheme:…`, repeated as needed: opens what is before the bar through the scheme behind it, as
  in `/data/x.zip|zip:a/b` or `s3://bucket/x.json|reference:|cache:`.
- fsspec's chained URLs, which have the opposite order: `zip::/data/x.zip`,
  `simplecache::s3://bucket/x.zarr`, `reference::x.json`, `zip://a/b::file:///data/x.zip`.

Messages, logs and names of stores never show passwords, keys or signed queries.

";

#[test]
fn stores_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/stores.md");
    let text = document();
    if env::var("ZARRC_DOCS").as_deref() == Ok("write") {
        fs::write(&path, &text).unwrap();
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|there| there == text),
        "docs/stores.md is stale: run ZARRC_DOCS=write cargo test --test all stores_doc"
    );
}

fn document() -> String {
    let mut text = HEAD.to_owned();
    text += "## Schemes\n\nA feature is a Cargo feature and a CMake option: `-DZARRC_ZIP=ON`;\n\
             `-DZARRC_ALL_FEATURES=ON` enables all.\n\n";
    for scheme in SCHEMES {
        let feature = match scheme.feature {
            "" => String::new(),
            feature => format!("; feature `{feature}`"),
        };
        entry(
            &mut text,
            &format!("`{}:`", scheme.name),
            &format!("{}{feature}", scheme.takes),
            scheme.doc,
        );
    }
    text += "\n## Options\n\nSet by `zarrc_options_set(options, name, value)`. A store ignores options that \
             do not concern it.\nSome options have several names.\n\n### All stores\n\n";
    options(&mut text, OPTIONS.iter().filter(|option| option.stores.is_empty()));
    text += "\n### Some stores\n\n";
    options(&mut text, OPTIONS.iter().filter(|option| !option.stores.is_empty()));
    text
}

fn options<'a>(text: &mut String, options: impl Iterator<Item = &'a Description>) {
    for option in options {
        let aliases =
            ALIASES.iter().filter(|(_, name)| *name == option.name).map(|(alias, _)| *alias);
        let names: Vec<_> = std::iter::once(option.name).chain(aliases).collect();
        let mut values = option.values.describe();
        if !option.default.is_empty() {
            write!(values, "; default `{}`", option.default).unwrap();
        }
        if !option.stores.is_empty() {
            write!(values, "; for").unwrap();
            option.stores.iter().for_each(|store| write!(values, " `{store}:`").unwrap());
        }
        entry(text, &format!("`{}`", names.join("`, `")), &values, option.doc);
    }
}

/// An item of a list, in lines of at most 100 columns.
fn entry(text: &mut String, names: &str, values: &str, doc: &str) {
    let mut line = format!("- {names}");
    for word in format!("({values}): {doc}").split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > 100 {
            writeln!(text, "{line}").unwrap();
            line = format!("  {word}");
        } else {
            write!(line, " {word}").unwrap();
        }
    }
    writeln!(text, "{line}").unwrap();
}
