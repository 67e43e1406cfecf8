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
