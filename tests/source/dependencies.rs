//! Each dependency of the default build has its line in ARCHITECTURE.md, and nothing else has one.

use std::collections::BTreeSet;

#[test]
fn each_dependency_of_the_default_build_is_explained() {
    let read = |name: &str| std::fs::read_to_string(super::root().join(name)).expect(name);
    let manifest = read("Cargo.toml");
    let section = |name: &str| {
        let rest = manifest.split(&format!("\n[{name}]\n")).nth(1).expect("a section");
        rest.split("\n[").next().unwrap_or_default().lines().collect::<Vec<_>>()
    };
    let feature = |name: &str| {
        let line = section("features").into_iter().find(|l| l.starts_with(&format!("{name} = ")));
        line.expect(name).split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let (mut open, mut optional) = (vec!["default".to_owned()], BTreeSet::new());
    while let Some(name) = open.pop() {
        if let Some(dependency) = name.strip_prefix("dep:") {
            optional.insert(dependency.to_owned());
        } else if !name.contains('/') {
            open.extend(feature(&name));
        }
    }
    let of_systems =
        ["unix", "windows"].map(|system| section(&format!("target.'cfg({system})'.dependencies")));
    let expected: BTreeSet<String> = section("dependencies")
        .into_iter()
        .chain(of_systems.into_iter().flatten())
        .filter_map(|line| line.split_once(" = "))
        .filter(|(name, value)| !value.contains("optional = true") || optional.contains(*name))
        .map(|(name, _)| name.to_owned())
        .collect();

    let page = read("ARCHITECTURE.md");
    let table = page.split("## Dependencies").nth(1).and_then(|rest| rest.split("\n## ").next());
    let explained: BTreeSet<String> = table
        .expect("a section")
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .filter(|names| *names != "crate")
        .flat_map(|names| names.split(", ").map(str::to_owned))
        .collect();
    assert_eq!(explained, expected);
}
