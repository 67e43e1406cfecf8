use super::*;
use crate::error::Kind;
use crate::format::json::document;
use crate::metadata::{ArrayMetadata, ChunkGrid, Edges, GroupMetadata};
use serde_json::json;

/// An array document as zarr-python 3 writes it, with `changes` to a minimal one.
fn array_text(changes: &[(&str, &str)]) -> Vec<u8> {
    let mut members = vec![
        ("shape", "[4, 9]"),
        ("data_type", "\"float32\""),
        ("chunk_grid", r#"{"name": "regular", "configuration": {"chunk_shape": [2, 3]}}"#),
        ("chunk_key_encoding", r#"{"name": "default", "configuration": {"separator": "/"}}"#),
        ("fill_value", "0.0"),
        ("codecs", r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#),
        ("attributes", "{}"),
        ("zarr_format", "3"),
        ("node_type", "\"array\""),
        ("storage_transformers", "[]"),
    ];
    for &(name, json) in changes {
        members.retain(|(n, _)| *n != name);
        if !json.is_empty() {
            members.push((name, json));
        }
    }
    document(members.into_iter().map(|(n, j)| (n, j.to_owned())))
}

fn parse_text(text: Vec<u8>) -> Result<NodeMetadata> {
    V3.parse(0, &text)
}

fn parse(changes: &[(&str, &str)]) -> Result<ArrayMetadata> {
    match parse_text(array_text(changes))? {
        NodeMetadata::Array(array) => Ok(*array),
        other => panic!("{other:?}"),
    }
}

fn emit(array: &ArrayMetadata) -> Result<String> {
    let documents = V3.emit(&NodePath::root(), &NodeMetadata::Array(Box::new(array.clone())))?;
    assert_eq!(documents[0].0, "zarr.json");
    Ok(String::from_utf8(documents[0].1.clone()).expect("text"))
}

#[test]
fn a_real_document() {
    let array = parse(&[
        ("data_type", "\"int64\""),
        ("fill_value", "-4611686018427387905"),
        ("chunk_key_encoding", "\"v2\""),
        ("codecs", r#"[{"name": "transpose", "configuration": {"order": [1, 0]}}, "bytes", {"name": "crc32c", "must_understand": false}]"#),
        ("dimension_names", "[\"y\", null]"),
        ("attributes", "{\"n\": 12345678901234567890123}"),
        ("later", r#"{"must_understand": false, "x": [1]}"#),
    ])
    .expect("good");
    assert_eq!(array.shape, [4, 9]);
    assert_eq!(array.chunk_grid.largest_shape()[..], [2, 3]);
    assert_eq!(array.fill_value.as_deref(), Some(&(-4611686018427387905i64).to_ne_bytes()[..]));
    assert_eq!(array.chunk_keys, KeyEncoding::V2('.'));
    assert_eq!(array.codecs[0].configuration["order"], json!([1, 0]));
    assert_eq!(array.codecs[1], CodecSpec::new("bytes", serde_json::Map::new()));
    assert_eq!(array.codecs[2], CodecSpec::new("crc32c", serde_json::Map::new()));
    assert_eq!(array.dimension_names, Some(vec![Some("y".into()), None]));
    let attributes = array.attributes.expect("inside");
    assert_eq!(attributes.get("n"), Some("12345678901234567890123"));
}

#[test]
fn groups() {
    for text in [
        r#"{"zarr_format": 3, "node_type": "group"}"#,
        r#"{"attributes": {}, "zarr_format": 3, "consolidated_metadata": null, "node_type": "group"}"#,
        r#"{"zarr_format": 3, "node_type": "group", "x": {"must_understand": false},
            "consolidated_metadata": {"kind": "martian", "must_understand": false}}"#,
    ] {
        let node = parse_text(text.into()).expect(text);
        let group = GroupMetadata { attributes: Some(Attributes::default()) };
        assert_eq!(node, NodeMetadata::Group(group));
    }
    for (text, kind) in [
        (r#"{"zarr_format": 3, "node_type": "group", "attributes": []}"#, Kind::InvalidMetadata),
        (r#"{"zarr_format": 3, "node_type": "group", "shape": [1]}"#, Kind::Unsupported),
        (
            r#"{"zarr_format": 3, "node_type": "group", "consolidated_metadata": 1}"#,
            Kind::InvalidMetadata,
        ),
        (
            r#"{"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"kind": "martian"}}"#,
            Kind::Unsupported,
        ),
        (r#"{"zarr_format": 3, "node_type": "banana"}"#, Kind::InvalidMetadata),
        (r#"{"zarr_format": 3}"#, Kind::InvalidMetadata),
        (r#"{"node_type": "group"}"#, Kind::InvalidMetadata),
        (r#"{"zarr_format": 4, "node_type": "group"}"#, Kind::Unsupported),
        (r#"{"zarr_format": 3.0, "node_type": "group"}"#, Kind::InvalidMetadata),
        (r#"{"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0"}"#, Kind::Unsupported),
        ("", Kind::InvalidMetadata),
        ("3", Kind::InvalidMetadata),
    ] {
        assert_eq!(parse_text(text.into()).expect_err(text).kind(), kind, "{text}");
    }
}

#[test]
fn lenient_where_writers_are() {
    // zarrita's defaults
    let array = parse(&[("codecs", "[]"), ("fill_value", "null")]).expect("zarrita");
    assert_eq!(array.codecs[0].configuration["endian"], "little");
    assert_eq!(array.fill_value, None);
    // zarr-python 3.1: no byte order, and the fill value as stored
    let array = parse(&[
        ("data_type", r#"{"name": "structured", "configuration": {"fields": [["a", "int32"]]}}"#),
        ("codecs", r#"[{"name": "bytes"}]"#),
        ("fill_value", "\"BwAAAA==\""),
    ])
    .expect("structured");
    assert_eq!(array.codecs[0].configuration["endian"], "little");
    assert_eq!(array.fill_value.as_deref(), Some(&7i32.to_ne_bytes()[..]));
    let array = parse(&[
        ("data_type", r#"{"name": "structured", "configuration": {"fields": [["a", "int32"]]}}"#),
        ("codecs", r#"[{"name": "bytes", "configuration": {"endian": "big"}}]"#),
        ("fill_value", "\"AAAABw==\""),
    ])
    .expect("structured");
    assert_eq!(array.fill_value.as_deref(), Some(&7i32.to_ne_bytes()[..]));
    let array = parse(&[
        ("data_type", r#"{"name": "structured", "configuration": {"fields": [["a", "int32"]]}}"#),
        (
            "codecs",
            r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1],
            "codecs": ["bytes"], "index_codecs": ["bytes"]}}]"#,
        ),
        ("fill_value", "\"BwAAAA==\""),
    ])
    .expect("structured in shards");
    let inner = &array.codecs[0].configuration["codecs"];
    assert_eq!(inner, &json!([{"name": "bytes", "configuration": {"endian": "little"}}]));
    assert_eq!(array.codecs[0].configuration["index_codecs"], json!(["bytes"]));
    let array = parse(&[
        ("data_type", r#"{"name": "structured", "configuration": {"fields": [["a", "int32"]]}}"#),
        (
            "codecs",
            r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1],
            "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}]}}]"#,
        ),
        ("fill_value", "\"AAAABw==\""),
    ])
    .expect("structured in shards");
    assert_eq!(array.fill_value.as_deref(), Some(&7i32.to_ne_bytes()[..]));
    for changes in [
        &[("data_type", r#"{"name": "float32"}"#)][..],
        &[("chunk_key_encoding", r#"{"name": "default"}"#)],
        &[("data_type", r#"{"name": "float32", "configuration": null, "must_understand": false}"#)],
        &[("chunk_key_encoding", r#"{"name": "v2", "configuration": null}"#)],
        &[("chunk_key_encoding", "\"default\"")],
        &[("codecs", r#"[{"name": "endian", "configuration": {"endian": "big"}}]"#)],
        &[("_nczarr_array", r#"{"dimension_references": ["/x"]}"#), ("_NCZARR_ATTR", "1")],
        &[("_CRS", r#"{"wkt": "…"}"#)],
        &[("dimension_names", "null")],
        &[("storage_transformers", "")],
        &[("attributes", "")],
        &[("fill_value", "NaN")],
        &[("fill_value", "1")],
    ] {
        assert!(parse(changes).is_ok(), "{changes:?}");
    }
}

fn rectilinear(chunk_shapes: &str) -> String {
    format!(
        r#"{{"name": "rectilinear", "configuration": {{"kind": "inline", "chunk_shapes": {chunk_shapes}}}}}"#
    )
}

#[test]
fn rectilinear_grids_are_read_written_and_resized() {
    let listed = |pairs: &[(u64, u64)]| Edges::listed(pairs.iter().copied()).expect("good");
    let grid = |document: &[u8]| match V3.parse(0, document) {
        Ok(NodeMetadata::Array(array)) => array.chunk_grid,
        other => panic!("{other:?}"),
    };
    for (text, written, edges) in [
        (
            "[4, [3, [1, 6], 7]]",
            "[4, [3, [1, 6], 7]]",
            vec![Edges::Every(4), listed(&[(3, 1), (1, 6), (7, 1)])],
        ),
        ("[[[5, 2]], [9]]", "[[[5, 2]], [9]]", vec![listed(&[(5, 2)]), listed(&[(9, 1)])]),
        ("[[5, 5], [9, 9, 9]]", "[[[5, 2]], [[9, 3]]]", vec![listed(&[(5, 2)]), listed(&[(9, 3)])]),
    ] {
        let document = array_text(&[("shape", "[7, 9]"), ("chunk_grid", &rectilinear(text))]);
        let read = grid(&document);
        assert_eq!(read, ChunkGrid::Rectilinear(edges));
        assert_eq!(grid::to_json(&read).expect("can be said"), rectilinear(written));
    }
    // growing appends a chunk after the listed ones, and shrinking keeps it
    let mut document =
        array_text(&[("shape", "[7, 9]"), ("chunk_grid", &rectilinear("[4, [3, 6]]"))]);
    for (shape, expected) in [
        ([80, 9], "[4, [3, 6]]"),
        ([80, 12], "[4, [3, 6, 3]]"),
        ([80, 15], "[4, [3, 6, 3, 3]]"),
        ([1, 1], "[4, [3, 6, 3, 3]]"),
        ([1, 16], "[4, [3, 6, 3, 3, 1]]"),
    ] {
        let change = Change::Shape(&shape);
        let mut old = |_: &str| Ok(Some(document.clone()));
        document = V3.change(&NodePath::root(), NodeKind::Array, change, &mut old).expect("fits").1;
        let text = String::from_utf8(document.clone()).expect("text");
        assert_eq!(
            grid(&document),
            grid(&array_text(&[("shape", "[0, 0]"), ("chunk_grid", &rectilinear(expected))])),
            "{text}"
        );
    }
}

#[test]
fn what_breaks_the_specification() {
    for changes in [
        &[("shape", "")][..],
        &[("shape", "[1e400, 9]")],
        &[("shape", "[-1, 9]")],
        &[("shape", "[18446744073709551616, 9]")],
        &[("data_type", "")],
        &[("data_type", "\"r7\"")],
        &[("data_type", "\"<f4\"")],
        &[("chunk_grid", "")],
        &[("chunk_grid", "\"regular\"")],
        &[("chunk_grid", r#"{"name": "regular", "configuration": {"chunk_shape": [2, 0]}}"#)],
        &[("chunk_grid", r#"{"name": "regular", "configuration": {"chunk_shape": [2]}}"#)],
        &[(
            "chunk_grid",
            r#"{"name": "regular", "configuration": {"chunk_shape": [2, 3], "x": 1}}"#,
        )],
        &[("chunk_grid", r#"{"configuration": {"chunk_shape": [2, 3]}}"#)],
        &[("chunk_grid", r#"{"name": "rectilinear", "configuration": {}}"#)],
        &[("chunk_grid", &rectilinear("[[8], [[1, 8]]]"))],
        &[("chunk_grid", &rectilinear("[[8, 2], 0]"))],
        &[("chunk_grid", &rectilinear("[[8, 2], [9, 0]]"))],
        &[("chunk_grid", &rectilinear("[[8, 2], [[3, 0], 9]]"))],
        &[("chunk_grid", &rectilinear("[[8, 2], [[3, 3, 3], 9]]"))],
        &[("chunk_grid", &rectilinear("[[8, 2], \"9\"]"))],
        &[("chunk_grid", &rectilinear("[[8, 2], [18446744073709551615, 9]]"))],
        &[("chunk_grid", &rectilinear("[[8, 2]]"))],
        &[("chunk_key_encoding", "")],
        &[("chunk_key_encoding", r#"{"name": "default", "configuration": {"separator": "x"}}"#)],
        &[("chunk_key_encoding", r#"{"name": "default", "configuration": {"prefix": "x"}}"#)],
        &[("fill_value", "")],
        &[("fill_value", "\"zero\"")],
        &[("fill_value", "\"0x7fc0\"")],
        &[("codecs", "{}")],
        &[("codecs", "[7]")],
        &[("codecs", "[{}]")],
        &[("codecs", r#"[{"name": "bytes", "configuration": []}]"#)],
        &[("codecs", r#"[{"name": "bytes", "extra": 1}]"#)],
        &[("codecs", r#"[{"name": "bytes", "must_understand": "no"}]"#)],
        &[("dimension_names", "[\"y\"]")],
        &[("dimension_names", "[5, 5]")],
        &[("attributes", "[]")],
        &[("storage_transformers", "{}")],
    ] {
        let e = parse(changes).expect_err("bad");
        assert_eq!(e.kind(), Kind::InvalidMetadata, "{changes:?}: {e}");
        let name = changes[0].0;
        let typed = matches!(name, "data_type" | "codecs");
        assert!(typed || e.to_string().contains(name), "{e}");
    }
    for changes in [
        &[("chunk_grid", "\"hexagonal\"")][..],
        &[(
            "chunk_grid",
            r#"{"name": "rectilinear", "configuration": {"kind": "far", "chunk_shapes": []}}"#,
        )],
        &[("chunk_key_encoding", "\"zorder\"")],
        &[("storage_transformers", "[\"zap\"]")],
        &[("data_type", "\"int7\"")],
        &[("mystery", "7")],
        &[("mystery", "{}")],
        &[("mystery", "{\"must_understand\": true}")],
    ] {
        assert_eq!(parse(changes).expect_err("unknown").kind(), Kind::Unsupported, "{changes:?}");
    }
    let twice = String::from_utf8(array_text(&[])).expect("text");
    let twice = twice.replacen('{', "{\"data_type\": \"int8\",", 1);
    assert_eq!(parse_text(twice.into()).expect_err("twice").kind(), Kind::InvalidMetadata);
}

#[test]
fn hostile_nesting_is_skipped_or_refused() {
    let deep = "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000);
    let array = parse(&[("attributes", &deep)]).expect("kept as text");
    assert_eq!(array.attributes.expect("inside").iter().count(), 1);
    for member in ["shape", "data_type", "chunk_grid", "codecs", "fill_value", "later"] {
        assert!(parse(&[(member, &deep)]).is_err(), "{member}");
    }
    let open = r#"{"name":"sharding_indexed","configuration":{"chunk_shape":[1,1],"index_codecs":["bytes"],"codecs":["#;
    let codecs = format!("[{}\"bytes\"{}]", open.repeat(2000), "]}}".repeat(2000));
    let e = parse(&[("codecs", &codecs)]).expect_err("deep");
    assert_eq!(e.kind(), Kind::LimitExceeded, "{e}");
    let codecs = format!("[{}\"bytes\"{}]", open.repeat(8), "]}}".repeat(8));
    assert!(parse(&[("codecs", &codecs)]).is_ok());
}

#[test]
fn an_array_as_we_write_it() {
    let mut array = parse(&[
        ("data_type", "\"float32\""),
        ("fill_value", "\"0x7fc00001\""),
        ("codecs", r#"["bytes", "zstd"]"#),
        ("dimension_names", "[\"y\", null]"),
        ("attributes", r#"{"a": 1.10}"#),
    ])
    .expect("good");
    assert_eq!(
        emit(&array).expect("good"),
        r#"{
  "zarr_format": 3,
  "node_type": "array",
  "shape": [4, 9],
  "data_type": "float32",
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
  "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
  "fill_value": "0x7fc00001",
  "codecs": [{"name":"bytes","configuration":{"endian":"little"}}, {"name":"zstd","configuration":{"level":3,"checksum":false}}],
  "dimension_names": ["y", null],
  "attributes": {"a":1.10}
}
"#
    );
    array.fill_value = None;
    assert_eq!(emit(&array).expect_err("v3 has no null").kind(), Kind::Unsupported);
    array.fill_value = Some([0; 4].into());
    let mut attributes = Attributes::default();
    attributes.set("_FillValue", "1e20").expect("JSON");
    array.attributes = Some(attributes);
    let text = emit(&array).expect("good");
    assert!(text.contains("\"_FillValue\":\"AAAAgB2vFUQ=\""), "{text}");
    // a change to other attributes keeps the spelling of the missing value
    let numeric = text.replace("\"AAAAgB2vFUQ=\"", "1e20");
    let change = |missing: &str| {
        let mut attributes = Attributes::default();
        attributes.set("_FillValue", missing).expect("JSON");
        attributes.set("units", "\"K\"").expect("JSON");
        let mut old = |_: &str| Ok(Some(numeric.clone().into_bytes()));
        let change = Change::Attributes(&attributes);
        let (_, text) =
            V3.change(&NodePath::root(), NodeKind::Array, change, &mut old).expect("good");
        V3.attributes_of(&text).expect("good").get("_FillValue").map(str::to_owned)
    };
    assert_eq!(change("1e20").as_deref(), Some("1e20"));
    assert_eq!(change("\"NaN\"").as_deref(), Some("\"AAAAAAAA+H8=\""));
    let group = NodeMetadata::Group(GroupMetadata::default());
    let documents = V3.emit(&NodePath::parse("g").expect("good"), &group).expect("good");
    let text = b"{\n  \"zarr_format\": 3,\n  \"node_type\": \"group\"\n}\n".to_vec();
    assert_eq!(documents, [("g/zarr.json".to_owned(), text)]);
}

#[test]
fn written_and_read_again() {
    let nested = r#"{"name": "struct", "configuration": {"fields": [
        {"name": "p", "data_type": {"name": "struct", "configuration": {"fields": [
            {"name": "x", "data_type": "float32"}]}}},
        {"name": "s", "data_type": {"name": "null_terminated_bytes", "configuration": {"length_bytes": 3}}}]}}"#;
    for changes in [
        &[][..],
        &[("data_type", nested), ("fill_value", r#"{"p": {"x": "NaN"}, "s": "YWI="}"#)],
        &[("data_type", "\"r24\""), ("fill_value", "[1, 2, 3]"), ("codecs", "[\"bytes\"]")],
        &[("data_type", "\"uint64\""), ("fill_value", "18446744073709551615")],
        &[("data_type", "\"complex128\""), ("fill_value", "[\"-Infinity\", 0.1]")],
        &[
            ("shape", "[]"),
            ("chunk_grid", r#"{"name": "regular", "configuration": {"chunk_shape": []}}"#),
        ],
        &[("chunk_key_encoding", r#"{"name": "v2", "configuration": {"separator": "/"}}"#)],
        &[(
            "codecs",
            r#"[{"name": "numcodecs.delta", "configuration": {"dtype": "<f4"}}, {"name": "bytes", "configuration": {"endian": "big"}}, {"name": "gzip", "configuration": {"level": 1}}]"#,
        )],
        &[("attributes", r#"{"a": [1.0, {"b": null}]}"#), ("dimension_names", "[null, null]")],
    ] {
        let array = parse(changes).expect("good");
        let text = emit(&array).expect("sayable");
        let again = parse_text(text.clone().into_bytes()).expect("own document");
        assert_eq!(again, NodeMetadata::Array(Box::new(array)), "{text}");
    }
}

#[test]
fn changes_leave_the_rest_alone() {
    let old =
        r#"{"zarr_format":3, "x": {"must_understand":false}, "shape":[1], "fill_value":1.50}"#;
    let mut get = |_: &str| Ok(Some(old.as_bytes().to_vec()));
    let path = NodePath::parse("a").expect("good");
    let (key, new) =
        V3.change(&path, NodeKind::Array, Change::Shape(&[9]), &mut get).expect("good");
    assert_eq!(key, "a/zarr.json");
    assert_eq!(String::from_utf8(new).expect("text"), old.replace("[1]", "[9]"));
    let attributes = Attributes::parse(b"{\"big\": 1.10}").expect("good");
    let (_, new) =
        V3.change(&path, NodeKind::Array, Change::Attributes(&attributes), &mut get).expect("good");
    let expected = old.replace("1.50}", "1.50,\"attributes\": {\"big\":1.10}}");
    assert_eq!(String::from_utf8(new).expect("text"), expected);
    let e = V3.change(&path, NodeKind::Array, Change::Shape(&[1, 2]), &mut get);
    assert_eq!(e.expect_err("rank").kind(), Kind::Conflict);
}

#[test]
fn consolidated_metadata() {
    let path = NodePath::parse("g").expect("good");
    let parse = |text: &str| V3.parse_consolidated(&path, text.as_bytes());
    let none = r#"{"zarr_format": 3, "node_type": "group"}"#;
    assert_eq!(parse(none).expect("good"), None);
    assert_eq!(parse(r#"{"consolidated_metadata": null}"#).expect("good"), None);
    let text = r#"{"consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {
        "a": {"n": 1.10},
        "b": {"consolidated_metadata": {"kind": "inline", "metadata": {"c/d": {"x": 2}}}}}}}"#;
    let found = parse(text).expect("good").expect("some");
    let mut keys: Vec<&str> = found.iter().map(|d| &d.0[..]).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["g/a/zarr.json", "g/b/c/d/zarr.json", "g/b/zarr.json"]);
    assert!(found.contains(&("g/a/zarr.json".into(), b"{\"n\": 1.10}".to_vec())));
    for (bad, kind) in [
        (
            r#"{"consolidated_metadata": {"kind": "inline", "metadata": {"../x": {}}}}"#,
            Kind::InvalidMetadata,
        ),
        (r#"{"consolidated_metadata": {"kind": "inline"}}"#, Kind::InvalidMetadata),
        (r#"{"consolidated_metadata": {"metadata": {}}}"#, Kind::InvalidMetadata),
        (r#"{"consolidated_metadata": {"kind": "martian", "metadata": {}}}"#, Kind::Unsupported),
    ] {
        assert_eq!(parse(bad).expect_err(bad).kind(), kind);
    }
    let inner = r#"{"consolidated_metadata":{"kind":"inline","metadata":{"a":"#;
    let deep = format!("{}{{}}{}", inner.repeat(500), "}}}".repeat(500));
    assert_eq!(parse(&deep).expect_err("deep").kind(), Kind::InvalidMetadata);

    let documents = [
        ("g/zarr.json".to_owned(), none.as_bytes().to_vec()),
        ("g/a/zarr.json".to_owned(), br#"{"n": 1.10}"#.to_vec()),
    ];
    let text = V3.emit_consolidated(&path, &documents, Some(none.as_bytes())).expect("good");
    assert!(matches!(parse_text(text.clone()), Ok(NodeMetadata::Group(_))));
    let read = V3.parse_consolidated(&path, &text).expect("own document").expect("some");
    assert_eq!(read, [("g/a/zarr.json".to_owned(), br#"{"n":1.10}"#.to_vec())]);
    assert!(V3.emit_consolidated(&path, &documents, None).is_err());
}

#[test]
fn new_paths() {
    for good in ["", "a/b", "_a", ".zarray", "c", "a.b", "été"] {
        assert!(V3.check_new_path(&NodePath::parse(good).expect("good")).is_ok(), "{good}");
    }
    for bad in ["__a", "a/__zarr/b", "...", "a/zarr.json"] {
        let e = V3.check_new_path(&NodePath::parse(bad).expect("good")).expect_err(bad);
        assert_eq!(e.kind(), Kind::InvalidArgument);
    }
}
