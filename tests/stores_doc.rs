//! docs/stores.md is what the tables of stores and options say. `ZARRC_DOCS=write cargo test --test all
//! stores_doc` rewrites it.

use std::fmt::Write as _;
use std::{env, fs, path::Path};
use zarrc::store::{ALIASES, Description, OPTIONS, SCHEMES};

const HEAD: &str = "\
# Stores

Written from the tables of src/store/ by `ZARRC_DOCS=write cargo test --test all stores_doc`.

A store is opened by one URL:

- a path, as it is: `data/run1.zarr`, `/data/x.zip`. What lies there tells how it is opened: a directory, or a
  file (or directory) that belongs to one of the schemes below. One that looks like a URL needs `./` before it.
- `file:PATH`, the same; `file:///absolute/path`, percent-decoded.
- `scheme:…`, as in the table.
- `URL|scheme:…`, as often as wanted: what stands before the bar, opened by what stands behind it, as in
  `/data/x.zip|zip:a/b` or `s3://bucket/x.json|reference:|cache:`.
- fsspec's chains, which say the same the other way round: `zip::/data/x.zip`, `simplecache::s3://bucket/x.zarr`,
  `reference::x.json`, `zip://a/b::file:///data/x.zip`.

No message, log or name of a store shows a password, a key or a signed query.

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
    text += "## Schemes\n\nA feature is one of Cargo, and an option of CMake: `-DZARRC_ZIP=ON`; \
         `-DZARRC_ALL_FEATURES=ON` builds them all.\n\n";
    text += "| scheme | takes | feature | |\n|---|---|---|---|\n";
    for scheme in SCHEMES {
        let feature = match scheme.feature {
            "" => "always".to_owned(),
            feature => format!("`{feature}`"),
        };
        writeln!(text, "| `{}:` | {} | {feature} | {} |", scheme.name, scheme.takes, scheme.doc)
            .unwrap();
    }
    text += "\n## Options\n\nSet by `zarrc_options_set(options, name, value)`. An option is passed over by the \
             stores that it is not for. Some have more than one name.\n\n### Of every store\n\n";
    options(&mut text, OPTIONS.iter().filter(|option| option.stores.is_empty()));
    text += "\n### Of some stores\n\n";
    options(&mut text, OPTIONS.iter().filter(|option| !option.stores.is_empty()));
    text
}

fn options<'a>(text: &mut String, options: impl Iterator<Item = &'a Description>) {
    *text += "| option | for | takes | default | |\n|---|---|---|---|---|\n";
    for option in options {
        let stores: Vec<_> = option.stores.iter().map(|store| format!("`{store}:`")).collect();
        let stores = if stores.is_empty() { "all".into() } else { stores.join(" ") };
        let aliases =
            ALIASES.iter().filter(|(_, name)| *name == option.name).map(|(alias, _)| *alias);
        let names: Vec<_> = std::iter::once(option.name).chain(aliases).collect();
        let (name, values, doc) = (names.join("`, `"), option.values.describe(), option.doc);
        let default = if option.default.is_empty() { "" } else { &format!("`{}`", option.default) };
        writeln!(text, "| `{name}` | {stores} | {values} | {default} | {doc} |").unwrap();
    }
}
