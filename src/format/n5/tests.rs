use super::*;
use crate::error::Kind;

fn text(changes: &[(&str, &str)]) -> Vec<u8> {
    let mut members = vec![
        ("dimensions", "[10, 7]"),
        ("blockSize", "[4, 3]"),
        ("dataType", "\"int16\""),
        ("compression", "{\"type\": \"raw\"}"),
    ];
    for &(name, json) in changes {
        members.retain(|(n, _)| *n != name);
        if !json.is_empty() {
            members.push((name, json));
        }
    }
    document(members.into_iter().map(|(n, j)| (n, j.to_owned())))
}

fn parse(changes: &[(&str, &str)]) -> Result<NodeMetadata> {
    N5.parse(0, &text(changes))
}

fn array(changes: &[(&str, &str)]) -> ArrayMetadata {
    match parse(changes) {
        Ok(NodeMetadata::Array(array)) => *array,
        other => panic!("{other:?}"),
    }
}

fn emit(array: &ArrayMetadata) -> Result<Vec<u8>> {
    let path = NodePath::parse("a").expect("a path");
    let mut documents = N5.emit(&path, &NodeMetadata::Array(Box::new(array.clone())))?;
    assert_eq!(documents.len(), 1);
    let (key, text) = documents.remove(0);
    assert_eq!(key, "a/attributes.json");
    Ok(text)
}

fn change(old: Option<&[u8]>, kind: NodeKind, change: Change<'_>) -> Result<String> {
    let root = NodePath::root();
    let (_, new) = N5.change(&root, kind, change, &mut |_| Ok(old.map(<[u8]>::to_vec)))?;
    Ok(String::from_utf8(new).expect("text"))
}

#[test]
fn axes_are_the_other_way_round() {
    let array = array(&[("units", "\"K\""), ("axes", "[\"x\", \"\"]"), ("n5", "\"2.5.1\"")]);
    assert_eq!(array.shape, [7, 10]);
    assert_eq!(array.chunk_grid, ChunkGrid::Bounded(vec![3, 4]));
    assert_eq!(array.chunk_keys, KeyEncoding::Reversed);
    assert_eq!(array.fill_value.as_deref(), Some(&[0, 0][..]));
    assert_eq!(array.dimension_names, Some(vec![None, Some("x".into())]));
    let attributes = array.attributes.expect("inside");
    assert_eq!(attributes.to_json(), r#"{"units":"K","axes":["x", ""]}"#);
}

#[test]
fn every_compression_is_read_and_written_again() {
    for (compression, name, parameters) in [
        (json!({"type": "raw"}), "", json!({})),
        (json!({"type": "gzip", "level": -1, "useZlib": false}), "gzip", json!({"level": -1})),
        (json!({"type": "gzip", "level": 3, "useZlib": true}), "zlib", json!({"level": 3})),
        (json!({"type": "bzip2", "blockSize": 8}), "bz2", json!({"level": 8})),
        (
            json!({"type": "xz", "preset": 2}),
            "lzma",
            json!({"format": 1, "check": -1, "preset": 2, "filters": null}),
        ),
        (
            json!({"type": "lzma", "format": 2, "check": -1, "preset": 1, "filters": null}),
            "lzma",
            json!({"format": 2, "check": -1, "preset": 1, "filters": null}),
        ),
        (json!({"type": "zstd", "level": 1}), "zstd", json!({"level": 1, "checksum": false})),
        (
            json!({"type": "zstd", "level": 1, "checksum": true}),
            "zstd",
            json!({"level": 1, "checksum": true}),
        ),
        (
            json!({"type": "blosc", "cname": "zstd", "clevel": 1, "shuffle": 2, "blocksize": 0}),
            "blosc",
            json!({"cname": "zstd", "clevel": 1, "shuffle": 2, "blocksize": 0}),
        ),
        (json!({"type": "lz4", "blockSize": 1024}), "lz4_java", json!({"blockSize": 1024})),
        (json!({"type": "lz4", "acceleration": 2, "id": "lz4"}), "lz4", json!({"acceleration": 2})),
    ] {
        let array = array(&[("compression", &compression.to_string())]);
        let inner = array.codecs[1].configuration["codecs"].as_array().expect("a list");
        assert_eq!(array.codecs[0].configuration["order"], json!([1, 0]));
        match inner.get(2) {
            None => assert_eq!(name, ""),
            Some(codec) => {
                assert_eq!(codec, &json!({"name": name, "configuration": parameters}));
            }
        }
        let written: Value =
            serde_json::from_slice(&emit(&array).expect("can be said")).expect("JSON");
        assert_eq!(written["compression"], compression);
        let again = N5.parse(0, &emit(&array).expect("can be said"));
        assert_eq!(again.expect("good"), NodeMetadata::Array(Box::new(array)));
    }
    // omitted parameters, and alternative names
    for (changes, name, parameters) in [
        (("compression", "{\"type\": \"gzip\"}"), "gzip", json!({"level": -1})),
        (("compression", "{\"type\": \"bzip2\"}"), "bz2", json!({"level": 9})),
        (("compression", "{\"type\": \"lz4\"}"), "lz4_java", json!({"blockSize": 65536})),
        (("compressionType", "\"gzip\""), "gzip", json!({"level": -1})),
    ] {
        let array = array(&[("compression", ""), changes]);
        let codec = &array.codecs[1].configuration["codecs"][2];
        assert_eq!(codec, &json!({"name": name, "configuration": parameters}));
    }
}

#[test]
fn what_breaks_the_specification() {
    for (changes, kind) in [
        (&[("dimensions", "[-4, 7]")][..], Kind::InvalidMetadata),
        (&[("dimensions", "[4]")], Kind::InvalidMetadata),
        (&[("blockSize", "[0, 3]")], Kind::InvalidMetadata),
        (&[("blockSize", "")], Kind::InvalidMetadata),
        (&[("dataType", "")], Kind::InvalidMetadata),
        (&[("dataType", "7")], Kind::InvalidMetadata),
        (&[("dataType", "\"object\"")], Kind::Unsupported),
        (&[("compression", "")], Kind::InvalidMetadata),
        (&[("compression", "\"gzip\"")], Kind::InvalidMetadata),
        (&[("compression", "{\"level\": 1}")], Kind::InvalidMetadata),
        (&[("n5", "2")], Kind::InvalidMetadata),
        (&[("n5", "\"new\"")], Kind::InvalidMetadata),
        (&[("n5", "\"5.0.0\"")], Kind::Unsupported),
    ] {
        let e = parse(changes).expect_err("refused");
        assert_eq!(e.kind(), kind, "{changes:?}: {e}");
        assert!(e.to_string().contains(changes[0].0) || changes[0].0 == "dimensions", "{e}");
    }
    assert!(N5.parse(0, b"[1]").is_err());
    let group = parse(&[("dimensions", ""), ("x", "1")]).expect("a group");
    assert!(matches!(group, NodeMetadata::Group(_)));
}

#[test]
fn what_n5_cannot_say_is_refused() {
    let good = array(&[]);
    let with = |change: &dyn Fn(&mut ArrayMetadata)| {
        let mut array = good.clone();
        change(&mut array);
        emit(&array).expect_err("refused").kind()
    };
    assert_eq!(with(&|a| a.data_type = DataType::Bool), Kind::Unsupported);
    assert_eq!(with(&|a| a.fill_value = Some([1, 0].into())), Kind::Unsupported);
    assert_eq!(with(&|a| a.chunk_keys = N5.chunk_keys(Some('.'))), Kind::Unsupported);
    assert_eq!(with(&|a| a.codecs = vec![spec("bytes", json!({})); 3]), Kind::Unsupported);
    assert_eq!(
        with(&|a| a.codecs[0] = spec("transpose", json!({"order": [0, 1]}))),
        Kind::Unsupported
    );
    let crc = spec("crc32c", json!({}));
    assert_eq!(
        with(&|a| a.codecs = vec![spec("bytes", json!({})), crc.clone()]),
        Kind::Unsupported
    );
    let mut named = Attributes::default();
    named.set("blockSize", "1").expect("JSON");
    assert_eq!(with(&|a| a.attributes = Some(named.clone())), Kind::InvalidArgument);
    let e = change(Some(b"{}"), NodeKind::Group, Change::Attributes(&named));
    assert_eq!(e.expect_err("refused").kind(), Kind::InvalidArgument);
    // a new array, described as for any other format
    let mut new = good.clone();
    new.codecs = vec![spec("bytes", json!({"endian": "little"})), spec("gzip", json!({}))];
    new.chunk_grid = ChunkGrid::Regular(vec![3, 4]);
    let written: Value = serde_json::from_slice(&emit(&new).expect("can be said")).expect("JSON");
    assert_eq!(written["compression"], json!({"type": "gzip", "level": 5, "useZlib": false}));
    assert_eq!(written["blockSize"], json!([4, 3]));
}

#[test]
fn changes_leave_the_rest_alone() {
    let old = br#"{"a": 1, "dimensions": [10,7], "n5": "2.0.0", "blockSize": [4, 3], "b": 1.50, "dataType": "int16"}"#;
    assert_eq!(
        change(Some(old), NodeKind::Array, Change::Shape(&[8, 20])).expect("good"),
        r#"{"a": 1, "dimensions": [20, 8], "n5": "2.0.0", "blockSize": [4, 3], "b": 1.50, "dataType": "int16"}"#
    );
    let e = change(Some(old), NodeKind::Array, Change::Shape(&[8])).expect_err("rank");
    assert_eq!(e.kind(), Kind::Conflict);
    let mut attributes = N5.attributes_of(old).expect("good");
    assert_eq!(attributes.to_json(), r#"{"a":1,"b":1.50}"#);
    attributes.remove("a");
    attributes.set("c", "[]").expect("JSON");
    assert_eq!(
        change(Some(old), NodeKind::Array, Change::Attributes(&attributes)).expect("good"),
        "{\n  \"dimensions\": [10,7],\n  \"n5\": \"2.0.0\",\n  \"blockSize\": [4, 3],\n  \"dataType\": \"int16\",\n  \"b\": 1.50,\n  \"c\": []\n}\n"
    );
    // a directory becomes a group with attributes
    let written = change(None, NodeKind::Group, Change::Attributes(&attributes)).expect("good");
    assert_eq!(written, "{\n  \"n5\": \"2.0.0\",\n  \"b\": 1.50,\n  \"c\": []\n}\n");
    assert!(change(None, NodeKind::Array, Change::Shape(&[1])).is_err());
}

#[test]
fn a_store_is_known_by_its_root() {
    let reading =
        crate::format::Reading { data_type_fallback: true, ..crate::format::Reading::default() };
    let known = |text: &[u8]| (ENTRY.recognise)(&reading, text).map(|f| f.is_some());
    assert_eq!(known(br#"{"n5": "4.0.0"}"#).ok(), Some(true));
    assert_eq!(known(&text(&[])).ok(), Some(true));
    assert_eq!(known(br#"{"title": "something else"}"#).ok(), Some(false));
    assert!(known(b"{").is_err());
    assert!(N5.speaks_for_itself(&text(&[("dataType", "")])));
    assert!(!N5.speaks_for_itself(b"{}") && !N5.speaks_for_itself(b"{"));
}
