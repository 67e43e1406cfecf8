//! The manual in include/zarrc.h is complete: every function says what it does, describes each
//! parameter and its result, and names the version that introduced it.

use super::root;
use std::fs;

#[test]
fn every_function_is_documented() {
    let header = fs::read_to_string(root().join("include/zarrc.h")).unwrap();
    let mut functions = 0;
    let mut missing = Vec::new();
    for item in header.split("\n\n") {
        let Some((comment, declaration)) = item.split_once("*/\nZARRC_API") else { continue };
        let declaration = declaration.trim_start_matches(" ZARRC_NODISCARD").trim();
        let (start, parameters) = declaration.split_once('(').unwrap();
        let name = start.rsplit([' ', '*']).next().unwrap();
        functions += 1;
        let mut require = |present: bool, what: &str| {
            if !present {
                missing.push(format!("{name}: {what}"));
            }
        };
        let tags: Vec<_> =
            comment.lines().filter_map(|line| line.trim().strip_prefix("* @")).collect();
        let tagged = |tag: &str| tags.iter().any(|line| line.starts_with(tag));
        let brief = comment.trim_start_matches("/**\n * ").trim_start_matches("/** ");
        require(brief.starts_with(|c: char| c.is_uppercase()), "a brief that starts with a verb");
        for parameter in parameters.split(");").next().unwrap().split(',') {
            let parameter = parameter.rsplit([' ', '*']).next().unwrap().trim();
            let documented = |line: &&str| {
                let mut words = line.split(' ').filter(|word| !word.is_empty());
                words.next().is_some_and(|tag| tag.starts_with("param"))
                    && words.next() == Some(parameter)
                    && words.next().is_some()
            };
            require(
                parameter == "void" || tags.iter().any(documented),
                &format!("@param {parameter}"),
            );
        }
        require(start.starts_with("void ") || tagged("return "), "@return");
        require(tagged("since "), "@since");
    }
    assert!(functions > 100, "found only {functions} functions");
    assert!(missing.is_empty(), "not documented in src/capi/:\n{}", missing.join("\n"));
}

#[test]
fn lines_have_at_most_100_columns() {
    let root = root();
    let mut files = vec![root.join("include/zarrc.h")];
    for folder in ["", "docs"] {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    for path in files {
        for (n, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let long = line.chars().count() > 100 && !line.starts_with('|');
            assert!(!long, "{}:{}: {} columns", path.display(), n + 1, line.chars().count());
        }
    }
}
