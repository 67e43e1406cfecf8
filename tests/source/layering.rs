//! The layers of ARCHITECTURE.md: a module uses only lower layers, and the three modules of layer 3
//! never use each other.

use super::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of src/ with its layer.
const LAYERS: &[(&str, u32)] = &[
    ("error", 0),
    ("fork", 0),
    ("lock", 0),
    ("sync", 0),
    ("system", 0),
    ("cache", 1),
    ("exec", 1),
    ("heap", 1),
    ("progress", 1),
    ("source", 1),
    ("strided", 1),
    ("call", 2),
    ("hdf5", 2),
    ("metadata", 2),
    ("selection", 2),
    ("codec", 3),
    ("format", 3),
    ("store", 3),
    ("array", 4),
    ("hierarchy", 5),
    ("operations", 6),
    ("capi", 7),
];

/// Modules that use no other of their own layer.
const ALONE: &[&str] = &["exec", "source", "strided", "selection", "codec", "format", "store"];

pub fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn layer(module: &str) -> u32 {
    let known = LAYERS.iter().find(|(name, _)| *name == module);
    known.unwrap_or_else(|| panic!("src/{module} has no layer in tests/source/layering.rs")).1
}

/// The modules that a text names as `crate::module` or in `crate::{module, …}`.
fn modules_used(text: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().expect("a list").split(',').collect(),
            None => vec![rest],
        };
        for name in names {
            let name = name.trim();
            let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            used.push(name[..end.unwrap_or(name.len())].to_owned());
        }
    }
    used
}

#[test]
fn a_module_uses_only_lower_layers() {
    let src = root().join("src");
    let mut files = Vec::new();
    files_below(&src, &mut files);
    let mut wrong = Vec::new();
    for file in &files {
        let inside = file.strip_prefix(&src).expect("in src");
        let first = inside.iter().next().expect("a name").to_string_lossy();
        let module = first.trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        for used in modules_used(&fs::read_to_string(file).expect("text")) {
            let same_layer = layer(&used) == layer(module) && used != module;
            let meets = same_layer && ALONE.contains(&module);
            if layer(&used) > layer(module) || meets {
                wrong.push(format!("{} uses {used}", inside.display()));
            }
        }
    }
    assert!(files.len() > 40 && wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_line_above_the_formats_asks_which_format_it_is() {
    let src = root().join("src");
    for module in ["array", "codec", "store", "metadata"] {
        let mut files = Vec::new();
        files_below(&src.join(module), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("text");
            assert!(!text.contains("FormatId"), "{} names a format", file.display());
        }
    }
    let mut files = Vec::new();
    files_below(&src.join("hierarchy"), &mut files);
    files_below(&src.join("operations"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let asks = ["== FormatId::", "match format.id()", "FormatId::V2", "format.id() =="];
        for words in asks {
            // to keep a remembered group's format apart from another is no question about it
            let known = text.matches("known_group(&ancestor) == Some(format.id())").count();
            let found = text.matches(words).count();
            assert!(found <= known, "{} asks {words:?}", file.display());
        }
    }
}
