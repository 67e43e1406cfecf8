//! What programs that were compiled against an earlier header rely on: tests/source/zarrc.abi
//! lists every function with its types, every struct with its members in order, and every
//! constant. A line that is gone or changed breaks them, unless it is a struct that tells its
//! size and has more members at its end. `make header` adds new lines; lines are removed by
//! hand, with a new major version.

use super::{header, root};
use std::collections::BTreeSet;
use std::{env, fs};

#[test]
fn old_programs_keep_working() {
    let path = root().join("tests/source/zarrc.abi");
    let present = declarations(&header::generate(root()));
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let mut listed: BTreeSet<String> = committed.lines().map(str::to_owned).collect();
    assert!(present.len() > 300, "{} declarations", present.len());
    let broken: Vec<_> = listed.difference(&present).filter(|old| !grew(old, &present)).collect();
    assert!(
        broken.is_empty(),
        "these lines of tests/source/zarrc.abi changed or are gone: {broken:#?}"
    );
    if env::var("ZARRC_HEADER").as_deref() == Ok("write") {
        let text: String = present.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&path, text).unwrap();
        listed.clone_from(&present);
    }
    let new: Vec<_> = present.difference(&listed).collect();
    assert!(new.is_empty(), "tests/source/zarrc.abi lacks {new:#?}: run make header");
}

/// Whether a struct that begins with its size has the old members and more.
fn grew(old: &str, present: &BTreeSet<String>) -> bool {
    old.split_once(" { size_t size;").is_some()
        && old.rsplit_once('}').is_some_and(|(members, name)| {
            present.iter().any(|new| new.starts_with(members) && new.ends_with(name))
        })
}

#[test]
fn only_structs_that_tell_their_size_grow() {
    let present = BTreeSet::from([
        "typedef struct a { size_t size; int x; int y; } a".to_owned(),
        "typedef struct b { int x; int y; } b".to_owned(),
    ]);
    assert!(grew("typedef struct a { size_t size; int x; } a", &present));
    assert!(!grew("typedef struct a { size_t size; int y; } a", &present));
    assert!(!grew("typedef struct b { int x; } b", &present));
}

/// One line for each declaration of a header, without comments and names of parameters.
fn declarations(header: &str) -> BTreeSet<String> {
    let mut text = String::new();
    let mut rest = header;
    while let Some((before, after)) = rest.split_once("/*") {
        text += before;
        rest = after.split_once("*/").unwrap().1;
    }
    text += rest;
    let mut lines = BTreeSet::new();
    // neither preprocessor lines nor the brace around all for C++
    let is_code = |line: &&str| !line.starts_with('#') && !line.starts_with("extern \"C\"");
    let code = text.lines().filter(is_code).collect::<Vec<_>>().join(" ");
    let mut statement = String::new();
    let mut depth = 0;
    for c in code.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if c == ';' && depth == 0 {
            add(&statement, &mut lines);
            statement.clear();
        } else {
            statement.push(c);
        }
    }
    lines
}

fn add(statement: &str, lines: &mut BTreeSet<String>) {
    let spaced: String = statement
        .chars()
        .flat_map(|c| if "(){},*".contains(c) { vec![' ', c, ' '] } else { vec![c] })
        .collect();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_start_matches("ZARRC_API ").trim_start_matches("ZARRC_NODISCARD ");
    if let Some((head, body)) = line.split_once('{').filter(|(head, _)| head.contains("enum")) {
        // each constant by itself: more may follow
        let (body, name) = body.rsplit_once('}').unwrap();
        let mut next = 0i64;
        for constant in body.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let (constant, value) = match constant.split_once('=') {
                Some((constant, value)) => (constant.trim(), value.trim().parse().unwrap()),
                None => (constant, next),
            };
            next = value + 1;
            lines.insert(format!("{constant} = {value}"));
        }
        lines.insert(format!("{} {}", head.trim(), name.trim()));
    } else if let Some((name, parameters)) = line.split_once(" ( ").filter(|_| !line.contains('{'))
    {
        let types = parameters.trim_end_matches(')').split(',').map(|parameter| {
            let (types, name) = parameter.trim().rsplit_once(' ').unwrap_or((parameter.trim(), ""));
            // the name of a parameter is no part of it
            if name == "*" { format!("{types} {name}") } else { types.to_owned() }
        });
        lines.insert(format!("{name} ({})", types.collect::<Vec<_>>().join(", ")));
    } else if line.contains("zarrc") {
        lines.insert(line.to_owned());
    }
}
