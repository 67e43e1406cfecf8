//! include/zarrc.h is committed, so that using zarrc takes no generator; this test keeps it equal
//! to what cbindgen makes of src/capi/. `make header` rewrites it.
//!
//! The header has one section for each module of src/capi/mod.rs, in the order of its `mod` lines,
//! headed by the first sentence of the module's `//!` comment.

use super::root;
use cbindgen::{Builder, Config, Style};
use std::fmt::Write as _;
use std::{env, fs, path::Path};

#[test]
fn header_is_current() {
    let root = root();
    let path = root.join("include/zarrc.h");
    let header = generate(root);
    if env::var("ZARRC_HEADER").as_deref() == Ok("write") {
        fs::write(&path, &header).unwrap();
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|committed| committed == header),
        "include/zarrc.h is stale: run make header"
    );
}

pub fn generate(root: &Path) -> String {
    let capi = root.join("src/capi");
    let frame = fs::read_to_string(root.join("tests/source/header.in")).unwrap();
    let (head, foot) = frame.split_once("@SECTIONS@\n").unwrap();
    let version = version(root);
    let [major, minor, patch] = version.split('.').collect::<Vec<_>>().try_into().unwrap();
    let mut header =
        head.replace("@MAJOR@", major).replace("@MINOR@", minor).replace("@PATCH@", patch);
    let mut contents = String::new();
    let mut handles = String::new();
    let mut sections = String::new();
    for line in fs::read_to_string(capi.join("mod.rs")).unwrap().lines() {
        let Some(name) = line.trim_start_matches("pub ").strip_prefix("mod ") else { continue };
        let Some(name) = name.strip_suffix(';') else { continue };
        let source = fs::read_to_string(capi.join(name).with_extension("rs")).unwrap();
        let items = section(root, &capi.join(name).with_extension("rs"), &mut handles);
        if !items.is_empty() {
            sections += &group(&mut contents, name, &title(&source), &items);
        }
    }
    let mut first = String::new();
    header += &group(&mut first, "handles", "Handles", &handles);
    header += &sections;
    contents.insert_str(0, &first);
    header.replace("@CONTENTS@\n", &contents) + foot
}

/// A section of the header, and its line in the contents.
fn group(contents: &mut String, name: &str, title: &str, items: &str) -> String {
    writeln!(contents, " *  - {title}").unwrap();
    let rule = "-".repeat(76);
    let items = items.trim_end();
    format!("/* {rule} */\n/** @defgroup {name} {title}\n * @{{ */\n\n{items}\n/** @}} */\n\n")
}

/// The version of the library, which stands in its manifest and nowhere else.
fn version(root: &Path) -> String {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap();
    line.trim_matches('"').to_owned()
}

/// What one module declares: each type, then its constants; the functions last. Handles go to the
/// list that comes before all sections, for functions of any section may take them.
fn section(root: &Path, module: &Path, handles: &mut String) -> String {
    let source = fs::read_to_string(module).unwrap();
    let mut config = Config::from_file(root.join("cbindgen.toml")).unwrap();
    if source.contains("#[repr(C)]") {
        config.style = Style::Both; // a struct that C can see has a tag
    }
    // Without a function that uses it, a type is emitted only when asked for.
    config.export.include = source.lines().filter_map(exported_type).map(str::to_string).collect();
    let mut c = Vec::new();
    Builder::new().with_config(config).with_src(module).generate().unwrap().write(&mut c);
    let c = String::from_utf8(c).unwrap();
    let c = c.trim().replace("[`", "`").replace("`]", "`");
    let c = c.lines().map(named).collect::<Vec<_>>().join("\n");
    if c.is_empty() {
        return c;
    }

    let type_of = |constant: &str| {
        let start = source.find(&format!("pub const {constant}:"))?;
        source[start..].split([':', '=']).nth(1).map(str::trim)
    };
    let (constants, items): (Vec<_>, Vec<_>) =
        c.split("\n\n").partition(|item| item.lines().any(|line| line.starts_with("#define ")));
    let mut constants: Vec<_> = constants
        .into_iter()
        .map(|item| {
            (type_of(item.split("#define ").nth(1).unwrap().split(' ').next().unwrap()), item)
        })
        .collect();

    let mut section = String::new();
    for item in items {
        let defined = item.split("typedef int32_t ").nth(1).and_then(|name| name.strip_suffix(';'));
        let (own, others) =
            constants.into_iter().partition(|(of, _)| defined.is_some() && *of == defined);
        constants = others;
        if item.lines().last().is_some_and(is_handle) {
            writeln!(handles, "{}", short(item)).unwrap();
            continue;
        }
        let item = exported(item);
        writeln!(section, "{}{}", short(&item), enumeration(defined, own)).unwrap();
    }
    assert!(constants.is_empty(), "{}: constants without a type", module.display());
    section
}

/// Whether a line declares a struct that C cannot see into.
fn is_handle(line: &str) -> bool {
    line.starts_with("typedef struct zarrc_") && line.ends_with(';')
}

/// A function with its attributes for C compilers, and the line about its error. Callers must check
/// each status except that of close, after which there is often nothing left to do.
fn exported(item: &str) -> String {
    let at = item.rfind("\n */\n").map_or(0, |at| at + "\n */\n".len());
    let (comment, code) = item.split_at(at);
    let name = code.split('(').next().unwrap();
    let attributes = match name.split_once(' ') {
        Some(("typedef", _)) => return item.to_owned(),
        Some(("zarrc_status", name)) if !name.ends_with("_close") => "ZARRC_API ZARRC_NODISCARD",
        _ => "ZARRC_API",
    };
    format!("{}{attributes}\n{code}", error_documented(comment, code))
}

/// The comment of a function with the line about `err`, which is the same for all, in the column of
/// the other parameters.
fn error_documented(comment: &str, code: &str) -> String {
    if !code.contains("zarrc_error *err") {
        return comment.to_owned();
    }
    let mut line = " * @param[out] err".to_owned();
    let params = comment.lines().filter_map(|line| line.strip_prefix(" * @param"));
    let column = params.filter_map(|words| {
        let name = words.find(' ')? + 1;
        let text = name + words[name..].find("  ")?;
        Some(" * @param".len() + text + words[text..].find(|c| c != ' ')?)
    });
    let column = column.max().unwrap_or(0).max(line.len() + 2);
    line += &" ".repeat(column - line.len());
    line += "receives the error; may be NULL.\n";
    let at = comment.find(" * @return").unwrap_or(comment.len());
    format!("{}{line}{}", &comment[..at], &comment[at..])
}

/// `name` of `pub type name` and `pub struct name`.
fn exported_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub type ").or_else(|| line.strip_prefix("pub struct "))?;
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    name.starts_with("zarrc_").then_some(name)
}

/// A typedef of one of Rust's own types is an opaque struct to C; every type goes by its typedef.
fn named(line: &str) -> String {
    match line.strip_prefix("typedef ").and_then(|rest| rest.strip_suffix(';')?.split_once(' ')) {
        Some((rust, name)) if rust.starts_with(char::is_uppercase) => {
            format!("typedef struct {name} {name};")
        }
        _ if line.starts_with("typedef ") => line.to_string(),
        _ => line.replace("struct zarrc_", "zarrc_"),
    }
}

/// The first sentence of the module's comment, as a title.
fn title(source: &str) -> String {
    let words: Vec<_> =
        source.lines().map_while(|line| line.strip_prefix("//! ")).map(str::trim).collect();
    let words = words.join(" ");
    words.split(". ").next().unwrap().trim_end_matches('.').to_owned()
}

/// A comment of one line takes one line.
fn short(item: &str) -> String {
    let lines: Vec<_> = item.lines().collect();
    let mut out = String::new();
    let mut n = 0;
    while let Some(line) = lines.get(n) {
        let words = lines.get(n + 1).and_then(|next| next.trim().strip_prefix("* "));
        match (line.trim(), words, lines.get(n + 2).map(|end| end.trim())) {
            ("/**", Some(words), Some("*/")) if words.len() <= 90 => {
                writeln!(out, "{line} {words} */").unwrap();
                n += 3;
            }
            _ => {
                writeln!(out, "{line}").unwrap();
                n += 1;
            }
        }
    }
    out
}

/// The constants of one type, one to a line, with their comments in a column. An enum of its own,
/// for a C compiler chooses the size of one.
fn enumeration(of: Option<&str>, constants: Vec<(Option<&str>, &str)>) -> String {
    let Some(name) = of.filter(|_| !constants.is_empty()) else { return String::new() };
    let rows: Vec<_> = constants
        .iter()
        .map(|(_, item)| {
            let (words, code) = item.rsplit_once("\n */\n").unwrap_or(("", item));
            let code = code.trim().trim_start_matches("#define ").replacen(' ', " = ", 1);
            (words.replace("/**", "").replace("\n *", " "), format!("  {code},"))
        })
        .collect();
    let width = rows.iter().map(|(_, code)| code.len()).max().unwrap_or(0);
    let mut table = format!("/** The constants of ::{name}. */\nenum {name}_constants {{\n");
    for (words, code) in &rows {
        let mut line = format!("{code:width$} /**<");
        for word in words.split_whitespace() {
            if line.len() + word.len() > 96 {
                writeln!(table, "{line}").unwrap();
                line = " ".repeat(width + 5);
            }
            write!(line, " {word}").unwrap();
        }
        let line = if words.is_empty() { code } else { &format!("{line} */") };
        writeln!(table, "{line}").unwrap();
    }
    table + "};\n"
}
