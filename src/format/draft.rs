//! What the drafts of Zarr v3 share.

use super::json::Object;

/// The `zarr_format` of a document where it is a string, as at the root of a draft's store. Every
/// store of v3 is opened by asking this, so a glance has to do where it can: what a broken
/// document says is for its parser.
pub(super) fn version_uri(document: &[u8]) -> Option<String> {
    const MEMBER: &str = "\"zarr_format\"";
    let text = std::str::from_utf8(document).ok()?;
    let after = text[text.find(MEMBER)? + MEMBER.len()..].trim_start();
    if !after.strip_prefix(':')?.trim_start().starts_with('"') {
        return None;
    }
    Object::parse(text).ok()?.read("zarr_format").ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_string_is_an_uri() {
        let uri = |text: &str| version_uri(text.as_bytes());
        assert_eq!(uri(r#"{"a": 1, "zarr_format" : "x/core/3.0"}"#).as_deref(), Some("x/core/3.0"));
        for other in [
            r#"{"zarr_format": 3}"#,
            r#"{"attributes": {"zarr_format": "x"}, "zarr_format": 3}"#,
            r#"{"zarr_format": "x""#,
            r#"{"zarr_format""#,
            "{}",
            "",
        ] {
            assert_eq!(uri(other), None, "{other}");
        }
    }
}
