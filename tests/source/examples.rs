//! What the examples are to show.

/// Lines of an example that are neither empty nor a comment alone.
fn lines_of(name: &str) -> usize {
    let text = std::fs::read_to_string(super::root().join("examples").join(name)).unwrap();
    let mut in_comment = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let begins = line.starts_with("/*");
        let was = in_comment || begins || line.starts_with("//");
        in_comment = (in_comment || begins) && !line.contains("*/");
        !was && !line.is_empty()
    };
    text.lines().filter(is_code).count()
}

#[test]
fn the_climate_example_is_shorter_than_its_netcdf_twin() {
    let (ours, theirs) = (lines_of("climate.c"), lines_of("climate_netcdf.c"));
    assert!(ours < theirs, "{ours} lines, {theirs} with netCDF-C");
    assert!(ours > 20, "{ours} lines: not what was to be counted");
}
