//! No test is left out: every file of the integration tests is a module of their program.

use super::root;
use std::fs;

#[test]
fn every_file_of_tests_is_a_module() {
    for (folder, parent) in
        [("", "main.rs"), ("store_suite", "store_suite/mod.rs"), ("network", "network/mod.rs")]
    {
        let tests = root().join("tests");
        let modules = fs::read_to_string(tests.join(parent)).unwrap();
        for entry in fs::read_dir(tests.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let Some(module) = name.strip_suffix(".rs") else { continue };
            let known = ["main", "mod"].contains(&module)
                || modules.lines().any(|line| {
                    line.strip_prefix("pub ").unwrap_or(line) == format!("mod {module};")
                });
            assert!(known, "tests/{folder}/{name} is no module of tests/{parent}");
        }
    }
}
