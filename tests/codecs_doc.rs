//! docs/codecs.md has a row for every codec of the table, with all its names.

use zarrc::codec::CODECS;

#[test]
fn every_codec_is_documented_under_all_its_names() {
    let text = include_str!("../docs/codecs.md");
    for codec in CODECS {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{}` |", codec.name)));
        let row = row.unwrap_or_else(|| panic!("docs/codecs.md has no row for {}", codec.name));
        let aliases = row.split('|').nth(2).unwrap_or_default();
        for alias in codec.aliases {
            assert!(aliases.contains(&format!("`{alias}`")), "{}: {alias}", codec.name);
        }
        let named = aliases.matches('`').count() / 2;
        assert_eq!(named, codec.aliases.len(), "{}: an alias that it has not", codec.name);
    }
    let rows = text.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, CODECS.len(), "a row of a codec that there is not");
}
